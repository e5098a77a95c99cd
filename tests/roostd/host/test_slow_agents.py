"""An agent that begins slowly, and one that says what matters with its last words."""

import os
import sys

from roost_protocol.host import Detection, Typed, TypeText
from tests.support.home import Home
from tests.support.hosts import Hosts
from tests.support.waiting import eventually

DRAWS = Detection(working=["^working$"], settle=0.2)

# Silent until it is let go, then what every full-screen agent does: raw mode, which drops what was typed before.
SLOW = """
import sys, tty
open(sys.argv[1]).read()
tty.setraw(0)
print("\\x1b[?2004hready", end="\\r\\n", flush=True)
heard = b""
while not heard.endswith(b"\\r"):
    heard += sys.stdin.buffer.raw.read(100)
print("heard", heard.replace(b"\\x1b", b"^").decode(), end="\\r\\n", flush=True)
sys.stdin.buffer.raw.read(100)
"""


def test_a_reply_waits_until_an_agent_has_begun_to_draw(hosts: Hosts, home: Home) -> None:
    gate = home.work / "gate"
    os.mkfifo(gate)
    job = hosts.start([sys.executable, "-c", SLOW, str(gate)], detection=DRAWS)
    with job.link() as link:
        link.expect_state("quiet")
        link.send(TypeText("r1", "go on"))
        link.expect(Typed, lambda message: message.id == "r1" and message.outcome == "pending")
        gate.write_text("")
        link.expect_screen("heard ^[200~go on^[201~")
        link.expect(Typed, lambda message: message.id == "r1" and message.outcome == "submitted")
        link.stop(force=True)
    job.exit_record()


def test_a_reply_to_another_program_waits_for_nothing(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", 'read line; echo "heard $line"; read wait'])
    with job.link() as link:
        link.expect_state("quiet")
        link.send(TypeText("r1", "go on"))
        link.expect_screen("heard go on")
        link.stop(force=True)
    job.exit_record()


def test_a_session_that_is_named_with_the_last_words_is_known(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo hello; read _; echo session 0a1b"], detection=Detection(session=r"^session (\w+)$"))
    with job.link() as link:
        link.expect_screen("hello")
        link.send(TypeText("r1", "bye"))
        eventually(link.at_end)
    assert job.exit_record().statuses[-1].session_ref == "0a1b"
