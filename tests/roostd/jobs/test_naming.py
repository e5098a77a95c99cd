from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost_protocol.errors import RoostError
from roost_protocol.operator import JobRename
from roostd.jobs.naming import fit, free, resolve
from tests.roostd.jobs.made import job


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("codex", "codex"),
        ("/usr/bin/python3", "python3"),
        ("./my tool", "my-tool"),
        ("-x-", "x"),
        ("äö", "job"),
        ("", "job"),
        ("a" * 100, "a" * 64),
    ],
)
def test_a_name_is_made_of_what_it_is_called(wish: str, name: str) -> None:
    assert fit(wish) == name


@given(st.text(), st.integers(1, 12))
def test_a_made_name_may_be_given(wish: str, others: int) -> None:
    taken: set[str] = set()
    for _ in range(others):
        name = free(fit(wish), taken)
        assert name not in taken
        msgspec.convert({"job": "x", "name": name}, JobRename)
        taken.add(name)


def test_the_next_free_number_is_taken() -> None:
    assert free("codex", set()) == "codex"
    assert free("codex", {"codex"}) == "codex-2"
    assert free("codex", {"codex", "codex-2"}) == "codex-3"


JOBS = [job(id="aaaa1111", name="bbbb"), job(id="aaaa2222", name=None), job(id="bbbb3333", name="aaaa1111")]


@pytest.mark.parametrize(
    ("ref", "found"),
    [("aaaa1111", "aaaa1111"), ("bbbb", "aaaa1111"), ("aaaa2", "aaaa2222"), ("bbbb3", "bbbb3333")],
)
def test_an_exact_id_then_a_name_then_a_prefix(ref: str, found: str) -> None:
    assert resolve(ref, JOBS) == found


def test_a_prefix_of_several_names_them() -> None:
    with pytest.raises(RoostError, match=re.escape("aaaa1111 (bbbb), aaaa2222 (codex)")) as caught:
        resolve("aaaa", JOBS)
    assert caught.value.code == "ambiguous"


def test_nothing_found_says_where_to_look() -> None:
    with pytest.raises(RoostError, match="no job 'zz'") as caught:
        resolve("zz", JOBS)
    assert caught.value.code == "not_found"


def test_what_is_longer_than_a_name_is_shown_by_its_beginning() -> None:
    with pytest.raises(RoostError) as caught:
        resolve("z" * 65, JOBS)
    assert caught.value.message.startswith(f"no job '{'z' * 63}…';")
