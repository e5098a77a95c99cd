import pytest

from roost_protocol.errors import RoostError
from roostd.environment import inherit, is_stripped, job_environment, parse_env_option, parse_env_options

OF_ANOTHER_JOB = [
    "ROOST_JOB_ID",
    "ROOST_JOB_TOKEN",
    "ROOST_SOCKET",
    "ROOST_DAEMON",
    "PI_JOB_ID",
    "PI_JOB_TOKEN",
    "PI_DAEMON_SOCK",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_THREAD_ID",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "LINES",
    "COLUMNS",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "KITTY_WINDOW_ID",
    "KITTY_PID",
    "VTE_VERSION",
]
KEPT = [
    "ROOST_RUNTIME_DIR",
    "ROOST_STATE_DIR",
    "PATH",
    "HOME",
    "CODEX_HOME",
    "CLAUDE_CONFIG_DIR",
    "LD_PRELOAD",
    "TERMINFO",
    "ROOST_JOB",
    "STYLE",
    "VTE",
]


def made(
    caller: dict[str, str] | None = None,
    profile: dict[str, str] | None = None,
    extra: dict[str, str] | None = None,
    pi: bool = False,
) -> dict[str, str]:
    return job_environment(caller or {}, profile or {}, extra or {}, job="j1", token="secret", socket="/run/agent.sock", pi_names=pi)


@pytest.mark.parametrize("name", OF_ANOTHER_JOB)
def test_what_speaks_of_another_job_or_terminal_is_stripped(name: str) -> None:
    assert is_stripped(name)
    assert inherit({name: "x", "PATH": "/bin"}) == {"PATH": "/bin"}


@pytest.mark.parametrize("name", KEPT)
def test_the_rest_stays_as_the_caller_has_it(name: str) -> None:
    assert made({name: "x"})[name] == "x"


def test_later_wins_caller_profile_option() -> None:
    assert made({"A": "1", "B": "1", "C": "1"}, {"B": "2", "C": "2"}, {"C": "3"}).items() >= {
        ("A", "1"),
        ("B", "2"),
        ("C", "3"),
    }


def test_the_terminal_and_the_identity_are_roosts() -> None:
    found = made({"TERM": "dumb", "COLORTERM": "no", "ROOST_JOB_ID": "other", "PI_JOB_TOKEN": "other"})
    assert found == {
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "ROOST_JOB_ID": "j1",
        "ROOST_JOB_TOKEN": "secret",
        "ROOST_SOCKET": "/run/agent.sock",
    }


def test_a_pi_job_is_given_its_older_names_too() -> None:
    assert made(pi=True).items() >= {
        ("PI_JOB_ID", "j1"),
        ("PI_JOB_TOKEN", "secret"),
        ("PI_DAEMON_SOCK", "/run/agent.sock"),
    }


@pytest.mark.parametrize("name", [*OF_ANOTHER_JOB, "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "TERM", "COLORTERM"])
def test_neither_profile_nor_option_sets_what_is_denied(name: str) -> None:
    for arguments in ({"profile": {name: "x"}}, {"extra": {name: "x"}}):
        with pytest.raises(RoostError, match=name) as caught:
            made(**arguments)  # type: ignore[arg-type]
        assert caught.value.code == "bad_request"
    for option in (name, f"{name}=x"):
        with pytest.raises(RoostError, match=f"--env: {name}"):
            parse_env_option(option, {name: "x"})


def test_an_option_gives_a_value_or_takes_the_callers() -> None:
    assert parse_env_option("A=1=2", {}) == ("A", "1=2")
    assert parse_env_option("A=", {"A": "x"}) == ("A", "")
    assert parse_env_options(["A", "B=1", "B=2"], {"A": "x"}) == {"A": "x", "B": "2"}


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("NOPE", "NOPE is not set here; write NOPE=VALUE"),
        ("=x", "'' is no name"),
        ("", "'' is no name"),
        ("A\0B=x", "is no name"),
        ("A=x\0y", "the value of A has a NUL"),
    ],
)
def test_a_bad_option_is_named(option: str, message: str) -> None:
    with pytest.raises(RoostError, match=message):
        parse_env_option(option, {})


def test_a_value_never_stands_in_a_message() -> None:
    with pytest.raises(RoostError) as caught:
        parse_env_option("LD_PRELOAD=hunter2", {})
    assert "hunter2" not in str(caught.value)
