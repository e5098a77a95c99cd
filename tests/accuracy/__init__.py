"""How often roost is right about what an agent does, on recordings with the truth beside them: `python -m tests.accuracy`.

`data` finds recordings and their truth, every third scenario of each agent *held out* from tuning; `judge` (pure) compares what was
shown with what was true; `rows` replays them with all evidence and with less; `table` (pure) prints.
"""
