"""Memory layers side by side: each in a process and a virtual environment of its own, asked the same things."""
