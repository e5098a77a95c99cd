from tests.realagents.judging import begun, in_force, story

STATES = [(10.0, "working"), (12.0, "waiting"), (15.0, "working"), (18.5, "idle")]


def test_the_state_in_force() -> None:
    assert [in_force(STATES, at) for at in (9, 10, 14.9, 15, 99)] == ["starting", "working", "waiting", "working", "idle"]


def test_what_began_in_an_interval() -> None:
    assert begun(STATES, 10, 12) == {"waiting"}
    assert begun(STATES, 9, 15) == {"working", "waiting"}
    assert begun(STATES, 19, 20) == set()


def test_the_story_counts_from_a_moment() -> None:
    assert story(STATES[:2], 11) == "working at -1.00, waiting at +1.00"
