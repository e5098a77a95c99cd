"""What the documents promise is there: commands, scripts, links, profiles."""

import json
import os
import re
from pathlib import Path

import pytest

from roost.cli import verbs
from roostd.catalogue.load import catalogue
from roostd.config import ALLOWED, decode
from roostd.notify import settings
from tests.support.tree import ROOT, shown

DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(path: Path, kind: str) -> list[str]:
    return [body for language, body in FENCE.findall(path.read_text()) if language == kind]


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_every_roost_command_exists(path: Path) -> None:
    lines = [line.strip().removeprefix("$ ") for body in blocks(path, "sh") for line in body.splitlines()]
    used = {line.split()[1] for line in lines if re.match(r"roost [a-z]", line)}
    assert used - set(verbs()) == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_every_script_exists(path: Path) -> None:
    for script in re.findall(r"(?:scripts|\.ci)/\w+", path.read_text()):
        assert os.access(ROOT / script, os.X_OK), script


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text())
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_the_two_commands_come_first() -> None:
    first = "\n".join(blocks(ROOT / "README.md", "sh")[:2])
    assert "scripts/try" in first
    assert "scripts/test" in first


PROFILES = ROOT / "docs" / "profiles.md"
NOTIFICATIONS = ROOT / "docs" / "notifications.md"


@pytest.mark.parametrize("text", [*blocks(PROFILES, "json"), *blocks(NOTIFICATIONS, "json")])
def test_every_example_of_a_configuration_is_one(text: str) -> None:
    assert decode("roost.json", text.encode()).source


def test_every_key_of_notifications_is_explained() -> None:
    keys = re.findall(r"^\| `(\w+)` \|(?:[^|]*\|){3}$", NOTIFICATIONS.read_text(), re.MULTILINE)
    assert keys == list(settings.ALLOWED)


def test_every_key_of_a_profile_is_explained_with_an_example() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|((?:[^|]*\|){4})$", PROFILES.read_text(), re.MULTILINE))
    assert list(rows) == list(ALLOWED)
    for key, row in rows.items():
        example = re.findall(r"`([^`]+)` *\|$", row)[0]
        base = {"command": ["agent"], "task": "argv", "idle": "^> "}
        decode("docs/profiles.md", json.dumps({"agentProfiles": {"a": {**base, key: json.loads(example)}}}).encode())


def test_every_built_in_agent_is_named() -> None:
    assert re.findall(r"^\| `([\w-]+)` \|[^|]*\|[^|]*\|[^|]*\|$", PROFILES.read_text(), re.MULTILINE) == sorted(catalogue())


def test_the_changelog_has_a_place_for_what_is_new() -> None:
    assert re.search(r"^## (Unreleased|\d)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
