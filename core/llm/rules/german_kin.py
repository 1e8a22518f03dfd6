"""German words for people and pets, and what is said of them; first person turned into second."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

from typing import Any

from core.llm.rules.folding import folded as _c
from core.llm.rules.phrases import PERSON, by_word

_ADJECTIVE = r"(?:beste[rn]? |kleine[rn]? |große[rn]? |ältere[rn]? |jüngere[rn]? |neue[rn]? )?"
_LOW = r"[a-zß]{2,}"


GERMAN_KIN: dict[str, Any] = {
    "own": {
        **dict.fromkeys(("meine", "meiner", "eine", "ne"), "deine"),
        **dict.fromkeys(("mein", "meinem", "meinen", "einen", "ein", "nen"), "dein"),
        "unser": "euer",
        "unsere": "eure",
        "unseren": "euren",
    },
    "relation": (
        _c(
            rf"\b(?P<own>meine?[rmn]?|unsere?[rmn]?) {_ADJECTIVE}(?P<rel>[a-zß]+),? (?:die |der |das )?(?:heißt|heisst|namens|genannt) (?:jetzt |nun |übrigens )?(?P<name>{PERSON}|{_LOW})"
        ),
        _c(rf"\b(?P<own>meine?[rmn]?|unsere?[rmn]?) {_ADJECTIVE}(?P<rel>[a-zß]+)(?:,| ist)? (?P<name>{PERSON})"),
        _c(
            rf"\b(?:habe?|haben|hab ich) (?:auch |noch |jetzt |nun |seit [a-z]+ )*(?P<own>einen|eine|ein|ne|nen) {_ADJECTIVE}(?P<rel>[a-zß]+),? (?:namens |die |der |das |er |sie )?(?:heißt |heisst |mit namen )?(?P<name>{PERSON})"
        ),
    ),
    "relation_says": "{own} {rel} heißt {v}.",
    "brood": _c(
        r"(?:(?:\b(?:habe?|haben|hab ich|bin (?:mutter|vater|mama|papa) von|und)|,) (?P<num>(?P<count>\d+|zwei|drei|vier|fünf|sechs|eine?n?))|\b(?:meine|unsere)) (?P<rel>[a-zß]+)"
    ),
    "brood_item": _c(
        rf"(?:\s*[,:(]|,? und | namens | heißen )\s*(?P<name>{PERSON})(?:,? \(?(?P<v>\d{{1,2}}(?: jahre)?)\)?)?(?=[,;.)( ]|$)"
    ),
    "brood_says": "Du hast {v} ({rel}).",
    "brood_counts": "Du hast {v}.",
    "age_says": "{x} ist {v}.",
    "head": rf"\b(?P<own>meine?[rmn]?|unsere?[rmn]?) {_ADJECTIVE}(?P<rel>[a-zß]+),?(?: (?P<nm>{PERSON}),?)?(?: \(\d+[^)]*\))? ",
    "pronoun": r"\b(?:sie|er|es) ",
    "joint": r"\b(?:und|die|der|das) |, ",
    "said_of": (
        (
            "age",
            r"(?:ist|wird) (?P<v>(?:\d+|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?: (?:jahre?|monate)(?: alt)?)?)(?=[,.;!?]|$| und| alt)",
            "{x} ist {v}.",
        ),
        ("age", r"\((?P<v>\d{1,2}(?: jahre)?)\)", "{x} ist {v}."),
        (
            "allergy",
            r"(?:ist|reagiert) (?:auch )?allergisch (?:gegen|auf) (?P<v>[^.;!?]+)",
            "{x} ist allergisch gegen {v}.",
        ),
        ("allergy", r"hat (?:eine|ne) (?P<v>[a-zß]+)allergie", "{x} hat eine {v}allergie."),
        ("diet", r"ist (?P<v>vegan|vegetarisch|vegetarierin|vegetarier|veganerin|veganer)\b", "{x} ist {v}."),
        ("condition", r"hat (?P<v>asthma|diabetes|epilepsie|zöliakie|adhs|neurodermitis)\b", "{x} hat {v}."),
        (
            "job",
            (
                r"(?:arbeitet als|ist) (?:eine? )?(?P<v>(?!aller|vegan|vegetar|älter|jünger)(?-i:[A-Z])[a-zß-]+(?:er|erin|in|or|ist|istin|ent|"
                r"entin|mann|frau|loge|login|arzt|ärztin|wirt|koch|köchin|eur|eurin|anwalt))\b"
            ),
            "{x} arbeitet als {v}.",
        ),
        ("home", r"(?:wohnt|lebt)(?: jetzt)? in (?P<v>[^.,;!?]+)", "{x} wohnt in {v}."),
        ("employer", r"arbeitet (?:bei|für) (?P<v>[^.,;!?]+)", "{x} arbeitet bei {v}."),
        ("studies", r"studiert (?P<v>(?-i:[A-Z])[^.,;!?]+?)(?= in |[.,;!?]|$)", "{x} studiert {v}."),
        ("likes", r"(?:liebt|mag) (?P<v>(?!keine?n?\b)[^.,;!?]+)", "{x} mag {v}."),
        (
            "breed",
            r"ist ein(?:e)? (?P<v>labrador|dackel|pudel|schäferhund|mischling|beagle|husky|mops|golden retriever|border collie|perser|maine coon)\b",
            "{x} ist ein {v}.",
        ),
    ),
    "turns": (
        (r"\bich heiße\b", "du heißt"),
        (r"\bich bin\b", "du bist"),
        (r"\bbin ich\b", "bist du"),
        (r"\bwir sind\b", "ihr seid"),
        (r"\bich hab(?:e)?\b", "du hast"),
        (r"\bhab(?:e)? ich\b", "hast du"),
        (r"\bich mag\b", "du magst"),
        (r"\bmag ich\b", "magst du"),
        (r"\bkann ich\b", "kannst du"),
        (r"\bich kann\b", "du kannst"),
        (r"\bich esse\b", "du isst"),
        (r"\bich spreche\b", "du sprichst"),
        (r"\bich nehme\b", "du nimmst"),
        (r"\b(?:fahre) ich\b", "fährst du"),
        (r"\bich fahre\b", "du fährst"),
        (r"\bich vertrage\b", "du verträgst"),
        (r"\bich (arbeit)e\b", r"du \1est"),
        (r"\bich hasse\b", "du hasst"),
        (r"\bich (\w+)e\b", r"du \1st"),
        (r"^(wohn|leb|komm|lieb)e\b", r"du \1st"),
        (r"^wiege\b", "du wiegst"),
        (r"^arbeite\b", "du arbeitest"),
        (r"^mag\b", "du magst"),
        (r"\bmein(e[rmn]?|)\b", r"dein\1"),
        (r"\bunser(e[rmn]?|)\b", r"euer\1"),
    ),
    "relations": by_word(
        {
            "spouse": "frau, mann, ehefrau, ehemann",
            "partner": "freundin, freund, partnerin, partner, verlobte, verlobter",
            "mother": "mutter, mama, mutti",
            "father": "vater, papa, vati",
            "sister": "schwester",
            "brother": "bruder",
            "sibling": "geschwister",
            "daughter": "tochter, töchter",
            "son": "sohn, söhne",
            "child": "kind, kinder, kindern, kids, baby",
            "grandmother": "oma, großmutter",
            "grandfather": "opa, großvater",
            "grandson": "enkel",
            "granddaughter": "enkelin",
            "aunt": "tante",
            "uncle": "onkel",
            "cousin": "cousine, cousin",
            "niece": "nichte",
            "nephew": "neffe",
            "dog": "hund, hündin, hunde, welpe, welpen",
            "cat": "katze, kater, katzen, kätzchen",
            "rabbit": "hase, kaninchen, hasen",
            "hamster": "hamster",
            "guinea_pig": "meerschweinchen",
            "horse": "pferd, pferde, pony",
            "tortoise": "schildkröte",
            "parrot": "papagei, wellensittich",
            "pet": "haustier, haustiere",
            "manager": "chefin, chef",
            "colleague": "kollegin, kollege",
            "neighbour": "nachbarin, nachbar",
            "flatmate": "mitbewohnerin, mitbewohner",
            "doctor": "hausarzt, hausärztin, ärztin, arzt",
            "mother_in_law": "schwiegermutter",
            "father_in_law": "schwiegervater",
        }
    ),
}
