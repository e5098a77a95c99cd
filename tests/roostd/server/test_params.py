from __future__ import annotations

from typing import Any

import msgspec
import pytest

from roost_protocol.errors import RoostError
from roost_protocol.operator import EventSubscribe, JobKeys, JobRef, JobRename, JobRun, JobScreen, JobWait
from roostd.server.params import decode

NAME = "a name has letters, digits, '.', '_' and '-', begins with a letter or a digit and has at most 64 characters: "
NO_JOB = "name a job: its id, its name, or the beginning of its id"
CALLER: dict[str, Any] = {"environ": {}}


def test_what_is_right_is_decoded() -> None:
    assert decode("job.get", msgspec.Raw(b'{"job":"a","later":1}'), JobRef) == JobRef("a")


@pytest.mark.parametrize(
    ("kind", "params", "message"),
    [
        (JobRename, {"job": "a", "name": "bad name"}, f"{NAME}'bad name' has not"),
        (JobRename, {"job": "a", "name": ""}, f"{NAME}'' has not"),
        (JobRename, {"job": "a", "name": "\x1b\nx"}, f"{NAME}'\\x1b\\nx' has not"),
        (JobRun, {"caller": CALLER, "cwd": "/", "name": "-x"}, f"{NAME}'-x' has not"),
        (JobRename, {"job": "a", "name": 3}, "verb: name: expected text, not a whole number"),
        (JobRef, {"job": ""}, NO_JOB),
        (JobWait, {"jobs": ["a", ""]}, NO_JOB),
        (JobRef, {}, "verb: job is missing"),
        (JobRun, {"caller": {}, "cwd": "/"}, "verb: caller.environ is missing"),
        (JobRun, {"caller": CALLER, "cwd": "here"}, "cwd must be an absolute path"),
        (JobRun, {"caller": {"environ": {}, "cols": 0}, "cwd": "/"}, "verb: caller.cols: expected a whole number, at least 1"),
        (JobKeys, {"job": "a", "keys": []}, "verb: keys: expected a list that is not empty"),
        (JobWait, {"jobs": ["a"], "until": ["nope"]}, "verb: until[0]: 'nope' is not one of its values"),
        (JobScreen, {"job": "a", "ansi": 1}, "verb: ansi: expected true or false, not a whole number"),
        (EventSubscribe, {"since": "x"}, "verb: since: expected a whole number or nothing, not text"),
        (JobRef, [], "verb: its parameters: expected an object, not a list"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(kind: type[Any], params: Any, message: str) -> None:
    with pytest.raises(RoostError) as caught:
        decode("verb", msgspec.Raw(msgspec.json.encode(params)), kind)
    assert (caught.value.code, caught.value.message) == ("bad_request", message)


@pytest.mark.parametrize(("kind", "params"), [(JobRef, {"job": "x" * 300}), (JobWait, {"jobs": ["a", "x" * 300]})])
def test_what_no_job_can_be_called_is_no_job(kind: type[Any], params: Any) -> None:
    with pytest.raises(RoostError) as caught:
        decode("verb", msgspec.Raw(msgspec.json.encode(params)), kind)
    assert (caught.value.code, caught.value.message) == ("not_found", f"no job '{'x' * 63}…'; `roost ls -a` shows all there are")


def test_what_is_no_text_is_one_line_too() -> None:
    with pytest.raises(RoostError, match=r"^verb: ") as caught:
        decode("verb", msgspec.Raw(b'{"job":"\\ud800"}'), JobRef)
    assert caught.value.message.isprintable()


def test_a_variable_is_not_told() -> None:
    raw = msgspec.json.encode({"caller": {"environ": {"SECRET": ["hidden"]}}, "cwd": "/"})
    with pytest.raises(RoostError, match="expected text, not a list") as caught:
        decode("job.run", msgspec.Raw(raw), JobRun)
    assert "SECRET" not in caught.value.message
    assert "hidden" not in caught.value.message
