"""What a request's parameters must be, said in plain words where they are not. Pure."""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

import msgspec

from roost_protocol.decoding import MALFORMED
from roost_protocol.errors import RoostError
from roost_protocol.text import printable
from roostd.jobs.naming import unknown

T = TypeVar("T")

_AT: Final = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.+)`")
_OTHER_KIND: Final = re.compile(r"Expected `(.+)`, got `(.+)`")
_BOUND: Final = re.compile(r"Expected `(.+?)` (of length )?(>=|<=) (\d+)")
_CHOICE: Final = re.compile(r"Invalid enum value (.+)", re.DOTALL)
_JOB: Final = re.compile(r"job|jobs\[(\d+)\]")

_KINDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_BOUNDS: Final = {">=": "at least", "<=": "at most"}
_UNITS: Final = {"text": "characters", "a list": "elements"}

_NAME: Final = "a name has letters, digits, '.', '_' and '-', begins with a letter or a digit and has at most 64 characters"
_NO_JOB: Final = "name a job: its id, its name, or the beginning of its id"


def decode(verb: str, raw: msgspec.Raw, kind: type[T]) -> T:
    """The parameters of one request. RoostError `bad_request` names the key and what was expected of it, in one line.

    What is longer than any name or id of a job is `not_found`.
    """
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise _refusal(verb, str(error), raw) from None
    except MALFORMED as error:
        raise RoostError("bad_request", f"{verb}: {printable(str(error))}") from None


def _refusal(verb: str, message: str, raw: msgspec.Raw) -> RoostError:
    found = _AT.search(message)
    key = found[1] if found else ""
    what = message[: found.start()] if found else message
    job = _JOB.fullmatch(key)
    if job and "of length <=" in what:
        given = _given(raw, key.partition("[")[0])
        return unknown(given if job[1] is None else given[int(job[1])])
    return RoostError("bad_request", _explained(verb, key, what, raw))


def _explained(verb: str, key: str, what: str, raw: msgspec.Raw) -> str:
    missing = _MISSING.fullmatch(what)
    if missing:
        return f"{verb}: {_path(key, missing[1])} is missing"
    if key == "name" and "matching regex" in what:
        return f"{_NAME}: {printable(repr(_given(raw, key)))} has not"
    if _JOB.fullmatch(key) and "of length >=" in what:
        return _NO_JOB
    if key == "cwd" and "matching regex" in what:
        return "cwd must be an absolute path"
    return printable(f"{verb}: {key or 'its parameters'}: {_expected(what)}")


def _expected(what: str) -> str:
    if bound := _BOUND.fullmatch(what):
        return _bounded(_kinds(bound[1]), bool(bound[2]), bound[3], bound[4])
    if other := _OTHER_KIND.fullmatch(what):
        return f"expected {_kinds(other[1])}, not {_kinds(other[2])}"
    if choice := _CHOICE.fullmatch(what):
        return f"{choice[1]} is not one of its values"
    return what.replace("`", "")


def _bounded(kind: str, by_length: bool, sign: str, limit: str) -> str:
    if not by_length:
        return f"expected {kind}, {_BOUNDS[sign]} {limit}"
    if (sign, limit) == (">=", "1"):
        return f"expected {kind} that is not empty"
    return f"expected {kind} of {_BOUNDS[sign]} {limit} {_UNITS.get(kind, 'elements')}"


def _kinds(names: str) -> str:
    return " or ".join(_KINDS.get(name.strip(), name.strip()) for name in names.split("|"))


def _path(outer: str, name: str) -> str:
    return f"{outer}.{name}" if outer else name


def _given(raw: msgspec.Raw, key: str) -> Any:
    return msgspec.json.decode(raw)[key]
