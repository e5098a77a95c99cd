"""`roost conformance`: plays the agent protocol's scenarios against a client of any language."""

from __future__ import annotations

import os

from roost.failure import Usage
from roost.output import colours, print_json, print_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from roost.conformance.scenario import Scenario

HELP = "Try a client of the agent protocol, in any language, against a daemon that does what real ones seldom do."
EXAMPLES = (
    "roost conformance --list",
    "roost conformance -- python driver.py",
    "roost conformance --scenario resend-after-cut --scenario bye -- node driver.mjs",
    "roost conformance --json -- ./driver > verdicts.jsonl",
)
TAKES_REST = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scenario", metavar="NAME", action="append", default=[], help="play only this one (repeatable)")
    parser.add_argument("--list", action="store_true", help="say which scenarios there are, and what each asks of a client")
    parser.add_argument("--json", action="store_true", help="print one JSON value for each scenario, then the totals")


def run(args: argparse.Namespace) -> int:
    from roost.conformance.scenario import load

    scenarios = _chosen(load(), args.scenario)
    if args.list:
        if args.rest is not None:
            raise Usage("--list plays nothing: leave out what is behind --")
        for scenario in scenarios:
            _list(scenario, args.json)
        return 0
    if not args.rest:
        raise Usage("name the driver's command behind --; docs/conformance.md says what it must do")
    return _play(scenarios, args.rest, args.json)


def _play(scenarios: list[Scenario], command: list[str], as_json: bool) -> int:
    """Exit code 0 when nothing failed, and something passed."""
    from roost.conformance.player import play
    from roost.conformance.printing import lines, summary
    from roost.conformance.verdict import totals

    verdicts = []
    for scenario in scenarios:
        verdict = play(scenario, command, os.environ)
        verdicts.append(verdict)
        if as_json:
            print_json(verdict.as_json())
        else:
            for line in lines(verdict, colours()):
                print_line(line)
    counts = totals(verdicts)
    if as_json:
        print_json(counts)
    else:
        print_line(summary(counts))
    return 0 if counts["passed"] and not counts["failed"] else 1


def _list(scenario: Scenario, as_json: bool) -> None:
    if as_json:
        print_json({"scenario": scenario.name, "title": scenario.title, "rule": scenario.rule})
    else:
        print_line(f"{scenario.name:<28} {scenario.rule}")


def _chosen(scenarios: list[Scenario], names: list[str]) -> list[Scenario]:
    known = [scenario.name for scenario in scenarios]
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            close = get_close_matches(name, known, 1)
            raise Usage(f"there is no scenario {name!r}; " + (f"did you mean {close[0]}?" if close else "see `roost conformance --list`"))
    return [scenario for scenario in scenarios if scenario.name in names] if names else scenarios
