"""Rounds of `reply --wait` against an agent that takes random times: none may end early, none may hang."""
