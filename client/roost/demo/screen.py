"""How the demo looks: its transcript scrolls up, below it a live part is drawn anew. Pure: bytes for the terminal come out."""

import base64
from typing import Final
from unicodedata import combining, east_asian_width

from roost.demo.agent import Agent

SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
BEAT: Final = 0.1
"""Seconds between two frames of the spinner."""
KEPT: Final = 200
"""Lines of the transcript that a resize can draw again."""

ENTER: Final = b"\x1b[?2004h"
LEAVE: Final = b"\x1b[?2004l\x1b[?25h"


class Screen:
    """Draws an agent. `cols` and `rows` are the terminal's; `reports` sends the program status too."""

    def __init__(self, cols: int, rows: int, *, reports: bool = True) -> None:
        self._cols, self._rows = cols, rows
        self._reports = reports
        self._transcript: list[str] = []
        self._above = 0
        self._status = ""
        self._title = ""

    def draw(self, agent: Agent, now: float) -> bytes:
        """What has changed since the last call; takes the agent's new lines."""
        lines = [_fit(line, self._cols) for line in agent.said]
        self._transcript = [*self._transcript, *agent.said][-KEPT:]
        agent.said.clear()
        up = f"\x1b[{self._above}A" if self._above else ""
        return self._told(agent, now) + f"\x1b[?25l{up}\r\x1b[J{_rows(lines)}{self._live(agent, now)}".encode()

    def resize(self, agent: Agent, now: float, cols: int, rows: int) -> bytes:
        """The whole screen anew: after a resize nobody knows how the terminal has wrapped what was there."""
        self._cols, self._rows, self._above = cols, rows, 0
        agent.said[:0] = self._transcript[-rows:]
        self._transcript = []
        return b"\x1b[H\x1b[2J" + self.draw(agent, now)

    def end(self) -> bytes:
        """Leaves the terminal as it was found, below the transcript: what was live is taken away."""
        up = f"\x1b[{self._above}A".encode() if self._above else b""
        return LEAVE + (b"\x1b]7501;state=clear\x1b\\" if self._reports else b"") + b"\x1b]2;\x1b\\" + up + b"\r\x1b[J"

    def _live(self, agent: Agent, now: float) -> str:
        rows, cursor = _dialog(agent) if agent.state == "blocked" else _prompt(agent, now, self._cols)
        rows = [_fit(row, self._cols) for row in rows]
        cut = max(0, len(rows) - self._rows)
        rows = rows[cut:]
        if cursor is None:
            self._above = len(rows) - 1
            return "\r\n".join(rows)
        row, column = cursor
        self._above = max(0, row - cut)
        back = len(rows) - 1 - self._above
        return "\r\n".join(rows) + f"\r\x1b[{back}A\x1b[{column}C\x1b[?25h"

    def _told(self, agent: Agent, now: float) -> bytes:
        title, status = _title(agent, now), _status(agent)
        told = ""
        if title != self._title:
            told += f"\x1b]2;{title}\x1b\\"
        if status != self._status and self._reports:
            told += f"\x1b]7501;{status}\x1b\\"
        self._title, self._status = title, status
        return told.encode()


def _rows(lines: list[str]) -> str:
    return "".join(f"{line}\r\n" for line in lines)


def _dialog(agent: Agent) -> tuple[list[str], tuple[int, int] | None]:
    marks = ["›" if agent.choice == index else " " for index in (0, 1)]
    answers = [f"{marks[0]} 1. Yes", f"{marks[1]} 2. No"]
    return [f"  {agent.question}", "", *answers, "  enter, 1 or y: yes · 2 or n: no"], None


def _prompt(agent: Agent, now: float, cols: int) -> tuple[list[str], tuple[int, int] | None]:
    line = "─" * (cols - 1)
    shown = _printable(agent.prompt.replace("\n", "⏎"))
    while shown and _width(shown) > cols - 4:
        shown = shown[1:]
    box = [line, f"> {shown}", line]
    if agent.state != "working":
        return [*box, "  enter sends · /quit ends"], (1, 2 + _width(shown))
    elapsed = max(0, int(now - agent.since))
    rows = [f"{_frame(now)} Working ({elapsed}s)", *box, "  ctrl+c stops · /quit ends"]
    return rows, (2, 2 + _width(shown))


def _title(agent: Agent, now: float) -> str:
    task = _printable(agent.task)[:60]
    return {"working": f"{_frame(now)} {task}", "blocked": f"[ ! ] {task}", "done": task, "idle": task or "demo"}[agent.state]


def _status(agent: Agent) -> str:
    """The pairs of a program status report (OSC 7501, revision 0.2)."""
    if agent.state != "blocked":
        return f"state={agent.state}:app=demo"
    return f"state=blocked:app=demo:kind=permission:title={base64.b64encode(agent.question.encode()).decode()}"


def _frame(now: float) -> str:
    return SPINNER[int(now / BEAT) % len(SPINNER)]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _fit(text: str, cols: int) -> str:
    """One row: a full one would leave the cursor between two rows."""
    text = _printable(text)
    while _width(text) > cols - 1:
        text = text[:-1]
    return text


def _width(text: str) -> int:
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
