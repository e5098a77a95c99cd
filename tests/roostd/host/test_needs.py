"""What a pattern needs: never more than what is there where it is found, and of the usual ones enough to save the search."""

from __future__ import annotations

import re

import pytest

from roostd.catalogue.load import catalogue
from roostd.host.needs import may_hold, needs
from roostd.host.patterns import compile_detection
from roostd.profiles import detection

NEEDED = [
    (r"^Do you want\b", (("Do you want",),)),
    (r"^one$\n^two", (("one\ntwo",),)),
    (r"(?:Press enter|esc back) *\Z", (("Press enter", "esc back"),)),
    (r"a(?:bc|d)", ()),
    (r"x\d+ seconds?", ((" second",),)),
    (r"(yes|no|.*)", ()),
    (r"(?i)Working", ()),
    (r"(?i:Working) for", ((" for",),)),
    (r"(?:Working)?", ()),
    (r"(?!Working)(?<!ing)[^a]", ()),
    (r"(inside) out", (("inside",), (" out",))),
]


@pytest.mark.parametrize(("pattern", "needed"), NEEDED)
def test_a_pattern_needs_the_words_that_every_match_has(pattern: str, needed: tuple[tuple[str, ...], ...]) -> None:
    assert needs(re.compile(pattern, re.MULTILINE)) == needed


def test_one_word_of_each_group_must_be_there() -> None:
    assert may_hold((("yes", "no"), ("go",)), "no, go")
    assert not may_hold((("yes", "no"), ("go",)), "no")
    assert may_hold((), "")


def test_most_patterns_of_the_catalogue_are_not_searched_for_where_nothing_is() -> None:
    seen = [seen for entry in catalogue().values() for seen in compile_detection(detection(entry)).screen]
    spared = [one for one in seen if not may_hold(one.needs, "only some words")]
    assert len(spared) > len(seen) * 0.8
