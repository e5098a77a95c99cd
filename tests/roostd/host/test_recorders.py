"""Who records a job, beside who looks at it."""

import struct
import time

import msgspec

from roost_protocol.frame import FrameReader
from roost_protocol.host import ENDED, OUTPUT, PROTOCOL, REPAINT, RESIZED, Attached, AttachHello, FactsNow
from tests.support.hosts import Hosts, Job, Peer, connect
from tests.support.waiting import DEADLINE


class Recorder(Peer):
    """Reads everything to the end of the stream."""

    def __init__(self, job: Job) -> None:
        super().__init__(connect(job.spec))
        hello = AttachHello(protocol=PROTOCOL, version="test", cols=33, rows=7, read_only=True, records=True)
        self.socket.sendall(msgspec.json.encode(hello) + b"\n")
        self._data = b""
        while b"\n" not in self._data:
            self._more()
        line, _, self._data = self._data.partition(b"\n")
        self.attached = msgspec.json.decode(line, type=Attached)

    def frames(self) -> list[tuple[bytes, bytes]]:
        """All of them, once the host has closed."""
        while self._more():
            continue
        return FrameReader().feed(self._data)

    def _more(self) -> bool:
        data = self.receive(time.monotonic() + DEADLINE)
        assert data is not None, "nothing came"
        self._data += data
        return bool(data)


def test_all_that_is_written_is_told_questions_and_new_sizes_too(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", r"printf 'before\n'; read line; printf 'a\033[6nb'; read line; exit 3"])
    with job.link() as link:
        link.expect_screen("before")
        with Recorder(job) as recorder:
            assert recorder.attached.records
            assert (recorder.attached.cols, recorder.attached.rows) == (80, 24)
            with job.attach(90, 30) as terminal:
                terminal.type("\r")
                terminal.expect(b"b")
                terminal.type("\r")
                terminal.expect_end()
            frames = recorder.frames()
    assert frames[0][0] == REPAINT
    assert b"before" in frames[0][1]
    assert (RESIZED, struct.pack(">HH", 90, 30)) in frames
    assert b"a\x1b[6nb" in b"".join(payload for kind, payload in frames if kind == OUTPUT)
    assert frames[-1][0] == ENDED
    assert b'"exit_code":3' in frames[-1][1]


def test_nobody_looks_by_it(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "read line"])
    with job.link() as link, Recorder(job):
        with job.attach():
            link.expect(FactsNow, lambda now: now.facts.attached == 1)
        link.expect(FactsNow, lambda now: now.facts.attached == 0)
        assert all(message.facts.attached < 2 for message in link.heard if isinstance(message, FactsNow))
        link.stop()


def test_one_that_does_not_read_holds_nothing_up(hosts: Hosts) -> None:
    script = "import sys; [sys.stdout.write('x' * 79 + '\\n') for _ in range(250000)]; print('over')"
    job = hosts.start(["python3", "-c", f"input(); {script}; input()"])
    with job.link() as link, Recorder(job) as recorder:
        with job.attach() as terminal:
            terminal.type("\r")
            link.expect_screen("over")
            terminal.type("\r")
            terminal.expect_end()  # It has read nothing by then.
        frames = recorder.frames()
    kinds = [kind for kind, _ in frames]
    assert kinds.count(REPAINT) == 2
    assert kinds[-1] == ENDED
