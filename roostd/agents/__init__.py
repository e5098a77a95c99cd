"""The agents that can be run, looked at without running them: which there are, what is wrong with one, how it reads a recording.

Flow: roost.json and the catalogue -> `listing`; a profile -> `checking` (findings); a profile and a recording -> `firing` (which pattern
matched from when to when). `__main__` prints one JSON object a line, for faces that run it as a child; no daemon is needed.
"""
