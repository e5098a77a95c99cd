"""The oracle: @xterm/headless, asked what a terminal shows after some bytes, and how our mirror's answer differs.

Nouns: a *case* is a size and steps (bytes, or a new size); a *look* is all that is compared after it, in one neutral form; the *oracle*
(`xterm`, a Node process) and a mirror (`looks`) each give one. `streams` makes random cases, `recorded` keeps cases with the oracle's
looks for machines without Node, `__main__` explores and records.
"""
