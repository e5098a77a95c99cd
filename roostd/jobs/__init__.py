"""Jobs, as the daemon keeps them.

`record` is what is kept of one, `machine` the one table of what its state can become, `changes` how a record follows what is heard,
`recovery` the plan of what a new daemon does with what it finds: all pure. `store` is where `writes` become durable, `board` all jobs as
they are now. `starting` and `launching` make a job run (through the `spawner`), `following` hears its host (through a `hostlink`),
`replies` and `reaching` speak to it, `probe` looks into its directory. `supervisor` holds them together; `operations` carries a changing
request out once, whoever stops listening.

A request goes: handler -> supervisor or launcher -> board -> store. News goes: host -> following -> changes -> board -> store -> events.
"""
