from roostd.server.registry import load

VERBS = {
    "daemon.status",
    "daemon.stop",
    "event.subscribe",
    "job.again",
    "job.attach",
    "job.explain",
    "job.get",
    "job.keys",
    "job.list",
    "job.remove",
    "job.rename",
    "job.reply",
    "job.resume",
    "job.run",
    "job.screen",
    "job.stop",
    "job.wait",
    "job.watch",
}


def test_the_folder_is_the_registry() -> None:
    handlers = load()
    assert set(handlers) == VERBS
    assert [verb for verb, handler in handlers.items() if handler.own_deadline] == ["job.reply"]
