"""Where libghostty-vt decides otherwise than our own engine, with the reason and what tmux does. All of it: what is not here is alike.

An entry that no longer differs fails the test it stands for.
"""

CURSOR_LINE = (
    "the line with the cursor is wrapped anew like any other (tmux does the same); xterm.js cuts it, because a shell draws it again itself"
)

# Tests, by their names with parameters.
TESTS = {
    "test_narrower_cuts_a_wide_character_whole[ghostty]": CURSOR_LINE,
    "test_long_lines_are_wrapped_anew[ghostty-the cursor's line is cut]": CURSOR_LINE,
    "test_long_lines_are_wrapped_anew[ghostty-no place for a wide one]": (
        "in a single column a wide character leaves one blank, not two (tmux leaves none: it has no room for it)"
    ),
}

# Cases given with the oracle's answers.
CASES = {
    "pending_wrap_el": (
        "erasing in a line whose last column is written erases that column and ends the pending wrap, as xterm itself does; "
        "tmux and xterm.js keep both"
    ),
}
