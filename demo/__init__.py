"""A demonstration: a throw-away installation with some months of made-up history, served on loopback (`make demo`).

`story.toml` is what happens, `story.py` reads it, `teller.py` makes it happen through the real desks, `report.py`
counts what came of it.
"""
