"""An agent with memory. Run it twice: the second time it knows.

export CHRONOMEMORY_URL=http://127.0.0.1:8501 CHRONOMEMORY_KEY=cmk_…   # a key that counts as your own words
python examples/agent_in_20_lines.py "I am allergic to penicillin."
python examples/agent_in_20_lines.py "What am I allergic to?"
"""

import os
import sys

from core.client import Client

with Client(os.environ["CHRONOMEMORY_URL"], os.environ["CHRONOMEMORY_KEY"], when_down="stateless") as memory:
    said = " ".join(sys.argv[1:])
    asked = memory.ask(said)  # before it is put in: a question is not its own answer
    memory.remember(said)
    if not said.endswith("?"):
        print("Noted." if memory.pending == 0 else "The memory is down; I will note it later.")
    elif asked.advice == "ask" or not asked.hits:
        print(f"I am not sure. {asked.reason}")
    else:
        best = asked.hits[0].memory
        print(f"{best.text} (you told me on {best.stated_at:%Y-%m-%d})")
