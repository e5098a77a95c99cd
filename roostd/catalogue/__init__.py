"""The agents that come with roost: one profile a file, in the schema of a person's own; `load` reads them."""
