"""A person's folders and environment, made for one test."""

from dataclasses import dataclass
from pathlib import Path

from tests.support import processes


@dataclass(frozen=True, slots=True)
class Home:
    """Private folders under a short path (a unix socket's must stay below 100 bytes)."""

    root: Path

    @property
    def runtime(self) -> Path:
        return self.root / "run"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def config(self) -> Path:
        return self.root / "config"

    @property
    def work(self) -> Path:
        """An ordinary folder to run jobs in."""
        return self.root / "work"

    @property
    def environ(self) -> dict[str, str]:
        """The variables that lead to these folders."""
        return {
            "HOME": str(self.root),
            "XDG_CONFIG_HOME": str(self.config),
            "ROOST_RUNTIME_DIR": str(self.runtime),
            "ROOST_STATE_DIR": str(self.state),
        }

    def write_config(self, text: str) -> Path:
        """Writes the person's roost.json, at one stroke: a daemon may be reading it."""
        path = self.config / "roost" / "roost.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(text)
        new.replace(path)
        return path

    def pids(self) -> set[int]:
        """Live processes that were started with this home's state folder: daemon, spawner, hosts and jobs."""
        return processes.with_environ("ROOST_STATE_DIR", str(self.state))

    def complaints(self) -> list[str]:
        """What the daemon's log says of its own faults: lines of level error, the current file's alone."""
        log = self.state / "roostd.log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line for line in lines if '"level": "error"' in line or '"level":"error"' in line]

    def end_all(self) -> None:
        """Kills everything that runs in this home, until nothing does."""
        while pids := self.pids():
            processes.end(pids)


def make_home(root: Path) -> Home:
    """Makes the folders. The runtime and state folders are left to roost, which has its own rules for them."""
    home = Home(root)
    root.mkdir(mode=0o700)
    home.config.mkdir()
    home.work.mkdir()
    return home
