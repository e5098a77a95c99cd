"""What a job takes over from whoever starts it (`operator.Caller` as a dict). Never shown, never logged."""

from __future__ import annotations

import base64
import os
import resource

from roost.output import terminal_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_SIZE = (120, 40)
LARGEST = 10_000


def caller() -> dict[str, Any]:
    """Our environment, umask, soft limits and terminal size."""
    environ, raw = split_environ(dict(os.environb))
    cols, rows = terminal_size() or DEFAULT_SIZE
    return {
        "environ": environ,
        "environ_raw": raw,
        "umask": _umask(),
        "limits": _limits(),
        "cols": min(cols, LARGEST),
        "rows": min(rows, LARGEST),
    }


def split_environ(environ: dict[bytes, bytes]) -> tuple[dict[str, str], dict[str, str]]:
    """The variables that are UTF-8, and the others with both sides in base64."""
    text: dict[str, str] = {}
    raw: dict[str, str] = {}
    for name, value in environ.items():
        try:
            text[name.decode()] = value.decode()
        except UnicodeDecodeError:
            raw[base64.b64encode(name).decode()] = base64.b64encode(value).decode()
    return text, raw


def _umask() -> int:
    # There is no way to ask but to set it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _limits() -> dict[str, int]:
    """Soft limits by their name in `resource`; -1 is unlimited."""
    limits = {}
    for name in dir(resource):
        if name.startswith("RLIMIT_"):
            soft = resource.getrlimit(getattr(resource, name))[0]
            limits[name] = -1 if soft == resource.RLIM_INFINITY else soft
    return limits
