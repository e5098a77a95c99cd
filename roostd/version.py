"""Which roost this is."""

import os
import re
import sys

_METADATA = re.compile(r"roost-([^-]+)\.dist-info")


def _find() -> str:
    """From the installed distribution's folder name; `importlib.metadata` would cost every host a third of a megabyte."""
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208
        except OSError:
            continue
        found = next((match[1] for name in names if (match := _METADATA.fullmatch(name))), None)
        if found:
            return found
    return "unknown"


VERSION = _find()
"""Found once: an upgrade takes the metadata away under a running daemon."""
