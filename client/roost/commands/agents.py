"""`roost agents`: which agents there are, what is wrong with one, and which of its patterns match a recording when."""

from __future__ import annotations

from roost.failure import Failed, Usage
from roost.output import print_json, print_line
from roost.reading import check_terminal_size
from roost.width import one_line, pad, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    Json = dict[str, Any]

HELP = "List the agents there are, check one, or see which of its patterns match a recording when."
EXAMPLES = ("roost agents", "roost agents check codex", "roost agents test codex --recording session.cast")
FILES = ("recording",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "roost agents [list] [--json]\n       roost agents check NAME [--json]\n       roost agents test NAME --recording FILE [--json]"
    )
    parser.add_argument("action", metavar="ACTION", nargs="?", default="list", help="list (the default), check or test")
    parser.add_argument("name", metavar="NAME", nargs="?", help="check, test: which agent")
    parser.add_argument("--recording", metavar="FILE", help="test: an asciicast or roost's; - is stdin")
    parser.add_argument("--size", metavar="COLSxROWS", help="test: the size to begin with; else the recording's")
    parser.add_argument("--json", action="store_true", help="print one object a line")


def run(args: argparse.Namespace) -> int:
    _check(args)
    found, status, why = _asked(args)
    if status and not found:
        raise Failed(why or f"the check ended with {status}", status)
    if args.json:
        for value in found:
            print_json(value)
    else:
        lines = {"list": _listed, "check": _checked, "test": _tested}[args.action](found)
        if lines:
            print_line("\n".join(lines))
    return status


def _check(args: argparse.Namespace) -> None:
    if args.action not in ("list", "check", "test"):
        raise Usage(f"{args.action!r} is none of list, check and test")
    if (args.name is None) != (args.action == "list"):
        raise Usage("list takes no name" if args.action == "list" else f"name the agent: `roost agents {args.action} NAME`")
    if (args.recording is None) == (args.action == "test"):
        raise Usage("test needs --recording FILE" if args.action == "test" else "--recording goes with test")
    if args.recording == "":
        raise Usage("--recording: name a file, or - for stdin")
    if args.size is not None:
        if args.action != "test":
            raise Usage("--size goes with test")
        check_terminal_size(args.size)


def _words(args: argparse.Namespace) -> list[str]:
    options = [] if args.size is None else [f"--size={args.size}"]
    given = [word for word in (args.name, args.recording) if word is not None]
    return [args.action, *options, *(["--", *given] if given else [])]


def _asked(args: argparse.Namespace) -> tuple[list[Json], int, str]:
    """The objects that the daemon's side prints, its exit code and its complaint; no daemon runs for it."""
    import json

    from roost.replaying import complaint, run

    done = run("roostd.agents", _words(args), args.recording)
    why, status = complaint(done)
    return [json.loads(line) for line in done.stdout.splitlines()], status, why


def _listed(agents: list[Json]) -> list[str]:
    rows = [("NAME", "PROFILE", "READ BY", "COMMAND")]
    for agent in agents:
        count = sum(agent["patterns"].values())
        rows.append((agent["name"], agent["source"], f"{count} pattern{'' if count == 1 else 's'}", " ".join(agent["command"])))
    return _table(rows)


def _checked(findings: list[Json]) -> list[str]:
    marks = {True: "ok", False: "WRONG", None: "-"}
    return _table([(marks[finding["ok"]], finding["check"], finding["detail"]) for finding in findings])


def _tested(found: list[Json]) -> list[str]:
    fired = [one for one in found if "never" not in one]
    lines = _table(
        [(f"{one['t']:.2f}", f"{one['until']:.2f}", one["state"], one["region"], one["detail"], one["pattern"]) for one in fired]
    )
    never = [f"never matched: {one_line(pattern)}" for one in found for pattern in one.get("never", [])]
    return [*lines, *never, *([] if fired or never else ["it has no patterns"])]


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    clean = [tuple(one_line(cell) for cell in row) for row in rows]
    widths = [max(width(cell) for cell in column) for column in zip(*clean, strict=True)]
    return ["  ".join(pad(cell, size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in clean]
