"""Where libghostty-vt decides otherwise than our own engine, with the reason and what tmux does. All of it: what is not here is alike.

An entry that no longer differs fails the test it stands for.
"""

CURSOR_LINE = (
    "the line with the cursor is wrapped anew like any other (tmux does the same); xterm.js cuts it, because a shell draws it again itself"
)

CLUSTER = "with graphemes (mode 2027) {}; the oracle does not. tmux does not know the mode"

PROTECTED = "{}, which the library does not tell; tmux knows nothing of protection"

# Tests, by their names with parameters.
TESTS = {
    "test_narrower_cuts_a_wide_character_whole[ghostty]": CURSOR_LINE,
    "test_long_lines_are_wrapped_anew[ghostty-the cursor's line is cut]": CURSOR_LINE,
    "test_long_lines_are_wrapped_anew[ghostty-no place for a wide one]": (
        "in a single column a wide character leaves one blank, not two (tmux leaves none)"
    ),
    "test_clusters[ghostty-half a flag]": CLUSTER.format("half of a flag takes two columns by itself"),
    "test_clusters[ghostty-thai]": CLUSTER.format("a vowel that takes a column makes its cluster two columns wide"),
    "test_clusters[ghostty-devanagari]": CLUSTER.format("a vowel that takes a column makes its cluster two columns wide"),
    "test_clusters[ghostty-a sequence between]": CLUSTER.format("a selector joins the character before also across a sequence"),
    **{
        f"test_a_wide_character_without_a_place_takes_its_marks_along[ghostty-{cut}]": (
            "marks behind a wide character that has no place without autowrap join the character before; tmux does the same"
        )
        for cut in (1, 4, 99)
    },
    **{
        f"test_how_long_it_lasts[ghostty-{until}]": PROTECTED.format("what protects what is drawn is no part of its look")
        for until in ("DECSC", "DECALN", "SGR 0", "an SGR with 0", "DECSTR")
    },
    **{f"test_what_is_told[ghostty-{on}]": PROTECTED.format("DECRQSS says 0 of protection") for on in "ad"},
    **{
        f"test_a_repaint_protects_the_same[ghostty-{end}-{screen}]": PROTECTED.format("a repaint leaves out what is protected")
        for end in ("on", "off")
        for screen in ("normal", "graphemes", "alternate")
    },
    "test_long_lines_are_wrapped_anew[ghostty-an erased end is a gap]": (
        "erasing the end of a row that goes on in the next one parts the two; tmux and xterm.js keep them one line"
    ),
}

# Cases given with the oracle's answers.
CASES = {
    "pending_wrap_el": (
        "erasing in a line whose last column is written erases that column and ends the pending wrap, as xterm itself does; "
        "tmux and xterm.js keep both"
    ),
}
