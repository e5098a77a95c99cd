from roostd.host.orphans import left_to, of_killed_host
from roostd.process import Stat

SPAWNER = 10


def table(**parents: int) -> dict[int, Stat]:
    return {int(name[1:]): Stat("x", "S", parent, 1, 1) for name, parent in parents.items()}


def to_end(processes: dict[int, Stat], jobs: dict[int, str], **lists: set[int]) -> set[int]:
    named = {pid for pid, job in jobs.items() if job == "a"}
    return of_killed_host(
        processes,
        SPAWNER,
        job="a",
        hosts=lists.get("hosts", set()),
        helpers=lists.get("helpers", set()),
        daemons=lists.get("daemons", set()),
        named=named,
        job_of=jobs.get,
    )


def test_what_was_left_to_the_spawner_goes_with_all_below_it() -> None:
    processes = table(p10=1, p20=10, p21=20, p22=21)
    assert to_end(processes, {20: "a"}) == {20, 21, 22}


def test_hosts_their_jobs_and_known_helpers_stay() -> None:
    processes = table(p10=1, p20=10, p21=20, p30=10, p31=30, p40=10)
    assert to_end(processes, {}, hosts={20}, helpers={30}) == {40}


def test_a_daemon_that_was_started_from_inside_stays_with_all_its_own() -> None:
    processes = table(p10=1, p20=10, p21=20, p22=21, p30=10)
    assert to_end(processes, {30: "a", 22: "c"}, daemons={20}) == {30}


def test_another_jobs_orphan_is_not_ours() -> None:
    processes = table(p10=1, p20=10, p30=10)
    assert to_end(processes, {20: "b", 30: "a"}) == {30}


def test_what_bears_the_jobs_id_goes_wherever_it_is() -> None:
    processes = table(p10=1, p50=1, p51=50)
    assert to_end(processes, {50: "a"}) == {50, 51}


def test_zombies_are_gone_already() -> None:
    processes = table(p10=1) | {20: Stat("x", "Z", 10, 1, 1)}
    assert to_end(processes, {20: "a"}) == set()
    assert left_to(processes, SPAWNER) == set()
