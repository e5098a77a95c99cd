"""What every test may use: nothing in here knows a part of roost.

`waiting` waits for a condition (the only place that sleeps), `home` gives a test its own folders and environment,
`needs` skips what the machine cannot do, `terminal` runs a program in a real terminal, `processes` and `leftovers` see
what a test left behind.
"""
