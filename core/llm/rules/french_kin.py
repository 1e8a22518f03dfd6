"""French words for people and pets, and what is said of them; first person turned into second."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

from typing import Any

from core.llm.rules.folding import folded as _c
from core.llm.rules.phrases import PERSON, by_word

_ADJECTIVE = r"(?:meilleure? |grande? |petite? |nouvelle |nouveau )?"
_LOW = r"[a-z-]{2,}"
_CALLED = r"(?:(?:qui |il |elle )?s'appell(?:e|ent)|nommée?s?|du nom de|appelée?s?|que j'ai appelée?)"


FRENCH_KIN: dict[str, Any] = {
    "own": {"mon": "ton", "ma": "ta", "mes": "tes", "notre": "votre", "un": "ton", "une": "ta"},
    "relation": (
        _c(rf"\b(?P<own>mon|ma|notre) {_ADJECTIVE}(?P<rel>[\w-]+),? {_CALLED} (?P<name>{PERSON}|{_LOW})"),
        _c(rf"\b(?P<own>mon|ma|notre) {_ADJECTIVE}(?P<rel>[\w-]+)(?:,| c'est| est)? (?P<name>{PERSON})"),
        _c(
            rf"\b(?:j'ai|on a|nous avons)(?: adopté| aussi)? (?P<own>une?) {_ADJECTIVE}(?P<rel>[\w-]+)(?:,? {_CALLED} (?P<name>{PERSON}|{_LOW}))"
        ),
        _c(
            rf"\b(?:j'ai|on a|nous avons)(?: adopté| aussi)? (?P<own>une?) {_ADJECTIVE}(?P<rel>[\w-]+),? (?P<name>{PERSON})"
        ),
    ),
    "relation_says": "{own} {rel} s'appelle {v}.",
    "brood": _c(
        r"(?:(?:\b(?:j'ai|on a|nous avons|et|je suis (?:maman|papa|mère|père) de)|,) (?P<num>(?P<count>\d+|deux|trois|quatre|cinq|six|une?))|\b(?:mes|les|nos)) (?P<rel>[\w-]+)"
    ),
    "brood_item": _c(
        rf"(?:\s*[,:(]|,? et | (?:qui )?s'appellent )\s*(?P<name>{PERSON})(?:,? (?:de |\()?(?P<v>\d{{1,2}}(?: ans| mois)?|\w+ (?:ans|mois))\)?)?(?=[,;.)( ]|$)"
    ),
    "brood_says": "Tu as {v} parmi tes {rel}.",
    "brood_counts": "Tu as {v}.",
    "age_says": "{x} a {v}.",
    "head": rf"\b(?P<own>mon|ma|notre) {_ADJECTIVE}(?P<rel>[\w-]+),?(?: (?P<nm>{PERSON}),?)?(?: \(\d+[^)]*\))? ",
    "pronoun": r"\b(?:il|elle) ",
    "joint": r"\b(?:qui|et) |, ",
    "said_of": (
        ("age", r"a (?P<v>(?:\d+|[\w-]+) (?:ans|mois))", "{x} a {v}."),
        ("age", r"\((?P<v>\d{1,2}(?: ans)?)\)", "{x} a {v}."),
        (
            "allergy",
            r"est (?:aussi )?allergique (?:aux |au |à la |à l'|à )(?P<v>[^.;!?]+)",
            "{x} est allergique à {v}.",
        ),
        ("diet", r"est (?P<v>végétarien(?:ne)?|végane?|vegan)\b", "{x} est {v}."),
        (
            "condition",
            r"(?:a|est) (?:de l'|du |le )?(?P<v>asthme|asthmatique|diabète|diabétique|épileptique|autiste)\b",
            "{x} : {v}.",
        ),
        (
            "job",
            (
                r"(?:est|travaille comme) (?:une? )?(?P<v>(?!aller|végé|végan|asthm|diab|originaire|célibataire)[a-z-]+(?:eur|euse|rice|ier|ière|ien|ienne|"
                r"iste|ant|ante|ogue|decin|esse|ecte|ger|gère|naire|cat|cate|ine|prof))\b"
            ),
            "{x} est {v}.",
        ),
        ("home", r"(?:habite|vit) (?:maintenant )?(?:à |en |au |aux )(?P<v>[^.,;!?]+)", "{x} habite à {v}."),
        ("workplace", r"(?:travaille|bosse) (?:chez|à|au|pour) (?P<v>[^.,;!?]+)", "{x} travaille chez {v}."),
        ("studies", r"étudie (?:le |la |l'|les )?(?P<v>[^.,;!?]+)", "{x} étudie {v}."),
        ("likes", r"(?:aime|adore) (?:le |la |l'|les )?(?P<v>(?!pas\b)[^.,;!?]+)", "{x} aime {v}."),
        (
            "breed",
            r"est une? (?P<v>labrador|caniche|berger allemand|husky|beagle|bulldog|chihuahua|golden\w*|border collie|siamois|persan|croisé|teckel)\b",
            "{x} est un {v}.",
        ),
    ),
    "turns": (
        (r"\bje m'appelle\b", "tu t'appelles"),
        (r"\bmoi,? c'est\b", "tu t'appelles"),
        (r"\bje suis\b", "tu es"),
        (r"\bj'ai\b", "tu as"),
        (r"\bj'habite\b", "tu habites"),
        (r"\bje vis\b", "tu vis"),
        (r"\bje n'aime\b", "tu n'aimes"),
        (r"\bj'?aime\b", "tu aimes"),
        (r"\bj'?adore\b", "tu adores"),
        (r"\bje ne bois\b", "tu ne bois"),
        (r"\bje viens\b", "tu viens"),
        (r"\bje fais\b", "tu fais"),
        (r"\bje dois\b", "tu dois"),
        (r"\bje pars\b", "tu pars"),
        (r"\bje prends\b", "tu prends"),
        (r"\bje ne peux\b", "tu ne peux"),
        (r"\bje ne (\w+)e\b", r"tu ne \1es"),
        (r"\bje (?!ne\b)(\w+)e\b", r"tu \1es"),
        (r"\bj'étudie\b", "tu étudies"),
        (r"\bj'apprends\b", "tu apprends"),
        (r"\bmon\b", "ton"),
        (r"\bma\b", "ta"),
        (r"\bmes\b", "tes"),
        (r"\bje n'habite\b", "tu n'habites"),
    ),
    "relations": by_word(
        {
            "spouse": "femme, mari, épouse, époux",
            "partner": "copine, copain, compagne, compagnon, conjoint, conjointe, fiancé, fiancée",
            "mother": "mère, maman",
            "father": "père, papa",
            "sister": "sœur, soeur",
            "brother": "frère",
            "sibling": "frères, sœurs, soeurs",
            "daughter": "fille, filles",
            "son": "fils, garçons, garçon",
            "child": "enfant, enfants, gosses, bébé",
            "grandmother": "grand-mère, mamie",
            "grandfather": "grand-père, papi",
            "grandson": "petit-fils",
            "granddaughter": "petite-fille",
            "aunt": "tante",
            "uncle": "oncle",
            "cousin": "cousine, cousin",
            "niece": "nièce",
            "nephew": "neveu",
            "dog": "chien, chienne, chiens, chiot",
            "cat": "chat, chatte, chats, chaton",
            "friend": "amie, ami, pote",
            "manager": "chef, cheffe, patron, patronne",
            "rabbit": "lapin, lapine, lapins",
            "hamster": "hamster",
            "horse": "cheval, jument",
            "tortoise": "tortue",
            "parrot": "perroquet",
            "neighbour": "voisine, voisin",
            "colleague": "collègue",
            "flatmate": "colocataire, coloc",
            "doctor": "médecin",
            "mother_in_law": "belle-mère",
            "father_in_law": "beau-père",
            "brother_in_law": "beau-frère",
            "sister_in_law": "belle-sœur",
        }
    ),
}
