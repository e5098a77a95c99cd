import pytest

from roostd.host.reaction import reacted

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
