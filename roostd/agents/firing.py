"""Which of a profile's patterns matched in a recording, from when to when: replayed as a host would have looked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from roost_protocol.host import Detection, Pattern
from roost_protocol.states import State
from roostd.host.mirror import engines
from roostd.host.mirror.events import Event, Title
from roostd.host.mirror.interface import Mirror
from roostd.host.observer import Observer
from roostd.host.patterns import Match, compile_detection
from roostd.host.replay.observed import Observed
from roostd.host.replay.recording import Recording
from roostd.host.signals import Signals
from roostd.profiles import Profile, as_list
from roostd.profiles import detection as detection_of

STATES: Final[tuple[State, ...]] = ("waiting", "working", "idle")


class Firing(NamedTuple):
    """A pattern was the first to match from `t` until `until` (seconds after the beginning); `detail` is what it found first."""

    t: float
    until: float
    state: State
    region: str
    pattern: str
    detail: str


class _Single:
    """One pattern of a profile, by itself."""

    def __init__(self, state: State, pattern: Pattern) -> None:
        self.state = state
        self.pattern = pattern
        by_state: dict[str, list[str | Pattern]] = {state: [pattern]}
        alone = Detection(waiting=by_state.get("waiting", []), working=by_state.get("working", []), idle=by_state.get("idle", []))
        self._signals = Signals(compile_detection(alone), 0.0)

    def says(self, match: Match, rows: list[str], title: str, now: float) -> bool:
        """Whether it is the one that made this match."""
        if self.pattern.region == "title":
            self._signals.hear([Title(title)], now)
            found = self._signals.title_match
        else:
            self._signals.look(rows, 0, now, busy=False)
            found = self._signals.match
        return found is not None and self.state == match.state and (found.detail == match.detail or self.pattern.region == "title")


class _Watched(Observer):
    """The observer of a replay, which tells each look and each title on."""

    def __init__(self, detection: Detection, watches: Iterable[_Watch]) -> None:
        super().__init__(detection, 0.0)
        self.rows = []
        self._watches = tuple(watches)
        self._heard = ""

    def hear(self, events: Iterable[Event], now: float) -> bool:
        told = False
        for event in events:
            told |= super().hear([event], now)
            if isinstance(event, Title):
                self._heard = event.text
                self._tell(now)
        return told

    def look(self, mirror: Mirror, now: float) -> None:
        super().look(mirror, now)
        self._tell(now)

    def _tell(self, now: float) -> None:
        for watch in self._watches:
            match = self.signals.match if watch.region == "screen" else self.signals.title_match
            watch.look(match, self.rows if watch.region == "screen" else [], self._heard, now)


def fired(recording: Recording, profile: Profile, size: tuple[int, int] | None = None) -> tuple[list[Firing], list[str]]:
    """Each time that a pattern matched, in order, and the patterns that never did. Raises BrokenRecording."""
    cols, rows = size or (recording.cols, recording.rows)
    detection = detection_of(profile)
    watches = [_Watch(region, _singles(profile, region)) for region in ("screen", "title")]
    replay = Observed(detection, cols, rows, (), engines.DEFAULT)
    replay.observer = _Watched(detection, watches)
    last = 0.0
    for step in recording.steps:
        replay.take(step)
        last = step.at
    replay.finish()
    for watch in watches:
        watch.end(last)
    all_fired = sorted(firing for watch in watches for firing in watch.fired)
    matched = {(firing.state, firing.pattern) for firing in all_fired}
    never = [one.pattern.pattern for watch in watches for one in watch.singles if (one.state, one.pattern.pattern) not in matched]
    return all_fired, never


class _Watch:
    """What matches in one region."""

    def __init__(self, region: str, singles: list[_Single]) -> None:
        self.region = region
        self.singles = singles
        self.fired: list[Firing] = []
        self._match: Match | None = None
        self._open: Firing | None = None

    def look(self, match: Match | None, rows: list[str], title: str, now: float) -> None:
        """What matches now, in these rows or this title."""
        if match is self._match:
            return
        self._match = match
        single = None if match is None else next((one for one in self.singles if one.says(match, rows, title, now)), None)
        if match is None or single is None:
            self.end(now)
        elif self._open is None or (self._open.state, self._open.pattern) != (single.state, single.pattern.pattern):
            self.end(now)
            self._open = Firing(round(now, 3), now, single.state, self.region, single.pattern.pattern, match.detail)

    def end(self, now: float) -> None:
        """Nothing matches any more."""
        if self._open is not None:
            self.fired.append(self._open._replace(until=round(max(now, self._open.t), 3)))
            self._open = None


def _singles(profile: Profile, region: str) -> list[_Single]:
    """In the order in which they are searched."""
    given = [(state, item if isinstance(item, Pattern) else Pattern(item)) for state in STATES for item in as_list(getattr(profile, state))]
    given.sort(key=lambda pair: -pair[1].priority)
    return [_Single(state, pattern) for state, pattern in given if pattern.region == region]
