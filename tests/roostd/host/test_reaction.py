import pytest

from roostd.host.reaction import beyond_echo, echoed, reacted

BOX = ["• earlier", "────", "> fix the test", "────", "  enter sends"]


@pytest.mark.parametrize(
    ("before", "after", "text", "answer"),
    [
        (["$ sleep 9", "hello"], ["$ sleep 9", "hello", ""], "hello", False),
        (["one", "hello"], ["hello", ""], "hello", False),
        (["$ sleep 9", ""], ["$ sleep 9", "hello"], "hello", False),
        (["> ", ""], ["> hel", "lo"], "hello", False),
        (["hello"], ["hello", "hello"], "hello", True),
        (["hello"], ["hello", "got hello"], "hello", True),
        (["n"], ["n", "42"], "n", True),
        (BOX, ["• earlier", "────", "> fix the test", "", "────", "  enter sends"], "fix the test", False),
        (BOX, ["• earlier", "────", ">", "────", "  enter sends"], "fix the test", True),
        (BOX, ["> fix the test", "⠋ Working (0s)", "────", ">", "────"], "fix the test", True),
        (["⠋ Working (3s)", *BOX], ["⠙ Working (4s)", *BOX], "fix the test", False),
        (["Password:"], ["Password:", ""], "secret", False),
        (["Password:"], ["Password:", "Welcome"], "secret", True),
        ([], [], "", False),
    ],
)
def test_the_echo_of_a_text_is_no_reaction(before: list[str], after: list[str], text: str, answer: bool) -> None:
    assert reacted(before, after, text) is answer


ASKED = ["Allow this?", "1. Yes", "2. No", "> "]


@pytest.mark.parametrize(
    ("before", "after", "text", "answer"),
    [
        (["Run it now? [Yes]: "], ["Run it now? [Yes]: n"], "n", False),
        (["Continue (y/n)"], ["Continue (y/n) y"], "y", False),
        (["Continue (y/n)"], ["Continue (y/n) y", "going on"], "y", True),
        (["Password for ann:"], ["Password for ann:"], "n", False),
        (ASKED, [*ASKED[:3], "> 1"], "1", False),
        (ASKED, [">"], "1", True),
        (ASKED, ["Allow that?", *ASKED[1:]], "1", True),
        (["earlier", *ASKED], [*ASKED, "Ran it"], "1", True),
    ],
)
def test_a_dialog_is_over_when_more_has_changed_than_that_the_text_stands_there(
    before: list[str], after: list[str], text: str, answer: bool
) -> None:
    assert beyond_echo(before, after, text) is answer


@pytest.mark.parametrize(
    ("before", "after", "typed", "nothing_else"),
    [
        (["Add it?", "(y/n) "], ["Add it?", "(y/n) y"], "y", True),
        (["Add it?", "> "], ["Add it?", "> y  "], "y", True),
        (["Add it?", "(y/n)"], ["Add it?", "(y/n)"], "y", False),
        (["rm part0", "(y/n) "], ["rm part1", "(y/n) "], "y", False),
        (["rm part0", "(y/n) "], ["rm part1", "(y/n) y"], "y", False),
        (["❯ 1. Yes", "  2. No"], ["  1. Yes", "❯ 2. No"], "2", True),
        (["❯ 1. Yes", "  2. No"], ["  1. Yes", "❯ 2. No"], "1", False),
        (["❯ 1. Yes", "  2. No"], ["❯ 1. Yes", "  2. No"], "1", False),
        (["(y/n) "], [""], "y", False),
        (["⠋ busy", "(y/n) "], ["⠙ busy", "(y/n) y"], "y", True),
    ],
)
def test_the_echo_alone(before: list[str], after: list[str], typed: str, nothing_else: bool) -> None:
    assert echoed(before, after, typed) is nothing_else
