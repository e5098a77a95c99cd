"""The spawner: `python -P -m roostd.host.spawner FOLDER`, with its stream to the daemon on descriptor 0; it may use the folder until
it is ready.

Everything a host needs is imported and used once here; each host is a fork, so that fifty of them share these pages. Single-threaded. It
ends with its daemon, and its hosts live on.
"""

from __future__ import annotations

import gc
import os
import socket
import sys


def main() -> None:
    """Never returns: when the daemon is gone there is nothing to tidy."""
    # What the collector frees leaves holes all over the pages that hosts share, and filling one costs a host a page of its own.
    gc.disable()
    from roostd.host import main as host_main
    from roostd.host import platform
    from roostd.host.rehearsal import rehearse
    from roostd.host.spawning import Spawner

    platform.adopt_orphans()
    platform.set_name("roost-spawner")
    stream = socket.socket(fileno=0)
    host_main.preload()
    rehearse(sys.argv[1])
    gc.freeze()
    Spawner(stream).run()
    os._exit(0)


if __name__ == "__main__":
    main()
