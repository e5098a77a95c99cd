"""What the commands ask the daemon with: requests that survive the daemon, subscriptions that go on where they were.

The daemon may die at any moment, ours to notice and nobody else's: a request whose answer did not come is sent again to the
next daemon with the same `request_id`, so that nothing is done twice.
"""

from __future__ import annotations

import os
import time

from roost.bound import check_size
from roost.failure import Unreachable
from roost.finding import find
from roost.stream import Lost, Stream
from roost.version import VERSION
from roost_protocol.errors import RoostError
from roost_protocol.paths import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    Json = dict[str, Any]

PROTOCOL = 1
OLDEST_PROTOCOL = 1

CHANGES = frozenset(("job.run", "job.reply", "job.keys", "job.stop", "job.remove", "job.again", "job.resume", "job.rename"))
"""The verbs that change something: their requests carry a `request_id`."""

RESEND_FOR = 30.0
"""Seconds from the first loss in which a request is sent again."""
LIVED = 5.0
"""Seconds after which a daemon that greeted us has served: its end is a first loss again."""
PAUSE = 0.05
GRACE = 10.0
"""Seconds past a deadline until we stop waiting for the daemon to keep it."""


class Request:
    """One verb with its parameters (a struct of `roost_protocol.operator` as a dict). `timeout` is seconds, kept by both sides.

    Raises RoostError (`too_large`) for one that no daemon would take.
    """

    def __init__(self, verb: str, params: Json, timeout: float | None = None) -> None:
        self.verb = verb
        self.params = params
        self.request_id = os.urandom(16).hex() if verb in CHANGES else None
        self.deadline = None if timeout is None else time.monotonic() + timeout
        check_size(self.message(0))

    def message(self, number: int) -> Json:
        """The line to send now: after a loss, with the time that is left."""
        line: Json = {"id": number, "verb": self.verb, "params": self.params}
        if self.request_id is not None:
            line["request_id"] = self.request_id
        if self.deadline is not None:
            line["timeout"] = max(0.0, self.deadline - time.monotonic())
        return line


class Daemon:
    """The daemon, whichever process that is just now. One connection, made when first needed; `start` says whether to start one."""

    def __init__(self, environ: Mapping[str, str], start: bool = True) -> None:
        self._environ = environ
        self._start = start
        self._stream: Stream | None = None
        self._greeted: float | None = None  # when it was
        self._number = 0

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._stream = None

    def ask(self, verb: str, params: Json | None = None, timeout: float | None = None) -> Json:
        """One request's answer. Raises RoostError as the daemon refused, `Unreachable` where there is none."""
        (answer,) = self.ask_all([Request(verb, params or {}, timeout)])
        if isinstance(answer, RoostError):
            raise answer
        return answer

    def ask_all(self, requests: Sequence[Request]) -> list[Json | RoostError]:
        """The answers of requests that the daemon works on side by side, in their order; a refusal is an answer here."""
        answers: dict[int, Json | RoostError] = {}
        patience = Patience()
        while len(answers) < len(requests):
            open_ones = [n for n in range(len(requests)) if n not in answers]
            try:
                self._round(requests, open_ones, answers)
            except Lost:
                self._again(patience)
        return [answers[n] for n in range(len(requests))]

    def follow(self, verb: str, params: Json, output: int = 1) -> Iterator[Json]:
        """The items of a subscription, until it ends by itself. After a loss it goes on behind the last `seq` that came.

        Raises BrokenPipeError as soon as nobody reads any more what is written to the descriptor `output`.
        """
        params = dict(params)
        patience = Patience()
        while True:
            try:
                for item in self._items(verb, params, output):
                    if "seq" in item:
                        params["since"] = item["seq"]
                    yield item
                return
            except Lost:
                self._again(patience)

    def wait_for_end(self) -> None:
        """Returns when the daemon has closed this connection."""
        try:
            while self._stream is not None:
                self._stream.receive()
        except Lost:
            self.close()

    def _again(self, patience: Patience) -> None:
        """The daemon went away. Raises `Unreachable` once that has gone on for too long."""
        greeted, self._greeted = self._greeted, None
        self.close()
        patience.lost(greeted, time.monotonic())
        time.sleep(PAUSE)

    def _round(self, requests: Sequence[Request], open_ones: list[int], answers: dict[int, Json | RoostError]) -> None:
        """Sends what is open and gathers answers until all are there. Raises `Lost`."""
        numbers = {self._next(): n for n in open_ones}
        stream = self._send(*(requests[n].message(number) for number, n in numbers.items()))
        deadlines = [requests[n].deadline for n in open_ones]
        while numbers:
            line = self._receive(stream, _left(deadlines))
            n = numbers.pop(line.get("id", 0), None)
            if n is not None:
                answers[n] = _answer(line, timed=requests[n].deadline is not None)

    def _items(self, verb: str, params: Json, output: int) -> Iterator[Json]:
        number = self._next()
        stream = self._send({"id": number, "verb": verb, "params": params})
        while True:
            line = self._receive(stream, None, output)
            if line.get("id") != number:
                continue
            if "error" in line:
                raise _refusal(line["error"])
            if "item" not in line:
                return
            yield line["item"]

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _send(self, *messages: Json) -> Stream:
        """Sends on the connection there is, or on a new one behind our hello: in one write, which saves a round trip."""
        if self._stream is not None:
            self._stream.send(*messages)
            return self._stream
        self._stream = Stream(find(self._environ) or self._found_otherwise())
        self._greeted = None
        self._stream.send({**HELLO, "state": state_dir(self._environ)}, *messages)
        return self._stream

    def _found_otherwise(self) -> socket.socket:
        """Nobody listens where the daemon should: it is started, or at least asked to listen again."""
        from roost.starting import start, wake

        sock = start(self._environ) if self._start else wake(self._environ)
        if sock is None:
            raise Unreachable("the daemon is not running; `roost daemon start` starts it")
        return sock

    def _receive(self, stream: Stream, within: float | None, output: int | None = None) -> Json:
        try:
            if self._greeted is None:
                _check_hello(stream.receive(within, output))
                self._greeted = time.monotonic()
            line = stream.receive(within, output)
            if "error" in line and line.get("id") == 0 and line["error"].get("code") != "full":
                raise _refusal(line["error"])  # of the connection, not of a request; who was too slow to read may come again
            return line
        except TimeoutError:
            raise _too_late() from None


class Patience:
    """How long a request is sent again: a daemon that dies of it at once must not be started for ever.

    Pure: times are seconds of one clock.
    """

    def __init__(self) -> None:
        self._first_loss: float | None = None

    def lost(self, greeted: float | None, now: float) -> None:
        """A daemon that greeted us at `greeted` (None: never) went away. Raises `Unreachable` once that has gone on for too long."""
        if self._first_loss is None or (greeted is not None and now - greeted > LIVED):
            self._first_loss = now
        if now - self._first_loss > RESEND_FOR:
            raise Unreachable("the daemon went away each time it was asked; see `roost daemon logs`")


HELLO: Json = {"type": "hello", "protocol": PROTOCOL, "peer": {"name": "roost", "version": VERSION}}


def _check_hello(line: Json) -> None:
    if "error" in line:
        raise _refusal(line["error"])
    protocol = line.get("protocol")
    if line.get("type") != "hello" or not isinstance(protocol, int) or protocol < OLDEST_PROTOCOL:
        peer = line.get("peer")
        version = peer.get("version") if isinstance(peer, dict) else None
        raise Unreachable(
            f"the daemon (version {version or 'unknown'}) speaks operator protocol {protocol!r}, "
            f"this roost {OLDEST_PROTOCOL} to {PROTOCOL}; `roost daemon restart` starts one that fits (jobs run on)"
        )


def _refusal(error: Json) -> RoostError:
    return RoostError(error.get("code", "internal"), str(error.get("message", "the daemon refused and did not say why")))


def _answer(line: Json, timed: bool) -> Json | RoostError:
    """What one request came to. `timed`: it had a deadline, and if that has passed it is for us to say so to a person."""
    if "error" not in line:
        ok: Json = line.get("ok", {})
        return ok
    refusal = _refusal(line["error"])
    return _too_late() if timed and refusal.code == "timeout" else refusal


def _too_late() -> RoostError:
    return RoostError("timeout", "the daemon did not answer in time; see `roost daemon logs`")


def _left(deadlines: list[float | None]) -> float | None:
    """Seconds to wait for an answer: the daemon keeps the deadline, we only make up for one that does not."""
    known = [deadline for deadline in deadlines if deadline is not None]
    if not known or len(known) < len(deadlines):
        return None
    return max(0.0, max(known) - time.monotonic()) + GRACE
