"""The `roost` command: finds the verb's module in `commands/`, parses its options, runs it, turns every failure into one line.

Exit codes: 0 yes, 1 no or failed, 2 usage, 3 not found, 4 no daemon, 124 timeout, 130 interrupted, 141 the reader of our
output went away. Only the chosen verb's module is imported: the rest costs `roost ls` nothing.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import sys

from roost import commands
from roost.failure import Failed, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

EXIT_INTERRUPTED = 130
EXIT_NO_READER = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code; without `argv` it is the program's own, and the process ends here."""
    if argv is None:
        _leave(_run(sys.argv[1:]))
    return _run(argv)


def _leave(status: int) -> NoReturn:
    """Python's own way out takes all modules apart first, which would cost `roost ls` as much again as reading its options."""
    try:
        sys.stdout.flush()
    except OSError:
        pass  # It has been told already, or a person has interrupted us.
    os._exit(status)


def _run(argv: Sequence[str]) -> int:
    _open_standard_streams()
    try:
        status = _dispatch(list(argv))
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return EXIT_NO_READER
    except Exception as error:
        return _complain(error)


def _dispatch(argv: list[str]) -> int:
    verb = argv[0] if argv else "help"
    if verb in ("-h", "--help"):
        verb = "help"
    if verb in ("-V", "--version"):
        from roost.version import VERSION

        print(f"roost {VERSION}")
        return 0
    module = load(verb)
    words, rest = _split(argv[1:]) if getattr(module, "TAKES_REST", False) else (argv[1:], None)
    args = build_parser(verb, module).parse_intermixed_args(words)
    args.rest = rest
    files = [getattr(args, name) for name in getattr(module, "FILES", ())]
    for number, word in enumerate(argv, 1):
        if not word.isascii() and word not in files and word.partition("=")[2] not in files:
            _check_utf8(number, word)
    status: int = _interruptible(module.run, args)
    return status


def _interruptible(run: Callable[[Any], int], args: Any) -> int:
    """Runs a verb, which may have something to put in order when ctrl-c is pressed; before and behind it there is nothing."""
    ends_us = _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL
    if not ends_us:
        return run(args)
    try:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        return run(args)
    finally:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def verbs() -> list[str]:
    """Every verb there is: the folder is the registry."""
    names = os.listdir(os.path.dirname(commands.__file__ or ""))  # noqa: PTH120, PTH208 (pathlib is not worth its import here)
    return sorted(name[:-3].replace("_", "-") for name in names if name.endswith(".py") and not name.startswith("_"))


def load(verb: str) -> Any:
    """The module of a verb: HELP, EXAMPLES, `add_arguments(parser)`, `run(args) -> int`. Raises `Usage` for a word that is no verb.

    Where it has TAKES_REST, what is behind `--` is in `args.rest`; FILES names those of its arguments that may be any bytes.
    """
    name = verb.replace("-", "_")
    if "_" in verb or not name.isidentifier() or name.startswith("_"):
        raise Usage(_unknown(verb))
    try:
        # Not importlib.import_module: that package costs more than the verb.
        return __import__(f"roost.commands.{name}", fromlist=["run"])
    except ModuleNotFoundError as error:
        if error.name != f"roost.commands.{name}":
            raise
        raise Usage(_unknown(verb)) from None


def build_parser(verb: str, module: Any) -> argparse.ArgumentParser:
    """The parser of one verb; its examples stand below its options."""
    from roost.parser import Parser

    examples = "examples:\n" + "\n".join(f"  {line}" for line in module.EXAMPLES)
    parser = Parser(prog=f"roost {verb}", description=module.HELP, epilog=examples)
    module.add_arguments(parser)
    return parser


def _split(words: list[str]) -> tuple[list[str], list[str] | None]:
    """What is behind the first `--` belongs to the agent, whatever it looks like."""
    if "--" not in words:
        return words, None
    at = words.index("--")
    return words[:at], words[at + 1 :]


def _unknown(verb: str) -> str:
    from difflib import get_close_matches

    from roost_protocol.text import printable

    close = get_close_matches(verb, verbs(), 1)
    return f"there is no command {printable(verb)!r}; " + (f"did you mean `roost {close[0]}`?" if close else "see `roost help`")


def _check_utf8(number: int, word: str) -> None:
    try:
        word.encode()
    except UnicodeEncodeError:
        raise Usage(f"argument {number} ({os.fsencode(word)!r}) is not UTF-8, which jobs cannot be given") from None


def _open_standard_streams() -> None:
    """A closed descriptor below 3 would be taken by the next socket or pipe; then somebody's error message lands in it."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (for the process's life)
        getattr(sys, name).reconfigure(errors="replace")


def _complain(error: Exception) -> int:
    """One line on stderr, and the exit code."""
    message, status = _explained(error)
    from roost_protocol.text import printable

    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    try:
        print(f"roost: {printable(message)}", file=sys.stderr, flush=True)
    except OSError:
        pass  # The terminal is gone: nobody is left to tell.
    return status


def _explained(error: Exception) -> tuple[str, int]:
    from roost_protocol.errors import RoostError, exit_code

    if isinstance(error, Failed):
        return error.message, error.status
    if isinstance(error, RoostError):
        return error.message, exit_code(error.code)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error), 1
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
    return f"a fault in roost itself: {type(error).__name__}: {error}{where}", 1


def _discard_output() -> None:
    """Nobody reads: what is still buffered must not fail once more when Python ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
