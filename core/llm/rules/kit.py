"""Gear in a few words: "running X on a Y with Z", "I shoot with a K", "picked up a used M", "already got an N one"."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Entity
from core.llm.rules.draft import Draft
from core.llm.rules.nouns import OWN
from core.llm.rules.phrases import bare, rx
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.tools import device_slot

_SETUP = rx(
    r"^(?:(?:i'm|im|i am|we're|currently|i|we|now|mostly) ){0,4}(?:running|run|using|use|on|"
    r"rocking|daily driving|daily-driving|coding on|coding in|"
    r"developing on|working on|typing on|writing in|(?:my |our )(?:setup|stack|rig|toolchain|"
    r"toolbox|gear|kit)(?: is|:| =)) (?P<v>(?:an? |my |the |old )*(?:[\w.+#-]+ ?){1,6}.*)$"
)
_PART = re.compile(
    r"\s+(?:on|with|w/|under|plus|and|in|via|running)\s+(?:an? |my |the )?|\s*[,+]\s*(?:(?:with|and|plus|on) )?",
    re.IGNORECASE,
)
_PROPER = re.compile(r"^(?:an? |my |the )?(?:[A-Z][\w.+#-]*|[\w.+#-]+ v?\d[\w.]*)(?: [\w.+#-]+){0,3}$")
_NOT_TOOL = rx(
    r"^(?:\d|it|that|this|them|holiday|vacation|leave|call|time|monday|sunday|nights?|days|"
    r"purpose|weekends?|behalf|track|board|hold)\b"
)


def read_setup(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "running Fedora 41 on a ThinkPad X1, neovim, zsh", "using Godot 4.3 on a Framework w/ Fedora"."""
    found = _SETUP.match(piece.rest)
    if not found:
        return []
    words = re.split(r"[.;!?](?=\s|$)|\s(?:so|but|because|which|when|if|for)\s|\band (?:it|i|my|the)\b", found["v"])[0]
    parts = [part for part in (bare(one) for one in _PART.split(words)) if part]
    if not parts or _NOT_TOOL.match(parts[0]):
        return []
    slots = [device_slot(part) for part in parts]
    if not any(slots) or not (slots[0] or _PROPER.match(parts[0])):
        return []
    out: list[Draft] = []
    listed = len(parts) > 2  # noqa: PLR2004 (a row of names is a setup; two may be one name)
    until = piece.start + found.start("v") + len(words)
    for part, slot in zip(parts, slots, strict=True):
        if len(part.split()) > 5 or (slot == "car" and not re.match(r"(?:driving|drive)", piece.text)):  # noqa: PLR2004 (longer is a story)
            continue
        if slot and not any(one.attribute == slot for one in out):
            out.append(jot(piece, slot, part, scene, statement=f"You use {part}", until=until))
        elif _PROPER.match(part) or (listed and re.fullmatch(r"[\w.+#-]+", part)):
            out.append(jot(piece, "uses", part, scene, statement=f"You use {part}", until=until))
    return out


_CRAFT = rx(
    r"^(?:i|we) (?:mostly |usually |always |mainly |generally )?(?P<a>shoot|film|photograph|"
    r"record|edit|mix|master|print|draw|sketch|paint|model|render|"
    r"animate|sew|knit|weave|code|program|game|stream|host|deploy|store|back up|compose|"
    r"produce|track my \w+|plan my \w+|budget|bank|invoice|journal|design|layout|typeset|read)"
    r"(?: (?:photos|videos?|our \w+|everything|stuff|music|audio|mostly|mainly|them|"
    r"it all))*(?: (?:with|on|in|using))+ (?P<v>.+)$"
)
_CUT = re.compile(r"\s+on (?:an?|my|the) .*$|\s+(?:because|since|as|so|but|when|for|and|at)\b.*$", re.IGNORECASE)
_LENS = rx(
    r"^(?:(?:mostly|mainly|usually|always|also) )?(?:with |on )?(?:the |my |a |"
    r"an )?(?P<v>[\w-]* ?\d{1,3}(?:-\d{1,3})?mm\b[^,;]*)$"
)


def read_craft(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "I shoot with a K, mostly the 35mm", "I edit in D"."""
    shoots = [*(one.attribute for one in scene.drafts), *(one.attribute for one in scene.known)]
    if (lens := _LENS.match(piece.text)) and "camera" in shoots:
        return [jot(piece, "lens", lens["v"], scene, statement=f"Your lens is {lens['v']}")]
    found = _CRAFT.match(piece.text)
    if not found:
        return []
    value = bare(_CUT.sub("", found["v"]))
    if (
        not value
        or _NOT_TOOL.match(value)
        or re.match(r"(?:the|my|your|a) (?:morning|evening|bed|train|bath)", found["v"], re.IGNORECASE)
    ):
        return []
    camera = re.match(r"shoot|film|photograph", found["a"], re.IGNORECASE)
    if not camera and not re.search(r"[A-Z]|\d", value) and not device_slot(value):
        return []
    return [jot(piece, "camera" if camera else device_slot(value) or "uses", value, scene)]


_GOT = rx(
    r"^(?:(?:i|we|i've|ive|we've|i have|we have|i'd|already|just|now|finally|actually|recently|also) ){0,4}"
    r"(?P<k>picked up|bought(?: myself)?|got(?: myself| us| me)?|treated myself to|"
    r"upgraded to|replaced it with|traded it(?: in)? for|swapped it for|"
    r"inherited|went and bought|ended up (?:getting|buying|with)|splashed out on) "
    r"(?P<v>(?:an? |my first |two |three )(?P<n>(?:brand )?(?:new |used |second-?hand |"
    r"refurbished |refurb |old |cheap |vintage )?.{2,60}?))"
    r"(?P<t> (?:this|last|over the|on|at|for|from|off|yesterday|today|finally|instead|now|"
    r"anyway|too|as well|already|in)\b.*)?$"
)
_NEWISH = rx(r"^(?:an? )?(?:brand[- ]new|new|used|second-?hand|refurb(?:ished)?|vintage)\b")
_NOT_GEAR = rx(
    r"\b(?:coffee|drink|cold|question|call|message|email|job|feeling|lot|bit|few|break|chance|"
    r"ticket|tickets|taxi|text|reply|haircut|raise|"
    r"promotion|offer|appointment|puncture|fine|letter|discount|virus|headache|meal|pizza|"
    r"sandwich|beer|couple|error|bug|warning|minute|"
    r"room|table|idea|problem|dog|cat|puppy|kitten|brother|sister|son|daughter|baby|degree|"
    r"meeting|deadline|exam|interview|flight|place|"
    r"house|flat|cake|present|gift|loaf|bottle|deal|hour|day|week|allergy|intolerance|phobia)s?\b"
)
_RIGHTLY = re.compile(r"^(?:an? )?(?P<b>[A-Z][\w-]*(?: [\w-]+)?) one$")


def read_acquired(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "picked up a used estate this weekend, dark green", "I've already got a Brand one"."""
    found = _GOT.match(piece.text)
    if not found:
        return []
    value = bare(re.sub(r"^(?:an? |my first )", "", found["v"], flags=re.IGNORECASE))
    slot = device_slot(value)
    one = _RIGHTLY.match(found["v"].strip())
    plain_got = found["k"].lower() == "got"
    if not slot and (_NOT_GEAR.search(value) or (plain_got and not _NEWISH.match(found["v"]) and not one)):
        return []
    if one:
        slot = ""
        spoken = [turn.text for turn in scene.recent if turn.role == "user"]
        noun = next((hit[1] for text in reversed(spoken) if (hit := _TALKED.search(text))), "")
        value = f"{one['b']} {noun}".strip()
    if slot:
        scene.discourse.see(Entity(slot if slot != "device" else "phone", "It", person=False))
    more = piece.rest[len(piece.text) :]
    colour = re.match(
        r",\s*(?:in )?((?:(?:dark|light|bright|pale|navy|metallic) )?(?:red|green|blue|black|"
        r"white|gr[ea]y|silver|yellow|orange|brown|beige|purple|pink|gold))\b",
        more,
    )
    shown = f"{value}, {colour[1]}" if colour else value
    until = piece.start + len(piece.text) + (colour.end() if colour else 0)
    said = f"You got {found['v'].strip()}{', ' + colour[1] if colour else ''}"
    return [replace(jot(piece, slot or "owns", shown, scene, statement=said, until=until), expires_at=None)]


_OWNED = rx(
    r"^(?:(?:i|we|i've|we've|just|also|only|already) )+(?:have|have got|got|own|"
    r"got hold of) (?P<v>(?:an? |two |three )(?:old |new |small |big |little |"
    r"trusty )?(?P<b>(?-i:[A-Z])[\w-]+) [^,;.]{2,60})$"
)
_FOLK = re.compile(r"(?:ish|ese|ian|ean|can|ench|man|tch|eek|day|mas|ary|ber|uly|une|ril)$")
_NOT_OWNED = rx(
    r"\b(?:exam|lesson|class|course|friend|wife|husband|partner|boss|teacher|client|accent|"
    r"passport|visa|degree|phd|background|subscription|account|licen[cs]e|"
    r"membership|test|call|project|question|interview|appointment|session|party|flat|house|"
    r"allergy|grandmother|grandfather|mother|father|problem|issue|error)s?\b"
)


def read_owned_things(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "we have a Bosch dishwasher", "I have an old Nikon D3200 and a Godox flash"."""
    found = _OWNED.match(piece.text)
    if not found or _NOT_OWNED.search(found["v"]) or _NOT_GEAR.search(found["v"]):
        return []
    if _FOLK.search(found["b"]) and not re.search(r"\d", found["v"]):
        return []
    parts = [
        bare(part)
        for part in re.split(r" and (?:an? )", re.sub(r"\s+(?:for|at|in|that|which|from|since)\b.*$", "", found["v"]))
    ]
    return [jot(piece, device_slot(part) or "owns", part, scene) for part in parts if part]


_CHANGED = rx(
    r"^(?:(?:i|we|i've|we've|have|just|finally) ){0,4}(?:changed|replaced|upgraded|swapped|"
    r"switched) (?:my|our|the) (?P<n>[a-z]+(?: [a-z]+)?)(?:,| -|:| to|"
    r" for)? (?:and )?(?:now )?(?:it's|its|it is|i have|i've got|now) (?:an? |"
    r"the )?(?P<v>[^,;.]{2,50})"
)
_SWAPPED = rx(
    r"^(?:(?:i|we|i've|we've|have|just|finally) ){0,4}(?:swapped|traded(?: in)?|exchanged|"
    r"replaced|ditched|switched) (?:the|my|our) (?:old )?(?P<x>[^,;.]{2,40}?) (?:for|with|"
    r"to) (?:an? |the |my )(?P<v>[^,;.]{2,50})$"
)
_DRIVER = rx(
    r"^(?:my |our )?(?:daily driver|main machine|work machine|main rig|ride|workhorse|"
    r"(?:(?:the|our|my) )?(?:car|van|phone|laptop|computer|pc|tablet|camera|truck))(?:'s|"
    r" is|:| =) (?:an? )?(?P<v>[^,;.]{2,50})$"
)


_UPGRADED = rx(
    r"^(?:(?:i|we|i've|we've|have|just|finally) ){0,3}(?:upgraded|switched|moved|went|changed|"
    r"migrated) from (?:an? |my |the )?[^,;]{2,40}? to (?:an? |the )?(?P<v>[^,;.]{2,50})$"
)
_ARRIVED = rx(
    r"^(?:my|our|the) new [a-z]+(?: finally| just| has| have)* (?:arrived|came|is here|"
    r"turned up|got delivered)[,:]? (?:it's )?(?:an? )?(?P<v>[^,;.]{2,50})"
)


def read_replaced(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "I've changed my phone, now it's an N", "swapped the old estate for a van", "daily driver is an N"."""
    if driver := _DRIVER.match(piece.text):
        return [jot(piece, slot, driver["v"], scene)] if (slot := device_slot(driver["v"])) else []
    if changed := _CHANGED.match(piece.rest):
        slot = OWN.get(changed["n"].lower()) or device_slot(changed["v"])
        until = piece.start + changed.end()
        return (
            [
                jot(
                    piece,
                    slot,
                    changed["v"],
                    scene,
                    statement=f"Your {changed['n']} is now a {changed['v']}",
                    until=until,
                )
            ]
            if slot
            else []
        )
    fresh = _UPGRADED.match(piece.text) or _ARRIVED.match(piece.rest)
    if fresh and (slot := device_slot(fresh["v"])):
        said = f"You now have a {bare(fresh['v'])}"
        return [jot(piece, slot, bare(fresh["v"]), scene, statement=said, until=piece.start + fresh.end())]
    found = _SWAPPED.match(piece.text)
    if not found:
        return []
    old = next(
        (one for one in scene.known if one.attribute != "event" and found["x"].casefold() in one.value.casefold()), None
    )
    slot = old.attribute if old else device_slot(found["v"]) or OWN.get(found["x"].lower(), "")
    out = [jot(piece, slot, bare(found["v"]), scene)] if slot else []
    return out + ([jot(piece, slot, old.value, scene, subject=old.subject, retracts=True)] if old else [])


_TALKED = re.compile(r"\b(?:the|a|an|this|that) [A-Z][\w-]* ([a-z][\w-]*)")


_NO_MORE = rx(
    r"^(?:please |pls |so |and |but )*no (?:more )?(?P<v>[\w+#/-]+(?: "
    r"[\w+#/-]+){0,2}? (?:suggestions?|recommendations?|recs|advice|jokes|links|tips|recipes|"
    r"ideas|puns|talk|references|examples))(?: please| pls| thanks| for me)*$"
)


def read_unwanted(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "please no vscode suggestions": what answers should leave out."""
    found = _NO_MORE.match(piece.text)
    if not found:
        return []
    return [
        jot(
            piece,
            "response_preference",
            f"no {found['v']}",
            scene,
            statement=f"You asked for no {found['v']}",
            until=piece.whole.end,
        )
    ]
