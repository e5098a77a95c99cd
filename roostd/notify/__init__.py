"""Telling a person who looks elsewhere: a desktop notification, a command of theirs, a bell in the terminals that show other jobs.

Nouns: a *notice* is one event worth telling, by the event's number; the *cool-down* says when it is told, or that it need not be; the
*settings* are the person's (`notify` in roost.json); a *teller* is one way of telling.

Flow: store's events -> `notices` (which are worth it) -> `cooldown` (when) -> `notifier` (does it still hold, does nobody look, then its
number made durable) -> `tellers` -> `children`, or the hosts of other jobs.
"""
