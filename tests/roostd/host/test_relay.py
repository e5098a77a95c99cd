"""Attached terminals: what they see, who decides the size, and that none slows another or the job."""

import sys

import pytest

from roost_protocol.frame import pack_frame
from roost_protocol.host import ENDED, INPUT, TypeKeys
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.support.hosts import Attachment, Hosts, Job
from tests.support.waiting import eventually

RAW = "stty raw -echo; printf ready; "


def shown(picture: tuple[int, int, bytes]) -> list[str]:
    """The rows that a terminal shows after a picture."""
    cols, rows, data = picture
    mirror = PyteMirror(cols, rows)
    mirror.feed(data)
    return [row for row in mirror.text() if row]


def screen_has(job: Job, words: str) -> None:
    with job.link() as link:
        link.expect_screen(words)


def test_who_attaches_is_shown_the_screen_and_its_history(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "i=0; while [ $i -lt 60 ]; do echo row $i; i=$((i+1)); done; exec cat"])
    screen_has(job, "row 59")
    with job.attach() as terminal:
        terminal.read_until(lambda: terminal.repaints, "a picture")
        picture = terminal.repaints[0]
        assert picture[:2] == (80, 24)
        assert shown(picture)[-1] == "row 59"
        assert b"row 0" in picture[2]
        terminal.type("more\r")
        terminal.expect(b"more")


def test_bytes_pass_as_they_are_both_ways(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", f"{RAW} exec cat"])
    screen_has(job, "ready")
    with job.attach() as terminal:
        for data in (b"\x1b[1;5C", bytes(range(0x20, 0x7F)), "é漢🙂".encode(), b"\x01\x02\x03"):
            terminal.type(data)
            terminal.expect(data)


def test_the_agents_questions_are_answered_by_the_mirror_and_seen_by_nobody_else(hosts: Hosts) -> None:
    ask = "stty raw -echo; printf 'a\\033[cb'; head -c 9 | od -c | head -1; exec cat"
    job = hosts.start(["sh", "-c", f"printf ready; read go; {ask}"])
    with job.attach() as terminal:
        screen_has(job, "ready")
        terminal.type("\r")
        terminal.expect(b"ab")
        terminal.expect(b"033   [   ?   6   2   ;   2   2   c")


def test_an_escape_alone_is_let_go_after_a_moment(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", f"{RAW} exec cat"])
    with job.attach() as terminal:
        screen_has(job, "ready")
        terminal.type(b"\x1b")
        terminal.expect(b"\x1b")


def test_the_terminal_that_typed_last_decides_the_size(hosts: Hosts) -> None:
    job = hosts.start(["bash", "-c", "trap 'stty size' WINCH; echo ready; while :; do read -t 0.05 x; done"])
    screen_has(job, "ready")  # It hears of sizes by now.
    with job.attach(100, 30) as wide:
        wide.expect(b"30 100")
        with job.attach(90, 25) as small:
            wide.read_until(lambda: showing(wide).endswith("25 90"), "a picture of the smaller size")
            small.expect(b"25 90")
            wide.type(b" ")
            small.read_until(lambda: showing(small).endswith("30 100"), "a picture of the wider size")
            wide.resize(101, 31)
            wide.expect(b"31 101")
            small.type(b" ")
            wide.read_until(lambda: showing(wide).endswith("25 90"), "a picture of the smaller size")
            assert wide.repaints[-1][:2] == (101, 31)
            assert small.repaints[-1][:2] == (90, 25)
        wide.expect(b"31 101")


def test_a_read_only_or_tiny_terminal_has_no_say(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty -echo; echo ready; while read line; do stty size; done"])
    with job.attach(60, 20, read_only=True) as viewer, job.attach(10, 4) as tiny:
        viewer.type(b"never\r")
        tiny.type(b"\r")
        tiny.resize(19, 30)
        tiny.type(b"\r")
        viewer.read_until(lambda: viewer.repaints and shown(viewer.repaints[-1]).count("24 80") == 2, "two answers")
        assert viewer.repaints[-1][:2] == (60, 20)
        assert "never" not in shown(viewer.repaints[-1])


def test_a_terminal_that_does_not_read_slows_nobody_and_is_repainted(hosts: Hosts) -> None:
    flood = "import sys\nfor n in range(40000): sys.stdout.write('%099d\\r\\n' % n)\nsys.stdout.write('over\\r\\n'); sys.stdin.read(1)"
    job = hosts.start([sys.executable, "-c", f"import sys; sys.stdin.readline()\n{flood}"])
    with job.attach() as slow, job.attach() as quick, job.link() as link:
        quick.type(b"\r")
        quick.read_until(lambda: quick.output.endswith(b"over\r\r\n") or showing(quick) == "over", "the end")
        link.expect_screen("over")
        slow.read_until(lambda: len(slow.repaints) > 1 and showing(slow) == "over", "a picture of the end")


def showing(terminal: Attachment) -> str:
    """The last row of the newest picture."""
    return shown(terminal.repaints[-1])[-1] if terminal.repaints and shown(terminal.repaints[-1]) else ""


def test_typing_more_than_the_program_reads_blocks_nobody(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf ready; sleep 1; head -c 3000000 | wc -c; exec cat"])
    with job.attach() as terminal, job.link() as link:
        link.expect_screen("ready")
        terminal.socket.setblocking(False)
        rest = memoryview(b"".join(pack_frame(INPUT, b"x" * 100_000) for _ in range(30)))

        def all_sent() -> bool:
            nonlocal rest
            try:
                rest = rest[terminal.socket.send(rest) :]
            except BlockingIOError:
                assert link.ask_screen()["cols"] == 80, "the host answers meanwhile"
            return not rest

        eventually(all_sent)
        terminal.socket.setblocking(True)
        terminal.expect(b"3000000")


def test_focus_is_told_as_people_come_and_go(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf '\\033[?1004h'; printf ready; exec cat -v"])
    screen_has(job, "ready^[[O")
    with job.attach() as first:
        screen_has(job, "^[[O^[[I")
        with job.attach() as second:
            second.type(b"x")
            first.expect(b"x")
    screen_has(job, "^[[O^[[Ix^[[O")


def test_what_terminals_say_of_themselves_decides_nothing(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf '\\033[?1004hready'; exec cat -v"])
    screen_has(job, "ready^[[O")
    with job.attach(100, 30) as wide, job.attach(90, 25) as small, job.link() as link:
        link.expect_screen("^[[O^[[I")
        eventually(lambda: link.ask_screen()["cols"] == 90, "the size of who came last")
        for said in (b"\x1b[I", b"\x1b[O", b"\x1b[48;30;100;600;1000t", b"\x1b[?997;2n", b"\x1b[<35;3;4M", b"\x1b[O\x1b[<35;3;4M"):
            wide.type(said)
        small.type(b"\x1b[I")  # It has been told that.
        small.type(b"\x1b[O")
        small.type(b"s")
        assert "".join(link.expect_screen("s")) == "ready^[[O^[[I^[[Os"
        assert link.ask_screen()["cols"] == 90
        wide.type(b"\x1b[I\x1b[200~\x1b[O\x1b[201~")
        link.expect_screen("^[[200~^[[O^[[201~")
        eventually(lambda: link.ask_screen()["cols"] == 100, "the size of who typed last")


def test_a_title_that_comes_back_is_shown_and_the_stack_stays_the_terminals(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf '\\033[22t\\033]2;one\\007\\033[22;2tready'; exec cat"])
    screen_has(job, "ready")
    with job.attach() as terminal:
        terminal.type(b"\x1b]2;two\x07a")
        terminal.expect(b"\x1b]2;two\x07a")
        terminal.type(b"\x1b[23;1tb\x1b[23;2tc")
        terminal.expect(b"bc\x1b]2;one\x1b\\")
        terminal.type(b"\x1b[23td")
        terminal.expect(b"d\x1b[23;0t\x1b[22;0t")


def test_a_frame_that_cannot_be_ends_only_that_terminal(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", f"{RAW} exec cat"])
    with job.attach() as bad, job.attach() as good:
        bad.socket.sendall(b"I\xff\xff\xff\xff")
        eventually(lambda: bad.receive(0) == b"" or None)
        good.type(b"fine")
        good.expect(b"fine")


def test_unknown_frames_are_passed_over(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", f"{RAW} exec cat"])
    with job.attach() as terminal:
        terminal.socket.sendall(b"Z\x00\x00\x00\x03abc" + b"R\x00\x00\x00\x01x" + ENDED + b"\x00\x00\x00\x00")
        terminal.type(b"fine")
        terminal.expect(b"fine")


def test_a_terminal_that_is_behind_sees_the_last_screen_before_the_end(hosts: Hosts) -> None:
    flood = "for n in range(40000): sys.stdout.write('%099d\\r\\n' % n)\nsys.stdout.write('over\\r\\n')"
    job = hosts.start([sys.executable, "-c", f"import sys; sys.stdin.readline()\n{flood}"])
    with job.attach() as slow, job.link() as link:
        link.send(TypeKeys("go", ["enter"]))
        assert link.at_end()
        slow.expect_end()
        assert shown(slow.repaints[-1])[-1] == "over"


@pytest.mark.parametrize(
    ("script", "size", "row"),
    [
        ("printf 'one\\ntwo\\n'", (80, 24), 1),
        ("printf 'one\\ntwo'", (80, 24), 1),
        ("printf 'one\\n\\n\\n'", (80, 24), 2),
        ("printf '\\033[?1049hfull'", (80, 24), None),
        ("printf one", (19, 30), None),
    ],
)
def test_the_end_tells_where_the_last_words_stand(hosts: Hosts, script: str, size: tuple[int, int], row: int | None) -> None:
    job = hosts.start(["sh", "-c", f"stty -echo; printf ready; read line; printf '\\r\\033[K'; {script}"])
    with job.attach() as typist, job.attach(*size) as terminal:
        screen_has(job, "ready")  # Nothing is echoed any more.
        typist.type(b"\r")
        assert terminal.expect_end()["row"] == row
