import pytest

from roost_protocol.errors import RoostError
from roost_protocol.host import Detection, Typing
from roostd.profiles import Launch, Profile, Session, build, build_resume, detection, generic, typing

FULL = Profile(
    name="full",
    command=["agent", "--flag"],
    task="argv",
    task_separator="--",
    model=["--model", "{model}"],
    thinking=["--effort", "{thinking}"],
    session=Session(mint=["--session-id", "{session}"]),
    resume=["agent", "--resume", "{session}"],
)
BARE = Profile(name="bare", command=["agent"])


def test_a_whole_start_in_its_order() -> None:
    launch = build(FULL, session="s1", task="do it", model="m", thinking="high", extra_args=["--more", "{model}"])
    assert launch == Launch(
        argv=["agent", "--flag", "--session-id", "s1", "--model", "m", "--effort", "high", "--more", "{model}", "--", "do it"],
        session_ref="s1",
    )


def test_what_is_not_asked_for_is_left_out() -> None:
    assert build(FULL, session="s1") == Launch(argv=["agent", "--flag", "--session-id", "s1"], session_ref="s1")


def test_a_value_is_one_argument_whatever_is_in_it() -> None:
    task = "a; $(b) `c` \"d\" 'e'\n{model} *"
    assert build(FULL, session="s", task=task, model="m").argv[-1] == task


def test_a_session_that_is_not_minted_is_unknown() -> None:
    profile = Profile(name="p", command=["agent"], session=Session(pattern="id ([0-9]+)"))
    assert build(profile, session="s1").session_ref is None


def test_a_task_is_typed_where_the_profile_says_so() -> None:
    profile = Profile(name="p", command=["agent"], task="type")
    assert build(profile, session="s", task="-x") == Launch(argv=["agent"], typed_task="-x")


def test_a_task_stands_where_its_placeholder_is() -> None:
    profile = Profile(name="p", command=["agent", "{task}", "--last"], task="argv")
    assert build(profile, session="s", task="t", extra_args=["e"]).argv == ["agent", "t", "--last", "e"]
    assert build(profile, session="s").argv == ["agent", "--last"]


def test_a_task_like_an_option_is_refused_without_a_separator() -> None:
    profile = Profile(name="p", command=["agent"], task="argv")
    assert build(profile, session="s", task="x").argv == ["agent", "x"]
    with pytest.raises(RoostError, match='begins with "-" and agent p would read it as an option'):
        build(profile, session="s", task="--version")
    named = Profile(name="p", command=["agent"], task="argv", task_separator="--prompt")
    assert build(named, session="s", task="x").argv == ["agent", "--prompt", "x"]
    with pytest.raises(RoostError, match='begins with "-"'):
        build(named, session="s", task="--version")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "x"}, "agent bare takes no task"),
        ({"model": "m"}, "agent bare has no `model` in its profile: --model cannot be used"),
        ({"thinking": "m"}, "agent bare has no `thinking` in its profile"),
        ({"extra_args": ["a\0b"]}, "NUL"),
    ],
)
def test_what_an_agent_cannot_take_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(RoostError, match=message) as caught:
        build(BARE, session="s", **arguments)
    assert caught.value.code == "bad_request"


def test_a_model_or_session_is_never_an_option() -> None:
    with pytest.raises(RoostError, match="would be read as an option"):
        build(FULL, session="s", model="--yolo")
    with pytest.raises(RoostError, match="would be read as an option"):
        build_resume(FULL, "--last")


def test_resume_opens_the_very_session() -> None:
    assert build_resume(FULL, "s7") == Launch(argv=["agent", "--resume", "s7"], session_ref="s7")
    with pytest.raises(RoostError, match="agent bare has no `resume`") as caught:
        build_resume(BARE, "s7")
    assert caught.value.code == "conflict"


def test_a_bare_command_is_run_as_it_stands() -> None:
    profile = generic(["echo", "{model}", "{task}", "{shell}"])
    assert profile.name == "generic"
    assert build(profile, session="s").argv == ["echo", "{model}", "{task}", "{shell}"]
    with pytest.raises(RoostError, match="a bare command takes no task"):
        build(profile, session="s", task="x")
    for nothing in ([], [""]):
        with pytest.raises(RoostError, match="no command to run"):
            generic(nothing)


def test_shell_and_python_are_filled_in() -> None:
    profile = Profile(name="p", command=["{shell}", "{python}"], resume=["{shell}", "{session}"])
    assert build(profile, session="s", shell="/bin/zsh", python="/py").argv == ["/bin/zsh", "/py"]
    assert build_resume(profile, "s", shell="/bin/zsh").argv == ["/bin/zsh", "s"]


def test_the_host_gets_patterns_as_lists_and_seconds() -> None:
    profile = Profile(name="p", command=["a"], waiting="w", idle=["i", "j"], settle=5, recognisable=True, submit="\n", submit_delay=50)
    assert detection(profile) == Detection(waiting=["w"], idle=["i", "j"], settle=5.0, recognisable=True)
    assert typing(profile) == Typing(submit="\n", delay=0.05)
    assert detection(Profile(name="p", command=["a"], session=Session(pattern="(x)"))).session == "(x)"
