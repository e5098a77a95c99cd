"""Which agents there are, and whose profile counts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roostd.config import Config
from roostd.profiles import Profile, as_list

BUILT_IN = "built in"


def listed(config: Config, built_in: Mapping[str, Profile]) -> Iterator[dict[str, Any]]:
    """One object for each agent, by name: `source` is the file that its profile stands in, or "built in"; `patterns` counts them."""
    for name, profile in sorted({**built_in, **config.profiles}.items()):
        yield {
            "name": name,
            "source": source_of(name, config),
            "command": profile.command,
            "task": profile.task,
            "resumes": profile.resume is not None,
            "patterns": {state: len(as_list(getattr(profile, state))) for state in ("waiting", "working", "idle")},
        }


def source_of(name: str, config: Config) -> str:
    """Where the profile of this name stands."""
    return config.source or BUILT_IN if name in config.profiles else BUILT_IN
