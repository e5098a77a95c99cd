"""One job's trouble is not the daemon's end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from roost_protocol.errors import RoostError

log = structlog.get_logger()


@contextmanager
def logged(what: str, **facts: str) -> Iterator[None]:
    """Whatever goes wrong in here is written down, and the daemon goes on behind it."""
    try:
        yield
    except RoostError as error:
        log.error(f"{what} failed", why=error.message, **facts)
    except Exception:
        log.error(f"{what} failed", exc_info=True, **facts)
