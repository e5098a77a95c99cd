"""A job's token: given in its environment, kept here as its hash alone."""

import hashlib
import hmac
import secrets


def new_token() -> str:
    """256 random bits, as hex."""
    return secrets.token_hex(32)


def hash_token(token: str) -> str:
    """What is kept of a token: its SHA-256, as hex. The token is random, so that no salt is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def matches(token: str, token_hash: str) -> bool:
    """Whether this token has this hash, in a time that does not tell how much of it was right."""
    return hmac.compare_digest(hash_token(token), token_hash)
