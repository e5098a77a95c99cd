"""The mirror: what a job's terminal shows, known without a terminal.

Nouns: a *mirror* (`interface.Mirror`) is fed the bytes a program writes and can tell its *rows*, *cursor*, *modes* and
*title*, and *repaint* another terminal to look the same. What the program said on the way are *events* (`events`), what
it asked is answered by *replies* (`replies`).

Flow: bytes -> `flood` (what only scrolls by is kept back, and drawn when somebody looks) -> `stream.Stream` (whole texts
and sequences on a short way, all else through `parser.Parser`) -> `terminal.Terminal` (what each of them means) ->
`screen.Screen` (pyte's, extended by `grid.Grid`: every `row.Row` has cells, laid out by `width`, and their `style.Style`,
goes to `history.History` when it scrolls off and is wrapped anew by `reflow`), `modes`, `keyboard`, `charsets`, `colours`,
`osc` and `replies` -> `repaint`. `pyte_mirror.PyteMirror` is the whole behind the interface. `queries.QueryFilter` keeps
what the mirror answers from the terminals attached to the job.

Nothing here does I/O, knows the time, or raises for any input.
"""
