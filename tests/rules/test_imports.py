"""Which way imports go, and what the cheap processes may load."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tree import PACKAGES, ROOT, imports, python_files, shown

OURS = frozenset(PACKAGES)
THIRD_PARTY = frozenset({"anyio", "msgspec", "ptyprocess", "pyte", "structlog", "wcwidth"})

# package: which of ours, and which of others', it may import beside the standard library
MAY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "roost_protocol": (frozenset({"roost_protocol"}), frozenset({"msgspec"})),
    "roostd": (frozenset({"roostd", "roost_protocol"}), THIRD_PARTY),
    "roost": (frozenset({"roost", "roost_protocol", "roost_agent"}), frozenset({"msgspec"})),
    "roost_agent": (frozenset({"roost_agent"}), frozenset()),
}

# The wire is values only: what is not in here could do I/O or read a clock.
VALUES = frozenset(
    {
        "__future__",
        "base64",
        "binascii",
        "bisect",
        "collections",
        "dataclasses",
        "enum",
        "functools",
        "itertools",
        "json",
        "re",
        "struct",
        "typing",
        "unicodedata",
    }
)

WRITES_THE_SCHEMA = "protocol/roost_protocol/schema/__main__.py"
"""A developer's command beside the wire, which no process of ours loads: it writes a file."""

LIGHT = ("states", "errors", "paths", "text")
"""Modules of the wire that `roost ls` loads: the standard library alone."""

HEAVY_FOR_A_HOST = {"asyncio", "anyio", "structlog"}


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package: str) -> None:
    ours, others = MAY[package]
    allowed = ours | others | frozenset(sys.stdlib_module_names)
    wrong = [
        f"{shown(path)} imports {name}"
        for path in python_files(PACKAGES[package])
        for name in imports(path)
        if name.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_the_wire_does_no_io() -> None:
    allowed = VALUES | {"msgspec", "roost_protocol"}
    wrong = [
        f"{shown(path)} imports {name}"
        for path in python_files(PACKAGES["roost_protocol"])
        for name in imports(path)
        if name.split(".")[0] not in allowed and shown(path) != WRITES_THE_SCHEMA
    ]
    assert wrong == []


def test_the_light_part_of_the_wire_stays_light() -> None:
    names = [f"roost_protocol.{name}" for name in LIGHT]
    assert not loaded(names) & {"msgspec", "dataclasses", "inspect", "socket"}


def test_a_host_loads_nothing_heavy() -> None:
    assert not loaded(modules_below(PACKAGES["roostd"] / "host", "roostd.host")) & HEAVY_FOR_A_HOST


def test_ls_loads_nothing_that_costs() -> None:
    heavy = {"msgspec", "anyio", "asyncio", "structlog", "pyte", "ptyprocess", "subprocess", "inspect", "dataclasses"}
    assert not loaded(["roost.cli", "roost.commands.ls"]) & heavy


def test_tests_of_one_side_do_not_hide_an_import_of_the_other() -> None:
    wrong = [shown(path) for path in python_files(ROOT / "tests" / "protocol") if imports_ours(path) - {"roost_protocol"}]
    assert wrong == []


def imports_ours(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)} & OURS


def modules_below(folder: Path, package: str) -> list[str]:
    """Every module of a package by its dotted name, but not its entry point (which would run)."""
    names = []
    for path in python_files(folder):
        parts = [package, *path.relative_to(folder).with_suffix("").parts]
        if parts[-1] != "__main__":
            names.append(".".join(parts).removesuffix(".__init__"))
    return names


def loaded(modules: list[str]) -> set[str]:
    """What a fresh interpreter has loaded after these imports, beyond what it begins with."""
    code = "import sys; old = set(sys.modules); [__import__(m) for m in sys.argv[1:]]; print(*(set(sys.modules) - old))"
    argv = [sys.executable, "-P", "-c", code, *modules]
    result = subprocess.run(argv, capture_output=True, text=True, check=False, env=dict(os.environ), cwd="/")
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())
