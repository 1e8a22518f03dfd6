"""Two people, two keys: neither sees the other, nor learns that anything is there.

export CHRONOMEMORY_URL=http://127.0.0.1:8501 ADAS_KEY=cmk_… BENS_KEY=cmk_…   # each made by its own person
python examples/two_users.py
"""

import os

from core.client import Client, NotFound

url = os.environ["CHRONOMEMORY_URL"]
with Client(url, os.environ["ADAS_KEY"]) as ada, Client(url, os.environ["BENS_KEY"]) as ben:
    stored = ada.remember("My sister's name is Rita.", wait=30)
    ben.remember("My sister's name is Olga.", wait=30)
    question = "What is my sister's name?"
    print("Ada's agent:", *ada.recall(question, k=1).texts)
    print("Ben's agent:", *ben.recall(question, k=1).texts)
    for memory_id in stored.memories[:1]:
        try:
            ben.why(memory_id)
        except NotFound as nothing:
            print("Ben's agent about Ada's memory:", nothing)
    unknown = ben.ancestry(stored.memories[:1])
    print("Ben's agent may act on it:", "no" if unknown.outside else "yes")
