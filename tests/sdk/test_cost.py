"""What the one file needs: an old Python, the standard library, and little time."""

from __future__ import annotations

import ast
import subprocess
import sys
import time

from tests.support.tree import PACKAGES, imports

SDK = PACKAGES["roost_agent"] / "roost_agent.py"
NOT_BY_IMPORTING = {"asyncio", "typing", "dataclasses", "socket", "threading", "json", "select", "signal", "re", "collections", "inspect"}
OFTEN, DEAR = 25, 2.3


def test_it_runs_on_python_3_8() -> None:
    argv = [sys.executable, "-c", "import vermin; vermin.main()", "-t=3.8-", "--violations", "--no-tips", "--quiet", str(SDK)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    ast.parse(SDK.read_text(), feature_version=(3, 8))


def test_importing_it_loads_next_to_nothing() -> None:
    code = "import sys; old = set(sys.modules); import roost_agent; print(*set(sys.modules) - old)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert "roost_agent" in loaded
    assert not loaded & NOT_BY_IMPORTING
    assert {name.split(".")[0] for name in imports(SDK)} <= sys.stdlib_module_names


def test_outside_roost_nothing_more_is_loaded() -> None:
    code = (
        "import sys, roost_agent\nwith roost_agent.Agent.from_env(name='x') as a:\n a.working(); a.ask('?'); list(a.replies())\n"
        "print(*sys.modules)"
    )
    loaded = set(subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"asyncio", "socket", "threading", "json"}


def test_importing_it_costs_little_over_bare_python() -> None:
    """The best of many of each, taken in turns: what a loaded machine adds is added to both."""
    best = {"pass": float("inf"), "import roost_agent": float("inf")}
    for _ in range(OFTEN):
        for code in best:
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            best[code] = min(best[code], time.perf_counter() - begun)
    assert best["import roost_agent"] <= DEAR * best["pass"]
