"""The demo: a small scripted terminal agent, to show in a minute what roost is for, and to test it with.

It does what real agents do to their terminal (title, spinner, program status, bracketed paste, a dialog), and calls no model.
Bytes flow: terminal -> `keys` (what was pressed) -> `agent` (what it does about it, with the time as an argument) -> `screen`
(bytes that draw it). All of these are pure; `terminal` and `__main__` do the I/O. Standard library only.
"""
