"""What a terminal was sent, played again: the mirror at work on a file, without a host, a job or a daemon.

Nouns: a *recording* is what a file holds, as steps (output, input, a new size) and the size it begins with; it is an asciicast, JSON
lines as we record them, or the bare bytes. A *replay* feeds the steps to a mirror and keeps the replies.

Flow: a file -> `recording` -> `play` (mirror, replies) -> `screenshot` (as a host answers) -> one JSON object on stdout (`__main__`,
which faces run as a child).
"""
