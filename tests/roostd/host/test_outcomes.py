from roost_protocol.host import Typed
from roostd.host.outcomes import LIMIT, Outcomes


def test_an_id_is_remembered_with_its_outcome() -> None:
    outcomes = Outcomes()
    assert outcomes.answer("a") is None
    outcomes.begin("a")
    assert outcomes.answer("a") == Typed("a", "pending")
    outcomes.settle(Typed("a", "submitted"))
    assert outcomes.answer("a") == Typed("a", "submitted")
    assert outcomes.all == [Typed("a", "submitted")]


def test_what_is_pending_is_never_forgotten() -> None:
    outcomes = Outcomes()
    outcomes.begin("pending")
    for number in range(LIMIT):
        outcomes.begin(str(number))
        outcomes.settle(Typed(str(number), "typed"))
    assert len(outcomes.all) == LIMIT
    assert outcomes.answer("pending") == Typed("pending", "pending")
    assert outcomes.answer("0") is None
