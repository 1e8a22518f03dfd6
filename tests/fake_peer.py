"""A peer that keeps statements in a file, through the real protocol; FAKE_PEER makes it leak, forget or fail."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "eval" / "peers"))

from wire import Cannot, serve

MODE = os.environ.get("FAKE_PEER", "good")


class Fake:
    def __init__(self) -> None:
        self.file = Path()
        self.waiting: list[str] = []

    def about(self) -> dict[str, str]:
        print("a peer that chats on its standard output")
        return {"name": "fake", "version": "1", "setup": MODE}

    def open(self, folder: Path, dsn: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "said.txt"
        self.file.touch()

    def add(self, user: str, text: str) -> None:
        if MODE == "fails":
            raise RuntimeError("no room")
        if MODE == "slow":
            time.sleep(60)
        line = f"{user}\t{text}\n"
        if MODE == "forgetful":  # acknowledges what it writes down when it is closed
            self.waiting.append(line)
            return
        self.write([line])

    def write(self, lines: list[str]) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.writelines(lines)

    def settle(self) -> None:
        return

    def search(self, user: str, query: str, k: int) -> list[str]:
        lines = [line.split("\t", 1) for line in self.file.read_text(encoding="utf-8").splitlines()]
        own = [text for whose, text in lines if MODE == "leaky" or whose == user]
        words = set(query.lower().strip("?.").split())
        return sorted(own, key=lambda text: -len(words & set(text.lower().strip(".").split())))[:k]

    def listed(self, user: str) -> list[str]:
        if MODE == "unlisted":
            raise Cannot("no list")
        return self.search(user, "", 10_000)

    def close(self) -> None:
        self.write(self.waiting)


if __name__ == "__main__":
    sys.exit(serve(Fake))
