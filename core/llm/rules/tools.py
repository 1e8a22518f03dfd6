"""Devices and tools: what people use, drive, switch to."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import expiry
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import bare, items, read_value, rx, tidy
from core.llm.rules.scene import Scene, draft, hollow

_BRAND = {
    "laptop": (
        "(?:thinkpad|macbook|dell|xps|chromebook|surface|framework laptop|framework|zenbook|latitude|"
        r"ideapad|imac|mac mini|elitebook|lenovo|hp |asus|acer|tuxedo|system76|laptop|pc\b|desktop|mac\b|"
        "notebook)"
    ),
    "device": (
        "(?:iphone|pixel|fairphone|galaxy|nokia|oneplus|xperia|motorola|moto g|xiaomi|redmi|android "
        "phone|android|smartphone|flip phone)"
    ),
    "operating_system": (
        r"(?:fedora|ubuntu|debian|arch\b|arch linux|mint\b|linux|windows|macos|mac os|nixos|manjaro|"
        "pop!?_?os|opensuse|freebsd|openbsd|centos|alma|rocky|gentoo|elementary|kubuntu|chromeos|sonoma|"
        "ventura|sequoia)"
    ),
    "editor": (
        "(?:neovim|vim|emacs|vs ?code|vscode|visual studio|intellij|pycharm|webstorm|sublime|helix|zed|"
        r"nano|kakoune|notepad\+\+|jetbrains|rider|eclipse|xcode|cursor|atom|kate|doom emacs|rstudio)"
    ),
    "car": (
        "(?:skoda|volvo|toyota|honda|ford|fiat|vw|volkswagen|bmw|audi|tesla|renault|peugeot|citro[eë]n|"
        "nissan|mazda|hyundai|kia|subaru|seat|dacia|opel|vauxhall|mini\b|jeep|land rover|suzuki|mercedes|"
        "lada|saab|car\b|van\b|camper|pickup|truck|hatchback|estate\b)"
    ),
}


_DEVICE = [(slot, re.compile(rf"\b{words}", re.IGNORECASE)) for slot, words in _BRAND.items()]


_GEAR = rx(
    "(?:have already got|have already|have now got|have just got|am on|am using|use|"
    "am now on|have switched to|switched to|moved to|have moved to|switched "
    "over to|run|am running|have got|have bought|have|got|bought|just bought|own|upgraded to|work on|"
    "code in|code on|write (?:everything |code |my code )?in|develop on|type on|drive|drives|ride|"
    "rides|'ve got|"
    "got myself|am getting) (?P<v>.+)"
)


_RUNNING = re.compile(r"\s+(?:running|with|on|and|,)\s+", re.IGNORECASE)


_USES = rx(
    "(?:use|am using|have been using|have switched to|switched to|swapped to|moved over to|am now "
    "using|started using|have started using|pay with|bank with|shop at|subscribe to|track "
    r"(?:everything|my \w+) (?:in|with)|(?:take|write|keep) (?:all )?(?:my )?(?:notes|todos|to-dos|"
    "tasks|drafts) (?:in|with|on)|write in) (?P<v>.+)"
)


_PURPOSE = re.compile(r"\s+(?:for|as|to|when|at work|at home|instead|from|because|every|on)\b.*$", re.IGNORECASE)


_FROM_TO_TOOL = rx(
    "(?:have |has )?(?:switched|moved|migrated|changed|swapped)(?: over)? from (?:an? |the |my "
    r")?(?P<x>[\w .+#'-]{2,40}?) to (?:an? |the )?(?P<v>(?!the \w+ of)[^,;.]{2,50})"
)


_BORROW = rx(
    "(?:am |are )?(?:borrowing|renting|driving|using) (?P<v>.+?(?:car|van|bike|truck|motorbike|"
    r"scooter|minibus))\b"
)


_TIME_TAIL = re.compile(r"\s+(?:last|this|next|yesterday|since|in \d{4}|for (?:years|ages|\d+)).*$", re.IGNORECASE)
_KEEPS = re.compile(r"(?:drive|drives|own|bought|have|got|have bought|have got|ride)\b")
_SPOKEN_OF = {"car": "car", "laptop": "laptop", "device": "phone"}


_CLASSED = {**_BRAND, "camera": r"(?:camera|dslr|mirrorless|fujifilm|nikon|canon eos|leica|lumix|gopro|hasselblad)\b"}
_CLASSES = [(slot, re.compile(rf"\b{words}", re.IGNORECASE)) for slot, words in _CLASSED.items()]


def device_slot(words: str) -> str:
    """The slot of a device, system or vehicle, told by its make; "" if its make is unknown."""
    return next((slot for slot, pattern in _CLASSES if pattern.search(words)), "")


def read_borrowed(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "I'm borrowing Emeka's van": a vehicle for a time."""
    found = _BORROW.match(clause.predicate)
    if not found or not clause.predicate.startswith(("am borrowing", "are borrowing", "borrowing")):
        return []
    return [
        replace(draft(clause, "temporary_vehicle", found["v"], scene), expires_at=expiry(clause.sentence, scene.now))
    ]


def read_gear(clause: Clause, scene: Scene) -> list[Draft]:
    """Laptops, phones, systems, editors and vehicles, told apart by their makes."""
    found = _GEAR.match(clause.predicate)
    if not found:
        return []
    out: list[Draft] = []
    words = read_value(found["v"], soft=True) + (
        "" if "," not in clause.predicate else clause.predicate[clause.predicate.index(",") :]
    )
    for part in _RUNNING.split(words):
        piece = tidy(_TIME_TAIL.sub("", read_value(part)))
        for slot, pattern in _DEVICE:
            if not pattern.search(piece) or len(piece.split()) > 7:  # noqa: PLR2004 (a longer piece is a story about the device)
                continue
            if slot == "car" and not _KEEPS.match(clause.predicate):
                continue
            if not any(one.attribute == slot for one in out):
                out.append(draft(clause, slot, bare(piece), scene))
            break
    if not out and (drive := re.match(r"(?:drive|ride)s? (?P<v>(?:an? |my |our ).+)", clause.predicate, re.IGNORECASE)):
        out.append(draft(clause, "vehicle", bare(read_value(drive["v"])), scene))
    for one in out:
        if noun := _SPOKEN_OF.get(one.attribute):
            scene.discourse.see(Entity(noun, f"Your {noun}", person=False))
    return out


def read_switch(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "switched from X to Y": Y takes the slot that X had."""
    found = _FROM_TO_TOOL.match(clause.predicate)
    if not found or (
        re.match(r"moved", clause.predicate)
        and not any(found["x"].casefold() in one.value.casefold() for one in scene.known)
    ):
        return []
    old = next(
        (one for one in scene.known if found["x"].casefold() in one.value.casefold() and one.attribute != "event"), None
    )
    attribute = old.attribute if old else "uses"
    out = [draft(clause, attribute, bare(read_value(found["v"])), scene, subject=old.subject if old else "user")]
    return out + ([draft(clause, attribute, old.value, scene, subject=old.subject, retracts=True)] if old else [])


def read_uses(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "I use X for notes and Y for tasks"."""
    found = _USES.match(clause.predicate)
    if not found:
        return []
    words = read_value(found["v"], soft=True)
    if re.match(r"(?:it|that|this|to|them|you)\b", words, re.IGNORECASE):
        return []
    extra = re.search(r",\s*((?:version |v)\s?\d[\w.]*)", clause.predicate, re.IGNORECASE)
    pieces = [_PURPOSE.sub("", piece) for piece in items(words)]
    parts = pieces if not extra else [f"{bare(_PURPOSE.sub('', words))} {extra[1]}"]
    return [draft(clause, "uses", bare(part), scene) for part in parts if part and not hollow(part)]
