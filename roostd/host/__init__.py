"""The PTY host: one small process per job, forked from the preloaded `spawner`, that outlives daemon and terminals.

Bytes flow: `pty` -> `relay` (attached terminals first) and `mirror` (what the terminal shows and hears) -> `observer`: `signals`
(evidence at hand) -> `arbiter` (state) -> `statuses` -> `link` (numbered, to the daemon). The other way go keys (`relay`) and replies
(`typist`, by `typing` and `keys`). `host` wires it all, `loop` owns the descriptors, `reception` lets people in, `ending` sees the job
off, `record` and `rawlog` write what is left on disk.

How a host comes to be: `spawner` -> `spawning` (forks, reaps, ends `orphans`) -> `main` (lock, record, socket) -> `child` (the
job's process).
Pure: `signals`, `settling`, `program_status`, `arbiter`, `observer`, `typing`, `keys`, `outcomes`, `orphans`, `rows`, `screenshot`,
`timers`, the mirror. `replay` plays recordings to a mirror, apart from all this.
No asyncio in here: a host is cheap.
"""
