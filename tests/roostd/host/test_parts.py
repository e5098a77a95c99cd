from roost_protocol.host import PartsNow
from roost_protocol.jobs import Part
from tests.support.hosts import Hosts


def said(*reports: str) -> str:
    return "".join(f"\\033]7501;{report}\\033\\\\" for report in reports)


def test_parts_are_told_as_they_change_and_again_on_a_new_link(hosts: Hosts) -> None:
    script = f"read go; printf '{said('state=working:app=x')}'; read go; printf '{said('state=done:id=a', 'state=clear:id=b')}'; read go"
    job = hosts.start(["sh", "-c", script])
    with job.link() as link, job.attach() as terminal:
        terminal.type("\r")
        link.expect(PartsNow, lambda now: now.parts == [Part("", "working", app="x")])
        terminal.type("\r")
        link.expect(PartsNow, lambda now: [part.id for part in now.parts] == ["", "a"])
    with job.link() as link, job.attach() as terminal:
        link.expect(PartsNow, lambda now: "" in [part.id for part in now.parts])
        terminal.type("\r")
        assert link.at_end()


def test_many_changes_are_told_few_times_and_the_last_one_is(hosts: Hosts) -> None:
    loop = "i=0; while [ $i -lt 100 ]; do i=$((i+1)); printf '\\033]7501;state=working:progress=%s\\033\\\\' $i; done"
    job = hosts.start(["sh", "-c", f"read go; {loop}; read go"])
    with job.link() as link, job.attach() as terminal:
        terminal.type("\r")
        link.expect(PartsNow, lambda now: now.parts[0].progress == 100)
        assert len([message for message in link.heard if isinstance(message, PartsNow)]) < 10


def test_what_was_done_and_not_seen_stands_in_the_exit_record(hosts: Hosts) -> None:
    reports = said("state=working", "state=done:id=a", "state=blocked:id=b", "state=error:id=c")
    exited = hosts.start(["sh", "-c", f"printf '{reports}'"]).exit_record()
    assert [(part.id, part.state) for part in exited.parts] == [("a", "done"), ("c", "error")]


def test_a_job_that_says_nothing_tells_nothing(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo hello; read go"])
    with job.link() as link:
        link.expect_screen("hello")
        assert not [message for message in link.heard if isinstance(message, PartsNow)]
