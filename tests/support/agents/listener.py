"""An agent that only reads its terminal: what a person types, line by line.

    python listener.py FILE LINES EXIT_CODE

Appends each line to FILE, fsynced, answers `had TEXT`, and ends with EXIT_CODE after LINES lines.
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    path, lines, code = sys.argv[1:]
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    print("ready", flush=True)
    for _ in range(int(lines)):
        line = sys.stdin.readline().rstrip("\n")
        os.write(file, line.encode() + b"\n")
        os.fsync(file)
        print(f"had {line}", flush=True)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
