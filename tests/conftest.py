"""What holds for every test: private folders, nothing left behind, skips counted, real agents only when asked for."""

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from secrets import token_hex

import pytest

from tests.support import leftovers, processes, strictness
from tests.support.daemon import Daemon, Operator
from tests.support.home import Home, make_home

# What a person's shell, or a job that the tests run in, would otherwise lend to every program under test.
FOREIGN = ("ROOST_", "PI_JOB_", "PI_DAEMON_", "XDG_", "DBUS_")
KEPT = ("ROOST_TEST_STRICT", "ROOST_TEST_DATA", "ROOST_TEST_FUZZ_SECONDS")


@pytest.fixture(scope="session", autouse=True)
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The test run's own folder: HOME, the temporary and the XDG folders of everything that is started lie in it."""
    tmp_path_factory.getbasetemp()
    folder = leftovers.private_folder()
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(FOREIGN) and name not in KEPT:
                patch.delenv(name)
        for name, value in {"HOME": "home", "TMPDIR": "tmp", "XDG_RUNTIME_DIR": "xdg"}.items():
            (folder / value).mkdir(mode=0o700)
            patch.setenv(name, str(folder / value))
        patch.setattr(tempfile, "tempdir", str(folder / "tmp"))
        patch.setenv(processes.MARKER, token_hex(8))
        before = leftovers.snapshot(folder)
        yield folder
        left = leftovers.new_since(before, folder)
        shutil.rmtree(folder)
        assert not left, "the tests left behind:\n" + "\n".join(left)


@pytest.fixture(autouse=True)
def _leaves_nothing_behind(run_dir: Path) -> Iterator[None]:
    before = leftovers.snapshot(run_dir)
    yield
    left = leftovers.new_since(before, run_dir)
    assert not left, "the test left behind:\n" + "\n".join(left)


@pytest.fixture
def home(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A person's private folders, with the environment pointing at them. What runs in it afterwards is a leak."""
    made = make_home(Path(tempfile.mkdtemp(prefix="h", dir=run_dir)) / "p")
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    yield made
    shutil.rmtree(made.root.parent)


@pytest.fixture
def daemon(home: Home) -> Iterator[Daemon]:
    """A daemon in the foreground, which nobody but the test talks to."""
    with Daemon(home) as daemon:
        yield daemon


@pytest.fixture
def operator(daemon: Daemon) -> Operator:
    return daemon.operator()


def pytest_configure() -> None:
    """The base system's programs (sh, cat, stty) are there even where PATH names little more than Python and git."""
    given = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys([*filter(None, given), "/usr/bin", "/bin"]))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--real-agents", action="store_true", help="run the group that drives real agents, and only that")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = bool(config.getoption("--real-agents"))
    chosen = [item for item in items if (item.get_closest_marker("realagents") is not None) == wanted]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    strictness.enforce(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    strictness.enforce(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if line := strictness.summary(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line)
