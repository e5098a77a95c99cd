"""The memory of an idle job: its host and its share of the spawner, side by side with a Node process that does the same.

PSS (proportional set size) is a process's own pages plus its share of those it has in common with others, so that the sum over all
is what the machine misses. The job's own process is not counted on either side; the daemon is one for all and is told in the note.
"""

from __future__ import annotations

from tests.bench import fifty, proc
from tests.bench.peers import node_jobs, or_why_not
from tests.bench.place import Place, say, settle
from tests.bench.stats import Reach, Row

COUNT = 50
LONG = f"yes '{'lorem ipsum dolor sit amet ' * 4}' | head -n 2100; exec sleep 86400"


def measure(place: Place, quick: bool) -> list[Row]:
    """MiB for each of 50 jobs."""
    running = fifty.start(place)
    hosts = [proc.pss_mib(pid) for pid in running.hosts.values()]
    spawner = proc.pss_mib(running.spawner)
    note = f"daemon {proc.pss_mib(running.daemon):.1f}, spawner {spawner:.1f}, hosts {min(hosts):.2f} to {max(hosts):.2f} MiB"
    place.home.end_all()
    peer, why = or_why_not(lambda: _node_average(place))
    each = (sum(hosts) + spawner) / len(hosts)
    return [
        Row("idle job, PSS, one of 50", "MiB", each, peer, why or "node, xterm, node-pty", Reach("value", 4), note),
        Row("idle job that said nothing", "MiB", _average(place, "exec sleep 86400"), None, "", Reach("value", 3.5), f"one of {COUNT}"),
        Row("idle job with 2,000 rows", "MiB", _average(place, LONG), None, "", Reach("value", 5), f"one of {COUNT}"),
    ]


def _average(place: Place, script: str) -> float:
    """With its share of the spawner."""
    say(f"starting {COUNT} jobs under roost")
    place.run_jobs(COUNT, "/bin/sh", "-c", script)
    running = place.processes()
    settle(running.named())
    each = (sum(proc.pss_mib(pid) for pid in running.hosts.values()) + proc.pss_mib(running.spawner)) / len(running.hosts)
    place.home.end_all()
    return each


def _node_average(place: Place) -> float:
    with node_jobs(place, fifty.COUNT, *fifty.argv(place)) as pids:
        say(f"started {fifty.COUNT} jobs under node")
        settle(pids)
        return sum(proc.pss_mib(pid) for pid in pids) / len(pids)
