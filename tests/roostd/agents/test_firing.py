from roost_protocol.host import Pattern
from roostd.agents.firing import Firing, fired
from roostd.host.replay.recording import Output, Recording
from roostd.profiles import Profile

PROFILE = Profile(
    name="a",
    command=["a"],
    waiting=[r"^Sure\? ?\Z", "^Login:"],
    working=[r"^Busy \d+s", Pattern("^[*+] ", "title")],
    idle=r"^> ?\Z",
)


def recording(*steps: tuple[float, bytes]) -> Recording:
    return Recording("asciicast", 40, 10, iter([Output(at, data) for at, data in steps]))


def test_which_pattern_matched_from_when_to_when() -> None:
    found, never = fired(
        recording(
            (0.0, b"\x1b]0;first\x07> "),
            (1.0, b"\x1b[2J\x1b[HBusy 1s\x1b]0;* a\x07"),
            (2.0, b"\x1b[HBusy 2s\x1b]0;+ a\x07"),
            (3.0, b"\x1b[2J\x1b[HSure? "),
            (4.0, b"\x1b]0;a\x07nothing"),
            (5.0, b"!"),
        ),
        PROFILE,
    )
    assert [(one.state, one.region, one.pattern, one.detail) for one in found] == [
        ("idle", "screen", r"^> ?\Z", ">"),
        ("working", "title", "^[*+] ", "*"),
        ("working", "screen", r"^Busy \d+s", "Busy 1s"),
        ("waiting", "screen", r"^Sure\? ?\Z", "Sure?"),
    ]
    assert [(round(one.t), round(one.until)) for one in found] == [(0, 1), (1, 4), (1, 3), (3, 4)]
    assert never == ["^Login:"]


def test_a_profile_without_patterns_says_nothing() -> None:
    assert fired(recording((0.0, b"> ")), Profile(name="a", command=["a"])) == ([], [])


def test_what_matches_at_the_end_matches_until_then() -> None:
    (one,), _ = fired(recording((0.5, b"> "), (3.0, b"\x07")), PROFILE)
    assert (type(one), one.until) == (Firing, 3.0)
