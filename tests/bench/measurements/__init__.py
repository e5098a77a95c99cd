"""One file a measurement: each has `measure(place, quick) -> list[Row]` and needs nothing from the others."""
