"""`event.subscribe`: events from a number on, read from the store, so that a slow reader costs nothing and misses nothing."""

from typing import Final

from roost_protocol.operator import EventSubscribe
from roostd.server.call import Call

PARAMS = EventSubscribe

CHUNK: Final = 200


async def handle(call: Call) -> dict[str, str]:
    params: EventSubscribe = call.params
    store = call.supervisor.board.store
    since = params.since
    if since is None:
        since = store.last_seq if params.follow else store.first_kept()
    while True:
        more = store.next_append()
        events = store.events(since, CHUNK)
        for event in events:
            await call.item(event)
            since = event.seq
        if not events:
            if not params.follow:
                return {}
            await more.wait()
