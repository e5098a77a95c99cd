"""The built-in profiles, read from this package's data once: an upgrade may take the files away under a running daemon."""

from functools import cache
from importlib import resources

import msgspec

from roostd.profiles import Profile


@cache
def catalogue() -> dict[str, Profile]:
    """Every built-in profile by its name."""
    files = resources.files("roostd.catalogue").iterdir()
    return {
        name: msgspec.structs.replace(msgspec.json.decode(file.read_bytes(), type=Profile), name=name)
        for file in files
        for name, dot, kind in [file.name.partition(".")]
        if dot and kind == "json"
    }
