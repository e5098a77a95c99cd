"""A client of the agent protocol on plain sockets, with the driver's stdin and stdout around it: one process, one loop, no thread."""

from __future__ import annotations

import json
import os
import random
import select
import socket
import time
from typing import Any

Json = dict[str, Any]
MAX_LINE = 1024 * 1024
BOUNDS = {"status": 4096, "summary": 4096, "question": 4096, "session_ref": 4096, "name": 256, "model": 256, "choices": 50, "links": 50}
OWN_WORDS = ("usage", "context", "ext")
DROPPED = ("too_large", "bad_request", "unsupported")
NAMES = (("ROOST_SOCKET", "PI_DAEMON_SOCK"), ("ROOST_JOB_ID", "PI_JOB_ID"), ("ROOST_JOB_TOKEN", "PI_JOB_TOKEN"))


class Client:
    """One job's client. Whoever runs the loop waits for `sock` (to write too, while `out` is not empty) and until `due`."""

    def __init__(self, name: str, version: str, capabilities: list[str]) -> None:
        self.path, self.job, self.token = (os.environ.get(ours) or os.environ.get(theirs) for ours, theirs in NAMES)
        above = os.environ.get("ROOST_AGENT_PID", str(os.getpid()))
        self.over = not (self.path and self.job and self.token) or above != str(os.getpid())
        self.agent = {"name": name, "version": version}
        self.capabilities = capabilities
        self.epoch = os.urandom(16).hex()
        self.seq = 0
        self.report: Json | None = None  # the newest snapshot, until it is acked
        self.received = self.acked = 0
        self.replies: list[Json] = []
        self.done: set[int] = set()
        self.asked = 0
        self.sock: socket.socket | None = None
        self.out = b""
        self.failures = 0
        self.due = 0.0
        self.silent = self.over

    def connect(self) -> None:
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(1)
        self.since, self.buffer, self.out, self.greeted, self.sent = time.monotonic(), b"", b"", False, 0
        try:
            sock.connect(self.path or "")
        except OSError:
            sock.close()
            self.back_off()
            return
        sock.setblocking(False)
        self.sock = sock
        self.say_hello()
        self.write()

    def say_hello(self) -> None:
        hello = {"type": "hello", "job": self.job, "token": self.token, "epoch": self.epoch, "protocol": 1}
        self.put({**hello, "agent": self.agent, "capabilities": self.capabilities})

    def back_off(self) -> None:
        """At once, then with full jitter; from the beginning once a connection has lasted."""
        if time.monotonic() - self.since > 1:
            self.failures = 0
        self.due = time.monotonic() + random.uniform(0, min(10, 0.05 * 2**self.failures) if self.failures else 0)
        self.failures += 1

    def lose(self) -> None:
        if self.sock is not None:
            self.sock.close()
            self.sock = None
            self.out = b""
            self.back_off()

    def put(self, message: Json) -> None:
        self.out += json.dumps(message).encode() + b"\n"

    def write(self) -> None:
        """Sends what it can without waiting. A report behind one that is not out yet waits, and a newer one takes its place."""
        if self.sock is None:
            return
        if self.greeted and not self.out and self.report is not None and self.report["seq"] > self.sent:
            self.sent = self.report["seq"]
            self.put(self.report)
        try:
            while self.out:
                self.out = self.out[self.sock.send(self.out) :]
        except BlockingIOError:
            pass
        except OSError:
            self.lose()

    def read(self) -> None:
        assert self.sock is not None
        try:
            data = self.sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            self.take_line(line)
        if not data or len(self.buffer) > MAX_LINE:
            self.lose()
        self.write()

    def take_line(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict):
            self.take(message)

    def take(self, message: Json) -> None:
        kind, seq = message.get("type"), self.report["seq"] if self.report else 0
        if kind == "hello":
            self.greeted = True
            self.accepted(message.get("last_seq"))
        elif kind == "ack":
            self.accepted(message.get("seq"))
        elif kind == "reply" and isinstance(message.get("n"), int):
            self.reply(message)
        elif kind == "error" and message.get("code") in ("superseded", "unauthorized"):
            self.end(message["code"])
        elif kind == "error" and message.get("re") == seq and message.get("code") in DROPPED:
            self.report = None

    def end(self, code: str) -> None:
        """For good: another one speaks now, or the token is not good any more."""
        self.over, self.silent, self.report = True, True, None
        self.lose()

    def accepted(self, seq: object) -> None:
        if self.report is not None and isinstance(seq, int) and seq >= self.report["seq"]:
            self.report = None

    def reply(self, message: Json) -> None:
        if message["n"] > self.received:
            self.received = message["n"]
            self.replies.append(message)
        elif message["n"] <= self.acked:
            self.put({"type": "ack", "reply": self.acked})

    def finished(self, reply: Json) -> None:
        """An ack is for all up to its number: those that nobody has taken yet hold it back."""
        self.done.add(reply["n"])
        waiting = min((other["n"] for other in self.replies), default=self.received + 1)
        acked = max((n for n in self.done if n < waiting), default=self.acked)
        if acked <= self.acked:
            return
        self.acked = acked
        if self.sock is not None and self.greeted:
            self.put({"type": "ack", "reply": self.acked})
            self.write()

    def next_reply(self, asked: int) -> Json | None:
        """The next one that can be about that report or a later one."""
        fitting = [reply for reply in self.replies if reply.get("re", asked) >= asked]
        if fitting:
            self.replies.remove(fitting[0])
        return fitting[0] if fitting else None

    def make_report(self, fields: Json) -> None:
        self.seq += 1
        report = {name: value[: BOUNDS[name]] if name in BOUNDS else value for name, value in fields.items()}
        report = {name: value for name, value in report.items() if name not in OWN_WORDS or not deeper_than(32, value)}
        self.report = {"type": "report", "seq": self.seq, **report}
        if len(json.dumps(self.report)) > MAX_LINE:
            self.report = {name: value for name, value in self.report.items() if name not in OWN_WORDS}
        if self.silent:
            self.report = None
        self.write()

    def bye(self) -> None:
        if self.sock is not None and self.greeted:
            self.put({"type": "bye"})
            self.write()
        self.over = self.silent = True
        self.lose()


def deeper_than(most: int, value: Any) -> bool:
    level = [value]
    for _ in range(most):
        level = [inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)]
        level = [inner for inner in level if isinstance(inner, dict | list)]
    return bool(level)


class Driver:
    """Takes the kit's commands one after the other; `waits` is the one that is not answered yet, `until` when it is in any case."""

    def __init__(self, kind: type[Client] = Client) -> None:
        self.kind = kind
        self.client = Client("", "", [])
        self.client.over = True
        self.taken: Json | None = None
        self.waits: Json | None = None
        self.until = 0.0
        self.commands: list[bytes] = []

    def run(self) -> None:
        buffer, ended = b"", False
        while not ended or self.commands:
            client = self.client
            if not client.over and client.sock is None and time.monotonic() >= client.due:
                client.connect()
            sock = [client.sock.fileno()] if client.sock is not None else []
            readable, writable, _ = select.select([0, *sock], sock if client.out else [], [], self.timeout())
            if writable:
                client.write()
            if client.sock is not None and client.sock.fileno() in readable:
                client.read()
            if 0 in readable:
                data = os.read(0, 65536)
                ended = not data
                *lines, buffer = (buffer + data).split(b"\n")
                self.commands += lines
            self.go_on()

    def timeout(self) -> float | None:
        times = [self.until] if self.waits else []
        if not self.client.over and self.client.sock is None:
            times.append(self.client.due)
        return max(0, min(times) - time.monotonic()) if times else None

    def go_on(self) -> None:
        while self.waits or self.commands:
            if self.waits is None:
                self.waits = command = json.loads(self.commands.pop(0))
                self.until = time.monotonic() + command.get("within", 0.5 if command["do"] == "close" else 1e6)
                self.begin(command)
            answer = self.answer(self.waits)
            if answer is None:
                return
            self.waits = None
            print(json.dumps({"ok": True, **answer}), flush=True)

    def begin(self, command: Json) -> None:
        fields = {name: value for name, value in command.items() if name not in ("do", "within")}
        if command["do"] == "hello":
            self.client = self.kind(**fields)
        elif command["do"] == "report":
            self.client.make_report(fields)
        elif command["do"] == "ask":
            self.client.make_report({"state": "waiting", "waiting_for": "choice" if fields.get("choices") else "question", **fields})
            self.client.asked = self.client.seq
        elif command["do"] == "finish" and self.taken is not None:
            self.client.finished(self.taken)

    def answer(self, command: Json) -> Json | None:
        """None while it has to wait."""
        client, over = self.client, time.monotonic() >= self.until
        if command["do"] == "close":
            if client.report is not None and not over:
                return None
            client.bye()
        if command["do"] not in ("take", "ask"):
            return {}
        reply = client.next_reply(client.asked if command["do"] == "ask" else 0)
        if reply is None and not (over or client.silent):
            return None
        if command["do"] == "take":
            self.taken = reply
            return {"reply": reply and {name: reply[name] for name in ("n", "kind", "text")}}
        client.make_report({"state": "working"})
        if reply is None:
            return {"answer": None}
        client.finished(reply)
        chosen = [choice["id"] for choice in command.get("choices", ()) if reply["text"] in (choice["id"], choice["label"])]
        return {"answer": chosen[0] if chosen else reply["text"]}


if __name__ == "__main__":
    Driver().run()
