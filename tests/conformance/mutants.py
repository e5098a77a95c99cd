"""Broken clients: the raw client with one fault each. `python -m tests.conformance.mutants NAME` is a driver."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from typing import Any

from tests.conformance.raw_client import Client, Driver, Json

KNOWN = {
    *("type", "protocol", "daemon", "capabilities", "job", "granted", "last_seq", "seq"),
    *("n", "kind", "text", "from", "request_id", "code", "message", "re"),
}


class AcksBeforeActing(Client):
    def reply(self, message: Json) -> None:
        super().reply(message)
        self.put({"type": "ack", "reply": message["n"]})


class NeverAcks(Client):
    def finished(self, reply: Json) -> None:
        self.acked = reply["n"]


class ForgetsToAckAgain(Client):
    def reply(self, message: Json) -> None:
        if message["n"] > self.received:
            super().reply(message)


class NeverResends(Client):
    def connect(self) -> None:
        before = getattr(self, "sent", 0)
        super().connect()
        self.sent = before


class NewNumberOnResend(Client):
    def connect(self) -> None:
        super().connect()
        if self.report is not None and self.failures > 1:
            self.seq += 1
            self.report = {**self.report, "seq": self.seq}


class ResetsSeqOnReconnect(Client):
    def connect(self) -> None:
        super().connect()
        self.seq = self.report["seq"] if self.report else 0


class FollowsLastSeq(Client):
    def take(self, message: Json) -> None:
        super().take(message)
        if message.get("type") == "hello" and self.report is None:
            self.seq = message["last_seq"]


class NewEpochOnReconnect(Client):
    def connect(self) -> None:
        self.epoch = os.urandom(16).hex()
        super().connect()


class SameEpochAlways(Client):
    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.epoch = f"epoch-of-{self.job}"


class CountsFromZero(Client):
    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.seq = -1


class DeliversDuplicates(Client):
    def reply(self, message: Json) -> None:
        self.received = message["n"]
        self.replies.append(message)


class ForgetsReceivedOnReconnect(Client):
    def connect(self) -> None:
        self.received = self.acked
        super().connect()


class StartsRepliesAtOne(Client):
    def reply(self, message: Json) -> None:
        if message["n"] == self.received + 1:
            super().reply(message)


class AnyAckIsForAll(Client):
    def accepted(self, seq: object) -> None:
        self.report = None if seq else self.report


class DiesOnUnknownFields(Client):
    def take(self, message: Json) -> None:
        if unknown := set(message) - KNOWN:
            raise KeyError(*unknown)
        super().take(message)


class DiesOnUnknownMessages(Client):
    def take(self, message: Json) -> None:
        if message["type"] not in ("hello", "ack", "reply", "error"):
            raise KeyError(message["type"])
        super().take(message)


class DiesOnBrokenLines(Client):
    def take_line(self, line: bytes) -> None:
        if line.strip():
            self.take(json.loads(line))


class ReadsWholeLinesOnly(Client):
    """Takes each read for lines, whole or not."""

    def read(self) -> None:
        super().read()
        self.buffer = b""


class KeepsHalfLines(Client):
    def connect(self) -> None:
        before = getattr(self, "buffer", b"")
        super().connect()
        self.buffer = before


class TakesShortLinesOnly(Client):
    def take_line(self, line: bytes) -> None:
        if len(line) <= 65536:
            super().take_line(line)


class ComesAgainAfterSuperseded(Client):
    def end(self, code: str) -> None:
        if code != "superseded":
            super().end(code)


class ComesAgainAfterUnauthorized(Client):
    def end(self, code: str) -> None:
        if code != "unauthorized":
            super().end(code)


class GoesOnReporting(Client):
    """Superseded, it does not come again, and does not hold its tongue either."""

    def end(self, code: str) -> None:
        if code == "superseded":
            self.over = True
        else:
            super().end(code)


class ResendsWhatWasRefused(Client):
    def take(self, message: Json) -> None:
        if message.get("type") != "error" or "re" not in message:
            super().take(message)


class DropsOnAnyError(Client):
    def take(self, message: Json) -> None:
        super().take(message)
        if message.get("type") == "error" and message.get("code") not in ("superseded", "unauthorized"):
            self.report = None


class EndsOnAnyError(Client):
    def take(self, message: Json) -> None:
        if message.get("type") == "error":
            self.end("superseded")
        super().take(message)


class HotLoops(Client):
    def back_off(self) -> None:
        self.due = time.monotonic()
        self.failures += 1


class HelloEndsBackOff(Client):
    def take(self, message: Json) -> None:
        super().take(message)
        if message.get("type") == "hello":
            self.failures = 0


class GivesUp(Client):
    def back_off(self) -> None:
        super().back_off()
        self.over = self.silent = True


class Blocks(Client):
    """Writes until all is out, whether the daemon reads or not."""

    def make_report(self, fields: Json) -> None:
        super().make_report(fields)
        while self.sock is not None and (self.out or (self.greeted and self.report is not None and self.report["seq"] > self.sent)):
            self.write()
            time.sleep(0.001)


class SaysHelloTwice(Client):
    def say_hello(self) -> None:
        super().say_hello()
        super().say_hello()


class SaysHelloLate(Client):
    def say_hello(self) -> None:
        self.put({"type": "report", "seq": 1, "state": "working"})
        super().say_hello()


class HelloWithoutAgent(Client):
    def say_hello(self) -> None:
        self.put({"type": "hello", "job": self.job, "token": self.token, "epoch": self.epoch, "capabilities": self.capabilities})


class ForgetsBye(Client):
    def bye(self) -> None:
        self.over = True
        self.lose()


class SpeaksBehindBye(Client):
    def bye(self) -> None:
        if self.sock is not None and self.greeted:
            self.out += b'{"type":"bye"}\n'
            self.put({"type": "report", "seq": self.seq + 1, "state": "idle"})
            self.write()
        super().bye()


class AcksOutOfOrder(Client):
    def finished(self, reply: Json) -> None:
        before = self.acked
        super().finished(reply)
        if before and self.sock is not None:
            self.put({"type": "ack", "reply": before})


class AcksAhead(Client):
    def finished(self, reply: Json) -> None:
        super().finished({"n": reply["n"] + 1})


class TellsTheToken(Client):
    def make_report(self, fields: Json) -> None:
        super().make_report({**fields, "ext": {"token": self.token}})


class PrintsTheToken(Client):
    def say_hello(self) -> None:
        super().say_hello()
        print("connecting with", self.token, file=sys.stderr, flush=True)


class FillsInWhatIsUnknown(Client):
    def make_report(self, fields: Json) -> None:
        super().make_report({"status": "", **fields})


class KeepsOldFields(Client):
    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.last: Json = {}

    def make_report(self, fields: Json) -> None:
        self.last = {**self.last, **fields}
        super().make_report(self.last)


class InventsFields(Client):
    def make_report(self, fields: Json) -> None:
        super().make_report({**fields, "mood": "good"})


class SendsAllSizes(Client):
    """Bounds nothing."""

    def make_report(self, fields: Json) -> None:
        self.seq += 1
        self.report = {"type": "report", "seq": self.seq, **fields}
        self.write()


class ForgetsWithoutDaemon(Client):
    def make_report(self, fields: Json) -> None:
        super().make_report(fields)
        if self.sock is None:
            self.report = None


class SpeaksWhereAnotherDoes(Client):
    def __init__(self, **fields: Any) -> None:
        os.environ.pop("ROOST_AGENT_PID", None)
        super().__init__(**fields)


class KnowsNewNamesOnly(Client):
    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.over = self.silent = self.over or "ROOST_SOCKET" not in os.environ


class NeedsADaemon(Client):
    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        if not self.path:
            raise KeyError("ROOST_SOCKET")


class TakesAnyReplyForTheAnswer(Client):
    def next_reply(self, asked: int) -> Json | None:
        return super().next_reply(0)


class TwoConnections(Client):
    """Has one more beside its own."""

    def say_hello(self) -> None:
        super().say_hello()
        self.beside = socket.socket(socket.AF_UNIX)
        self.beside.connect(self.path or "")


MUTANTS: dict[str, type[Client]] = {
    "".join(f"-{char.lower()}" if char.isupper() else char for char in name).lstrip("-"): kind
    for name, kind in list(globals().items())
    if isinstance(kind, type) and issubclass(kind, Client) and kind is not Client
}

if __name__ == "__main__":
    Driver(MUTANTS[sys.argv[1]]).run()
