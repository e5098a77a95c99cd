"""The daemon's entry point."""


def main() -> int:
    return 0
