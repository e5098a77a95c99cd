"""A terminal that its client has lent to the host: written to directly, given back on every way, and never in anyone's way."""

import fcntl
import os
import pty
import select
import signal
import socket
import struct
import sys
import termios
import time
from collections.abc import Iterator
from typing import Self

import msgspec
import pytest

from roost_protocol.frame import pack_frame
from roost_protocol.host import INPUT, LEND, RETURN, FactsNow, Lend, TypeKeys
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.support.hosts import Attachment, Hosts, Job
from tests.support.waiting import DEADLINE, eventually

CAT = "stty raw -echo; printf ready; exec cat"
FLOOD = "import sys\nsys.stdin.readline()\nfor n in range(40000): sys.stdout.write('%099d\\r\\n' % n)\nsys.stdout.write('over\\r\\n')"
TYPED = pack_frame(INPUT, b"x" * 100_000)
WILL = Lend(leave="<left as it was>", attributes=None)


class Screen:
    """A person's terminal: `seen` is every byte written to it, as far as it was read."""

    def __init__(self, cols: int = 80, rows: int = 24) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        attributes = termios.tcgetattr(self.slave)
        attributes[1] &= ~termios.OPOST  # what a host writes is not changed on its way
        termios.tcsetattr(self.slave, termios.TCSANOW, attributes)
        self.seen = bytearray()
        self._size = cols, rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.master)
        os.close(self.slave)

    def read(self, within: float = 0.0) -> bool:
        if not select.select([self.master], [], [], within)[0]:
            return False
        self.seen += os.read(self.master, 65536)
        return True

    def expect(self, wanted: bytes, count: int = 1) -> None:
        deadline = time.monotonic() + DEADLINE
        while self.seen.count(wanted) < count:
            assert self.read(max(0.0, deadline - time.monotonic())), f"{wanted!r} did not come: {self.seen[-500:]!r}"

    def shows(self) -> list[str]:
        mirror = PyteMirror(*self._size)
        mirror.feed(bytes(self.seen))
        return mirror.text()


def lend(client: Attachment, screen: Screen, will: bytes | Lend = WILL) -> None:
    payload = will if isinstance(will, bytes) else msgspec.json.encode(will)
    socket.send_fds(client.socket, [pack_frame(LEND, payload)], [screen.slave])


def take_back(client: Attachment) -> None:
    client.returned = False
    client.socket.sendall(pack_frame(RETURN, b""))
    client.read_until(lambda: client.returned, "the answer to RETURN")


@pytest.fixture
def screen() -> Iterator[Screen]:
    with Screen() as screen:
        yield screen


def started(hosts: Hosts) -> Job:
    job = hosts.start(["sh", "-c", CAT])
    with job.link() as link:
        link.expect_screen("ready")
    return job


def test_the_screen_and_what_comes_go_to_it_and_not_through_its_client(hosts: Hosts, screen: Screen) -> None:
    with started(hosts).attach(lends=True) as client:
        assert client.attached.borrows
        lend(client, screen)
        screen.expect(b"ready")
        client.type(b"typed\r\n")
        screen.expect(b"typed\r\n")
        take_back(client)
        assert not client.output
        assert not client.repaints
        assert screen.shows()[0] == "readytyped"


def test_the_history_comes_before_the_first_picture_only(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start(["sh", "-c", "seq -f line%g 1000 1100; stty -echo; printf ready; exec sleep 600"])
    with job.link() as link:
        link.expect_screen("ready")
    with job.attach(lends=True) as client:
        lend(client, screen)
        screen.expect(b"ready")
        take_back(client)
        lend(client, screen)
        screen.expect(b"ready", 2)
        take_back(client)
        assert (screen.seen.count(b"line1000"), screen.seen.count(b"line1099")) == (1, 2)


def test_a_host_that_was_stuck_writes_nothing_behind_a_client_that_has_gone(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start(["sh", "-c", f"printf '\\033]22;pointer\\033\\\\\\033]4;200;red\\033\\\\'; {CAT}"])
    with job.link() as link:
        link.expect_screen("ready")
        host = link.linked.pid
    with job.attach(lends=True) as client:
        lend(client, screen)
        screen.expect(b"ready")
        os.kill(host, signal.SIGSTOP)
        client.socket.sendall(pack_frame(RETURN, b""))
    before = bytes(screen.seen)
    os.kill(host, signal.SIGCONT)
    with job.attach() as other:
        other.type(b"fine")
        other.expect(b"fine")
    assert not screen.read()
    assert screen.seen == before


def test_given_back_it_is_not_written_to_until_it_is_lent_again(hosts: Hosts, screen: Screen) -> None:
    with started(hosts).attach(lends=True) as client, client_of(hosts) as other:
        lend(client, screen)
        screen.expect(b"ready")
        take_back(client)
        while screen.read():
            continue
        before = bytes(screen.seen)
        other.type(b"meanwhile")
        other.expect(b"meanwhile")
        assert not screen.read()
        assert screen.seen == before
        lend(client, screen)
        screen.expect(b"readymeanwhile")


def client_of(hosts: Hosts) -> Attachment:
    """One more terminal of the job that runs, of the old kind."""
    (directory,) = (hosts.home.state / "jobs").iterdir()
    return Attachment(hosts.spec(["sh"], job=directory.name), 80, 24)


def test_a_client_that_is_killed_has_its_will_done(hosts: Hosts, screen: Screen) -> None:
    wanted = termios.tcgetattr(screen.slave)
    attributes: list[int | list[int]] = [*wanted[:6], [char[0] for char in wanted[6]]]
    raw = [*wanted[:3], wanted[3] & ~(termios.ECHO | termios.ICANON), *wanted[4:]]
    termios.tcsetattr(screen.slave, termios.TCSANOW, raw)
    with started(hosts).attach(lends=True) as client:
        lend(client, screen, Lend(leave="<left as it was>", attributes=attributes))
        screen.expect(b"ready")
    screen.expect(b"<left as it was>")
    eventually(lambda: termios.tcgetattr(screen.slave) == wanted, "the terminal's settings")


def test_settings_that_the_shell_has_changed_meanwhile_are_left_alone(hosts: Hosts, screen: Screen) -> None:
    before = termios.tcgetattr(screen.slave)
    with started(hosts).attach(lends=True) as client:
        lend(client, screen, Lend(leave="<left as it was>", attributes=[*before[:6], [char[0] for char in before[6]]]))
        screen.expect(b"ready")
        its_own = [*before[:3], before[3] & ~termios.ICANON, *before[4:]]
        termios.tcsetattr(screen.slave, termios.TCSANOW, its_own)
    screen.expect(b"<left as it was>")
    with client_of(hosts) as other:
        other.type(b"the host has gone on")
        other.expect(b"the host has gone on")
    assert termios.tcgetattr(screen.slave)[3] == its_own[3]


def test_one_whose_typing_is_not_read_is_left_all_the_same(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start(
        ["sh", "-c", "stty raw -echo; printf ready; while :; do printf '\\033]0;%d\\007tick' $((n = n + 1)); sleep 0.02; done"]
    )
    with job.link() as link:
        link.expect_screen("ready")
        with job.attach(lends=True) as client:
            lend(client, screen)
            screen.expect(b"tick")
            client.socket.setblocking(False)
            eventually(
                lambda: not select.select([], [client.socket], [], 0.5)[1] or not client.socket.send(TYPED), "a host that reads no more"
            )
        screen.expect(b"<left as it was>")
        title = link.ask_screen()["title"]
        eventually(lambda: link.ask_screen()["title"] != title, "that the job goes on")
        while screen.read():
            continue
        assert screen.seen.endswith(b"<left as it was>")


def test_a_terminal_that_takes_nothing_gets_the_will_once_it_does(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start([sys.executable, "-c", FLOOD + "; sys.stdin.read(1)"])
    with job.link() as link:
        with job.attach(lends=True) as client:
            lend(client, screen)
            client.type(b"\r")
            link.expect_screen("over")
        eventually(lambda: link.expect(FactsNow, lambda message: message.facts.attached == 0), "that nobody is attached")
        screen.expect(b"<left as it was>")


def test_what_cannot_be_written_to_is_closed(hosts: Hosts) -> None:
    job = started(hosts)
    with job.attach() as other:
        before = descriptors(job)
        for _ in range(3):
            with job.attach(lends=True) as client:
                odd = os.open("/", os.O_PATH)
                socket.send_fds(client.socket, [pack_frame(LEND, b"{}")], [odd])
                os.close(odd)
                client.read_until(client.repaints.copy, "a picture")
        other.type(b"fine")
        other.expect(b"fine")
        eventually(lambda: descriptors(job) == before, "as many descriptors as before")


def descriptors(job: Job) -> int:
    return len(os.listdir(f"/proc/{job.pid}/fd"))  # noqa: PTH208


@pytest.mark.parametrize("will", [b"", b"{", b'{"leave": 7}', b'{"attributes": [1, 2]}', b'{"attributes": [[1], [2], 3, 4, 5, 6, 7]}'])
def test_a_will_that_cannot_be_done_harms_nobody(hosts: Hosts, screen: Screen, will: bytes) -> None:
    job = started(hosts)
    with job.attach(lends=True) as client:
        lend(client, screen, will)
        screen.expect(b"ready")
    with job.attach() as other:
        other.type(b"fine")
        other.expect(b"fine")


def test_what_is_no_terminal_any_more_harms_nobody(hosts: Hosts) -> None:
    job = started(hosts)
    reader, writer = os.pipe()
    with job.attach(lends=True) as client, job.attach() as other:
        os.close(reader)
        socket.send_fds(client.socket, [pack_frame(LEND, b"{}")], [writer])
        os.close(writer)
        other.type(b"fine")
        other.expect(b"fine")
        take_back(client)


def test_without_a_descriptor_it_goes_on_in_frames(hosts: Hosts) -> None:
    with started(hosts).attach(lends=True) as client:
        client.socket.sendall(pack_frame(LEND, b"{}"))
        client.read_until(lambda: client.repaints, "a picture")
        client.type(b"typed")
        client.expect(b"typed")


def test_one_that_takes_nothing_slows_nobody_and_is_painted_once_it_does(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start([sys.executable, "-c", FLOOD + "; sys.stdin.read(1)"])
    with job.attach(lends=True) as client, job.link() as link:
        lend(client, screen)
        client.type(b"\r")
        link.expect_screen("over")
        eventually(lambda: screen.read() and screen.shows()[22] == "over", "the last row")


def test_one_that_reads_slowly_is_spared_what_is_old(hosts: Hosts, screen: Screen) -> None:
    """As much as may wait comes at once; what would be on the screen only for a moment, and long after, is never shown."""
    job = hosts.start([sys.executable, "-c", FLOOD.replace("40000", "8000") + "; sys.stdin.read(1)"])
    with job.attach(lends=True) as client, job.link() as link:
        lend(client, screen)
        client.type(b"\r")
        link.expect_screen("over")
        while b"over" not in screen.seen:
            assert screen.read(DEADLINE)
            time.sleep(0.05)  # it is a slow one: four thousand bytes at a time
        assert len(screen.seen) < 400_000


def test_the_end_is_told_once_all_is_shown(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start([sys.executable, "-c", FLOOD])
    with job.attach(lends=True) as client:
        lend(client, screen)
        client.type(b"\r")
        while client.socket not in select.select([client.socket], [], [], 0)[0]:
            screen.read(0.1)
        client.expect_end()
        while screen.read():
            continue
        assert screen.shows()[22] == "over"


def test_one_that_takes_nothing_does_not_hold_up_the_end(hosts: Hosts, screen: Screen) -> None:
    job = hosts.start([sys.executable, "-c", FLOOD])
    with job.attach(lends=True) as client, job.link() as link:
        lend(client, screen)
        link.send(TypeKeys("go", ["enter"]))
        client.expect_end()
        assert link.at_end()


def test_a_job_that_ends_before_it_is_lent_is_told_in_frames(hosts: Hosts) -> None:
    job = started(hosts)
    with job.attach(lends=True) as client, job.link() as link:
        link.stop(force=True)
        client.expect_end()
        assert [size[:2] for size in client.repaints] == [(80, 24)]
