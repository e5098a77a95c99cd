"""A real terminal fed with the repaint shows what the mirror shows."""

from pathlib import Path

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.test_programs import shows_the_same
from tests.roostd.host.mirror.test_repaint import STATES
from tests.support.needs import needs
from tests.support.tmux import Tmux
from tests.support.waiting import eventually

COLS, ROWS = 40, 10
MORE = {
    "colours": b"\x1b[38;5;200mx\x1b[48;2;10;20;30my\x1b[m \x1b[1;3;4;7;9mz\x1b[m\r\n" + "漢字 é ⠋".encode(),
    "a long history": b"".join(b"\x1b[3%dmrow %d\x1b[m\r\n" % (n % 8, n) for n in range(60)),
}


@pytest.mark.parametrize("state", [*STATES.values(), *MORE.values()], ids=[*STATES, *MORE])
def test_tmux_shows_what_the_mirror_shows(state: bytes, tmp_path: Path) -> None:
    needs("tmux")
    mirror = PyteMirror(COLS, ROWS)
    mirror.feed(state)
    mirror.feed(b"\x1b[?2026l")
    painting = tmp_path / "painting"
    painting.write_bytes(mirror.repaint(1_000))
    with Tmux(["sh", "-c", 'stty raw -echo; cat "$1"; exec sleep 1000', "sh", str(painting)], cols=COLS, rows=ROWS) as pane:
        eventually(lambda: pane.output().endswith(painting.read_bytes()), "the whole painting")
        eventually(lambda: shows_the_same(pane, mirror), "the same in tmux")
        assert pane.scrollback() == mirror.history(1_000)
        modes = mirror.modes
        assert pane.tell("alternate_on") == str(int(modes.alternate))
        assert pane.tell("cursor_flag") == str(int(modes.cursor_visible))
        assert pane.tell("keypad_cursor_flag") == str(int(modes.application_cursor))
        assert pane.tell("keypad_flag") == str(int(modes.application_keypad))
        assert pane.tell("insert_flag") == str(int(modes.insert))
        assert pane.tell("wrap_flag") == str(int(modes.autowrap))
        assert pane.tell("mouse_any_flag") == str(int(modes.mouse > 0))
