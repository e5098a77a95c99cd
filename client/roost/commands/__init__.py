"""One file a verb: its options, its help with examples, its `run`. The folder is the registry."""
