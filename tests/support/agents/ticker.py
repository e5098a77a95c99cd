"""An agent that counts on its terminal, a number a line, until it is told the last one on its input.

python ticker.py SECONDS
"""

from __future__ import annotations

import select
import sys


def main() -> int:
    pause = float(sys.argv[1])
    n = 0
    while not select.select([sys.stdin], [], [], pause)[0]:
        n += 1
        print(f"tick {n}", flush=True)
    print(f"last {n}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
