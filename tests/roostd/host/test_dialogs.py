import pytest

from roostd.host.dialogs import choice_stands, offered

CLAUDE = [
    "Do you want to run it?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for ls",
    "   3. No, and tell it what to do differently (esc)",
]
CODEX = ["  Allow command?", "› 1. Yes, proceed (y)", "  2. Yes, for this session (a)", "  3. No, and tell Codex what to do (esc)"]
DEMO = ["Run `pytest -q`?", "", "› 1. Yes", "  2. No", "  enter, 1 or y: yes · 2 or n: no"]
OPENCODE = ["△ Permission required", " Allow once   Allow always   Reject", " ⇆ select  enter confirm"]
AIDER = ["Add a.py to the chat? (Y)es/(N)o/(D)on't ask again [Yes]:"]
SHELL = ["Continue connecting (yes/no/[fingerprint])?"]


@pytest.mark.parametrize(
    ("text", "rows", "typed"),
    [
        ("1", CLAUDE, "1"),
        ("4", CLAUDE, None),
        ("y", CLAUDE, "1"),
        ("No", CLAUDE, "3"),
        ("esc", CLAUDE, "esc"),
        ("y", CODEX, "y"),
        ("a", CODEX, "a"),
        ("n", CODEX, "3"),
        ("z", CODEX, None),
        ("y", DEMO, "y"),
        ("yes", DEMO, "yes"),
        ("2", DEMO, "2"),
        ("y", OPENCODE, None),
        ("n", OPENCODE, None),
        ("1", OPENCODE, None),
        ("n", AIDER, "n"),
        ("d", AIDER, "d"),
        ("yes", SHELL, "yes"),
        ("y", SHELL, None),
        ("1", ["version 1.2 at 10:01", "took 1 s"], None),
        ("1", ["1. Yes", *["words"] * 30], None),
    ],
)
def test_an_answer_is_one_that_the_dialog_offers(text: str, rows: list[str], typed: str | None) -> None:
    assert offered(text, rows) == typed


@pytest.mark.parametrize(
    "rows", [CLAUDE, CODEX, DEMO, ["│   1. Allow once    │", "│   2. Always allow  │", "│   3. Deny          │"], ["> ✓ Yes", "  ✗ No"]]
)
def test_a_choice_that_seems_to_stand(rows: list[str]) -> None:
    assert choice_stands(["hello", *rows, ""])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        ["Yes, I can do that.", "First I look.", "a", "b", "c", "d", "No tests fail."],
        ["1. Yes", "2. Yes"],
        ["nothing", "yesterday"],
        [*CLAUDE, *"abcdefghijklmnopqrstuvwxyz"],
    ],
)
def test_no_choice_seems_to_stand(rows: list[str]) -> None:
    assert not choice_stands(rows)
