"""The person's `roost.json`: found, read, and checked so that a mistake is named by file, key and what is allowed.

The first file found is the whole configuration; nothing is merged. Only the person's own file is read: a project's cannot
define what is run. `load` is pure but for the reader it is given.
"""

import difflib
import errno
import json
import os
import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NoReturn

import msgspec

from roost_protocol.errors import RoostError
from roostd.catalogue.load import catalogue
from roostd.notify import settings
from roostd.profile_rules import problems
from roostd.profiles import Profile

MAX_BYTES: Final = 1_000_000

TOP: Final = {
    "agentProfiles": "must be an object: agent names, each with a profile",
    "mirror": 'must be "pyte" or "ghostty"',
    "notify": settings.NEITHER,
}
MIRRORS: Final = ("pyte", "ghostty")
"""The engines of `roostd.host.mirror.engines`, the default first; named here too, so that a daemon loads none of them."""

PATTERNS: Final = 'must be a regular expression, an object {"pattern", "region", "lines", "priority"}, or a list of them'

ALLOWED: Final = {
    "command": "must be a list of at least one string, the program first",
    "task": 'must be "argv", "type" or "none"',
    "taskSeparator": 'must be an argument such as "--"',
    "model": "must be a list of strings, one of them {model}",
    "thinking": "must be a list of strings, one of them {thinking}",
    "resume": "must be a list of strings, one of them {session}, or null",
    "session": 'must be an object with either "mint" (a list of strings) or "pattern" (a string)',
    "waiting": PATTERNS,
    "working": PATTERNS,
    "idle": PATTERNS,
    "settle": "must be a number of seconds from 0.1 to 3600",
    "recognisable": "must be true or false",
    "submit": "must be a string of 1 to 16 characters",
    "submitDelay": "must be a number of milliseconds from 0 to 60000",
    "env": "must be an object of strings",
    "stop": 'must be one of "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"',
    "detach": 'must be a key with control, such as "ctrl-q", or two keys such as "ctrl-a d"',
    "pi": "must be true or false",
}
"""Every key of a profile, and what is allowed in it."""


@dataclass(frozen=True, slots=True)
class Config:
    """The file that was read, if there is one, the profiles in it, the engine that mirrors new jobs' terminals, and what is notified."""

    source: str | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    mirror: str = MIRRORS[0]
    notify: settings.Settings = settings.DEFAULT


def candidates(environ: Mapping[str, str]) -> list[str]:
    """Where roost.json may be, first choice first. Relative values of XDG_CONFIG_HOME are ignored, as its specification says."""
    home = environ.get("HOME", "")
    base = environ.get("XDG_CONFIG_HOME", "")
    found = []
    if base.startswith("/"):
        found.append(f"{base}/roost/roost.json")
    elif home.startswith("/"):
        found.append(f"{home}/.config/roost/roost.json")
    if home.startswith("/"):
        found.append(f"{home}/.pi/agent/roost.json")
    return found


def read_file(path: str) -> bytes:
    """The reader for `load`: at most one byte more than is allowed. Waits for nobody to write into it: OSError for what is no file."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(fd).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        with os.fdopen(fd, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1)
    finally:
        os.close(fd)


def load(environ: Mapping[str, str], read: Callable[[str], bytes] = read_file) -> Config:
    """The person's configuration; an empty one when there is no file. RoostError `bad_request` says what is wrong in it.

    `read` raises FileNotFoundError (or NotADirectoryError) where there is none, another OSError where it cannot be read.
    ROOST_MIRROR in `environ` stands above the file's `mirror`.
    """
    engine = environ.get("ROOST_MIRROR", "")
    if engine and engine not in MIRRORS:
        _wrong("ROOST_MIRROR", "", TOP["mirror"])
    file = _found(environ, read)
    if file is None:
        return Config(mirror=engine or MIRRORS[0])
    found = decode(*file)
    return replace(found, mirror=engine) if engine else found


def load_notify(environ: Mapping[str, str], read: Callable[[str], bytes] = read_file) -> settings.Settings:
    """What is notified alone: a mistake in a profile is none of it. RoostError as for `load`."""
    file = _found(environ, read)
    return settings.DEFAULT if file is None else _notify(file[0], _document(*file))


def _found(environ: Mapping[str, str], read: Callable[[str], bytes]) -> tuple[str, bytes] | None:
    """The first file there is, and what is in it."""
    for path in candidates(environ):
        try:
            return path, read(path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise RoostError("bad_request", f"{path}: cannot be read: {error.strerror or error}") from error
    return None


def decode(path: str, data: bytes) -> Config:
    """What the bytes of a roost.json say; `path` is the file's name."""
    document = _document(path, data)
    _no_near_misses(path, document)
    profiles = document.get("agentProfiles", {})
    if not isinstance(profiles, dict):
        _wrong(path, "agentProfiles", TOP["agentProfiles"])
    engine = document.get("mirror", MIRRORS[0])
    if engine not in MIRRORS:
        _wrong(path, "mirror", TOP["mirror"])
    notify = _notify(path, document)
    return Config(path, {name: _profile(path, name, value) for name, value in profiles.items()}, engine, notify)


def _document(path: str, data: bytes) -> dict[str, Any]:
    document = _json(path, data)
    if not isinstance(document, dict):
        _wrong(path, "", "must be an object with agentProfiles")
    return document


def _notify(path: str, document: dict[str, Any]) -> settings.Settings:
    try:
        return settings.parse(document.get("notify", True))
    except settings.WrongSettings as error:
        _wrong(path, f"notify.{error.key}" if error.key else "notify", error.why)


def resolve(name: str, config: Config) -> Profile:
    """The person's profile of this name, else the built-in one. RoostError `not_found` lists what there is."""
    known = {**catalogue(), **config.profiles}
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise RoostError(
        "not_found",
        f"there is no agent {name!r}: {hint}known are {', '.join(sorted(known))}; "
        "anything else is started with `roost run -- COMMAND ARG...`",
    )


def _json(path: str, data: bytes) -> Any:
    if len(data) > MAX_BYTES:
        _wrong(path, "", f"is larger than {MAX_BYTES} bytes")
    try:
        document = json.loads(data.decode(), object_pairs_hook=_no_doubles, parse_constant=_no_constant)
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        _wrong(path, "", f"is not UTF-8 at line {data.count(10, 0, error.start) + 1}")
    except UnicodeEncodeError:
        _wrong(path, "", "has half of a surrogate pair in a string, which is no character")
    except json.JSONDecodeError as error:
        _wrong(path, "", f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}")
    except RecursionError:
        _wrong(path, "", "is nested too deeply")
    except _NotAllowedError as error:
        _wrong(path, "", str(error))
    return document


class _NotAllowedError(ValueError):
    """JSON that can be read but means nothing, or two things."""


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _NotAllowedError(f"has the key {_shown(twice)} twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _NotAllowedError(f"has the value {name}, which is not JSON")


def _profile(path: str, name: str, value: Any) -> Profile:
    place = f"agentProfiles.{_shown(name)}"
    if not isinstance(value, dict):
        _wrong(path, place, "must be an object: a profile")
    _known_keys(path, place, value)
    try:
        profile = msgspec.convert({**value, "name": name}, Profile)
    except msgspec.ValidationError as error:
        key = _key_of(str(error))
        _wrong(path, f"{place}.{key}", ALLOWED[re.split(r"[.\[]", key)[0]])
    for key, why in problems(profile):
        _wrong(path, f"{place}.{key}" if key else place, why)
    return profile


def _key_of(message: str) -> str:
    """The key in a message of msgspec, which ends in "- at `$.command[0]`", or names a missing field."""
    if place := re.search(r"at `(?:key in )?\$\.?([^`]+)`", message):
        return place[1].replace("[...]", "")
    missing = re.search(r"field `(\w+)`", message)
    return missing[1] if missing else "command"


def _known_keys(path: str, place: str, profile: dict[str, Any]) -> None:
    for key in profile:
        if key not in ALLOWED:
            close = difflib.get_close_matches(key, ALLOWED, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            _wrong(path, f"{place}.{_shown(key)}", f"there is no such key; {hint}allowed: {', '.join(ALLOWED)}")


def _no_near_misses(path: str, document: dict[str, Any]) -> None:
    """Other keys at the top belong to other parts of roost and to what shares the file; a misspelt one of ours is told."""
    for key in document:
        if key not in TOP and (close := difflib.get_close_matches(key, TOP, n=1, cutoff=0.8)):
            _wrong(path, _shown(key), f"there is no such key; did you mean {close[0]}? It {TOP[close[0]]}")


def _shown(name: str) -> str:
    """A name of the file's in a message: as it is when it is plain, quoted and escaped when not."""
    return name if re.fullmatch(r"[\w.-]{1,64}", name, re.ASCII) else ascii(name[:64])


def _wrong(path: str, place: str, why: str) -> NoReturn:
    raise RoostError("bad_request", f"{path}: {place}: {why}" if place else f"{path}: {why}") from None
