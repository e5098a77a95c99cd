"""The wire: every message that crosses a process boundary, once.

Nouns: a *job* is one agent in one terminal (`jobs`), its *state* is one of nine words (`states`). A person's tools speak the
*operator* protocol to the daemon (`operator`), an agent speaks the *agent* protocol for its one job (`agent`), the daemon
and the PTY host speak the *host* protocol (`host`). All of it travels as one JSON object a line (`frame`); an attached
terminal's bytes travel in counted frames behind one such line. `errors` holds the coded refusals, `delivery` the rules of
numbering and acknowledging, `paths` where things lie, `text` what may be shown to a terminal.

Values only: no I/O and no clock in here. `states`, `errors`, `paths` and `text` need the standard library alone, so that
`roost ls` starts fast.
"""
