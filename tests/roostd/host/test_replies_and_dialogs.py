"""Replies typed at real programs whose dialogs change, and at some that do not listen."""

import sys
from pathlib import Path

import pytest

from roost_protocol.host import Detection, Typed, TypeText
from tests.support.hosts import HostLink, Hosts

ASKS = Detection(waiting=[r"^Run .*\?$"], idle=["^prompt"], settle=0.3)

DIALOGS = """
import sys, tty
tty.setraw(0)
def show(text):
    print("\\x1b[H\\x1b[2J" + text.replace("\\n", "\\r\\n"), end="", flush=True)
for step in sys.argv[1:]:
    show(f"Run {step}?\\n1. Yes\\n2. No\\n")
    sys.stdin.buffer.raw.read(1)
show("prompt ")
heard = b""
while not heard.endswith(b"\\r"):
    heard += sys.stdin.buffer.raw.read(100)
print("\\r\\nheard", heard, end="\\r\\n", flush=True)
sys.stdin.buffer.raw.read(100)
"""


def outcome(link: HostLink, name: str) -> Typed:
    return link.expect(Typed, lambda message: message.id == name and message.outcome != "pending")


def test_an_answer_to_one_dialog_is_not_typed_into_the_next(hosts: Hosts) -> None:
    job = hosts.start([sys.executable, "-c", DIALOGS, "ls", "rm"], detection=ASKS)
    with job.link() as link:
        link.expect_state("waiting")
        link.send(TypeText("r1", "1"), TypeText("r2", "1"))
        assert outcome(link, "r1").outcome in ("submitted", "typed")
        second = outcome(link, "r2")
        assert second.outcome == "refused"
        assert "since it was sent" in str(second.why) or "is gone" in str(second.why)
        link.stop(force=True)
    job.exit_record()


def test_only_what_a_dialog_offers_is_typed_into_it(hosts: Hosts) -> None:
    job = hosts.start([sys.executable, "-c", DIALOGS, "ls"], detection=ASKS)
    with job.link() as link:
        link.expect_state("waiting")
        for name, text in (("r1", "3"), ("r2", "x"), ("r3", "please wait")):
            link.send(TypeText(name, text))
            refused = outcome(link, name)
            assert (refused.outcome, "no answer to it" in str(refused.why)) == ("refused", True)
        link.expect_screen("Run ls?")
        link.stop(force=True)
    job.exit_record()


def test_the_echo_of_a_reply_is_no_reaction(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo begun; exec cat >/dev/null"])
    with job.link() as link:
        link.expect_state("quiet")
        link.send(TypeText("r1", "hello"))
        typed = outcome(link, "r1")
        assert (typed.outcome, "nothing reacted" in str(typed.why)) == ("typed", True)
        link.expect_screen("hello")
        link.stop(force=True)
    job.exit_record()


BUSY = """
import sys, time
print("begun", flush=True)
for number in range(40):
    time.sleep(0.1)
    print("step", chr(97 + number % 26) * 5, flush=True)
print("heard", ascii(input()), flush=True)
time.sleep(1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a program has not read yet")
def test_what_a_program_writes_that_has_not_read_it_yet_is_no_reaction(hosts: Hosts) -> None:
    job = hosts.start([sys.executable, "-c", BUSY])
    with job.link() as link:
        link.expect_screen("step aaaaa")
        link.send(TypeText("r1", "hello"))
        typed = outcome(link, "r1")
        assert (typed.outcome, "nobody has read it" in str(typed.why)) == ("typed", True)
        link.expect_screen("heard 'hello'")
        link.stop(force=True)
    job.exit_record()


TAIL = Detection(waiting=[r"\(y/n\) ?\Z"], settle=0.3)

KEYS = """
import os, sys, tty
tty.setraw(0)
for thing in ("look", "push", "delete"):
    os.write(1, b"\\x1b[H\\x1b[2JMay I %s?\\r\\nAllow? (y/n) " % thing.encode())
    heard = os.read(0, 1)
    print(f"{thing} {heard}", file=open(sys.argv[1], "a"), flush=True)
"""

LINES = """
for thing in ("a.py", "b.py", "c.py"):
    print("heard", ascii(input(f"Add {thing}?\\nAllow? (y/n) ")), flush=True)
print("heard", ascii(input("> ")), flush=True)
"""


def test_the_return_behind_a_key_is_not_typed_into_the_next_dialog(hosts: Hosts, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    job = hosts.start([sys.executable, "-c", KEYS, str(heard)], detection=TAIL)
    with job.link() as link:
        link.expect_state("waiting")
        link.send(TypeText("r1", "y"))
        assert outcome(link, "r1").outcome == "submitted"
        link.expect_screen("May I push")
        link.stop(force=True)
    job.exit_record()
    assert heard.read_text().splitlines() == ["look b'y'"]


def test_what_was_sent_to_one_question_is_not_typed_into_the_next_that_ends_alike(hosts: Hosts) -> None:
    job = hosts.start([sys.executable, "-c", LINES], detection=TAIL)
    with job.link() as link:
        link.expect_state("waiting")
        link.send(*(TypeText(f"r{number}", "y") for number in range(4)))
        assert [outcome(link, f"r{number}").outcome for number in range(4)] == ["submitted", "refused", "refused", "refused"]
        link.expect_screen("Add b.py")
        link.stop(force=True)
    job.exit_record()


NEXT_OF_MANY = """
import os, sys, tty
tty.setraw(0)
for number in range(2):
    os.write(1, b"\\x1b[H\\x1b[2Jrm -rf part%d\\r\\nAllow? (y/n) " % number)
    heard = os.read(0, 9)
    print(number, heard, file=open(sys.argv[1], "a"), flush=True)
os.read(0, 9)
"""


def test_the_return_behind_a_key_is_not_typed_into_one_that_differs_in_its_number(hosts: Hosts, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    job = hosts.start([sys.executable, "-c", NEXT_OF_MANY, str(heard)], detection=TAIL)
    with job.link() as link:
        link.expect_state("waiting")
        link.send(TypeText("r1", "y"))
        first = outcome(link, "r1")
        assert (first.outcome, "was not entered" in str(first.why)) == ("typed", True)
        link.expect_screen("rm -rf part1")
        link.stop(force=True)
    job.exit_record()
    assert heard.read_text().splitlines() == ["0 b'y'"]


TOLD_AGAIN = """
import os, select, sys, tty
tty.setraw(0)
os.write(1, b"\\x1b[H\\x1b[2JRun it?\\r\\n1. Yes\\r\\n2. No\\r\\n")
heard, told = b"", 0
while not heard.endswith(b"\\r"):
    os.write(1, b"\\x1b]7501;state=blocked:kind=permission:progress=%d\\x1b\\\\" % (told % 100))
    told += 1
    if select.select([0], [], [], 0.05)[0]:
        heard += os.read(0, 9)
print("\\r\\nheard", heard, end="\\r\\n", flush=True)
os.read(0, 9)
"""


def test_a_dialog_that_is_told_on_and_on_is_one(hosts: Hosts) -> None:
    job = hosts.start([sys.executable, "-c", TOLD_AGAIN])
    with job.link() as link:
        link.expect_state("waiting")
        link.send(TypeText("r1", "1"), TypeText("r2", "2"))
        assert [outcome(link, name).outcome for name in ("r1", "r2")] == ["submitted", "refused"]
        link.expect_screen("heard b'1\\r'")
        link.stop(force=True)
    job.exit_record()


LINE = """
while True:
    print("heard", ascii(input("Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ")), flush=True)
"""


@pytest.mark.parametrize("answer", ["n", "y", "d"])
def test_a_letter_that_stands_in_its_question_is_entered(hosts: Hosts, answer: str) -> None:
    asks = Detection(waiting=[r"again \[Yes\]: *\Z"], settle=0.3)
    job = hosts.start([sys.executable, "-c", LINE], detection=asks)
    with job.link() as link:
        link.expect_state("waiting")
        link.send(TypeText("r1", answer))
        assert outcome(link, "r1").outcome == "submitted"
        link.expect_screen(f"heard '{answer}'")
        link.stop(force=True)
    job.exit_record()
