"""The demo agent itself: keys and times go in, what it says and shows comes out. Pure."""

from collections.abc import Callable
from typing import Final, Literal

from roost.demo.keys import Key
from roost.demo.script import Ask, Step, Work, script

State = Literal["idle", "working", "blocked", "done"]

ENDS: Final = ("exit", "quit", "/exit", "/quit")
ANSWERS: Final = {"y": 0, "yes": 0, "1": 0, "n": 1, "no": 1, "2": 1}
INTERRUPTED: Final = 130
"""The exit code of a program that ctrl+c ended, by the shell's convention."""


class Agent:
    """`now` is seconds of any steady clock. `said` collects lines for the transcript; whoever draws takes them away.

    `pace` multiplies every delay: 0 does all at once.
    """

    def __init__(self, *, pace: float = 1.0, seed: int = 0, once: bool = False) -> None:
        self.state: State = "idle"
        self.said: list[str] = []
        self.task = ""
        self.since = 0.0
        """When the task began."""
        self.prompt = ""
        self.question = ""
        self.choice: int | None = 0
        """The marked answer (0 yes, 1 no); None when what was pasted is neither, so that enter means nothing."""
        self.exit_code: int | None = None
        self.due: float | None = None
        """When `tick` has something to do."""
        self._pace, self._seed, self._once = pace, seed, once
        self._steps: list[Step] = []
        self._queue: list[str] = []
        self._interrupted = False

    def submit(self, text: str, now: float) -> None:
        """A new task, or one of the words that end the demo. While one is at work, it waits for its turn."""
        text = text.strip()
        if not text:
            return
        if text in ENDS:
            self.exit_code = 0
        elif self.state in ("working", "blocked"):
            self._queue.append(text)
            self.said.append(f"  (next: {_first_line(text)})")
        else:
            self._begin(text, now)

    def press(self, key: Key, now: float) -> None:
        """One key. Two ctrl+c in a row end the demo, whatever it does."""
        if key.name == "ctrl+c":
            self._interrupt(now)
            return
        self._interrupted = False
        if self.state == "blocked":
            self._answer(key, now)
        else:
            self._edit(key, now)

    def tick(self, now: float) -> None:
        """Does what is due by `now`."""
        while self.due is not None and now >= self.due:
            step = self._steps.pop(0)
            if isinstance(step, Work):
                self.said.append(step.says)
            self._go_on(self.due)

    def _begin(self, task: str, now: float) -> None:
        self.task, self.since, self.state = task, now, "working"
        self.said += ["", *(f"> {line}" for line in task.splitlines()), ""]
        self._steps = script(self._seed)
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        self.due = None
        if not self._steps:
            self._end("done", now)
        elif isinstance(step := self._steps[0], Ask):
            self.state, self.question, self.choice = "blocked", step.question, 0
        else:
            self.state = "working"
            self.due = now + step.seconds * self._pace

    def _end(self, state: State, now: float) -> None:
        self.state, self.due, self._steps = state, None, []
        if self._queue:
            self._begin(self._queue.pop(0), now)
        elif self._once:
            self.exit_code = 0

    def _interrupt(self, now: float) -> None:
        if self._interrupted:
            self.exit_code = INTERRUPTED
        self._interrupted = True
        self.prompt = ""
        if self.state in ("working", "blocked"):
            self.said.append("■ Stopped.")
            self._queue.clear()
            self._end("idle", now)
        else:
            self.said.append("  (ctrl+c again ends)")

    def _answer(self, key: Key, now: float) -> None:
        if key.name in ("up", "down"):
            self.choice = 1 if self.choice == 0 else 0
        elif key.name == "paste":
            self.choice = ANSWERS.get(key.text.strip().lower())
        elif key.name == "text" and key.text.lower() in ANSWERS:
            self._decide(ANSWERS[key.text.lower()], now)
        elif key.name == "esc":
            self._decide(1, now)
        elif key.name == "enter" and self.choice is not None:
            self._decide(self.choice, now)

    def _decide(self, choice: int, now: float) -> None:
        ask = self._steps.pop(0)
        assert isinstance(ask, Ask)
        self._steps = [*(ask.no if choice else ask.yes), *self._steps]
        self.question = ""
        self._go_on(now)

    def _edit(self, key: Key, now: float) -> None:
        actions: dict[str, Callable[[], None]] = {
            "text": lambda: self._write(self.prompt + key.text),
            "paste": lambda: self._write(self.prompt + key.text),
            "backspace": lambda: self._write(self.prompt[:-1]),
            "ctrl+u": lambda: self._write(""),
            "enter": lambda: self._enter(now),
            "ctrl+d": self._leave,
        }
        actions.get(key.name, lambda: None)()

    def _write(self, text: str) -> None:
        self.prompt = text

    def _enter(self, now: float) -> None:
        text, self.prompt = self.prompt, ""
        self.submit(text, now)

    def _leave(self) -> None:
        if not self.prompt:
            self.exit_code = 0


def _first_line(text: str) -> str:
    return text.splitlines()[0]
