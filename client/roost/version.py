"""This version of roost: a constant, since asking the installed metadata takes longer than `roost ls`."""

VERSION = "0.1.0"
