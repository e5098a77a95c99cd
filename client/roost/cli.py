"""The `roost` command."""


def main() -> int:
    return 0
