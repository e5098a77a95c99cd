"""`notify` in roost.json: what is told, how and how often. Pure; docs/notifications.md explains every key."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, get_args

import msgspec

What = Literal["waiting", "idle", "done", "failed", "lost", "attention"]
WHATS: Final[tuple[What, ...]] = get_args(What)

PLACEHOLDERS: Final = ("{title}", "{body}", "{markup}", "{job}", "{name}", "{what}")

ALLOWED: Final = {
    "desktop": "must be true, false, or a list of strings, the program first",
    "command": "must be a list of strings, the program first",
    "terminal": "must be true or false",
    "events": f"must be a list of some of {', '.join(WHATS)}",
    "cooldown": "must be a number of seconds from 0 to 3600",
}
"""Every key, and what is allowed in it."""

NEITHER: Final = "must be true, false or an object"

_WHOLE = re.compile(r"\{[A-Za-z_]+\}")


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`desktop` true is what the system has; `cooldown` is seconds. No `events`: nothing is told."""

    desktop: bool | list[str] = True
    command: list[str] | None = None
    terminal: bool = True
    events: tuple[What, ...] = WHATS
    cooldown: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 5.0


DEFAULT: Final = Settings()
OFF: Final = Settings(events=())


class WrongSettings(ValueError):
    """`key` is the path within `notify`, empty for the whole of it; `why` says what is allowed."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key = key
        self.why = why


def parse(value: Any) -> Settings:
    """What stands behind `notify`. Raises WrongSettings."""
    if isinstance(value, bool):
        return DEFAULT if value else OFF
    if not isinstance(value, dict):
        raise WrongSettings("", NEITHER)
    for key in value:
        if key not in ALLOWED:
            raise WrongSettings(key, f"there is no such key; allowed: {', '.join(ALLOWED)}")
    try:
        settings = msgspec.convert(value, Settings)
    except msgspec.ValidationError as error:
        found = re.search(r"at `\$\.(\w+)", str(error))
        key = found[1] if found else ""
        raise WrongSettings(key, ALLOWED.get(key, NEITHER)) from None
    _check_argv("desktop", settings.desktop, PLACEHOLDERS)
    _check_argv("command", settings.command, ())
    return settings


def _check_argv(key: str, argv: bool | list[str] | None, placeholders: tuple[str, ...]) -> None:
    if not isinstance(argv, list):
        return
    if not argv or not argv[0]:
        raise WrongSettings(key, ALLOWED[key])
    for index, element in enumerate(argv):
        if why := _wrong_element(element, placeholders):
            raise WrongSettings(f"{key}[{index}]", why)


def _wrong_element(element: str, placeholders: tuple[str, ...]) -> str | None:
    if "\0" in element:
        return "has a NUL in it"
    if not placeholders:
        inside = next((name for name in PLACEHOLDERS if name in element), None)
        return f"{inside} is replaced in `desktop` only: a command gets everything as JSON on its stdin" if inside else None
    if _WHOLE.fullmatch(element):
        return None if element in placeholders else f"there is no placeholder {element}; allowed: {', '.join(placeholders)}"
    inside = next((name for name in placeholders if name in element), None)
    return f"{inside} must be an element of its own, not a part of {element!r}" if inside else None
