"""A person's terminal: one pane of a tmux server of its own, typed into and looked at as a person would."""

import os
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.support import processes
from tests.support.cells import Cell, cells_of
from tests.support.waiting import DEADLINE, eventually

PLAIN_BASH = ("bash", "--norc", "--noprofile")
PROMPT = "here> "
FLAGS = (
    "alternate_on",
    "cursor_flag",
    "insert_flag",
    "keypad_flag",
    "keypad_cursor_flag",
    "origin_flag",
    "wrap_flag",
    "mouse_any_flag",
    "mouse_sgr_flag",
)


@dataclass(frozen=True, slots=True)
class Picture:
    """What a terminal shows at one moment: rows with their looks, where the cursor is, and the modes tmux tells."""

    rows: tuple[tuple[Cell, ...], ...]
    cursor: tuple[int, int]
    flags: tuple[tuple[str, str], ...]


class Tmux:
    """`with Tmux(argv) as pane:` ends the server, and with it all that still runs in the pane.

    `prefix` is an argv that starts the server, and so the pane, somewhere else (a network namespace). Times are seconds.
    """

    def __init__(
        self,
        argv: Sequence[str] = PLAIN_BASH,
        *,
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        prefix: Sequence[str] = (),
        cols: int = 100,
        rows: int = 30,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tmux")
        folder = Path(self._folder.name)
        self._output = folder / "output"
        self._environ = {**(os.environ if environ is None else environ), "TERM": "xterm-256color", "PS1": PROMPT, "HISTFILE": ""}
        self._environ.pop("TMUX", None)
        self._tmux = [*prefix, "tmux", "-f", "/dev/null", "-S", str(folder / "socket")]
        size = ["-x", str(cols), "-y", str(rows)]
        # The pipe is there before the program is: not a byte of what it writes is missed.
        gate = folder / "go"
        os.mkfifo(gate)
        start = f"read _ < {shlex.quote(str(gate))}; exec {shlex.join(argv)}"
        self._do("new-session", "-d", *size, "-c", str(cwd or Path.cwd()), "sh", "-c", start)
        self._pid = int(self.tell("pid"))
        self._do("set-option", "-g", "default-terminal", "tmux-256color")
        self._do("pipe-pane", "-O", f"exec cat > {shlex.quote(str(self._output))}")
        gate.write_text("\n")

    def __enter__(self) -> "Tmux":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        below = processes.descendants(self._pid)
        subprocess.run([*self._tmux, "kill-server"], env=self._environ, capture_output=True, check=False)
        eventually(lambda: not processes.alive(self._pid), "the end of the tmux server")
        processes.end(pid for pid in below if processes.alive(pid))
        self._folder.cleanup()

    def type(self, text: str) -> None:
        """Types characters as they are."""
        self._do("send-keys", "-l", "--", text)

    def keys(self, *names: str) -> None:
        """Presses keys by tmux's names: Enter, Escape, Up, C-c, C-\\\\, NPage."""
        self._do("send-keys", *names)

    def line(self, text: str) -> None:
        """Types a line and Enter."""
        self.type(text)
        self.keys("Enter")

    def paste(self, text: str) -> None:
        """Pastes, as a terminal does: bracketed if the program asked for it."""
        self._do("set-buffer", "--", text)
        self._do("paste-buffer", "-p")

    def resize(self, cols: int, rows: int) -> None:
        self._do("resize-window", "-x", str(cols), "-y", str(rows))

    def tell(self, name: str) -> str:
        """One of tmux's formats, for instance `cursor_x` or `pane_current_command`."""
        return self._do("display-message", "-p", "#{" + name + "}").strip()

    def screen(self) -> list[str]:
        """The visible rows, without trailing blanks."""
        return [row.rstrip() for row in self._do("capture-pane", "-p").split("\n")[:-1]]

    def scrollback(self) -> list[str]:
        """What has scrolled up out of the screen, oldest first."""
        if self.tell("history_size") == "0":
            return []
        return [row.rstrip() for row in self._do("capture-pane", "-p", "-S", "-", "-E", "-1").split("\n")[:-1]]

    def picture(self) -> Picture:
        """All that two screens are compared by."""
        told = self.tell("cursor_x};#{cursor_y};#{" + "};#{".join(FLAGS)).split(";")
        rows = cells_of(self._do("capture-pane", "-p", "-e", "-N").split("\n")[:-1])
        return Picture(rows, (int(told[0]), int(told[1])), tuple(zip(FLAGS, told[2:], strict=True)))

    def wait_for(self, pattern: str, within: float = DEADLINE) -> re.Match[str]:
        """Waits until `pattern` (multi-line) is found on the screen, and returns the match."""
        regex = re.compile(pattern, re.MULTILINE)

        def found() -> re.Match[str]:
            shown = "\n".join(self.screen())
            match = regex.search(shown)
            assert match, f"the terminal shows:\n{shown}"
            return match

        return eventually(found, repr(pattern), within)

    def steady_picture(self, stillness: float = 0.5, within: float = DEADLINE) -> Picture:
        """The picture, once it has stayed the same for `stillness`."""
        last = self.picture()
        since = time.monotonic()

        def still() -> bool:
            nonlocal last, since
            if (now := self.picture()) != last:
                last, since = now, time.monotonic()
            return time.monotonic() - since >= stillness

        eventually(still, "a screen that stands still", within)
        return last

    def wait_for_picture(self, wanted: Picture, within: float = DEADLINE) -> None:
        """Waits until everything looks as it did."""

        def same() -> bool:
            assert (now := self.picture()) == wanted, difference(wanted, now)
            return True

        eventually(same, "the same screen", within)

    def wait_for_shell(self, within: float = DEADLINE) -> None:
        """Waits until the pane's own shell waits for a command, on the cursor's line."""

        def prompting() -> bool:
            row = self.screen()[int(self.tell("cursor_y"))]
            assert row == PROMPT.rstrip(), "the terminal shows:\n" + "\n".join(self.screen())
            return True

        eventually(prompting, "the shell's prompt", within)

    def output(self) -> bytes:
        """Every byte that the pane's programs wrote so far; a moment late, so wait for what you look for."""
        return self._output.read_bytes() if self._output.exists() else b""

    def _do(self, *command: str) -> str:
        done = subprocess.run([*self._tmux, *command], env=self._environ, capture_output=True, check=False)
        if done.returncode:
            raise AssertionError(f"tmux {shlex.join(command)}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode(errors="replace")


def difference(wanted: Picture, seen: Picture) -> str:
    """Says in what two pictures differ, row by row."""
    lines = [f"cursor {wanted.cursor} is now {seen.cursor}"] if wanted.cursor != seen.cursor else []
    lines += [f"{name} {was} is now {now}" for (name, was), (_, now) in zip(wanted.flags, seen.flags, strict=True) if was != now]
    for number, (was, now) in enumerate(zip(wanted.rows, seen.rows, strict=False)):
        if was != now:
            lines.append(f"row {number}: {_text(was)!r} is now {_text(now)!r}{_first_other_look(was, now)}")
    if len(wanted.rows) != len(seen.rows):
        lines.append(f"{len(wanted.rows)} rows are now {len(seen.rows)}")
    return "\n".join(lines)


def _text(row: Sequence[Cell]) -> str:
    return "".join(cell.char for cell in row)


def _first_other_look(was: Sequence[Cell], now: Sequence[Cell]) -> str:
    for column, (one, other) in enumerate(zip(was, now, strict=False)):
        if one != other:
            return f"; column {column} was {one} and is now {other}"
    return f"; {len(was)} cells are now {len(now)}"
