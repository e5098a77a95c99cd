import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roost_protocol.errors import RoostError
from roostd.catalogue.load import catalogue
from roostd.config import ALLOWED, MAX_BYTES, Config, candidates, decode, load, resolve
from roostd.profile_rules import MAX_PATTERN, MAX_PATTERNS, problems
from roostd.profiles import Profile, Session
from tests.support.home import Home

FILE = "/home/ada/.config/roost/roost.json"


def reader(files: dict[str, bytes | OSError]) -> Callable[[str], bytes]:
    def read(path: str) -> bytes:
        found = files.get(path, FileNotFoundError(2, "No such file or directory"))
        if isinstance(found, OSError):
            raise found
        return found

    return read


def one(**keys: Any) -> bytes:
    return json.dumps({"agentProfiles": {"mine": {"command": ["agent"], **keys}}}).encode()


def message(data: bytes) -> str:
    with pytest.raises(RoostError) as caught:
        decode(FILE, data)
    assert caught.value.code == "bad_request"
    text = str(caught.value)
    assert text.startswith(FILE + ": ")
    assert text.isprintable()
    return text.removeprefix(FILE + ": ")


def test_where_the_file_may_be() -> None:
    pi = "/home/ada/.pi/agent/roost.json"
    assert candidates({"HOME": "/home/ada"}) == [FILE, pi]
    assert candidates({"HOME": "/home/ada", "XDG_CONFIG_HOME": "/x"}) == ["/x/roost/roost.json", pi]
    assert candidates({"HOME": "/home/ada", "XDG_CONFIG_HOME": "relative"}) == [FILE, pi]
    assert candidates({}) == []


def test_the_first_found_is_all_there_is() -> None:
    second = "/home/ada/.pi/agent/roost.json"
    files: dict[str, bytes | OSError] = {FILE: b'{"agentProfiles": {"a": {"command": ["x"]}}}', second: b"{"}
    found = load({"HOME": "/home/ada"}, reader(files))
    assert (found.source, list(found.profiles)) == (FILE, ["a"])
    del files[FILE]
    files[second] = b'{"agentProfiles": {"b": {"command": ["x"]}}}'
    assert list(load({"HOME": "/home/ada"}, reader(files)).profiles) == ["b"]
    assert load({"HOME": "/home/ada"}, reader({})) == Config()


def test_a_file_that_cannot_be_read_is_an_error_not_a_missing_one() -> None:
    with pytest.raises(RoostError, match=r"roost\.json: cannot be read: Permission denied"):
        load({"HOME": "/home/ada"}, reader({FILE: PermissionError(13, "Permission denied")}))


def test_a_real_file_is_read(home: Home) -> None:
    path = home.write_config('{"agentProfiles": {"mine": {"command": ["agent"], "submitDelay": 50}}}')
    found = load(home.environ)
    assert found.source == str(path)
    assert found.profiles["mine"] == Profile(name="mine", command=["agent"], submit_delay=50)
    path.unlink()
    path.mkdir()
    with pytest.raises(RoostError, match="Is a directory"):
        load(home.environ)


def test_every_key_is_taken() -> None:
    data = one(
        task="argv",
        taskSeparator="--",
        model=["-m", "{model}"],
        thinking=["-t", "{thinking}"],
        resume=None,
        session={"pattern": "id: (\\w+)"},
        waiting="\\(y/n\\)",
        working=["a", "b"],
        idle="^>",
        settle=1,
        recognisable=True,
        submit="\n",
        submitDelay=0,
        env={"A": "1"},
        stop="SIGINT",
        detach="ctrl-a d",
        pi=False,
    )
    assert set(json.loads(data)["agentProfiles"]["mine"]) == set(ALLOWED)
    assert decode(FILE, data).profiles["mine"] == Profile(
        name="mine",
        command=["agent"],
        task="argv",
        task_separator="--",
        model=["-m", "{model}"],
        thinking=["-t", "{thinking}"],
        session=Session(pattern="id: (\\w+)"),
        waiting="\\(y/n\\)",
        working=["a", "b"],
        idle="^>",
        settle=1,
        recognisable=True,
        submit="\n",
        submit_delay=0,
        env={"A": "1"},
        stop="SIGINT",
        detach="ctrl-a d",
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"{", "is not JSON at line 1, column 2: "),
        (b'{"agentProfiles":\n  {,}}', "is not JSON at line 2, column 4: "),
        (b"", "is not JSON at line 1, column 1: "),
        (b'{"a": 1}\n\xff', "is not UTF-8 at line 2"),
        (b'["agentProfiles"]', "must be an object with agentProfiles"),
        (b'{"agentProfile": {}}', "agentProfile: there is no such key; did you mean agentProfiles? It must be an object: "),
        (b'{"agentProfiles": []}', "agentProfiles: must be an object: agent names, each with a profile"),
        (b'{"agentProfiles": {"a": 1}}', "agentProfiles.a: must be an object: a profile"),
        (b'{"agentProfiles": {"a": {}, "a": {}}}', "has the key a twice in one object"),
        (b'{"agentProfiles": {"a": {"command": ["x"], "settle": NaN}}}', "has the value NaN, which is not JSON"),
        (b'{"agentProfiles": {"a": {"command": ["\\ud800"]}}}', "has half of a surrogate pair in a string, which is no character"),
        (b"[" * 100_000, "is nested too deeply"),
        (b" " * (MAX_BYTES + 1), f"is larger than {MAX_BYTES} bytes"),
        (b'{"agentProfiles": {"\\u001b[31m": 1}}', "agentProfiles.'\\x1b[31m': must be an object: a profile"),
    ],
)
def test_a_broken_file_is_described_in_one_line(data: bytes, expected: str) -> None:
    assert message(data).startswith(expected)


def test_the_engine_of_the_mirror() -> None:
    def chosen(data: bytes, **environ: str) -> str:
        return load({"HOME": "/home/ada", **environ}, reader({FILE: data} if data else {})).mirror

    assert chosen(b"") == chosen(b"{}") == chosen(b'{"agentProfiles": {}}') == "pyte"
    assert chosen(b'{"mirror": "ghostty"}') == "ghostty"
    assert chosen(b'{"mirror": "ghostty"}', ROOST_MIRROR="pyte") == "pyte"
    assert chosen(b"", ROOST_MIRROR="ghostty") == "ghostty"
    for wrong in (b'{"mirror": "xterm"}', b'{"mirror": ["pyte"]}', b'{"mirror": null}'):
        assert message(wrong) == 'mirror: must be "pyte" or "ghostty"'
    with pytest.raises(RoostError, match='ROOST_MIRROR: must be "pyte" or "ghostty"'):
        chosen(b"{}", ROOST_MIRROR="xterm")


def test_keys_of_other_parts_are_left_alone() -> None:
    assert decode("roost.json", b'{"presets": {}, "agentProfiles": {}}') == Config("roost.json")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"tsk": "argv"}, "tsk: there is no such key; did you mean task? allowed: command, task, "),
        ({"name": "x"}, "name: there is no such key; "),
        ({"command": "agent --flag"}, "command: must be a list of at least one string"),
        ({"command": []}, "command: must be a list of at least one string"),
        ({"command": ["a", 1]}, "command[1]: must be a list of at least one string"),
        ({"command": ["a", "--model={model}"]}, "command[1]: {model} must be an element of its own, not a part of "),
        ({"command": ["a", "{model}"]}, "command[1]: there is no placeholder {model} here; allowed: none"),
        ({"command": ["{python}"]}, "command[0]: there is no placeholder {python} here; allowed: none"),
        ({"command": ["a", "b\0"]}, "command[1]: has a NUL in it"),
        ({"command": ["a", "{task}"]}, "command[1]: there is no placeholder {task} here; allowed: none"),
        ({"task": "stdin"}, 'task: must be "argv", "type" or "none"'),
        ({"taskSeparator": "--"}, 'taskSeparator: only has a meaning with "task": "argv"'),
        ({"task": "argv", "taskSeparator": ""}, 'taskSeparator: must be an argument such as "--"'),
        ({"model": ["--model"]}, "model: must have {model} as one of its elements"),
        ({"model": ["{modle}", "{model}"]}, "model[0]: there is no placeholder {modle} here; allowed: {model}"),
        ({"thinking": "high"}, "thinking: must be a list of strings, one of them {thinking}"),
        ({"resume": ["agent"]}, "resume: must have {session} as one of its elements"),
        ({"session": {}}, 'session: is an object with either "mint" or "pattern"'),
        ({"session": {"mint": ["{session}"], "pattern": "(x)"}}, 'session: is an object with either "mint" or "pattern"'),
        ({"session": {"mint": "x"}}, 'session.mint: must be an object with either "mint" (a list of strings) or'),
        ({"session": {"how": "x"}}, 'session: must be an object with either "mint" (a list of strings) or'),
        ({"session": {"pattern": "x"}}, "session.pattern: must have exactly one group"),
        ({"session": {"pattern": "("}}, "session.pattern: '(' is no regular expression: "),
        ({"waiting": "["}, "waiting: '[' is no regular expression: "),
        ({"idle": ["^ok$", "(a+)+b"]}, "idle: '(a+)+b' searches for more than 100 ms on a screen that almost matches"),
        ({"waiting": 1}, "waiting: must be a regular expression, an object {"),
        ({"idle": "x*"}, "idle: 'x*' matches an empty screen, so it says nothing"),
        ({"working": "x" * (MAX_PATTERN + 1)}, f"working: is {MAX_PATTERN + 1} characters long; at most {MAX_PATTERN}"),
        ({"idle": ["x"] * (MAX_PATTERNS + 1)}, f"idle: has {MAX_PATTERNS + 1} patterns; at most {MAX_PATTERNS}"),
        ({"recognisable": True}, "recognisable: only has a meaning with `idle` patterns"),
        ({"settle": 0}, "settle: must be a number of seconds from 0.1 to 3600"),
        ({"settle": True}, "settle: must be a number of seconds from 0.1 to 3600"),
        ({"submit": ""}, "submit: must be 1 to 16 characters"),
        ({"submitDelay": -1}, "submitDelay: must be a number of milliseconds from 0 to 60000"),
        ({"env": {"A": 1}}, "env: must be an object of strings"),
        ({"env": {"LD_PRELOAD": "x"}}, "env.LD_PRELOAD: LD_PRELOAD would load other code into the agent"),
        ({"env": {"TMUX": "x"}}, "env.TMUX: TMUX belongs to the terminal or job"),
        ({"env": {"A": "x\0"}}, "env.A: has a NUL in it"),
        ({"stop": "SIGKILL"}, 'stop: must be one of "SIGTERM", '),
        ({"detach": ""}, "detach: must be a key with control"),
        ({"detach": "q"}, "detach: must be a key with control"),
        ({"detach": "ctrl-["}, "detach: must be a key with control"),
        ({"pi": 1}, "pi: must be true or false"),
    ],
)
def test_a_wrong_key_is_named_with_what_is_allowed(keys: dict[str, Any], expected: str) -> None:
    assert message(one(**keys)).startswith("agentProfiles.mine." + expected)


def test_a_profile_without_a_command_says_so() -> None:
    assert message(b'{"agentProfiles": {"a": {"task": "argv"}}}').startswith("agentProfiles.a.command: must be a list")


@pytest.mark.parametrize("name", ["", "generic", "-x", "a b", "a/b", "x" * 65])
def test_an_agents_name_is_plain(name: str) -> None:
    text = message(json.dumps({"agentProfiles": {name: {"command": ["x"]}}}).encode())
    assert "an agent's name has 1 to 64 letters" in text


def test_built_in_profiles_keep_the_rules() -> None:
    assert sorted(catalogue()) == ["aider", "claude", "codex", "demo", "gemini", "opencode", "pi", "shell"]
    for profile in catalogue().values():
        assert list(problems(profile, built_in=True)) == [], profile.name


def test_a_persons_profile_replaces_a_built_in_one_wholly() -> None:
    config = decode(FILE, b'{"agentProfiles": {"codex": {"command": ["mine"]}}}')
    assert resolve("codex", config) == Profile(name="codex", command=["mine"])
    assert resolve("pi", config) is catalogue()["pi"]


def test_an_unknown_agent_is_answered_with_the_known_ones() -> None:
    with pytest.raises(RoostError, match=r"no agent 'coddex': did you mean codex\? known are aider, claude, codex, demo") as caught:
        resolve("coddex", Config())
    assert caught.value.code == "not_found"


def test_the_catalogue_is_data_beside_its_reader() -> None:
    folder = Path(__file__).parents[2] / "roostd" / "catalogue"
    assert {path.stem for path in folder.glob("*.json")} == set(catalogue())
