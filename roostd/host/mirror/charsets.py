"""What a G0 to G3 character set makes of the characters from U+0020 to U+007E: DEC's graphics and the national sets of the VT220."""

Translation = dict[int, str]


def _translation(characters: str, become: str) -> Translation:
    return {ord(character): other for character, other in zip(characters, become, strict=True)}


_FINNISH = _translation("[\\]^`{|}~", "ÄÖÅÜéäöåü")
_NORWEGIAN = _translation("@[\\]^`{|}~", "ÄÆØÅÜäæøåü")
_SWEDISH = _translation("@[\\]^`{|}~", "ÉÄÖÅÜéäöåü")

# By the final character of their designation; every other one is ASCII.
TRANSLATIONS: dict[str, Translation] = {
    "0": _translation("`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"),
    "A": _translation("#", "£"),
    "4": _translation("#@[\\]{|}~", "£¾ĳ½|¨ƒ¼´"),
    "C": _FINNISH,
    "5": _FINNISH,
    "R": _translation("#@[\\]{|}~", "£à°ç§éùè¨"),
    "Q": _translation("@[\\]^`{|}~", "àâçêîôéùèû"),
    "K": _translation("@[\\]{|}~", "§ÄÖÜäöüß"),
    "Y": _translation("#@[\\]`{|}~", "£§°çéùàòèì"),
    "E": _NORWEGIAN,
    "6": _NORWEGIAN,
    "Z": _translation("#@[\\]{|}", "£§¡Ñ¿°ñç"),
    "H": _SWEDISH,
    "7": _SWEDISH,
    "=": _translation("#@[\\]^_`{|}~", "ùàéçêîèôäöüû"),
}
ASCII = "B"
INTRODUCERS = "()*+-./"


class Charsets:
    """The four designated sets and which of them is shifted in; a value."""

    __slots__ = ("names", "shifted")

    def __init__(self, names: str = ASCII * 4, shifted: int = 0) -> None:
        self.names = names
        self.shifted = shifted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Charsets) and (self.names, self.shifted) == (other.names, other.shifted)

    def __hash__(self) -> int:
        return hash((self.names, self.shifted))

    def designated(self, introducer: str, name: str) -> "Charsets":
        """After `ESC introducer name`."""
        place = {"-": 1, ".": 2, "/": 3}.get(introducer, "()*+".find(introducer))
        known = name if name in TRANSLATIONS else ASCII
        return Charsets(self.names[:place] + known + self.names[place + 1 :], self.shifted)

    def shift(self, place: int) -> "Charsets":
        return Charsets(self.names, place)

    @property
    def translation(self) -> Translation | None:
        return TRANSLATIONS.get(self.names[self.shifted])

    def sequence(self) -> str:
        """What brings a terminal that uses ASCII to these sets; "" if they are ASCII."""
        designated = [f"\x1b{introducer}{name}" for introducer, name in zip("()*+", self.names, strict=True) if name != ASCII]
        return "".join(designated) + ("", "\x0e", "\x1bn", "\x1bo")[self.shifted]


DEFAULT = Charsets()
