import base64

import pytest

from roostd.host.program_status import MAX_RECORDS, ProgramRecords, ProgramReport, parse


def coded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


@pytest.mark.parametrize(
    ("pairs", "report"),
    [
        ("state=working", ProgramReport("", "working")),
        ("state=blocked:kind=permission", ProgramReport("", "blocked", "approval")),
        ("state=blocked:kind=auth", ProgramReport("", "blocked", "login")),
        ("state=blocked:kind=question:id=a/b", ProgramReport("a/b", "blocked", "question")),
        ("state=blocked:kind=other", ProgramReport("", "blocked")),
        ("state=idle:kind=auth", ProgramReport("", "idle")),
        ("state=idle:state=done", ProgramReport("", "done")),
        (f"state=working:title={coded('t')}:msg={coded('what')}", ProgramReport("", "working", title="t", msg="what")),
        (f"state=working:title={coded('t')}", ProgramReport("", "working", title="t")),
        ("state=idle:BAD=x:novalue:unknown=1:msg=%%%", ProgramReport("", "idle")),
        ("state=idle:msg=" + coded("a\u202eb"), ProgramReport("", "idle", msg="ab")),
    ],
)
def test_a_report_is_read(pairs: str, report: ProgramReport) -> None:
    assert parse(pairs) == report


@pytest.mark.parametrize(
    "pairs",
    [
        "",
        "kind=auth",
        "state=busy",
        "state=idle:id=a//b",
        "state=idle:id=" + "/".join("abcdefghi"),
        "state=idle:id=" + "a" * 33,
        "state=idle:msg=abc",
        "state=idle:msg=" + coded(b"\xff"),
        "state=idle:msg=" + coded("a\x1bb"),
        "state=idle:title=" + coded("x" * 193),
        "state=idle" + ":a=b" * 16,
        "state=idle:a=" + "b" * 4096,
    ],
)
def test_what_breaks_a_limit_is_no_report(pairs: str) -> None:
    assert parse(pairs) is None


def records(*pairs: str) -> ProgramRecords:
    made = ProgramRecords()
    for pair in pairs:
        report = parse(pair)
        assert report is not None
        made.update(report)
    return made


@pytest.mark.parametrize(
    ("pairs", "state"),
    [
        ((), None),
        (("state=idle", "state=working:id=a"), "working"),
        (("state=done", "state=working:id=a"), "working"),
        (("state=done:id=a", "state=idle"), "done"),
        (("state=working", "state=blocked:id=a"), "blocked"),
        (("state=working", "state=error:id=a"), "working"),
        (("state=done", "state=error:id=a"), "error"),
        (("state=blocked", "state=working"), "working"),
        (("state=blocked:id=a", "state=blocked:id=a/b", "state=idle", "state=clear:id=a"), "idle"),
        (("state=working:id=ab", "state=clear:id=a"), "working"),
        (("state=working", "state=working:id=a", "state=clear"), None),
    ],
)
def test_the_most_urgent_record_speaks(pairs: tuple[str, ...], state: str | None) -> None:
    together = records(*pairs).together()
    assert (together.state if together else None) == state


def test_a_prompt_drops_who_was_busy_only() -> None:
    made = records("state=working:id=a", "state=blocked:id=b", "state=done:id=c")
    made.drop_busy()
    together = made.together()
    assert together is not None
    assert together.id == "c"
    made.drop_all()
    assert made.together() is None


def test_over_the_bound_the_least_recently_updated_goes() -> None:
    made = records("state=blocked:id=first")
    for number in range(MAX_RECORDS):
        made.update(ProgramReport(str(number), "idle"))
    together = made.together()
    assert together is not None
    assert together.state == "idle"
