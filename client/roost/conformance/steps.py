"""Each step's doing. A step that does not come true raises `Broken` with what was awaited, and what came instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from typing import Any, Final

from roost.conformance import scenario as kinds
from roost.conformance.broken import Broken, Unsupported
from roost.conformance.daemon import Connection, Daemon, encode
from roost.conformance.driver import Driver
from roost.conformance.edge import Edge
from roost.conformance.patterns import filled, fits

Json = dict[str, Any]
SHOWN: Final = 300
"""Characters of a line that a reason shows."""


class Stage:
    """One scenario's daemon, sockets and driver, and how far its lines have been looked at."""

    def __init__(self, daemon: Daemon, edge: Edge, start: Callable[[], Driver], within: float) -> None:
        self._daemon = daemon
        self._edge = edge
        self._start = start
        self._within = within
        self._seen = 0
        self._sent_to: Connection | None = None
        self._known = 0
        """Connections that were to be: those made before the last line was awaited or sent, or the last connection cut."""
        self._said: list[Json] = []
        """Commands whose answers are to come."""
        self._names: dict[str, Any] = {"job": daemon.job}

    def begin(self) -> None:
        self._edge.listen()
        self._edge.driver = self._start()

    def finish(self) -> None:
        """The driver ends by itself when its stdin does, with exit code 0."""
        driver = self._driver
        driver.stdin.close()
        driver.out.clear()
        if not self._edge.pump(lambda: driver.ended, self._within):
            raise Broken("the driver did not end when its stdin did")
        if (status := driver.status(self._within)) != 0:
            raise Broken(f"the driver ended with {status}: 0 is awaited when its stdin ends")

    def end(self) -> None:
        """Ends all that was started, whatever has happened."""
        try:
            if self._edge.driver is not None:
                self._edge.driver.kill()
        finally:
            self._edge.close()

    def printed(self) -> str:
        """The end of what the driver said on stderr."""
        return self._edge.driver.printed.decode(errors="replace") if self._edge.driver is not None else ""

    @property
    def _driver(self) -> Driver:
        assert self._edge.driver is not None
        return self._edge.driver

    @singledispatchmethod
    def take(self, step: kinds.Step) -> None:
        """Takes one step. Raises `Broken`, or `Unsupported` if the driver says so."""
        raise AssertionError(step)

    @take.register
    def _(self, step: kinds.Drive) -> None:
        for i in range(step.first, step.first + step.times):
            self._names["i"] = i
            self._say(filled(step.say, self._names))
            if step.wait:
                self._answered(step.answer)
            if step.finish:
                self._say({"do": "finish"})
                self._answered({"ok": True})

    @take.register
    def _(self, step: kinds.Answered) -> None:
        self._answered(step.answer)

    @take.register
    def _(self, step: kinds.Expect) -> None:
        within = self._within if step.within is None else step.within
        if not self._edge.pump(lambda: self._found(step.line) is not None, within):
            raise Broken(f"awaited {_shown(step.line)}, and {self._unseen()} came within {within:g} s{self._death()}")
        at = self._found(step.line)
        assert at is not None
        self._seen = at + 1
        self._known = len(self._edge.connected)
        for field, name in step.keep.items():
            self._names[name] = self._daemon.lines[at].get(field)

    @take.register
    def _(self, step: kinds.Never) -> None:
        if self._edge.pump(lambda: self._found(step.line) is not None, step.during):
            raise Broken(f"there came {_shown(self._daemon.lines[self._found(step.line) or 0])}, which should not")

    @take.register
    def _(self, step: kinds.Alone) -> None:
        if self._edge.pump(lambda: len(self._edge.connected) > self._known, step.during):
            raise Broken("a connection was made, which should not")

    @take.register
    def _(self, step: kinds.Send) -> None:
        connection = self._connection()
        lines = [filled(line, self._names) for line in step.lines]
        data = b"".join(map(encode, lines)) + step.text.encode() * step.times + bytes.fromhex(step.hex) + b"x" * step.fill
        self._sent_to = connection
        self._known = len(self._edge.connected)
        connection.greeted |= any(line.get("type") == "hello" for line in lines)
        numbers = [line["n"] for line in lines if line.get("type") == "reply"]
        self._daemon.sent = max([self._daemon.sent, *numbers])
        size = step.chunk or len(data)
        connection.out.extend(data[at : at + size] for at in range(0, len(data), size))
        self._flush(connection)

    @take.register
    def _(self, step: kinds.Reply) -> None:
        for i in range(1, step.times + 1):
            text = filled(step.text, {**self._names, "i": i})
            self._daemon.reply(self._edge.connection, step.kind, text, step.re)

    @take.register
    def _(self, step: kinds.Numbering) -> None:
        self._daemon.next_reply = step.next

    @take.register
    def _(self, step: kinds.Hold) -> None:
        self._daemon.held |= set(step.what)

    @take.register
    def _(self, step: kinds.Release) -> None:
        self._daemon.held -= set(step.what)
        if "hello" in step.what and (connection := self._edge.connection) is not None:
            self._daemon.greet(connection)

    @take.register
    def _(self, step: kinds.Remember) -> None:
        self._daemon.remember(step.last_seq)

    @take.register
    def _(self, step: kinds.Cut) -> None:
        connection = self._sent_to if step.if_open else self._connection()
        assert connection is not None
        self._known = len(self._edge.connected)
        connection.out.append(step.text.encode())
        self._flush(connection)
        self._edge.cut(connection)

    @take.register
    def _(self, step: kinds.Pause) -> None:
        self._edge.reading = False

    @take.register
    def _(self, step: kinds.Resume) -> None:
        self._edge.reading = True

    @take.register
    def _(self, step: kinds.Away) -> None:
        if (connection := self._edge.connection) is not None:
            self._flush(connection)
        self._known = len(self._edge.connected)
        self._edge.close()

    @take.register
    def _(self, step: kinds.Back) -> None:
        self._edge.listen()

    @take.register
    def _(self, step: kinds.Refuse) -> None:
        before = len(self._edge.connected)
        self._daemon.refusing, self._daemon.refusal = step.at, step.lines
        if step.at != "report" and (connection := self._edge.connection) is not None:
            self._edge.cut(connection)
        self._edge.pump(lambda: most_in_a_second(self._edge.connected[before:]) > step.most, step.during)
        self._daemon.refusing = ""
        if (most := most_in_a_second(self._edge.connected[before:])) > step.most:
            raise Broken(f"{most} connections were made within a second, {step.most} are allowed: back off while the daemon cuts them")

    @take.register
    def _(self, step: kinds.Restart) -> None:
        self._driver.kill()
        self._edge.driver = None
        self._said.clear()
        self._edge.pump(lambda: self._edge.connection is None, self._within)
        self._daemon.watch.new_process()
        self._seen = len(self._daemon.lines)
        self._edge.driver = self._start()

    def _say(self, command: Json) -> None:
        """The agent may ack a reply from the moment on that it can have acted on it."""
        watch = self._daemon.watch
        if command["do"] == "hello":
            watch.capabilities = command["capabilities"]
        elif command["do"] == "ask":
            self._daemon.asking = True
        elif command["do"] == "finish":
            watch.finished = max(watch.finished, watch.handed)
        self._said.append(command)
        self._driver.say(command)

    def _answered(self, wanted: Json) -> None:
        driver, command = self._driver, self._said.pop(0)
        if not self._edge.pump(lambda: bool(driver.answers) or driver.ended, self._within):
            raise Broken(f"the driver did not answer {_shown(command)} within {self._within:g} s: a client never blocks the agent's work")
        if not driver.answers:
            raise Broken(f"awaited the answer to {_shown(command)}{self._death()}")
        answer = driver.answers.popleft()
        if answer.get("unsupported"):
            raise Unsupported(_shown(command))
        self._acted(command, answer)
        if not fits(wanted, answer, self._names):
            raise Broken(f"{_shown(command)} was answered {_shown(answer)}; awaited {_shown(wanted)}")

    def _acted(self, command: Json, answer: Json) -> None:
        watch, reply = self._daemon.watch, answer.get("reply")
        if command["do"] == "ask":
            self._daemon.asking = False
            if answer.get("answer") is not None:
                watch.handed = watch.finished = max(watch.handed, watch.finished, self._daemon.sent)
        elif command["do"] == "take" and reply is not None:
            if not isinstance(reply, dict) or type(reply.get("n")) is not int:
                raise Broken(f"take was answered {_shown(answer)}: `reply` is null or has n, kind and text")
            watch.given(reply["n"])

    def _connection(self) -> Connection:
        """The connection that is open, or is made now."""
        self._edge.pump(lambda: self._edge.connection is not None, self._within)
        if (connection := self._edge.connection) is None:
            raise Broken(f"no connection is there, and none was made within {self._within:g} s{self._death()}")
        return connection

    def _flush(self, connection: Connection) -> None:
        """A client that does not read holds nothing up: what it has not taken then is lost."""
        self._edge.pump(lambda: not connection.out or self._edge.connection is not connection, self._within)

    def _found(self, pattern: Json) -> int | None:
        for at in range(self._seen, len(self._daemon.lines)):
            if fits(pattern, self._daemon.lines[at], self._names):
                return at
        return None

    def _unseen(self) -> str:
        lines = [_shown(line) for line in self._daemon.lines[self._seen :]]
        return " ".join([*lines[:3], f"and {len(lines) - 3} more"] if len(lines) > 3 else lines) or "nothing"

    def _death(self) -> str:
        """What is to be said where the driver has ended."""
        if not self._driver.ended:
            return ""
        return f"; the driver had ended with {self._driver.status(self._within)}"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def most_in_a_second(times: Sequence[float]) -> int:
    """The largest number of these times (seconds, rising) that lie within one second."""
    return max((sum(1 for later in times[i:] if later < first + 1) for i, first in enumerate(times)), default=0)
