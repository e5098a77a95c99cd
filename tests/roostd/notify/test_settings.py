import json
from typing import Any

import pytest

from roost_protocol.errors import RoostError
from roostd.config import decode, load_notify
from roostd.notify.settings import DEFAULT, OFF, WHATS, Settings, WrongSettings, parse

FILE = "/home/ada/.config/roost/roost.json"


def test_on_is_the_default_and_off_is_one_word() -> None:
    assert parse(True) == parse({}) == DEFAULT == Settings(desktop=True, command=None, terminal=True, events=WHATS, cooldown=5.0)
    assert parse(False) == OFF
    assert OFF.events == ()


def test_what_is_written_is_taken() -> None:
    given = {"desktop": ["say", "{title}", "{body}"], "command": ["tell"], "terminal": False, "events": ["waiting"], "cooldown": 0}
    assert parse(given) == Settings(["say", "{title}", "{body}"], ["tell"], False, ("waiting",), 0)
    assert parse({"desktop": False}).desktop is False


@pytest.mark.parametrize(
    ("value", "key", "why"),
    [
        (3, "", "true, false or an object"),
        ({"desk": 1}, "desk", "there is no such key; allowed: desktop, command"),
        ({"desktop": "say"}, "desktop", "must be true, false, or a list"),
        ({"desktop": []}, "desktop", "must be true, false, or a list"),
        ({"desktop": ["say", 1]}, "desktop", "must be true, false, or a list"),
        ({"desktop": ["say", "--title={title}"]}, "desktop[1]", "{title} must be an element of its own"),
        ({"desktop": ["say", "{task}"]}, "desktop[1]", "there is no placeholder {task}; allowed: {title}"),
        ({"desktop": ["say\0"]}, "desktop[0]", "has a NUL in it"),
        ({"command": [""]}, "command", "the program first"),
        ({"command": ["tell", "x{body}"]}, "command[1]", "{body} is replaced in `desktop` only"),
        ({"terminal": "yes"}, "terminal", "must be true or false"),
        ({"events": ["quiet"]}, "events", "must be a list of some of waiting, idle"),
        ({"cooldown": -1}, "cooldown", "from 0 to 3600"),
        ({"cooldown": 3601}, "cooldown", "from 0 to 3600"),
    ],
)
def test_a_mistake_is_named(value: Any, key: str, why: str) -> None:
    with pytest.raises(WrongSettings) as caught:
        parse(value)
    assert caught.value.key == key
    assert why in caught.value.why


def test_the_file_is_named_too() -> None:
    with pytest.raises(RoostError) as caught:
        decode(FILE, b'{"notify": {"cooldown": "long"}}')
    assert caught.value.message == f"{FILE}: notify.cooldown: must be a number of seconds from 0 to 3600"


def test_a_mistake_in_a_profile_silences_nobody() -> None:
    broken = json.dumps({"agentProfiles": {"a": 3}, "notify": {"cooldown": 7}}).encode()
    assert load_notify({"HOME": "/home/ada"}, {FILE: broken}.__getitem__).cooldown == 7


def test_without_a_file_it_is_on() -> None:
    def nothing(path: str) -> bytes:
        raise FileNotFoundError(path)

    assert load_notify({"HOME": "/home/ada"}, nothing) == DEFAULT
