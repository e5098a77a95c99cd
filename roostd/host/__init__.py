"""The PTY host: one small process per job, forked from the preloaded `spawner`, that outlives daemon and terminals.

Bytes flow: PTY -> `relay` (attached terminals) and `mirror` (what the terminal shows and hears) -> `signals` (evidence) -> `arbiter`
(state) -> `link` (numbered statuses to the daemon). `typing` and `keys` go the other way. `loop` owns the descriptors; `record`
writes what is left on disk. Pure: `signals`, `settling`, `arbiter`, `typing`, `keys`, the mirror. No asyncio in here: a host is cheap.
"""
