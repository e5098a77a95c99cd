"""The tests' own terminal: what it says of a program, and what it finds left behind."""

import pytest

from tests.support.cells import Cell, Look, cells_of
from tests.support.modes import left_behind
from tests.support.needs import needs
from tests.support.tmux import Tmux, difference

HARMLESS = {
    "nothing": b"",
    "text": b"plain \x1b[31mred\x1b[m text\r\n",
    "on and off": b"\x1b[?1049h\x1b[?1000;1006h\x1b[?25l...\x1b[?1006;1000l\x1b[?25h\x1b[?1049l",
    "another number for the same switch": b"\x1b[?1047h\x1b[?1049l",
    "pushed and popped": b"\x1b[>1u\x1b[>5u\x1b[<2u",
    "popped more than pushed": b"\x1b[>1u\x1b[<99u",
    "pushed and set": b"\x1b[=3u\x1b[=0u",
    "other keys": b"\x1b[>4;2m\x1b[>4;0m",
    "other keys, short": b"\x1b[>4;2m\x1b[>4m",
    "keypad": b"\x1b=\x1b>",
    "keypad, otherwise": b"\x1b[?66h\x1b>",
    "all reset": b"\x1b[?2004h\x1b[>1u\x1b=\x1bc",
}
STUCK = {
    b"\x1b[?1049h\x1b[?25l\x1b[?1049l": {"?25l"},
    b"\x1b[?1000;1002;1006h\x1b[?1002l": {"?1000h", "?1006h"},
    b"\x1bc\x1b[?2004h": {"?2004h"},
    b"\x1b[?7l": {"?7l"},
    b"\x1b[>1u\x1b[>1u\x1b[<u": {"kitty keyboard"},
    b"\x1b[>4;1m": {"modifyOtherKeys"},
    b"\x1b=": {"?66h"},
}


@pytest.mark.parametrize("output", HARMLESS.values(), ids=HARMLESS)
def test_nothing_is_left_behind(output: bytes) -> None:
    assert left_behind(output) == set()


@pytest.mark.parametrize(("output", "left"), STUCK.items())
def test_what_is_left_behind(output: bytes, left: set[str]) -> None:
    assert left_behind(output) == left


SAME_LOOK = (
    (["\x1b[1mA\x1b[22m b"], ["\x1b[0;1mA\x1b[0m b   "]),
    (["\x1b[38;5;2mA"], ["\x1b[32mA\x1b[39m"]),
    (["\x1b[38;5;9;44mA"], ["\x1b[44;91mA"]),
    (["\x1b[31mA", "B"], ["\x1b[31mA\x1b[m", "\x1b[31mB"]),
    (["\x1b[31mA B"], ["\x1b[31mA\x1b[m \x1b[31mB"]),
    (["\x1b[4:3mA\x1b[4:0mB"], ["\x1b[4:3mA\x1b[24mB"]),
    (["\x1b[48;2;1;2;3mA\x1b[49mB"], ["\x1b[48;2;1;2;3mA\x1b[0mB"]),
    (["\x1b]8;;http://a.example\x1b\\A\x1b]8;;\x1b\\"], ["A"]),
)
OTHER_LOOK = (
    (["\x1b[1mA"], ["A"]),
    (["\x1b[1mA"], ["\x1b[2mA"]),
    (["\x1b[4mA"], ["\x1b[4:3mA"]),
    (["\x1b[38;5;2mA"], ["\x1b[48;5;2mA"]),
    (["\x1b[7mA \x1b[mB"], ["\x1b[7mA\x1b[m B"]),
    (["\x1b[41mA \x1b[mB"], ["\x1b[41mA\x1b[m B"]),
    (["\x1b[7m \x1b[m"], [" "]),
    (["A"], ["B"]),
)


@pytest.mark.parametrize(("one", "other"), SAME_LOOK)
def test_the_same_look_written_in_two_ways(one: list[str], other: list[str]) -> None:
    assert cells_of(one) == cells_of(other)


@pytest.mark.parametrize(("one", "other"), OTHER_LOOK)
def test_another_look(one: list[str], other: list[str]) -> None:
    assert cells_of(one) != cells_of(other)


def test_a_pane_is_typed_into_and_looked_at() -> None:
    needs("tmux")
    with Tmux(cols=60, rows=10) as pane:
        pane.wait_for_shell()
        empty = pane.picture()
        pane.line("printf '\\033[?1000h\\033[31mred\\033[m\\n'")
        pane.wait_for(r"^red$")
        changed = pane.steady_picture()
        assert "mouse_any_flag 0 is now 1" in difference(empty, changed)
        assert tuple(Cell(char, Look(fg="5;1")) for char in "red") in changed.rows
        pane.wait_for_picture(changed)
        with pytest.raises(AssertionError, match="here>"):
            pane.wait_for("never shown", within=0.1)
        assert "?1000h" in left_behind(pane.output())


def test_a_pane_keeps_what_scrolled_away() -> None:
    needs("tmux")
    with Tmux(("sh", "-c", "seq 1 30; read _"), cols=60, rows=10) as pane:
        pane.wait_for(r"^30$")
        assert pane.scrollback()[:2] == ["1", "2"]
        pane.resize(40, 5)
        pane.wait_for(r"\A27\n28\n29\n30\n")
