"""Small agents that run inside jobs, for tests; each is a program of its own and needs the standard library alone."""
