"""The conformance kit: plays scenarios of the agent protocol against any client, in any language.

A *scenario* is data: steps that a fake *daemon* takes on its socket, and commands that a *driver* (a small program on top of the client
under test) is given on its stdin. A *watch* knows the rules that hold in every scenario; a *broken* rule ends one. The *player* goes
through the steps, over the *edge*, which owns all sockets and pipes; what came of it is a *verdict*. `scenario`, `patterns`, `watch` and
`daemon` do no I/O.
docs/conformance.md has the driver's contract.
"""
