"""The faces of roost: the command line (`cli`, `commands`, one file a verb), a terminal shown in another one (`attach`).

All are clients of the operator protocol (`connection`) and have no back door.
"""
