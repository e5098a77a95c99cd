"""What a profile must keep to beyond its types: placeholders, patterns, environment. Pure.

Each rule yields `(key, what is wrong)`, the key as a path inside the profile (`session.mint[1]`).
"""

import re
from collections.abc import Iterator
from typing import Final

from roostd.backtracking import BUDGET, too_slow
from roostd.environment import refusal
from roostd.profiles import Profile, as_list

MAX_PATTERN: Final = 1_000
MAX_PATTERNS: Final = 20
"""Bounds of what one screen is searched for, beside the time of each (`backtracking`)."""

PATTERN_FLAGS: Final = re.MULTILINE
"""Patterns are searched in the rows of the screen joined by newlines, empty ones at its end left out; ^ and $ are a row's ends."""

EVERYWHERE: Final = frozenset({"{task}", "{model}", "{thinking}", "{session}", "{shell}", "{python}"})
BUILT_IN: Final = frozenset({"{shell}", "{python}"})

_WHOLE = re.compile(r"\{[A-Za-z_]+\}")
_CTRL = r"ctrl[-+][a-z@\\\]^_]"
_DETACH = re.compile(rf"{_CTRL}(?: (?:[!-~]|{_CTRL}))?", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

Problem = tuple[str, str]


def problems(profile: Profile, *, built_in: bool = False) -> Iterator[Problem]:
    """All that is wrong with a profile, in the order of its keys. `built_in` ones may use {python} and {shell}."""
    if not _NAME.fullmatch(profile.name) or profile.name == "generic":
        yield "", 'an agent\'s name has 1 to 64 letters, digits, ".", "_" or "-", begins with a letter or digit, and is not "generic"'
    extra = BUILT_IN if built_in else frozenset()
    yield from _command(profile, extra)
    for key, argv, needed in _templates(profile):
        yield from _argv(key, argv, extra | {needed}, needed)
    if profile.session and (profile.session.mint is None) == (profile.session.pattern is None):
        yield "session", 'is an object with either "mint" or "pattern"'
    yield from _patterns(profile, built_in)
    yield from _texts(profile)
    for name, value in profile.env.items():
        if why := refusal(name):
            yield f"env.{name}", why
        elif "\0" in value:
            yield f"env.{name}", "has a NUL in it"


def _command(profile: Profile, extra: frozenset[str]) -> Iterator[Problem]:
    if not profile.command or not profile.command[0]:
        yield "command", "must be a list of at least one string, the program first"
    takes_task = profile.task == "argv"
    yield from _argv("command", profile.command, extra | ({"{task}"} if takes_task else frozenset()), None)
    if profile.task_separator is not None and (not takes_task or "{task}" in profile.command):
        yield "taskSeparator", 'only has a meaning with "task": "argv" and without {task} in command'


def _templates(profile: Profile) -> Iterator[tuple[str, list[str], str]]:
    mint = profile.session.mint if profile.session else None
    for key, argv, needed in (
        ("model", profile.model, "{model}"),
        ("thinking", profile.thinking, "{thinking}"),
        ("resume", profile.resume, "{session}"),
        ("session.mint", mint, "{session}"),
    ):
        if argv is not None:
            yield key, argv, needed


def _argv(key: str, argv: list[str], allowed: frozenset[str], needed: str | None) -> Iterator[Problem]:
    for index, element in enumerate(argv):
        place = f"{key}[{index}]"
        if "\0" in element:
            yield place, "has a NUL in it"
        elif _WHOLE.fullmatch(element):
            if element not in allowed:
                yield place, f"there is no placeholder {element} here; allowed: {', '.join(sorted(allowed)) or 'none'}"
        elif inside := [name for name in sorted(EVERYWHERE) if name in element]:
            yield place, f"{inside[0]} must be an element of its own, not a part of {element!r}"
    if needed and needed not in argv:
        yield key, f"must have {needed} as one of its elements"


def _patterns(profile: Profile, trusted: bool) -> Iterator[Problem]:
    """`trusted` ones have been tried out before."""
    for key in ("waiting", "working", "idle"):
        patterns = as_list(getattr(profile, key))
        if len(patterns) > MAX_PATTERNS:
            yield key, f"has {len(patterns)} patterns; at most {MAX_PATTERNS} are allowed"
        for pattern in patterns:
            yield from _pattern(key, pattern if isinstance(pattern, str) else pattern.pattern, trusted)
    if profile.recognisable and not as_list(profile.idle):
        yield "recognisable", "only has a meaning with `idle` patterns: without them no idle screen is recognised"
    if profile.session and profile.session.pattern is not None:
        found = list(_pattern("session.pattern", profile.session.pattern, trusted))
        yield from found
        if not found and re.compile(profile.session.pattern).groups != 1:
            yield "session.pattern", "must have exactly one group, around the session's id"


def _slow(pattern: str) -> bool:
    try:
        return too_slow(pattern, PATTERN_FLAGS)
    except RecursionError:
        return True


def _pattern(key: str, pattern: str, trusted: bool) -> Iterator[Problem]:
    if len(pattern) > MAX_PATTERN:
        yield key, f"is {len(pattern)} characters long; at most {MAX_PATTERN} are allowed"
        return
    try:
        compiled = re.compile(pattern, PATTERN_FLAGS)
    except (re.error, OverflowError, RecursionError) as error:
        yield key, f"{pattern!r} is no regular expression: {error}"
        return
    if compiled.search(""):
        yield key, f"{pattern!r} matches an empty screen, so it says nothing"
    elif not trusted and _slow(pattern):
        limit = f"more than {1000 * BUDGET:g} ms on a screen that almost matches"
        yield key, f"{pattern!r} searches for {limit}, and would hold up its job: put no repeat into a repeat"


def _texts(profile: Profile) -> Iterator[Problem]:
    if "\0" in profile.submit or not 1 <= len(profile.submit) <= 16:
        yield "submit", "must be 1 to 16 characters, without NUL"
    if profile.detach is not None and not _DETACH.fullmatch(profile.detach):
        yield "detach", 'must be a key with control, such as "ctrl-q", or two keys such as "ctrl-a d"'
    if profile.task_separator is not None and (not profile.task_separator or "\0" in profile.task_separator):
        yield "taskSeparator", 'must be an argument such as "--"'
