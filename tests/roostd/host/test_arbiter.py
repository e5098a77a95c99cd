"""The rules of docs/states.md, one after the other: evidence and a time in, a state out."""

import pytest

from roost_protocol.host import Detection, HostReport, Pattern
from roost_protocol.states import State
from roostd.host.arbiter import HOLD, SUBMIT, Verdict, arbitrate
from roostd.host.findings import FROZEN
from roostd.host.mirror.events import Bell, Event, HardReset, Notification, ProgramStatus, Progress, PromptMark, Title
from roostd.host.patterns import compile_detection
from roostd.host.signals import Exited, Signals

ASKS = Pattern("Action Required", region="title")
DETECTION = Detection(waiting=[r"\[y/n\]", ASKS], working=["esc to interrupt"], idle=[r"^> $"], settle=2.0)
WORKING, DIALOG, PROMPT = ["x", "esc to interrupt", ""], ["x", "Run? [y/n]", ""], ["x", "> ", ""]


class Evidence:
    """A job whose evidence is given step by step."""

    def __init__(self, detection: Detection = DETECTION) -> None:
        self.signals = Signals(compile_detection(detection), 0.0)
        self.published: State = "starting"

    def look(self, rows: list[str], at: float, *, pastes: bool = False, alternate: bool = False) -> "Evidence":
        self.signals.look(rows, len(rows) - 1, at, busy=self.published == "working", pastes=pastes, alternate=alternate)
        return self

    def hear(self, at: float, *events: Event) -> "Evidence":
        self.signals.hear(events, at)
        return self

    def report(self, state: State, at: float, *, gone: bool | None = False, n: int = 0) -> "Evidence":
        self.signals.report(HostReport(id=1, at=at, state=state, n=n, connected=None if gone is None else not gone), at)
        return self

    def submit(self, at: float) -> "Evidence":
        self.signals.submit(at)
        return self

    def verdict(self, at: float) -> Verdict:
        verdict = arbitrate(self.signals, at, self.published)
        if verdict.state == "working" and not verdict.held:
            self.signals.last_working = at
        self.published = verdict.state
        return verdict

    def state(self, at: float) -> tuple[State, str]:
        verdict = self.verdict(at)
        return verdict.state, verdict.finding.signal


def test_starting_ends_at_the_first_output_or_after_the_settling_time() -> None:
    silent = Evidence()
    assert silent.state(0.0) == ("starting", "settling")
    assert silent.verdict(0.0).deadline == 2.0
    assert silent.state(2.0) == ("quiet", "settling")
    assert Evidence().look(["hello"], 1.0).state(1.0) == ("working", "settling")


def test_silence_alone_never_says_more_than_quiet() -> None:
    job = Evidence().look(["hello", ""], 1.0)
    assert job.verdict(1.0).deadline == 3.0
    assert job.state(2.9) == ("working", "settling")
    assert job.state(3.0) == ("quiet", "settling")
    assert job.verdict(3.0).deadline is None
    assert job.look(["hello", "more", ""], 4.0).state(4.0) == ("working", "settling")


def test_an_agent_whose_idle_screen_is_always_recognised_is_never_quiet() -> None:
    job = Evidence(Detection(idle=["^> $"], recognisable=True)).look(["hello", ""], 1.0)
    assert job.state(100.0) == ("working", "settling")
    job.look(PROMPT, 101.0)
    job.state(101.0)
    assert job.state(101.0 + HOLD) == ("idle", "pattern")


@pytest.mark.parametrize(
    ("rows", "state"),
    [(WORKING, "working"), (DIALOG, "waiting"), (PROMPT, "idle"), ([*DIALOG[:2], *WORKING[1:]], "waiting")],
)
def test_patterns_win_over_silence(rows: list[str], state: State) -> None:
    assert Evidence().look(rows, 1.0).state(50.0) == (state, "pattern")


@pytest.mark.parametrize(
    ("pairs", "state"),
    [
        ("state=working", "working"),
        ("state=idle", "idle"),
        ("state=done", "idle"),
        ("state=error", "idle"),
        ("state=blocked:kind=permission", "waiting"),
    ],
)
def test_program_status_is_stronger_than_the_screen(pairs: str, state: State) -> None:
    job = Evidence().look(WORKING, 1.0).look(PROMPT, 1.5).hear(2.0, ProgramStatus(pairs))
    assert job.state(2.0) == (state, "program-status")


def test_blocked_says_for_what() -> None:
    verdict = Evidence().hear(1.0, ProgramStatus("state=blocked:kind=permission")).verdict(1.0)
    assert verdict.finding.waiting_for == "approval"


def test_a_dialog_newer_than_idle_wins_over_program_status_but_not_over_working() -> None:
    assert Evidence().hear(1.0, ProgramStatus("state=idle")).look(DIALOG, 2.0).state(2.0) == ("waiting", "pattern")
    assert Evidence().look(DIALOG, 1.0).hear(2.0, ProgramStatus("state=idle")).state(2.0) == ("idle", "program-status")
    assert Evidence().hear(1.0, ProgramStatus("state=working")).look(DIALOG, 2.0).state(2.0) == ("working", "program-status")


def test_a_cleared_or_reset_program_status_says_nothing() -> None:
    for event in (ProgramStatus("state=clear"), HardReset(), PromptMark("A")):
        job = Evidence().look(["x", ""], 1.0).hear(1.0, ProgramStatus("state=working")).hear(2.0, event)
        assert job.signals.program is None


def test_titles_count_by_the_profiles_patterns() -> None:
    job = Evidence().look(["x", ""], 1.0).hear(1.0, Title("[ ! ] Action Required"))
    assert job.state(9.0) == ("waiting", "terminal")
    assert job.hear(10.0, Title("Action Required? no: task")).state(10.0) == ("waiting", "terminal")
    assert job.hear(11.0, Title("task")).state(11.0) == ("quiet", "settling")


def test_prompt_marks_and_progress() -> None:
    job = Evidence().look(["$", ""], 1.0).hear(1.0, PromptMark("A"))
    assert job.state(5.0) == ("idle", "terminal")
    assert job.hear(6.0, PromptMark("C")).state(60.0) == ("working", "terminal")
    assert job.hear(61.0, PromptMark("D", 0)).state(61.8) == ("quiet", "settling")
    assert job.hear(62.0, Progress(1, 10)).state(80.0) == ("working", "terminal")
    assert job.hear(81.0, Progress(0, None)).state(90.0) == ("quiet", "settling")


def test_working_is_held_before_anything_weaker() -> None:
    job = Evidence().look(WORKING, 1.0)
    assert job.state(1.0) == ("working", "pattern")
    job.look(PROMPT, 2.0)
    verdict = job.verdict(2.0)
    assert (verdict.state, verdict.held, verdict.deadline) == ("working", True, 2.0 + HOLD)
    assert job.state(2.0 + HOLD) == ("idle", "pattern")


def test_a_dialog_program_status_and_exit_are_published_at_once() -> None:
    assert _working().look(DIALOG, 2.0).state(2.0) == ("waiting", "pattern")
    assert _working().hear(2.0, ProgramStatus("state=idle")).state(2.0) == ("idle", "program-status")
    assert _working().report("idle", 2.0).state(2.0) == ("idle", "report")


def test_a_connected_report_outranks_the_screen() -> None:
    job = Evidence().report("waiting", 1.0).look(WORKING, 2.0).hear(3.0, ProgramStatus("state=working"))
    assert job.state(3.0) == ("waiting", "report")
    assert job.submit(4.0).state(4.0) == ("waiting", "report")


def test_a_report_yields_to_newer_positive_evidence_once_its_reporter_is_gone() -> None:
    assert Evidence().report("idle", 1.0, gone=True).look(DIALOG, 5.0).state(5.0) == ("waiting", "pattern")
    assert Evidence().look(DIALOG, 0.5).report("idle", 1.0, gone=True).state(5.0) == ("idle", "report")
    assert Evidence().report("waiting", 1.0, gone=True).look(["blinks", ""], 5.0).state(5.0) == ("waiting", "report")
    assert Evidence().report("idle", 1.0, gone=True).look(["drawn", ""], 2.0).state(2.0) == ("idle", "report")
    assert Evidence().report("idle", 1.0, gone=True).look(["goes on", ""], 5.0).state(5.0) == ("working", "settling")
    assert Evidence().report("waiting", 1.0, gone=True).submit(5.0).state(5.0) == ("working", "input")


def test_a_report_stands_again_once_its_reporter_is_back() -> None:
    job = Evidence().report("idle", 1.0, n=1).report("idle", 1.0, n=1, gone=True).look(DIALOG, 5.0)
    assert job.state(5.0) == ("waiting", "pattern")
    assert job.report("idle", 6.0, n=1).state(6.0) == ("idle", "report")
    assert job.verdict(6.0).finding.at == 1.0
    assert job.report("idle", 6.5, n=1, gone=None).state(6.5) == ("idle", "report")
    assert job.report("working", 7.0, n=3).report("waiting", 8.0, n=2).state(8.0) == ("working", "report")


def test_a_question_that_is_answered_is_not_asked_again_by_a_reporter_that_is_gone() -> None:
    job = Evidence().report("waiting", 1.0, gone=True).submit(5.0)
    for at in range(6, 30):
        assert job.look([f"deploys part {at}", ""], float(at)).state(at + 0.5)[0] == "working"
    assert job.state(40.0) == ("quiet", "settling")
    assert Evidence().report("waiting", 1.0).submit(5.0).state(40.0) == ("waiting", "report")


def test_a_submit_works_until_the_silence_has_lasted() -> None:
    job = Evidence().look(["x", ""], 1.0)
    assert job.state(5.0) == ("quiet", "settling")
    assert job.submit(10.0).state(10.0) == ("working", "input")
    job.look(["x", "echo", ""], 10.1)
    assert job.state(17.9) == ("working", "input")
    assert job.verdict(17.9).deadline == 10.0 + SUBMIT
    assert job.state(18.0) == ("quiet", "settling")


def test_a_submit_is_over_when_busy_evidence_has_come_and_gone() -> None:
    job = Evidence().look(["x", ""], 1.0).submit(10.0).look(["x", "answer", ""], 12.0)
    assert job.state(13.9) == ("working", "input")
    assert job.state(14.0) == ("quiet", "settling")


def test_what_is_newer_than_a_submit_wins_over_it() -> None:
    assert Evidence().submit(1.0).look(DIALOG, 2.0).state(2.0) == ("waiting", "pattern")
    assert Evidence().look(DIALOG, 0.5).submit(1.0).state(2.0) == ("working", "input")
    assert Evidence().submit(1.0).hear(2.0, ProgramStatus("state=idle")).state(2.0) == ("idle", "program-status")
    assert Evidence().hear(0.5, ProgramStatus("state=idle")).submit(1.0).state(2.0) == ("working", "input")


def test_a_prompt_that_never_went_counts_again_when_it_has_moved_and_the_screen_is_still() -> None:
    quick = Evidence().look(PROMPT, 0.5).submit(1.0).look(["x", "> ls", "> ", ""], 2.0)
    assert quick.state(2.0 + HOLD) == ("working", "input")
    assert quick.state(4.0) == ("idle", "pattern")
    same = Evidence().look(PROMPT, 0.5).submit(1.0)
    assert same.state(8.9) == ("working", "input")
    assert same.state(8.9 + HOLD) == ("idle", "pattern")
    gone = Evidence().look(PROMPT, 0.5).submit(1.0).look(["x", "y", ""], 2.0).look(["x", "> ", ""], 2.5)
    assert gone.state(2.5 + HOLD) == ("working", "input"), "a screen that is drawn anew to take the task up has a prompt too"
    assert gone.state(4.5) == ("idle", "pattern")


def test_a_prompt_behind_a_sign_of_work_counts_at_once() -> None:
    job = Evidence().look(PROMPT, 0.5).submit(1.0).look(WORKING, 2.0)
    job.signals.worked = 2.0
    assert job.state(2.0) == ("working", "pattern")
    job.look(["x", "y", "> ", ""], 2.5)
    assert job.state(2.5 + HOLD) == ("idle", "pattern")


def test_a_submit_to_an_agent_that_may_be_silent_for_long_counts_for_longer() -> None:
    patient = Detection(working=["esc to interrupt"], idle=[r"^> $"], settle=8.0)
    slow = Evidence(patient).look(PROMPT, 0.5).submit(1.0).look(["x", "y", ""], 5.0).look(["x", "> ", ""], 6.0)
    assert slow.state(16.9) == ("working", "input")
    assert slow.state(17.0 + HOLD) == ("idle", "pattern")
    told = Evidence(patient).hear(0.5, ProgramStatus("state=idle")).submit(1.0)
    assert told.state(8.9) == ("working", "input")
    assert told.state(9.0 + HOLD) == ("idle", "program-status")


def test_a_line_editor_that_is_closed_means_work_and_open_again_that_it_is_over() -> None:
    job = Evidence(Detection()).look(["$", ""], 1.0, pastes=True)
    assert job.state(3.0) == ("quiet", "settling")
    job.submit(4.0).look(["$ make", ""], 4.2, pastes=False)
    assert job.state(500.0) == ("working", "terminal")
    job.look(["$ make", "$", ""], 501.0, pastes=True)
    assert job.state(503.0) == ("quiet", "settling")
    pager = Evidence(Detection()).look(["$", ""], 1.0, pastes=True).submit(4.0).look(["text", ":"], 4.2, alternate=True)
    assert pager.state(500.0) == ("quiet", "settling"), "what has the whole screen may well wait"
    quick = (
        Evidence(Detection()).look(["$", ""], 1.0, pastes=True).submit(4.0).look(["$ x", ""], 4.1).look(["$ x", "$", ""], 4.2, pastes=True)
    )
    assert quick.state(6.2) == ("quiet", "settling")
    assert Evidence(Detection()).look(["$", ""], 1.0).state(3.0) == ("quiet", "settling"), "it never had one"


def test_a_spinner_that_stands_still_but_is_shown_is_work_for_a_while() -> None:
    job = Evidence(Detection())
    for step in range(9):
        job.look(["x", "■■⬝ esc" if step % 2 else "⬝■■ esc", ""], 1.0 + step / 10).verdict(1.0 + step / 10)
    assert job.verdict(10.0).finding.detail == "its spinner stands still"
    assert job.verdict(10.0).deadline == 1.8 + FROZEN
    assert job.state(1.8 + FROZEN) == ("quiet", "settling")
    job.look(["x", "done", ""], 70.0)
    assert job.state(72.0) == ("quiet", "settling")


def test_bells_and_notifications_ask_for_attention_and_say_no_state() -> None:
    job = Evidence().look(["x", ""], 1.0).hear(2.0, Bell())
    verdict = job.verdict(9.0)
    assert (verdict.state, verdict.attention and verdict.attention.signal) == ("quiet", "bell")
    job.hear(10.0, Notification("done\x1b", "OSC 9"))
    attention = job.verdict(10.0).attention
    assert attention is not None
    assert (attention.at, attention.signal, attention.text) == (10.0, "OSC 9", "done")
    assert job.submit(11.0).verdict(11.0).attention is None


@pytest.mark.parametrize(
    ("exited", "state", "detail"),
    [
        (Exited(5.0, 0, None, False), "done", "exit code 0"),
        (Exited(5.0, 3, None, False), "failed", "exit code 3"),
        (Exited(5.0, None, "SIGKILL", False), "failed", "killed by SIGKILL"),
        (Exited(5.0, 0, None, True), "stopped", "stopped; exit code 0"),
    ],
)
def test_the_exit_ends_every_argument(exited: Exited, state: State, detail: str) -> None:
    job = _working().report("waiting", 4.0).submit(4.5)
    job.signals.exited = exited
    verdict = job.verdict(5.0)
    assert (verdict.state, verdict.finding.signal, verdict.finding.detail) == (state, "process", detail)


def test_everything_heard_is_explained_and_one_won() -> None:
    job = Evidence().look(DIALOG, 1.0).hear(2.0, ProgramStatus("state=working")).report("idle", 3.0)
    verdict = job.verdict(3.0)
    assert [finding.signal for finding, _ in verdict.findings] == ["report", "program-status", "pattern", "settling"]
    assert [finding is verdict.finding for finding, _ in verdict.findings] == [True, False, False, False]
    assert all(why for _, why in verdict.findings)


def test_a_pattern_that_is_none_is_left_out_and_a_session_is_captured_once() -> None:
    job = Evidence(Detection(idle=["("], session=r"session: (\S+)"))
    job.look(["session: abc", ""], 1.0).look(["session: def", ""], 2.0)
    assert job.signals.session_ref == "abc"
    assert job.state(9.0) == ("quiet", "settling")


def _working() -> Evidence:
    job = Evidence().look(WORKING, 1.0)
    assert job.verdict(1.0).state == "working"
    return job
