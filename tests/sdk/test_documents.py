"""The example and the pages of the SDK do what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import roost_agent
from roost_protocol import agent
from tests.support.commands import roost
from tests.support.home import Home
from tests.support.tree import ROOT
from tests.support.waiting import eventually

EXAMPLE = ROOT / "sdk" / "examples" / "deploy.py"
PAGE = ROOT / "sdk" / "README.md"
CODE = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
FIRST = re.findall(r"\n((?:    .*\n|\n)+)", roost_agent.__doc__ or "")[0].replace("\n    ", "\n")


@pytest.fixture
def lived_in(home: Home) -> Iterator[Home]:
    yield home
    home.end_all()


def test_the_example_is_asked_answered_and_ended(lived_in: Home) -> None:
    assert roost("run", "-d", "-n", "deploy", "--", sys.executable, str(EXAMPLE), "0").returncode == 0
    assert roost("wait", "deploy", "--until", "waiting", "--timeout", "60").stdout == "deploy waiting: choice: Deploy to production?\n"
    assert roost("reply", "deploy", "y").stdout.startswith("delivered")
    assert roost("wait", "deploy", "--until", "idle", "--timeout", "60").returncode == 0
    assert roost("reply", "deploy", "quit").stdout.startswith("delivered")
    assert roost("wait", "deploy", "--until", "done", "--timeout", "60").stdout == "deploy done\n"
    (row,) = json.loads(roost("ls", "--json").stdout)["jobs"]
    assert row["exit_code"] == 0
    eventually(lambda: "deployed" in roost("screen", "deploy").stdout)


@pytest.mark.parametrize("code", [EXAMPLE.read_text(), FIRST, *CODE], ids=lambda code: code[:20].strip())
def test_every_example_runs_outside_roost(code: str, tmp_path: Path) -> None:
    argv = [sys.executable, "-W", "error", "-c", code, *(["0"] if "sys.argv" in code else [])]
    done = subprocess.run(argv, cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1 if "sys.exit" in code else 0, "")


def test_every_link_of_the_page_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE.read_text())
    assert links
    assert [link for link in links if not (PAGE.parent / link).exists()] == []


def test_every_field_of_a_report_stands_in_the_page() -> None:
    (row,) = re.findall(r"^\| `report\(.*$", PAGE.read_text(), re.MULTILINE)
    fields = set(agent.Report.__struct_fields__) - {"seq", "state"}
    assert fields <= set(re.findall(r"`(\w+)`", row))
    assert fields <= set(roost_agent.Agent.report.__kwdefaults__ or {})
