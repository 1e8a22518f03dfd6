"""The cases that have a test of their own: their verbs occur once, or they look where no common verb does."""

MEMORY = frozenset(
    [
        "atk-22",
        "con-04",
        "dec-04",
        "ops-01",
        "ops-02",
        "ops-03",
        "ops-04",
        "ops-05",
        "ops-07",
        "ops-09",
        "ops-13",
        "rev-05",
        "rev-07",
        "rev-17",
    ]
)
POISONING = frozenset(["D27", "D29", "D30", "D38", "D39"])
