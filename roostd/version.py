"""Which roost this is."""

from importlib.metadata import PackageNotFoundError, version


def _find() -> str:
    try:
        return version("roost")
    except PackageNotFoundError:
        return "unknown"


VERSION = _find()
"""Found once: an upgrade takes the metadata away under a running daemon."""
