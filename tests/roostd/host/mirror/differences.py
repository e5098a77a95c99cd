"""Where libghostty-vt decides otherwise than our own engine, with the reason and what tmux does. All of it: what is not here is alike.

An entry that no longer differs fails the test it stands for.
"""

CURSOR_LINE = (
    "the line with the cursor is wrapped anew like any other (tmux does the same); xterm.js cuts it, because a shell draws it again itself"
)

COVERED = "what a narrower alternate screen cut off is gone when it is wider again, as in tmux; xterm.js shows it"

CLUSTER = "with graphemes (mode 2027) {}; the oracle does not. tmux does not know the mode"

PROTECTED = "{}, which the library does not tell; tmux knows nothing of protection"

KIND = "a colour of another kind than 2 and 5 is passed over alone, and what comes behind it is read; xterm.js passes over all of it"

SHORT = "a colour without all of its numbers is passed over alone, and the numbers it has are read; xterm.js takes 0 for the others"

MANY = "{}: more numbers than libghostty-vt takes, and no program writes them; to look for them in every sequence is dear"

NO_UTF8 = (
    "what is no UTF-8 shows as U+FFFD, as in xterm itself and in kitty; xterm.js drops it. To look for it in all that comes is dear, "
    "where the library has to look anyway"
)

JOINED = (
    "with graphemes (mode 2027) libghostty-vt joins a character with the cell before it also where a sequence, a move or another mode "
    "came between them, and leaves a styled blank behind what VS15 makes narrow: a repaint of a row in which the mode changed between two "
    "such cells may join them; fuzzing does not compare repaints of lives with that mode. tmux does not know the mode"
)

SELECTOR = (
    "with graphemes (mode 2027) libghostty-vt drops a selector for which its character is none or has no room, and two symbols that a ZWJ "
    "joins stay two; the oracle does not know the mode, nor does tmux"
)

# Tests, by their names with parameters.
TESTS = {
    **{
        f"test_no_cell_is_one_that_could_not_be_drawn_again[ghostty-{name}]": SELECTOR
        for name in (
            "a selector in a single column",
            "behind a selector in a single column",
            "half a flag in a single column",
            "a selector behind a sequence",
            "a selector where a wrap is pending",
            "a selector after a resize",
        )
    },
    "test_what_was_drawn_in_two_modes_is_repainted_apart": JOINED,
    "test_narrower_cuts_a_wide_character_whole[ghostty]": CURSOR_LINE,
    "test_long_lines_are_wrapped_anew[ghostty-the cursor's line is cut]": CURSOR_LINE,
    "test_long_lines_are_wrapped_anew[ghostty-no place for a wide one]": (
        "in a single column a wide character leaves one blank, not two (tmux leaves none)"
    ),
    **{
        f"test_the_alternate_screen_covers_what_has_no_room[ghostty-{case}]": COVERED
        for case in (
            *("shown again", "shown in part, the rest is forgotten", "not what is written over it", "text wraps in front of it"),
            *("an erased line keeps it", "characters erased beyond", "inserts move into it", "deletes move out of it"),
            *("a wide character astride", "half of it written over", "half of it erased", "DECALN", "a line scrolled in"),
        )
    },
    "test_what_is_covered_keeps_its_looks[ghostty]": COVERED,
    **{f"test_what_is_inserted_in_the_last_column_moves_what_is_there_out_of_sight[ghostty-{cut}]": COVERED for cut in (1, 9)},
    "test_an_alternate_screen_lower_than_before_keeps_what_scrolls_off_for_a_higher_one[ghostty]": (
        "what scrolls off the alternate screen is gone, as in tmux; xterm.js keeps some where it was resized while not in use"
    ),
    "test_clusters[ghostty-half a flag]": CLUSTER.format("half of a flag takes two columns by itself"),
    "test_clusters[ghostty-thai]": CLUSTER.format("a vowel that takes a column makes its cluster two columns wide"),
    "test_clusters[ghostty-devanagari]": CLUSTER.format("a vowel that takes a column makes its cluster two columns wide"),
    "test_cells_are_repainted_in_the_mode_they_were_drawn_in[ghostty-a selector by itself]": (
        "a selector in a blank cell is dropped, as any mark there; tmux does the same"
    ),
    **{
        f"test_behind_a_wide_character_without_a_place_the_one_two_columns_before_is_repeated[ghostty-{case}]": (
            "behind a wide character that found no place (mode 7 off) it is that which is repeated; what xterm.js repeats is by accident"
        )
        for case in ("narrow", "behind narrow ones")
    },
    "test_a_cluster_that_would_be_wide_in_a_single_column_stays_what_it_was[ghostty]": (
        "in a single column a cluster that becomes wide leaves a blank; tmux does not know the mode"
    ),
    "test_clusters[ghostty-a sequence between]": CLUSTER.format("a selector joins the character before also across a sequence"),
    **{
        f"test_marks_of_a_wide_character_without_a_place_join_the_cell_before[ghostty-a half-{cut}]": (
            "a mark in a blank cell, half of a wide character that was overwritten, is dropped; tmux does the same"
        )
        for cut in (1, 4, 99)
    },
    **{
        f"test_a_cluster_without_a_place_is_lost_whole[ghostty-{cut}]": CLUSTER.format(
            "a joiner behind a character that has no place joins the one before"
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
    **{
        f"test_sgr[ghostty-{params}-{cut}]": reason
        for cut in ("whole", "cut")
        for params, reason in (
            ("no number of a colour", SHORT),
            ("no blue", SHORT),
            ("no red, green and blue", SHORT),
            ("no number of an underline's colour", SHORT),
            ("a kind of colour that is none", KIND),
            ("a kind of background that is none", KIND),
            ("another kind of colour that is none", KIND),
            ("many numbers", MANY.format("an SGR with 25 numbers is ignored")),
        )
    },
    **{
        f"test_the_cursor[ghostty-{place} with three numbers-{cut}]": MANY.format("a place with three numbers is ignored")
        for place in ("a place", "another place")
        for cut in ("whole", "cut")
    },
    **{
        f"test_what_few_programs_write[ghostty-{what}]": reason
        for what, reason in (
            ("a flag", "half of a flag takes two columns, in xterm.js one; in tmux a flag takes two"),
            ("a line separator", "U+2028 takes no column, in xterm.js one; tmux drops it"),
            (
                "a wrap pending at DECSTR",
                "a soft reset ends a pending wrap, as any other move of the cursor does; xterm.js and tmux keep it",
            ),
            ("DECALN in a look", "DECALN draws in the default look, as tmux does; xterm.js draws in the one that is set"),
            (
                "a half written over",
                "the half that is left keeps its look; in xterm.js it takes that of what is written, in tmux the character stays",
            ),
        )
    },
    **{
        f"test_what_is_no_utf8[ghostty-{data}-{cut}]": NO_UTF8
        for data in ("no byte of UTF-8", "a character cut by a sequence", "a longer form than needed", "repeated behind it")
        for cut in ("whole", "cut")
    },
    "test_a_line_that_takes_as_many_rows_keeps_the_colour_erased_behind_its_end[ghostty]": (
        "the first cell behind the end keeps its colour as the others do (tmux keeps none of them)"
    ),
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
