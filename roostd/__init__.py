"""The daemon and the PTY host.

A person's tools ask (`server`), the *supervisor* keeps the jobs (`jobs`), each job's terminal lives in a *host* of its own (`host`), a
process that outlives the daemon. Data flows: request -> handler -> supervisor -> spawner -> host; and back: host status -> machine ->
store -> event -> subscribers. What decides is pure (`jobs.machine`, `jobs.recovery`, `host.arbiter`); what does I/O is thin.
`profiles`, `config` and `environment` say how an agent is started; `catalogue` holds the profiles that come with roost.
"""
