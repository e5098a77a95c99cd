"""A job's terminal shown in this one.

`session` asks the daemon where the job's host is, greets it, and says how it ended. `terminal` takes the person's terminal and gives
it back as it was. `loop` moves bytes: keyboard -> `keys` (pure: finds the detach key) -> host, and host -> screen.
"""
