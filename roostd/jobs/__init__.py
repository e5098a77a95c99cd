"""Jobs: `record` is what is kept of one, `machine` the one table of transitions, `store` where records, events and answers are durable,
`recovery` a pure plan of what a new daemon does with what it finds, `supervisor` the shell that carries it all out."""
