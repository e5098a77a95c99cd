"""The verbs: one file each in `handlers`; the folder is the registry. All are imported before the daemon serves."""

from __future__ import annotations

import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from roostd.server import handlers
from roostd.server.call import Call


@dataclass(frozen=True, slots=True)
class Handler:
    """One verb: the struct of its parameters, and what answers. `own_deadline`: it answers at the deadline instead of being refused."""

    params: type[Any]
    handle: Callable[[Call], Awaitable[Any]]
    own_deadline: bool


def load() -> dict[str, Handler]:
    """Every verb by its name: `job_run.py` is `job.run`."""
    found = {}
    for module in pkgutil.iter_modules(handlers.__path__):
        code = import_module(f"{handlers.__name__}.{module.name}")
        own_deadline = getattr(code, "OWN_DEADLINE", False)
        found[module.name.replace("_", ".", 1)] = Handler(code.PARAMS, code.handle, own_deadline)
    return found
