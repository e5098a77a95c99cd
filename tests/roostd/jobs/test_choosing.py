import pytest

from roost_protocol.errors import RoostError
from roost_protocol.jobs import Choice
from roostd.jobs.choosing import check_kind, chosen
from roostd.jobs.record import Record, changed
from tests.roostd.jobs.made import record

NUMBERED = [Choice("0", "Nothing"), Choice("1", "One file"), Choice("2", "One folder")]
WORDS = [Choice("y", "Yes"), Choice("always", "Yes, always"), Choice("n", "No")]


@pytest.mark.parametrize(
    ("offered", "meant", "found"),
    [
        (WORDS, "1", "y"),
        (WORDS, "3", "n"),
        (WORDS, "y", "y"),
        (WORDS, "Yes", "y"),
        (WORDS, " yes, ALWAYS ", "always"),
        (WORDS, "alw", "always"),
        (NUMBERED, "1", "1"),  # An id comes before a number.
        (NUMBERED, "3", "2"),
        (NUMBERED, "noth", "0"),
    ],
)
def test_a_choice_is_found_by_id_number_label_or_beginning(offered: list[Choice], meant: str, found: str) -> None:
    assert chosen(changed(record(), choices=offered).job, meant).id == found


@pytest.mark.parametrize(
    ("offered", "meant", "code"),
    [
        (WORDS, "4", "not_found"),
        (WORDS, "maybe", "not_found"),
        (WORDS, "", "not_found"),
        (NUMBERED, "one", "ambiguous"),
        (None, "1", "refused"),
        ([], "1", "refused"),
    ],
)
def test_what_is_not_on_offer_is_told_with_what_is(offered: list[Choice] | None, meant: str, code: str) -> None:
    with pytest.raises(RoostError) as refused:
        chosen(changed(record(), choices=offered).job, meant)
    assert refused.value.code == code
    assert all(choice.label in refused.value.message for choice in offered or [])


def test_what_an_agent_did_not_announce_it_is_not_sent() -> None:
    taking = Record(job=record().job, launch=record().launch, token_hash="", takes_replies=True, grants=["replies", "steer"])
    check_kind(taking, "steer")
    check_kind(taking, "follow_up")
    check_kind(record(), "reply")
    check_kind(record(), "choice")
    for one, kind in ((taking, "set_model"), (record(), "steer")):
        with pytest.raises(RoostError, match="did not announce"):
            check_kind(one, kind)  # type: ignore[arg-type]
