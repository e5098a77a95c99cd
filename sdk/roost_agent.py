"""Tell roost what your agent is doing, ask the person a question, hear what they say. One file, standard library alone.

    from roost_agent import Agent

    with Agent.from_env(name="deploy", version="1.2") as agent:
        agent.working("building")
        if agent.ask("Deploy to production?", choices=["yes", "no"]) == "yes":
            agent.working("deploying")
        agent.idle("all is well")
        for reply in agent.replies(timeout=1):
            agent.working("on it: " + reply.text)

Started by roost (`roost run -- python3 deploy.py`) it speaks over the socket named by ROOST_SOCKET; anywhere else every call does nothing,
so that the program runs unchanged: `ask` gives its default, `replies` ends at once.

- Nothing here blocks your work (but `ask` and `replies`, which wait for a person) and nothing raises, unless you say `strict=True`.
- A daemon that is away is waited for; what is kept meanwhile is the newest report alone, since each is a full snapshot.
- A reply is given to your code once. It counts as acted on when the loop asks for the next one, or ends.
- It speaks for the process that the job started: a child that inherited the environment stays silent (or say `nested=True`), a fork too.

`AsyncAgent` is the same for asyncio. `Core` is the protocol without any I/O, for whoever has an event loop of their own.
"""

from __future__ import annotations

import atexit
import itertools
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
    from types import TracebackType
    from typing import Any, TypeVar, Union

    Choices = Iterable[Union[str, Sequence[str]]]  # noqa: UP007
    Face = TypeVar("Face", bound="_Face")

__all__ = ["Agent", "AgentError", "AsyncAgent", "Core", "Reply", "choose"]

PROTOCOL = 1
STATES = ("working", "waiting", "idle")
WAITING_FOR = ("approval", "question", "choice", "login")
MAX_LINE, MAX_ITEMS, DEEPEST = 1024 * 1024, 50, 32
LENGTHS = {"status": 4096, "summary": 4096, "question": 4096, "session_ref": 4096, "name": 256, "model": 256}
LASTING = ("name", "model", "usage", "context", "session_ref", "links", "ext")
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
LAST_WORD, FAREWELL = 0.5, 0.1
NAMES = (("ROOST_SOCKET", "PI_DAEMON_SOCK"), ("ROOST_JOB_ID", "PI_JOB_ID"), ("ROOST_JOB_TOKEN", "PI_JOB_TOKEN"))
OWNER, NESTED = "ROOST_AGENT_PID", "ROOST_AGENT_NESTED"
_DROPPED = ("too_large", "bad_request", "unsupported")
_FINAL = ("superseded", "unauthorized")


class AgentError(Exception):
    """What the daemon refused; raised with `strict=True` alone. `code` is one of the protocol's (`superseded`, `bad_request`, ...)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Reply:
    """What a person sent: `text`, and its `kind`: reply, choice, steer, follow_up, set_model or stop. `n` counts from 1 for each job."""

    __slots__ = ("kind", "n", "request_id", "sender", "shown", "text")

    def __init__(
        self, n: int, text: str, kind: str = "reply", sender: str = "operator", request_id: str | None = None, shown: int = 0
    ) -> None:
        self.n, self.text, self.kind, self.sender, self.request_id = n, text, kind, sender, request_id
        self.shown = shown
        """The newest snapshot that the person could have seen."""

    def __repr__(self) -> str:
        return f"Reply(n={self.n}, kind={self.kind!r}, text={self.text!r})"


def choose(text: str, choices: Sequence[tuple[str, str]]) -> str:
    """The id of the choice, of (id, label) pairs, that a person meant; the text itself if it is none of them.

    By id, label, number from 1, y or n for yes or no, or a beginning that fits one alone; whether in capitals does not matter.
    """
    said = text.strip().casefold()
    words = [(choice[0], [part.strip().casefold() for part in choice]) for choice in choices]
    exact = [choice for at in (0, 1) for choice, parts in words if parts[at] == said]
    if exact or not said:
        return exact[0] if exact else text
    if said.isascii() and said.isdigit() and len(said) < 4 and 1 <= int(said) <= len(choices):
        return choices[int(said) - 1][0]
    word = {"y": "yes", "n": "no"}.get(said, said)
    begun = {choice for choice, parts in words if any(part.startswith(said) for part in parts)}
    if word in ("yes", "no"):
        # A whole word: whoever says no does not mean "now".
        whole = {choice for choice, parts in words if any(part.startswith(word) and not part[len(word) :][:1].isalnum() for part in parts)}
        agreed = {choice for choice, parts in words if word in parts} or whole
        begun = agreed if agreed or said == word else begun
    (*one,) = begun
    return one[0] if len(one) == 1 else text


def _pairs(choices: Choices | None) -> list[tuple[str, str]]:
    """Strings are their own id. Raises ValueError."""
    if isinstance(choices, str):
        raise ValueError("choices are a list")
    pairs = []
    for choice in choices or ():
        pair = (choice, choice) if isinstance(choice, str) else tuple(str(part) for part in choice)
        if len(pair) != 2:
            raise ValueError("a choice is a string or a pair of id and label")
        pairs.append((pair[0], pair[1]))
    return pairs


def _shallow(value: object, most: int) -> bool:
    """Whether it is nested no deeper than that; what goes round in a circle is not."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    return inner is None or (most > 0 and all(_shallow(item, most - 1) for item in inner))


def _encoded(name: str, value: Any) -> str:
    """A report's field as JSON, cut to what it may have. Raises ValueError or TypeError, without the value in it."""
    import json

    if name in LENGTHS:
        value = str(value)[: LENGTHS[name]]
    elif name == "waiting_for" and value not in WAITING_FOR:
        raise ValueError("one of " + ", ".join(WAITING_FOR))
    elif name == "choices":
        value = [{"id": choice[:256], "label": label[:256]} for choice, label in _pairs(value)[:MAX_ITEMS]]
    elif name == "links":
        if isinstance(value, str):
            raise ValueError("links are a list")
        value = [str(link)[:4096] for link in list(value)[:MAX_ITEMS]]
    elif name in ("usage", "context", "ext"):
        value = dict(value)
        if not _shallow(value, DEEPEST):
            raise ValueError(f"nested more than {DEEPEST} deep")
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace").decode("utf-8")


def _joined(state: str, fields: Mapping[str, str]) -> tuple[bytes, list[str]]:
    """A snapshot from behind its number on, and the fields that found no room in a line."""
    kept: dict[str, str] = dict(fields)
    lost: list[str] = []
    while True:
        line = "".join([f',"state":"{state}"', *(f',"{name}":{value}' for name, value in kept.items()), "}\n"]).encode("utf-8")
        if len(line) < MAX_LINE - 64 or not kept:
            return line, lost
        lost.append(max(kept, key=lambda name: len(kept[name])))
        del kept[lost[-1]]


def _line(**message: Any) -> bytes:
    import json

    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _random() -> float:
    return int.from_bytes(os.urandom(4), "big") / 2**32


class Core:
    """One job's protocol, no I/O in it: bytes in, replies out, bytes to send. Times are seconds of any clock that only goes forward.

    Who drives it connects when `due` says so and then calls `connected`; sends what `outgoing` gives and says with `sent` how much of it
    went; gives what came to `received`; and calls `lost` when there is no connection or no more. `over` ends it.

    A snapshot gets its number when it is first sent, and goes out again on each connection whose daemon has not had it.
    """

    def __init__(self, hello: Callable[[], bytes], had: int = 0, random: Callable[[], float] = _random) -> None:
        self._hello, self._random = hello, random
        self.over: str | None = None
        """Why nothing more is said: closed, superseded or unauthorized."""
        self.due: float | None = 0.0
        """When to connect; None while there is a connection, or when it is over."""
        self.granted: frozenset[str] | None = None
        """What the daemon lets this agent do, once it has answered; None between two connections."""
        self.refusals: list[AgentError] = []
        """What the daemon has refused; whoever reads it takes it out."""
        self._failures, self._closing, self._bye = 0, False, False
        self._in, self._out = bytearray(), b""
        self._greeting: int | None = None
        """How much of the hello is sent, which holds the token and so is made when it is needed, and not kept."""
        self._snapshot: tuple[int, bytes] | None = None
        self._seq, self._numbered, self._best, self._shown = 0, 0, 0, 0
        self._told: dict[int, int] = {}
        """The snapshots by their numbers, the last ones."""
        self._sent, self._settled = False, True
        self._had = self._acked = self._ack = had
        self._open: dict[int, bool] = {}

    def report(self, version: int, line: bytes) -> None:
        """A newer snapshot, as `_joined` makes it; what came before need not go out any more."""
        self._snapshot, self._numbered, self._sent, self._settled = (version, line), 0, False, False

    def finish(self, n: int) -> None:
        """Reply `n` has been acted on. It is acked once those before it have been too."""
        if n in self._open:
            self._open[n] = True
        for number, finished in list(self._open.items()):
            if not finished:
                break
            self._ack = number
            del self._open[number]

    def close(self, waits: bool = True) -> None:
        """Ends it once the newest report has been acked; without `waits` at once. Who drives it may give up earlier."""
        self._closing, self._settled = True, self._settled or not waits
        if self.due is not None:
            self.due = 0.0
            self._end_if_done()

    def connected(self) -> None:
        """There is a new connection; the hello goes out on it first."""
        self.due, self._bye, self._acked = None, False, 0
        self._in.clear()
        self._greeting, self._out = 0, b""

    def lost(self, now: float) -> None:
        """Comes again at once, then within 0.1 s, twice as long each time, until something new has been heard."""
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self._failures - 1, 16)) if self._failures else 0.0
        self._failures += 1
        self.granted, self._greeting, self._out, self._sent = None, None, b"", False
        if self.over is None:
            self.due = now + pause * self._random()
            self._end_if_done()

    def outgoing(self) -> bytes:
        """What is to be sent now. Only what the kernel takes is made: behind a daemon that does not read waits one line."""
        if self._greeting is not None:
            return self._hello()[self._greeting :]
        if not self._out and self.granted is not None and self.over is None and not self._bye:
            self._out = self._next()
        return self._out

    def sent(self, count: int) -> None:
        """So many bytes of what `outgoing` gave have gone."""
        if self._greeting is None:
            self._out = self._out[count:]
        else:
            self._greeting += count
            self._greeting = self._greeting if self._greeting < len(self._hello()) else None

    @property
    def leaving(self) -> bool:
        """Whether `bye` is all sent: the daemon closes once it has read everything."""
        return self._bye and not self._out

    def received(self, data: bytes) -> list[Reply]:
        """New replies. Raises ConnectionError where the connection cannot go on."""
        self._in += data
        lines = [self._in]
        if b"\n" in data:
            *lines, self._in = self._in.split(b"\n")
        elif len(self._in) <= MAX_LINE:
            return []
        replies: list[Reply] = []
        for line in lines:
            if len(line) > MAX_LINE:
                raise ConnectionError("the daemon sent a line of more than 1 MiB")
            if self.over is None and line.strip():
                self._take(line, replies)
        return replies

    def _take(self, line: bytearray, replies: list[Reply]) -> None:
        import json

        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return
        kind = message.get("type") if isinstance(message, dict) else None
        if kind == "hello" and self.granted is None:
            self._greeted(message)
        elif kind == "error":
            self._refused(message)
        elif kind == "ack" and self.granted is not None and self._numbered and _number(message.get("seq")) >= self._numbered:
            self._settle()
        elif kind == "reply" and self.granted is not None and isinstance(message.get("text"), str):
            self._replied(_number(message.get("n")), message, replies)

    def _greeted(self, hello: dict[str, Any]) -> None:
        granted, last = hello.get("granted"), _number(hello.get("last_seq"))
        self.granted = frozenset(name for name in granted if isinstance(name, str)) if isinstance(granted, list) else frozenset()
        self._seq = max(self._seq, last)
        if self._numbered and last >= self._numbered:
            self._settle()
        elif self._snapshot is not None:
            self._settled = False

    def _settle(self) -> None:
        if self._numbered > self._best:
            self._best, self._failures = self._numbered, 0
        self._settled = self._sent = True

    def _refused(self, error: dict[str, Any]) -> None:
        code, about = str(error.get("code")), _number(error.get("re"))
        self.refusals.append(AgentError(code, str(error.get("message"))))
        del self.refusals[:-MAX_ITEMS]
        if code in _FINAL:
            self.over, self.due = code, None
        elif self.granted is None:
            raise ConnectionError("the daemon did not take the hello")
        elif code in _DROPPED and about and about == self._numbered:
            self._settle()
            self._snapshot, self._numbered = None, 0

    def _replied(self, n: int, reply: dict[str, Any], replies: list[Reply]) -> None:
        if n > self._had:
            self._had, self._failures, self._open[n] = n, 0, False
            words = [reply.get("text"), reply.get("kind"), reply.get("from"), reply.get("request_id")]
            text, kind, sender, request = (_clean(word) if isinstance(word, str) else None for word in words)
            replies.append(Reply(n, text or "", kind or "reply", sender or "operator", request, self._shown_by(reply)))
        elif 0 < n <= self._ack:
            self._acked = 0

    def _shown_by(self, reply: dict[str, Any]) -> int:
        """The newest snapshot that the person could have seen: up to the report `re`, where the daemon says which that was."""
        if "re" not in reply or "report" not in (self.granted or ()):
            return self._shown
        return max((version for seq, version in self._told.items() if seq <= _number(reply["re"])), default=0)

    def _next(self) -> bytes:
        granted = self.granted or ()
        if self._ack > self._acked and "replies" in granted:
            self._acked = self._ack
            return _line(type="ack", reply=self._ack)
        if self._snapshot is not None and "report" not in granted:
            # Nobody can be shown a question, and so it is taken as asked.
            self._shown = self._snapshot[0]
        elif self._snapshot is not None and not self._settled and not self._sent:
            if not self._numbered:
                self._seq += 1
                self._numbered = self._seq
                self._told[self._seq] = self._snapshot[0]
                for seq in list(self._told)[:-MAX_ITEMS]:
                    del self._told[seq]
            self._sent, self._shown = True, self._snapshot[0]
            return b'{"type":"report","seq":%d' % self._numbered + self._snapshot[1]
        if self._closing and not self._waits():
            self._bye = True
            return _line(type="bye")
        return b""

    def _waits(self) -> bool:
        """Whether a report is still to be acked."""
        return not self._settled and (self.granted is None or "report" in self.granted)

    def _end_if_done(self) -> None:
        if self._closing and (self._bye or not (self._waits() or self._ack > self._acked)):
            self.over, self.due = "closed", None


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53 else 0


def _clean(text: str) -> str:
    """Without lone surrogates, which could not be printed."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _Wire:
    """A socket that never blocks, between a core and whoever waits for it."""

    def __init__(self, core: Core, path: str) -> None:
        self.core, self._path = core, path
        self.socket: socket.socket | None = None
        self.leave: Callable[[], None] = lambda: None
        """Called before the socket is closed."""

    def pump(self, now: float) -> list[Reply]:
        """Connects, sends and receives as far as that goes at once."""
        replies: list[Reply] = []
        try:
            if self.socket is None and self.core.due is not None and self.core.due <= now:
                self._connect()
            if self.socket is not None:
                self._send(self.socket)
                self._receive(self.socket, replies)
                self._send(self.socket)
        except (OSError, ValueError):
            self.drop()
            self.core.lost(now)
        if self.core.over is not None:
            self.drop()
        return replies

    def drop(self) -> None:
        """Ends the connection, if there is one."""
        if self.socket is not None:
            self.leave()
            self.socket.close()
            self.socket = None

    def _connect(self) -> None:
        import socket

        # Known before it is connected, so that a fork closes it.
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        if hasattr(socket, "SO_NOSIGPIPE"):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_NOSIGPIPE, 1)
        self.socket.connect(self._path)
        self.core.connected()

    def _send(self, peer: socket.socket) -> None:
        import socket

        try:
            while data := self.core.outgoing():
                # A program may have given SIGPIPE its default action, and must not die of a daemon that went away.
                self.core.sent(peer.send(data, getattr(socket, "MSG_NOSIGNAL", 0)))
                if self.core.leaving:
                    peer.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            pass

    def _receive(self, peer: socket.socket, replies: list[Reply]) -> None:
        try:
            for _ in range(16):
                data = peer.recv(65536)
                if not data:
                    raise ConnectionError
                replies += self.core.received(data)
        except BlockingIOError:
            pass


_speaking: set[_Face] = set()
_handed: dict[str, int] = {}
"""The highest number of each job's replies that this process was given, though another object of it took them."""


def _forked() -> None:
    for face in list(_speaking):
        face._silence()
    _speaking.clear()


def _at_exit() -> None:
    deadline = time.monotonic() + LAST_WORD
    for face in list(_speaking):
        face._last_word(deadline)


def _door(environ: MutableMapping[str, str], nested: bool) -> tuple[str, str, str] | None:
    """Socket, job and token, if it is this process that speaks for the job."""
    path, job, token = (environ.get(ours) or environ.get(theirs) or "" for ours, theirs in NAMES)
    if not (path and job and token):
        return None
    pid = str(os.getpid())
    if not (nested or environ.get(NESTED) == "1"):
        # The shell of a person, and agents that run tools, give each command a group of its own; wrappers do not.
        if environ.get(OWNER, pid) != pid or os.getpgrp() != os.getsid(0):
            return None
        environ[OWNER] = pid
    return path, job, token


class _Face:
    """What both faces do, whoever waits."""

    def __init__(self, door: tuple[str, str, str] | None, hello: dict[str, Any], strict: bool = False, osc: bool = False) -> None:
        self._strict, self._job = strict, door[1] if door else ""
        self._hears = "replies" in hello["capabilities"]
        self._pid, self._silent, self._closed = os.getpid(), door is None, False
        self._terminal = _Terminal(str(hello["agent"]["name"])) if osc and door is None and os.isatty(1) else None
        self._lasting: dict[str, str] = {}
        self._status: str | None = None
        self._versions = itertools.count(1)
        self._posted: list[tuple[Any, ...]] = []
        self._asking: list[int] = []
        self._queue: list[Reply] = []
        self._top = _handed.get(self._job, 0)
        if door is None:
            return
        path, job, token = door
        epoch = os.urandom(16).hex()
        # In a closure, and so in nobody's repr.
        self._core = Core(lambda: _line(type="hello", job=job, token=token, epoch=epoch, protocol=PROTOCOL, **hello), self._top)
        self._wire = _Wire(self._core, path)

    @classmethod
    def from_env(
        cls: type[Face],
        *,
        name: str,
        version: str | None = None,
        capabilities: Iterable[str] = ("report", "replies"),
        nested: bool = False,
        osc: bool = False,
        strict: bool = False,
        environ: MutableMapping[str, str] | None = None,
    ) -> Face:
        """The agent of the job that this process was started as; a silent one where there is none, or where another process speaks for it.

        name, version: your program. capabilities: what it does; with "replies" what `roost reply` sends comes here, and is typed into your
        terminal no more: leave it out where you read that; `ask` and `replies` then end at once. nested: speak although a process above
        does, or this is not the job's own. osc: where there is no roost but a terminal on stdout, tell that (OSC 7501). strict: raise
        `AgentError` for what the daemon refuses and ValueError for what cannot be sent.
        """
        agent: dict[str, Any] = {"name": str(name)[:256]}
        if version is not None:
            agent["version"] = str(version)[:256]
        hello = {"agent": agent, "capabilities": [str(item)[:64] for item in capabilities][:MAX_ITEMS]}
        return cls(_door(os.environ if environ is None else environ, nested), hello, strict, osc)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'silent' if self._mute else 'for job ' + self._job}>"

    @property
    def speaks(self) -> bool:
        """Whether what is said here can reach a daemon of roost's: false outside roost, in a nested child, after the end."""
        return not self._mute

    def working(self, status: str | None = None) -> None:
        """It is busy; `status` says with what, in a few words."""
        self.report("working", status=status)

    def idle(self, summary: str | None = None) -> None:
        """Its turn is over and it can be given another one; `summary` says what came of it."""
        self.report("idle", summary=summary)

    def waiting(self, waiting_for: str = "question", question: str | None = None, choices: Choices | None = None) -> None:
        """It needs a person: for an "approval", a "question", a "choice" or a "login". `ask` does this and waits for the answer."""
        self.report("waiting", waiting_for=waiting_for, question=question, choices=choices)

    def report(
        self,
        state: str,
        *,
        status: str | None = None,
        summary: str | None = None,
        waiting_for: str | None = None,
        question: str | None = None,
        choices: Choices | None = None,
        name: str | None = None,
        model: str | None = None,
        usage: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
        session_ref: str | None = None,
        links: Iterable[str] | None = None,
        ext: Mapping[str, Any] | None = None,
    ) -> None:
        """How it is doing: "working", "waiting" or "idle", and all that is known about it.

        What describes the session stays until it is given anew: name, model, usage, context, session_ref (what `roost resume` needs), links
        and ext. An empty one is unknown again. The rest holds for this report. What cannot be sent is left out; with `strict` ValueError.
        """
        now: dict[str, Any] = {"status": status, "summary": summary, "waiting_for": waiting_for, "question": question, "choices": choices}
        lasting = {"name": name, "model": model, "usage": usage, "context": context, "session_ref": session_ref, "links": links, "ext": ext}
        self._check()
        self._report(state, {**now, **lasting})

    def _report(self, state: str, given: dict[str, Any]) -> int:
        """The number of the snapshot, for `ask`."""
        version = next(self._versions)
        if self._mute and self._terminal is None:
            return version
        fields: dict[str, str] = {}
        wrong = [] if state in STATES else [f"state: one of {', '.join(STATES)}"]
        for name, value in given.items():
            try:
                if value is not None:
                    fields[name] = _encoded(name, value)
            except Exception as error:
                wrong.append(f"{name}: {error}")
        if wrong and self._strict:
            raise ValueError(wrong[0])
        if state not in STATES:
            return version
        self._status = given.get("status") if state == "working" else self._status
        if self._terminal is not None:
            self._terminal.tell(state, given)
            return version
        lasting = {**self._lasting, **{name: value for name, value in fields.items() if name in LASTING}}
        lasting = {name: value for name, value in lasting.items() if value not in ('""', "{}", "[]")}
        line, lost = _joined(state, {**{name: value for name, value in fields.items() if name not in LASTING}, **lasting})
        if lost and self._strict:
            raise ValueError(f"{lost[0]}: the report is longer than 1 MiB")
        self._lasting = lasting
        self._post(self._core.report, version, line)
        return version

    @property
    def _mute(self) -> bool:
        return self._silent or self._closed or self._pid != os.getpid() or self._core.over is not None

    @property
    def _deaf(self) -> bool:
        """Whether no reply can come any more."""
        return self._mute or not self._hears or (self._core.granted is not None and "replies" not in self._core.granted)

    def _check(self) -> None:
        if self._strict and not self._silent and self._pid == os.getpid() and self._core.refusals:
            raise self._core.refusals.pop(0)

    def _post(self, *call: Any) -> None:
        """Has whoever owns the core do this: no lock is taken, so that it may be said anywhere, in a signal's handler too."""
        if not self._mute:
            self._posted.append(call)
            self._wake()

    def _pumped(self) -> list[Reply]:
        while self._posted:
            call, *arguments = self._posted.pop(0)
            call(*arguments)
        return self._wire.pump(time.monotonic())

    def _pick(self, version: int | None) -> Reply | None:
        """The next reply; for `ask` the first one that can be its answer, since it came when the question had been sent."""
        for at, reply in enumerate(self._queue):
            asked = self._asking if version is None else [version]
            if any(_answers(reply, question) for question in asked) is (version is not None):
                del self._queue[at]
                self._top = max(self._top, reply.n)
                _handed[self._job] = min([self._top, *(other.n - 1 for other in self._queue)])
                return reply
        return None

    def _begin(self, question: str, choices: Choices | None, waiting_for: str | None) -> tuple[int, list[tuple[str, str]]]:
        self._check()
        try:
            offered = _pairs(choices)
        except Exception:
            if self._strict:
                raise
            offered = []
        kind = waiting_for or ("choice" if offered else "question")
        version = self._report("waiting", {"waiting_for": kind, "question": question, "choices": offered or None})
        self._asking.append(version)
        return version, offered

    def _end(self, version: int) -> None:
        self._asking.remove(version)
        self._report("working", {"status": self._status})

    def _answered(self, reply: Reply | None, offered: list[tuple[str, str]], default: str | None) -> str | None:
        if reply is None:
            self._check()
            return default
        self._post(self._core.finish, reply.n)
        return choose(reply.text, offered)

    def _speak(self) -> None:
        if not _hooked:
            _hooked.append(True)
            atexit.register(_at_exit)
            os.register_at_fork(after_in_child=_forked)
        _speaking.add(self)

    def _silence(self) -> None:
        """In a fork: this process is another one. The parent's sockets are closed here and go on there."""
        self._silent = True
        if self._wire.socket is not None:
            self._wire.socket.close()

    def _wake(self) -> None:
        raise NotImplementedError

    def _last_word(self, deadline: float) -> None:
        raise NotImplementedError


_hooked: list[bool] = []


def _answers(reply: Reply, version: int) -> bool:
    return reply.kind in ("reply", "choice") and reply.shown >= version


class Agent(_Face):
    """An agent that works in threads or in none. All calls may come from any thread."""

    def __init__(self, door: tuple[str, str, str] | None, hello: dict[str, Any], strict: bool = False, osc: bool = False) -> None:
        super().__init__(door, hello, strict, osc)
        self._waker: socket.socket | None = None
        if door is None:
            return
        import socket
        import threading

        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="roost-agent", daemon=True)
        try:
            self._woken, self._waker = socket.socketpair()
            self._woken.setblocking(False)
            self._waker.setblocking(False)
            self._speak()
            self._thread.start()
        except (OSError, RuntimeError):
            # No descriptors left, or the interpreter ends.
            self._silent = True
            _speaking.discard(self)

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def ask(
        self,
        question: str,
        choices: Choices | None = None,
        *,
        timeout: float | None = None,
        waiting_for: str | None = None,
        default: str | None = None,
    ) -> str | None:
        """Asks the person, and waits for the answer: the id of the choice that it means, else its text. Then it is working again.

        choices: strings, or pairs of id and label. timeout: seconds, or None for as long as it takes. default: what is returned when the
        time is over, outside roost, and where no answer can come any more. What was sent before the question is left to `replies`.
        """
        if self._deaf:
            self._check()
            return default
        version, offered = self._begin(question, choices, waiting_for)
        try:
            reply = self._take(version, timeout)
        finally:
            self._end(version)
        return self._answered(reply, offered, default)

    def replies(self, timeout: float | None = None) -> Iterator[Reply]:
        """What the person sends, one after the other, until nothing has come for `timeout` seconds (None: until the agent is closed)."""
        while True:
            reply = self._take(None, timeout)
            if reply is None:
                self._check()
                return
            try:
                yield reply
            finally:
                self._post(self._core.finish, reply.n)

    def close(self, timeout: float = LAST_WORD) -> None:
        """Says goodbye. What was said last is given `timeout` seconds to go out. Closing again does nothing."""
        if self._terminal is not None:
            self._terminal.clear()
        if self._mute:
            return
        for waits, patience in ((True, timeout), (False, FAREWELL)):
            self._post(self._core.close, waits)
            self._thread.join(patience)
        self._closed = True
        self._wake()
        self._thread.join(0.1)

    def _last_word(self, deadline: float) -> None:
        self.close(max(0.0, deadline - time.monotonic()))

    def _take(self, version: int | None, timeout: float | None) -> Reply | None:
        if self._silent or self._pid != os.getpid():
            return None
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._news:
            while True:
                reply = self._pick(version)
                left = None if deadline is None else deadline - time.monotonic()
                if reply is not None or self._deaf or (left is not None and left <= 0):
                    return reply
                self._news.wait(left)

    def _wake(self) -> None:
        try:
            if self._waker is not None:
                self._waker.send(b"\0")
        except OSError:
            pass

    def _silence(self) -> None:
        super()._silence()
        self._woken.close()
        if self._waker is not None:
            self._waker.close()

    def _run(self) -> None:
        import signal

        # Signals are the program's: they interrupt its threads, not this one.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            while not self._mute:
                replies = self._pumped()
                with self._news:
                    self._queue += replies
                    self._news.notify_all()
                if not self._mute:
                    self._wait()
        finally:
            self._closed = True
            self._wire.drop()
            self._woken.close()
            if self._waker is not None:
                self._waker.close()
            _speaking.discard(self)
            with self._news:
                self._news.notify_all()

    def _wait(self) -> None:
        _poll(self._wire, self._woken.fileno(), None)
        try:
            while self._woken.recv(4096):
                pass
        except BlockingIOError:
            pass


def _poll(wire: _Wire, woken: int, deadline: float | None) -> None:
    """Until there is something to do for the wire, or it is woken, or the time is over."""
    import select

    poll = select.poll()
    if woken >= 0:
        poll.register(woken, select.POLLIN)
    if wire.socket is not None:
        poll.register(wire.socket.fileno(), select.POLLIN | (select.POLLOUT if wire.core.outgoing() else 0))
    times = [at for at in (wire.core.due, deadline) if at is not None]
    poll.poll(max(0.0, min(times) - time.monotonic()) * 1000 + 1 if times else None)


class _AsyncReplies:
    """An iterator and no generator: a loop that is left has finished its reply at once, and not when the loop gets to it."""

    def __init__(self, agent: AsyncAgent, timeout: float | None) -> None:
        self._agent, self._timeout = agent, timeout
        self._held: Reply | None = None

    def __aiter__(self) -> _AsyncReplies:
        return self

    async def __anext__(self) -> Reply:
        self._finish()
        self._held = await self._agent._take(None, self._timeout)
        if self._held is None:
            self._agent._check()
            raise StopAsyncIteration
        return self._held

    def __del__(self) -> None:
        self._finish()

    def _finish(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._agent._post(self._agent._core.finish, held.n)


class AsyncAgent(_Face):
    """The same for asyncio: `async with`, `await agent.ask(...)`, `async for reply in agent.replies()`; what reports is not awaited."""

    def __init__(self, door: tuple[str, str, str] | None, hello: dict[str, Any], strict: bool = False, osc: bool = False) -> None:
        super().__init__(door, hello, strict, osc)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waiters: list[asyncio.Future[None]] = []
        self._reading = -1
        if door is not None:
            self._wire.leave = self._unregister
            self._speak()
            self._wake()

    async def __aenter__(self) -> AsyncAgent:
        if not self._mute:
            self._wake()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def ask(
        self,
        question: str,
        choices: Choices | None = None,
        *,
        timeout: float | None = None,
        waiting_for: str | None = None,
        default: str | None = None,
    ) -> str | None:
        """As `Agent.ask`; cancelled, it is working again."""
        if self._deaf:
            self._check()
            return default
        version, offered = self._begin(question, choices, waiting_for)
        try:
            reply = await self._take(version, timeout)
        finally:
            self._end(version)
        return self._answered(reply, offered, default)

    def replies(self, timeout: float | None = None) -> AsyncIterator[Reply]:
        """As `Agent.replies`, with `async for`."""
        return _AsyncReplies(self, timeout)

    async def close(self, timeout: float = LAST_WORD) -> None:
        """As `Agent.close`."""
        if self._terminal is not None:
            self._terminal.clear()
        if self._mute:
            return
        for waits, patience in ((True, timeout), (False, FAREWELL)):
            self._post(self._core.close, waits)
            deadline = time.monotonic() + patience
            while not self._mute and (left := deadline - time.monotonic()) > 0:
                await self._changed(left)
        self._abandon()

    def _abandon(self) -> None:
        self._closed = True
        self._wire.drop()
        _speaking.discard(self)
        self._tell()

    def _last_word(self, deadline: float) -> None:
        """At the interpreter's exit no loop runs any more."""
        self._wire.leave()
        self._wire.leave = lambda: None
        self._loop = None
        for waits, until in ((True, deadline), (False, deadline + FAREWELL)):
            self._posted.append((self._core.close, waits))
            while self._core.over is None and time.monotonic() < until:
                self._pumped()
                if self._core.over is None:
                    _poll(self._wire, -1, until)
        self._closed = True
        self._wire.drop()

    async def _take(self, version: int | None, timeout: float | None) -> Reply | None:
        if self._silent or self._pid != os.getpid():
            return None
        self._wake()
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            reply = self._pick(version)
            left = None if deadline is None else deadline - time.monotonic()
            if reply is not None or self._deaf or (left is not None and left <= 0):
                return reply
            await self._changed(left)

    async def _changed(self, timeout: float | None) -> None:
        """Until something was heard, or the time is over."""
        import asyncio

        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await asyncio.wait([waiter], timeout=timeout)
        finally:
            self._waiters.remove(waiter)

    def _tell(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _wake(self) -> None:
        import asyncio

        try:
            if self._loop is None or self._loop.is_closed():
                self._reading, self._timer = -1, None
                self._loop = asyncio.get_running_loop()
            self._loop.call_soon_threadsafe(self._pump)
        except RuntimeError:
            # Where no loop runs yet, the next call starts it.
            pass

    def _pump(self) -> None:
        if self._mute or self._loop is None:
            return
        self._queue += self._pumped()
        self._tell()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._core.over is not None:
            _speaking.discard(self)
        elif self._wire.socket is not None:
            self._register(self._loop, self._wire.socket.fileno())
        elif self._core.due is not None:
            self._timer = self._loop.call_later(max(0.0, self._core.due - time.monotonic()), self._pump)

    def _register(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        if self._reading < 0:
            self._reading = descriptor
            loop.add_reader(descriptor, self._pump)
        if self._core.outgoing():
            loop.add_writer(descriptor, self._pump)
        else:
            loop.remove_writer(descriptor)

    def _unregister(self) -> None:
        if self._reading >= 0 and self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._reading)
            self._loop.remove_writer(self._reading)
        self._reading = -1


class _Terminal:
    """Says it in-band (OSC 7501, program status) where there is only a terminal. One that takes nothing is told nothing."""

    def __init__(self, name: str) -> None:
        import re

        self._app = f":app={name}" if re.fullmatch("[A-Za-z0-9_.+-]{1,32}", name) else ""
        self._left, self._told = b"", False

    def tell(self, state: str, fields: Mapping[str, Any]) -> None:
        """The same report, as far as a terminal can be told it."""
        pairs = {"working": "working", "waiting": "blocked", "idle": "idle"}[state] + self._app
        if state == "waiting":
            kinds = {"approval": "permission", "login": "auth"}
            pairs += ":kind=" + kinds.get(str(fields.get("waiting_for")), "question")
        said = fields.get("question") or fields.get("summary") or fields.get("status")
        self._told = state != "idle"
        self._write(pairs + (":msg=" + self._coded(str(said)) if said else ""))

    def clear(self) -> None:
        """Whoever ends neither works nor waits."""
        if self._told:
            self._told = False
            self._write("clear")

    @staticmethod
    def _coded(text: str) -> str:
        import binascii

        line = "".join(char if char.isprintable() else " " for char in text).encode("utf-8", "replace")[:2048]
        return binascii.b2a_base64(line.decode("utf-8", "ignore").encode("utf-8"), newline=False).decode("ascii")

    def _write(self, pairs: str) -> None:
        try:
            terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return
        data = self._left + f"\x1b]7501;state={pairs}\x1b\\".encode("ascii")
        try:
            while data:
                # One that was begun is ended by the next; one that was not even begun is not said.
                data = self._left = data[os.write(terminal, data) :]
        except OSError:
            pass
        finally:
            os.close(terminal)
