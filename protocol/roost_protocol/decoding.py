"""What decoding a peer's line may raise: a value outside the schema, bytes that are no UTF-8, more brackets than Python has stack."""

from __future__ import annotations

from typing import Final

import msgspec

MALFORMED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""To be caught wherever bytes come from outside; each has a message of one line."""
