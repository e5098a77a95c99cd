from pathlib import Path

from roostd.notify.notices import Notice
from roostd.notify.settings import Settings
from roostd.notify.tellers import LINUX, MACOS, desktop, filled
from tests.roostd.jobs.made import job


def programs(folder: Path, *names: str) -> str:
    for name in names:
        (folder / name).touch(mode=0o755)
    return str(folder)


def test_the_desktop_is_told_where_it_can_be(tmp_path: Path) -> None:
    both = {"PATH": programs(tmp_path, "notify-send", "osascript")}
    bus = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"}
    assert desktop(Settings(), both | bus, "linux") == LINUX
    assert desktop(Settings(), both, "linux") is None
    assert desktop(Settings(), bus, "linux") is None
    assert desktop(Settings(), both, "darwin") == MACOS
    assert desktop(Settings(desktop=False), both | bus, "linux") is None
    assert desktop(Settings(desktop=["mine"]), {}, "linux") == ["mine"]


def test_a_sessions_bus_is_known_by_its_socket_too(tmp_path: Path) -> None:
    environ = {"PATH": programs(tmp_path, "notify-send"), "XDG_RUNTIME_DIR": str(tmp_path)}
    assert desktop(Settings(), environ, "linux") is None
    (tmp_path / "bus").touch()
    assert desktop(Settings(), environ, "linux") == LINUX


def test_placeholders_are_whole_elements() -> None:
    row = job(state="waiting", question="-x <b>{title}</b> & more", waiting_for="question")
    argv = filled(["say", "{title}", "{body}", "{markup}", "{job}", "{name}", "{what}", "a{b"], Notice(1, 0.0, row.id, "waiting"), row)
    assert argv == [
        "say",
        "codex waits: question",
        "-x <b>{title}</b> & more",
        "-x &lt;b&gt;{title}&lt;/b&gt; &amp; more",
        "a1b2c3d4",
        "codex",
        "waiting",
        "a{b",
    ]
