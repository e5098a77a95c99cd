"""The daemon's doors: `listener` opens them and checks who comes, `session` is one connection of a person's tool, `agents` one of an agent,
`subscriptions` what is sent to those who follow, `handlers` one file a verb."""
