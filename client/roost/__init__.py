"""The faces of roost: the command line and a job's terminal shown in another one.

All are clients of the operator protocol and have no back door.

Nouns: a *verb* is one file of `commands`, found and run by `cli`, its options parsed by `parser`. The *daemon* (`connection`) is asked
with requests that survive it: `finding` knows where it listens, `starting` starts one or wakes it, `stream` carries one JSON object a
line. `agents_door` is the one other way in, for `roost report` from inside a job. `attach` lends the person's terminal to a job's host.
`replaying` needs no daemon: it plays a file in a child.

Flow: words -> `cli` -> a verb -> `connection` -> the daemon; and back: an answer -> a pure module that makes words of it (`table`,
`wording`, `evidence`, `history`, `picture`, `cells`, `page`) -> `output`. Whatever a job said passes `printable` on that
way. Every failure becomes one line and an exit code in `cli`.
"""
