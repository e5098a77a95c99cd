"""How fast and how small roost is, side by side with named peers, in one table: `python -m tests.bench`.

`place` makes the private folders that everything runs in, `peers` starts what roost is compared with, `clocked` times
commands, `viewer` is the terminal that a client draws on, `proc` reads /proc. Each file of `measurements` takes a `Place`
and gives `Row`s; `stats` (pure) says what a row means, `table` (pure) prints rows.
"""
