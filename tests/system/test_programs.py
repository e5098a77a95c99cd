"""The everyday programs of a terminal under roost, attached through a real one: each works, and looks the same to who comes back."""

import sys
from collections.abc import Iterator

import pytest

from tests.support.needs import needs
from tests.support.person import Person, assert_sane, detach, terminal_settings
from tests.support.tmux import Tmux


@pytest.fixture
def pane(person: Person) -> Iterator[Tmux]:
    needs("tmux", "bash")
    with person.shell() as shell:
        shell.wait_for_shell()
        yield shell


def come_back(pane: Tmux, name: str) -> None:
    """Detaches and attaches again: the same screen, colours, cursor and modes."""
    before = pane.steady_picture()
    detach(pane)
    pane.line(f"roost attach {name}")
    pane.wait_for_picture(before)


def test_bash_edits_lines_and_controls_jobs(pane: Tmux) -> None:
    settings = terminal_settings(pane)
    pane.line("roost run --name shell -- env PS1='job> ' bash --norc --noprofile")
    pane.wait_for(r"^job>$")
    pane.type("cho one twX")
    pane.keys("BSpace")
    pane.type("o")
    pane.keys("C-a")
    pane.type("e")
    pane.keys("Enter")
    pane.wait_for(r"^one two$")
    pane.line("sleep 100 &")
    pane.wait_for(r"^\[1\] \d+$")
    come_back(pane, "shell")
    pane.line("fg")
    pane.wait_for(r"^sleep 100$")
    pane.keys("C-z")
    pane.wait_for(r"^\[1\]\+ +Stopped +sleep 100$")
    pane.line("fg")
    pane.wait_for(r"Stopped +sleep 100\njob> fg\nsleep 100$")
    pane.keys("C-c")
    pane.wait_for(r"^\^C\njob>$")
    pane.keys("Up", "Up")
    pane.wait_for(r"^job> sleep 100 &$")
    pane.keys("C-u")
    come_back(pane, "shell")
    pane.line("exit 3")
    pane.wait_for(r"^\[shell failed: exit code 3\]$")
    assert_sane(pane, settings)


def test_vim_writes_a_file_and_gives_the_screen_back(pane: Tmux, person: Person) -> None:
    needs("vim")
    settings = terminal_settings(pane)
    pane.line("echo what was there before")
    pane.line("roost run --name edit -- vim -u NONE -N notes.txt")
    pane.wait_for(r"notes\.txt. \[New\]")
    pane.type("i")
    pane.type("first line")
    pane.keys("Enter")
    pane.type("second")
    pane.wait_for(r"^second$")
    assert pane.tell("alternate_on") == "1"
    come_back(pane, "edit")
    pane.type(" line")
    pane.keys("Escape")
    pane.line(":set number")
    pane.wait_for(r"^ +2 second line$")
    come_back(pane, "edit")
    pane.line(":wq")
    pane.wait_for(r"^\[edit done\]$")
    assert (person.cwd / "notes.txt").read_text() == "first line\nsecond line\n"
    assert "what was there before" in pane.scrollback() + pane.screen()
    assert_sane(pane, settings)


def test_less_scrolls(pane: Tmux, person: Person) -> None:
    needs("less")
    settings = terminal_settings(pane)
    (person.cwd / "long.txt").write_text("".join(f"line {n} of the text\n" for n in range(1, 501)))
    pane.line("roost run --name page -- less long.txt")
    pane.wait_for(r"^line 1 of the text$")
    pane.keys("Space")
    pane.wait_for(r"\Aline 30 of the text$")
    come_back(pane, "page")
    pane.line("/line 250")
    pane.wait_for(r"\Aline 250 of the text$")
    come_back(pane, "page")
    pane.type("b")
    pane.wait_for(r"\Aline 221 of the text$")
    pane.type("G")
    pane.wait_for(r"^line 500 of the text$")
    pane.resize(80, 20)
    pane.wait_for(r"\Aline 472 of the text\n(.*\n)*line 490 of the text\n:$")
    pane.type("q")
    pane.wait_for(r"^\[page done\]$")
    assert pane.tell("alternate_on") == "0"
    pane.resize(100, 30)
    assert_sane(pane, settings)


def test_python_talks_and_is_interrupted(pane: Tmux) -> None:
    settings = terminal_settings(pane)
    pane.line(f"roost run --name calculator -- {sys.executable} -i -q")
    pane.wait_for(r"^>>>$")
    pane.line("6 * 7")
    pane.wait_for(r"^42$")
    pane.line("while True: pass")
    pane.keys("Enter")
    come_back(pane, "calculator")
    pane.keys("C-c")
    pane.wait_for(r"^KeyboardInterrupt$")
    pane.wait_for(r"^>>>\s*\Z")
    come_back(pane, "calculator")
    pane.line("exit()")
    pane.wait_for(r"^\[calculator done\]$")
    assert_sane(pane, settings)


def test_a_broken_pipe_is_quiet(pane: Tmux) -> None:
    settings = terminal_settings(pane)
    pane.line("roost run --name pipe -- sh -c 'yes | head -n 3; echo over; read _'")
    pane.wait_for(r"^y\ny\ny\nover$")
    come_back(pane, "pipe")
    assert "roken" not in "\n".join(pane.screen())
    pane.keys("Enter")
    pane.wait_for(r"^\[pipe done\]$")
    assert "roken" not in "\n".join(pane.scrollback() + pane.screen())
    assert_sane(pane, settings)
