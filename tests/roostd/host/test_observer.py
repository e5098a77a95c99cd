import pytest

from roost_protocol.host import Detection
from roostd.host.arbiter import HOLD
from roostd.host.findings import UNRECOGNISED
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.observer import Observer, is_submit
from roostd.host.signals import Exited


def fed(data: bytes) -> tuple[Observer, PyteMirror]:
    mirror, observer = PyteMirror(40, 5), Observer(Detection(settle=2.0), 0.0)
    observer.hear(mirror.feed(data).events, 1.0)
    observer.look(mirror, 1.0)
    return observer, mirror


@pytest.mark.parametrize(
    ("data", "submit"),
    [
        (b"\r", True),
        (b"text\r", True),
        (b"text", False),
        (b"\n", False),
        (b"\x1b[200~a\rb\x1b[201~", False),
        (b"\x1b[200~a\rb\x1b[201~\r", True),
        (b"\r\x1b[200~a", True),
        (b"\x1b[200~a\r", False),
    ],
)
def test_a_submit_is_a_return_outside_a_paste(data: bytes, submit: bool) -> None:
    assert is_submit(data) is submit


@pytest.mark.parametrize(
    ("data", "title", "text"),
    [
        (b"one\r\ntwo\r\n\r\n", None, "two"),
        (b"one\x1b]0;\xe2\xa0\x8b task\x07", "task", "task"),
        (b"\x1b[?1049hfull", None, None),
        (b"\x1b]0;t\x07\x1b[?1049hfull", "t", "t"),
        (b"", None, None),
    ],
)
def test_a_list_shows_the_title_else_the_last_row(data: bytes, title: str | None, text: str | None) -> None:
    observer, _ = fed(data)
    assert (observer.title, observer.text) == (title, text)


def test_only_what_changes_is_published() -> None:
    observer, mirror = fed(b"hello\r\n")
    assert observer.decide(1.0)[1]
    assert not observer.decide(1.1)[1]
    verdict, changed = observer.decide(3.0)
    assert (verdict.state, changed) == ("quiet", True)
    assert not observer.decide(9.0)[1]
    mirror.feed(b"more\r\n")
    observer.look(mirror, 10.0)
    assert observer.decide(10.0)[1]


def test_work_that_falls_silent_unrecognised_is_published_and_its_end_once() -> None:
    mirror, observer = PyteMirror(40, 5), Observer(Detection(idle=[r"^> ?\Z"], settle=2.0, recognisable=True), 0.0)

    def drawn(data: bytes, now: float) -> tuple[str, str, bool]:
        observer.hear(mirror.feed(data).events, now)
        observer.look(mirror, now)
        return decided(now)

    def decided(now: float) -> tuple[str, str, bool]:
        verdict, changed = observer.decide(now)
        return verdict.state, verdict.finding.detail, changed

    assert drawn(b"a\r\n", 1.0) == ("working", "the screen changes", True)
    assert drawn(b"b\r\n", 2.0) == ("working", "the screen changes", False)
    assert decided(4.0) == ("working", UNRECOGNISED, True)
    assert decided(9.0) == ("working", UNRECOGNISED, False)
    assert drawn(b"> ", 10.0) == ("working", "held for a moment", False)
    assert decided(11.0) == ("idle", ">", True)


def test_typing_and_repainting_are_no_work_but_a_submit_is() -> None:
    observer, mirror = fed(b"hello\r\n")
    observer.decide(1.0)
    observer.decide(3.0)
    for now in (5.0, 7.0):
        if now == 5.0:
            observer.typed(b"x", now)
        else:
            observer.repainted(now)
        mirror.feed(b"menu\r\n")
        observer.look(mirror, now + 0.1)
        assert observer.decide(now + 0.1)[0].state == "quiet"
    observer.typed(b"\r", 9.0)
    assert observer.decide(9.0)[0].state == "working"


def test_positive_idle_evidence_is_remembered() -> None:
    observer, mirror = fed(b"hello\r\n")
    assert not observer.signals.knows_idle
    observer.hear(mirror.feed(b"\x1b]7501;state=idle\x1b\\").events, 2.0)
    observer.decide(2.0)
    assert observer.signals.knows_idle


def at_rest(pastes: bytes = b"\x1b[?2004h") -> tuple[Observer, PyteMirror]:
    mirror, observer = PyteMirror(40, 5), Observer(Detection(idle=["^>"], working=["^busy"], settle=2.0), 0.0)
    mirror.feed(pastes + b"said\r\n> ")
    observer.look(mirror, 1.0)
    observer.decide(1.0)
    observer.decide(1.0 + HOLD)
    assert observer.state == "idle"
    return observer, mirror


def test_an_agent_that_ends_takes_its_prompt_down_and_does_not_work() -> None:
    observer, mirror = at_rest()
    mirror.feed(b"\x1b[?2004l\r\x1b[J\r\nbye\r\n")
    observer.look(mirror, 5.0)
    verdict, changed = observer.decide(5.0)
    assert (verdict.state, verdict.held, changed, verdict.deadline) == ("idle", True, False, 5.0 + HOLD)
    observer.exited(Exited(5.5, 0, None, False))
    assert observer.decide(5.5)[0].state == "done"


def test_a_screen_that_goes_on_changing_works_all_the_same() -> None:
    observer, mirror = at_rest(b"")
    for step in range(4):
        mirror.feed(b"\x1b[H\x1b[J" + b"more text %c\r\n" % (97 + step))
        observer.look(mirror, 5.0 + step * 0.3)
        observer.decide(5.0 + step * 0.3)
    assert observer.state == "working"


def test_a_prompt_that_comes_back_was_never_gone() -> None:
    observer, mirror = at_rest(b"")
    for at in (5.0, 9.0):
        mirror.feed(b"\x1b[H\x1b[J")
        observer.look(mirror, at)
        assert observer.decide(at)[0].held, "each time anew"
        mirror.feed(b"said\r\n> ")
        observer.look(mirror, at + 0.1)
        verdict, changed = observer.decide(at + 0.1)
        assert (verdict.state, verdict.held, changed) == ("idle", False, False)


def test_what_says_that_it_works_is_believed_at_once() -> None:
    observer, mirror = at_rest()
    mirror.feed(b"\x1b[H\x1b[Jbusy")
    observer.look(mirror, 5.0)
    assert observer.decide(5.0)[0].state == "working"


@pytest.mark.parametrize(
    ("key", "state"), [(b"\n", "working"), (b"\x1b[13;5u", "working"), (b"\x03", "idle"), (b"\x04", "idle"), (b"\x1b[O", "idle")]
)
def test_what_follows_a_key_is_its_doing_unless_the_key_ends(key: bytes, state: str) -> None:
    observer, mirror = at_rest()
    observer.keyed(key, 5.0)
    mirror.feed(b"\x1b[?2004l\r\x1b[J\r\nmore\r\n")
    observer.look(mirror, 5.1)
    assert observer.decide(5.1)[0].state == state
