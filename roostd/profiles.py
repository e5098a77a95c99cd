"""A profile: how one agent is started, told its task and read. Pure; `config` reads the person's, `catalogue` holds ours.

A profile becomes a `Launch` (argv, and what is to be typed) by replacing placeholders: `{task}`, `{model}`, `{thinking}`,
`{session}`, each a whole element of an argv, never a part of one. There is no shell and no expansion, so that nothing a
person or a task says can become another argument. `profile_rules` checks a profile before it gets here.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import msgspec

from roost_protocol.errors import RoostError
from roost_protocol.host import Detection, Pattern, Typing

GENERIC: Final = "generic"
"""The name of the agent of a bare command."""

TASK: Final = "{task}"

Patterns = str | Pattern | list[str | Pattern]


class Session(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the agent's session id becomes known: arguments that give it one, or a pattern that finds it on the screen."""

    mint: list[str] | None = None
    pattern: str | None = None


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """One agent, as written in `agentProfiles`; every key is explained in docs/profiles.md.

    `settle` is seconds, `submit_delay` milliseconds. `name` is the key under which the profile stands.
    """

    command: list[str]
    name: str = ""
    task: Literal["argv", "type", "none"] = "none"
    task_separator: str | None = None
    model: list[str] | None = None
    thinking: list[str] | None = None
    resume: list[str] | None = None
    session: Session | None = None
    waiting: Patterns = []
    working: Patterns = []
    idle: Patterns = []
    settle: Annotated[float, msgspec.Meta(ge=0.1, le=3600)] = 2.0
    recognisable: bool = False
    submit: str = "\r"
    submit_delay: Annotated[float, msgspec.Meta(ge=0, le=60_000)] = 300
    env: dict[str, str] = {}
    stop: Literal["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] = "SIGTERM"
    detach: str | None = None
    pi: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """What to run: the argv, the task if it is to be typed once the agent is ready, and the session id if it is known."""

    argv: list[str]
    typed_task: str | None = None
    session_ref: str | None = None


def detection(profile: Profile) -> Detection:
    """The part of a profile that the host reads the screen by."""
    return Detection(
        waiting=as_list(profile.waiting),
        working=as_list(profile.working),
        idle=as_list(profile.idle),
        settle=profile.settle,
        recognisable=profile.recognisable,
        session=profile.session.pattern if profile.session else None,
    )


def typing(profile: Profile) -> Typing:
    """The part of a profile that the host types by (its delay is in seconds)."""
    return Typing(submit=profile.submit, delay=profile.submit_delay / 1000)


def as_list(patterns: Patterns) -> list[str | Pattern]:
    """One pattern is a list of one."""
    return list(patterns) if isinstance(patterns, list) else [patterns]


def generic(argv: Sequence[str]) -> Profile:
    """The profile of a bare command: nothing is known of it."""
    if not argv or not argv[0]:
        raise RoostError("bad_request", "there is no command to run: write `roost run -- COMMAND ARG...`")
    return Profile(name=GENERIC, command=list(argv))


def build(
    profile: Profile,
    *,
    session: str,
    task: str | None = None,
    model: str | None = None,
    thinking: str | None = None,
    extra_args: Iterable[str] = (),
    shell: str = "/bin/sh",
    python: str = sys.executable,
) -> Launch:
    """A first start.

    `session` is a fresh UUID, used where the agent takes an id; `shell` is the caller's. RoostError `bad_request` when the
    profile cannot take what is asked of it.
    """
    options = _options(profile, {"model": model, "thinking": thinking})
    minted = profile.session.mint if profile.session else None
    appended = [] if task is None else _task_arguments(profile, task)
    if profile.name == GENERIC:
        # A person's own argv: braces in it are theirs.
        return Launch(argv=_checked([*profile.command, *extra_args]))
    replace = {"{model}": model, "{thinking}": thinking, "{session}": session, "{shell}": shell, "{python}": python}
    template = [*profile.command, *(minted or []), *options]
    if TASK in template:
        appended = []
    argv = [*_fill(template, {**replace, TASK: task}), *extra_args, *appended]
    return Launch(
        argv=_checked(argv),
        typed_task=task if profile.task == "type" else None,
        session_ref=session if minted else None,
    )


def build_resume(profile: Profile, session: str, *, shell: str = "/bin/sh", python: str = sys.executable) -> Launch:
    """Opens the agent's session `session` again. RoostError `conflict` when this agent cannot."""
    if profile.resume is None:
        raise RoostError("conflict", f"{_named(profile)} has no `resume` in its profile; `roost again` starts it from the beginning")
    if session.startswith("-"):
        raise RoostError("bad_request", f"session {session!r} would be read as an option")
    argv = _fill(profile.resume, {"{session}": session, "{shell}": shell, "{python}": python})
    return Launch(argv=_checked(argv), session_ref=session)


def _options(profile: Profile, values: Mapping[str, str | None]) -> list[str]:
    templates = {"model": profile.model, "thinking": profile.thinking}
    found: list[str] = []
    for key, value in values.items():
        if value is None:
            continue
        template = templates[key]
        if template is None:
            raise RoostError("bad_request", f"{_named(profile)} has no `{key}` in its profile: --{key} cannot be used")
        if value.startswith("-"):
            raise RoostError("bad_request", f"--{key}: {value!r} would be read as an option")
        found += template
    return found


def _task_arguments(profile: Profile, task: str) -> list[str]:
    if profile.task == "none":
        raise RoostError("bad_request", f"{_named(profile)} takes no task: its profile says `task` is none")
    if profile.task == "type":
        return []
    separator = profile.task_separator
    # Behind `--` nothing is an option any more; behind an option's name some parsers take what begins with "-" for the next one.
    if separator is not None and (separator == "--" or not task.startswith("-")):
        return [separator, task]
    if task.startswith("-"):
        raise RoostError(
            "bad_request",
            f'the task begins with "-" and {_named(profile)} would read it as an option: begin it with another word',
        )
    return [task]


def _fill(template: Iterable[str], replace: Mapping[str, str | None]) -> list[str]:
    values = (replace.get(element, element) for element in template)
    # Only `{task}` can be None: a start without a task leaves its place out.
    return [value for value in values if value is not None]


def _checked(argv: list[str]) -> list[str]:
    for element in argv:
        if "\0" in element:
            raise RoostError("bad_request", "an argument has a NUL in it: no program can be given that")
    return argv


def _named(profile: Profile) -> str:
    return "a bare command" if profile.name == GENERIC else f"agent {profile.name}"
