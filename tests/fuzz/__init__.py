"""Fuzzing the mirror: any bytes, cut anywhere, with new sizes in between.

A *round* is one random terminal life (`lives`: steps of bytes and sizes). It is led twice, in two chunkings, and `round` says what must
hold then: nothing raises, both are the same in all that can be seen and heard, the screen is valid, and a repainted terminal is the same.
`bombs` are streams that try to fill memory. `__main__` runs rounds for so many seconds.
"""
