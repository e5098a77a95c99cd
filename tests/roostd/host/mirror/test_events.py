"""What the mirror heard."""

import base64

import pytest

from roostd.host.mirror.events import (
    MAX_TEXT,
    Bell,
    Event,
    HardReset,
    Notification,
    ProgramStatus,
    Progress,
    PromptMark,
    SyncOutput,
    Title,
)
from roostd.host.mirror.pyte_mirror import PyteMirror

SAID: list[tuple[bytes, list[Event]]] = [
    (b"a\x07b", [Bell()]),
    (b"\x1b[3\x071m", [Bell()]),
    (b"\x1b]0;title\x07", [Title("title")]),
    (b"\x1b]2;a;b\x1b\\", [Title("a;b")]),
    (b"\x1b]1;icon\x07", []),
    (b"\x1b]0;t\x07\x1b[22;0t\x1b]0;u\x07\x1b[23;0t", [Title("t"), Title("u"), Title("t")]),
    (b"\x1b[23t", []),
    (b"\x1b]9;Approval needed\x07", [Notification("Approval needed", "OSC 9")]),
    (b"\x1b]9;4;1;50\x07", [Progress(1, 50)]),
    (b"\x1b]9;4;3\x1b\\", [Progress(3, None)]),
    (b"\x1b]9;4;0;0\x07", [Progress(0, 0)]),
    (b"\x1b]9;4;1;900\x07", [Progress(1, 100)]),
    (b"\x1b]9;4;7;1\x07\x1b]9;4\x07\x1b]9;4;x\x07", []),
    (b"\x1b]9;9;C:/\x07\x1b]9;12\x07", []),
    (b"\x1b]777;notify;Title;Body\x07", [Notification("Title: Body", "OSC 777")]),
    (b"\x1b]777;notify;;Body\x07", [Notification("Body", "OSC 777")]),
    (b"\x1b]777;precmd\x07", []),
    (b"\x1b]99;;hello\x1b\\", [Notification("hello", "OSC 99")]),
    (b"\x1b]99;i=1:d=0;hel\x07\x1b]99;i=1;lo\x07", [Notification("hello", "OSC 99")]),
    (b"\x1b]99;i=1:d=0;Title\x07\x1b]99;i=1:p=body;Body\x07", [Notification("Title: Body", "OSC 99")]),
    (b"\x1b]99;e=1;" + base64.b64encode("é".encode()) + b"\x07", [Notification("é", "OSC 99")]),
    (b"\x1b]99;e=1;*\x07", [Notification("", "OSC 99")]),
    (b"\x1b]99;i=1:p=?;\x07\x1b]99;i=1:p=close;\x07", []),
    (b"\x1b]1337;RequestAttention=yes\x07", [Notification("", "OSC 1337")]),
    (b"\x1b]1337;RequestAttention=no\x07\x1b]1337;File=:AA\x07", []),
    (b"\x1b]133;A\x07\x1b]133;B\x07\x1b]133;C\x07", [PromptMark("A"), PromptMark("B"), PromptMark("C")]),
    (b"\x1b]133;D;127;x\x07\x1b]133;D\x07", [PromptMark("D", 127), PromptMark("D")]),
    (b"\x1b]133;A;cl=m\x07\x1b]133;Z\x07", [PromptMark("A")]),
    (b"\x1b]7501;state=working:progress=5\x1b\\", [ProgramStatus("state=working:progress=5")]),
    (b"\x1b]7501;?\x1b\\", []),
    (b"\x1b[?2026hx\x1b[?2026l", [SyncOutput(True), SyncOutput(False)]),
    (b"\x1bc", [HardReset()]),
    (b"\x1b]0;a\x07\x07\x1b]9;b\x07", [Title("a"), Bell(), Notification("b", "OSC 9")]),
    (b"\x1b]0;" + "⠋ 漢 \u202eevil\u2066\x9b\n!".encode() + b"\x07", [Title("⠋ 漢 evil !")]),
    (b"\x1b]0;lost\x18\x1b]0;\x1a", []),
    (b"\x1b]\x07\x1b];\x07\x1b]9\x07", [Notification("", "OSC 9")]),
]


@pytest.mark.parametrize(("data", "events"), SAID)
def test_what_is_said(data: bytes, events: list[Event]) -> None:
    assert list(PyteMirror(20, 4).feed(data).events) == events


def test_texts_are_bounded() -> None:
    fed = PyteMirror(20, 4).feed(b"\x1b]0;" + b"t" * 5_000 + b"\x07\x1b]9;" + b"n" * 5_000 + b"\x07")
    assert fed.events == (Title("t" * MAX_TEXT), Notification("n" * MAX_TEXT, "OSC 9"))


def test_pending_pieces_are_bounded() -> None:
    mirror = PyteMirror(20, 4)
    for n in range(100):
        mirror.feed(b"\x1b]99;i=%d:d=0;x\x07" % n)
    assert mirror.feed(b"\x1b]99;i=1;y\x07\x1b]99;i=99;y\x07").events == (Notification("y", "OSC 99"), Notification("xy", "OSC 99"))


def test_the_title_is_kept() -> None:
    mirror = PyteMirror(20, 4)
    assert mirror.title is None
    mirror.feed(b"\x1b]2;one\x07\x1b]0;two\x07\x1b[?1049h")
    assert mirror.title == "two"
