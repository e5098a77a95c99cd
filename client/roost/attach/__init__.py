"""A job's terminal shown in this one.

`keys` (pure) finds the detach key, `terminal` takes and gives back the person's terminal, `loop` moves bytes.
"""
