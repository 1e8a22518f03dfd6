"""Any OpenAI client gets memory by its address and key alone; the model is the one that the memory is configured with.

export CHRONOMEMORY_URL=http://127.0.0.1:8501 CHRONOMEMORY_KEY=cmk_…   # a key that counts as your own words
python examples/openai_proxy.py "What am I allergic to?"
"""

import os
import sys

from openai import OpenAI

client = OpenAI(base_url=os.environ["CHRONOMEMORY_URL"] + "/v1", api_key=os.environ["CHRONOMEMORY_KEY"])
stream = client.chat.completions.create(
    model=os.environ.get("AGENT_MODEL", "qwen3.6-plus"),
    messages=[
        {"role": "system", "content": "You are a careful assistant."},
        {"role": "user", "content": " ".join(sys.argv[1:])},
    ],
    stream=True,
    user="example",  # the conversation's name: one key is one person, whatever stands here
    extra_headers={"x-chronomemory-when-down": "pass"},  # better an answer without memory than none
)
print(f"memory: {stream.response.headers['x-chronomemory-memory']}")
for event in stream:
    if event.choices:
        print(event.choices[0].delta.content or "", end="", flush=True)
print()
