"""`python -m roost_protocol.schema [--check]`: writes the schema; with `--check` exits 1 where the committed one differs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from roost_protocol.agent import PROTOCOL
from roost_protocol.schema.generate import text

COMMITTED: Final = Path(__file__).with_name(f"v{PROTOCOL}.json")
"""Where the schema lies, in the wheel too."""


def main(arguments: list[str], where: Path = COMMITTED) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m roost_protocol.schema", description="Writes the agent protocol's JSON Schema.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the committed schema differs from the structs")
    if not parser.parse_args(arguments).check:
        where.write_text(text(), encoding="utf-8")
        return 0
    if where.is_file() and where.read_text(encoding="utf-8") == text():
        return 0
    sys.stderr.write(f"{where} differs from the structs of roost_protocol.agent: run `python -m roost_protocol.schema`\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
