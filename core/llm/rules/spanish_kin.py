"""Spanish words for people and pets, and what is said of them; first person turned into second."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

from typing import Any

from core.llm.rules.folding import folded as _c
from core.llm.rules.phrases import PERSON, by_word

_BEING = r"\w+"
_CALLED = r"(?:se llaman?|llamad[oa]s?|de nombre|que se llaman?|(?:y )?le (?:pusimos|puse)|(?:y )?su nombre es)"
_LOW = r"[a-z]{2,}"


SPANISH_KIN: dict[str, Any] = {
    "own": {"mi": "tu", "mis": "tus", "nuestra": "vuestra", "nuestro": "vuestro", "un": "tu", "una": "tu"},
    "relation": (
        _c(
            rf"\b(?P<own>mi|nuestra|nuestro) (?:mejor )?(?P<rel>{_BEING})(?: mayor| menor| pequeñ[oa])?"
            rf"(?:,? (?:que )?{_CALLED} (?P<name>{PERSON}|{_LOW}))"
        ),
        _c(
            rf"\b(?P<own>mi|nuestra|nuestro) (?:mejor )?(?P<rel>{_BEING})(?: mayor| menor| pequeñ[oa])?(?:,| es)? (?P<name>{PERSON})"
        ),
        _c(
            rf"\b(?P<own>mi|nuestra|nuestro) (?P<rel>{_BEING}) (?P<name>(?P<low>(?!que\b|ya\b|no\b|se\b|le\b|siempre|nunca|solo|casi|tambien|ahora){_LOW})(?= (?:tiene|vive|cumple|duerme|come) ))"
        ),
        _c(
            rf"\b(?:tengo|tenemos|adopt(?:é|amos)|hemos adoptado|con) (?P<own>un|una) (?P<rel>{_BEING})(?: \w+)?,? (?:(?:que )?{_CALLED} "
            rf"(?P<name>{PERSON}|{_LOW}))"
        ),
        _c(rf"\b(?:tengo|tenemos) (?P<own>un|una) (?P<rel>{_BEING}),? (?P<name>{PERSON})"),
    ),
    "relation_says": "{own} {rel} se llama {v}.",
    "brood": _c(
        r"(?:(?:\b(?:tengo|tenemos|soy (?:madre|padre) de)|,|\by) (?P<num>(?P<count>\d+|dos|tres|cuatro|cinco|seis|una?))|\b(?:mis|los|las|nuestros|nuestras)) (?P<rel>\w+)"
    ),
    "brood_item": _c(
        rf"(?:\s*[,:(]|,? y | (?:que )?se llaman | llamad[oa]s )\s*(?P<name>{PERSON})(?:,? (?:de |\()?(?P<v>\d{{1,2}}(?: (?:años|meses))?|\w+ (?:años|meses))\)?)?(?=[,;.)( ]|$)"
    ),
    "brood_says": "Tienes a {v} entre tus {rel}.",
    "brood_counts": "Tienes {v}.",
    "age_says": "{x} tiene {v}.",
    "head": rf"\b(?P<own>mi|nuestra|nuestro) (?:mejor )?(?P<rel>\w+)(?: mayor| menor| pequeñ[oa])?,?(?: (?P<nm>{PERSON}),?)?(?: \(\d+[^)]*\))? ",
    "pronoun": r"\b(?:el|ella) ",
    "joint": r"\b(?:que|y) |, ",
    "said_of": (
        ("age", r"tiene (?P<v>(?:\d+|\w+) (?:años|meses))", "{x} tiene {v}."),
        ("age", r"\((?P<v>\d{1,2}(?: años)?)\)", "{x} tiene {v}."),
        (
            "birthday",
            r"(?:cumple(?: \d+)?(?: años)?|nació) el (?P<v>\d{1,2} de \w+)",
            "El cumpleaños de {x} es el {v}.",
        ),
        (
            "allergy",
            r"(?:es alérgic[oa]|tiene alergia) (?:a|al) (?!ell[oa]s?\b|es[oa]\b|est[oa]s?\b)(?:las? |los |el )?(?P<v>[^.;!?]+)",
            "{x} es alérgico a {v}.",
        ),
        (
            "diet",
            r"es (?P<v>vegan[oa]|vegetarian[oa])\b",
            "{x} es {v}.",
        ),
        (
            "condition",
            r"(?:tiene|es) (?P<v>asma|diabetes|diabétic[oa]|asmátic[oa]|celíac[oa]|epilepsia|autismo)\b",
            "{x}: {v}.",
        ),
        (
            "breed",
            (
                r"es (?:una? )?(?P<v>labrador|caniche|pastor alemán|husky|beagle|bulldog|chihuahua|galgo|mestiz[oa]|siamés|persa|"
                r"golden\w*|yorkshire|dálmata|border collie|cocker|podenco)\b"
            ),
            "{x} es {v}.",
        ),
        (
            "job",
            (
                r"(?:es|trabaja (?:de|como)) (?:una? )?(?P<v>(?!de\b|muy|alérg|vegan|vegetarian|diab|asm[aá]t|celíac|mayor|menor|cuando|"
                r"simpátic|enamorad|mestiz)[a-z]+"
                r"(?:er[oa]|or|ora|ista|nte|ic[oa]|ogo|oga|ad[oa]|ari[oa]|ense|stra|stro|ect[oa]))\b"
            ),
            "{x} es {v}.",
        ),
        ("home", r"vive en (?P<v>[^.,;!?]+)", "{x} vive en {v}."),
        ("workplace", r"trabaja en (?P<v>[^.,;!?]+)", "{x} trabaja en {v}."),
        ("studies", r"estudia (?P<v>[^.,;!?]+)", "{x} estudia {v}."),
        ("likes", r"(?:le (?:gustan?|encantan?)|ama|adora) (?:las? |los |el )?(?P<v>[^.,;!?]+)", "A {x} le gusta {v}."),
    ),
    "turns": (
        (r"\bme (?=llamo\b)", "te "),
        (r"\bllamo\b", "llamas"),
        (r"\bsoy\b", "eres"),
        (r"\bera\b", "eras"),
        (r"\bvivo\b", "vives"),
        (r"\bvivimos\b", "vivís"),
        (r"\b(?:trabajo|curro) (?=de|como|en|para)", "trabajas "),
        (r"\bmis\b", "tus"),
        (r"\bmi\b", "tu"),
        (r"\bme (?=(?:gusta|encanta|fascina|agrada|flipa|apasiona|da ))", "te "),
        (r"\bme dedico\b", "te dedicas"),
        (r"\bme voy\b", "te vas"),
        (r"\bme (?=acabo|he|cambi|compr)", "te "),
        (r"\bacabo\b", "acabas"),
        (r"\bhe\b", "has"),
        (r"\bcompré\b", "compraste"),
        (r"\btengo\b", "tienes"),
        (r"\btenemos\b", "tenéis"),
        (r"\bdebo\b", "debes"),
        (r"\bprefiero\b", "prefieres"),
        (r"\bodio\b", "odias"),
        (r"\bdetesto\b", "detestas"),
        (r"\badoro\b", "adoras"),
        (r"\bhablo\b", "hablas"),
        (r"\bestudio\b", "estudias"),
        (r"\bcumplo\b", "cumples"),
        (r"\bcomo\b(?! )|(?<=no )como\b", "comes"),
        (r"\bbebo\b", "bebes"),
        (r"\btomo\b", "tomas"),
        (r"\bnac[ií]\b", "naciste"),
        (r"\bme mudé\b", "te mudaste"),
        (r"\bestoy\b", "estás"),
        (r"\btoco\b", "tocas"),
        (r"\bcolecciono\b", "coleccionas"),
        (r"\bpractico\b", "practicas"),
        (r"\bpeso\b", "pesas"),
        (r"\bmido\b", "mides"),
        (r"\bjuego\b", "juegas"),
        (r"\bviajo\b", "viajas"),
        (r"\bfumo\b", "fumas"),
        (r"\bno soporto\b", "no soportas"),
        (r"\bpuedo\b", "puedes"),
    ),
    "relations": by_word(
        {
            "spouse": "esposa, esposo, mujer, marido",
            "partner": "novia, novio, pareja",
            "mother": "madre, mamá",
            "father": "padre, papá",
            "sister": "hermana, hermanita",
            "brother": "hermano, hermanito",
            "sibling": "hermanos, hermanas",
            "daughter": "hija, hijas, niña",
            "son": "hijo, niño",
            "child": "hijos, niños, peques, bebé",
            "grandmother": "abuela",
            "grandfather": "abuelo",
            "grandson": "nieto",
            "granddaughter": "nieta",
            "aunt": "tía",
            "uncle": "tío",
            "cousin": "prima, primo",
            "niece": "sobrina",
            "nephew": "sobrino",
            "dog": "perra, perro, perrita, perrito, cachorro, cachorra, perros, perras",
            "cat": "gata, gato, gatita, gatito, gatos, gatas",
            "friend": "amiga, amigo",
            "colleague": "compañera, compañero, colega",
            "manager": "jefa, jefe",
            "rabbit": "conejo, coneja, conejos",
            "hamster": "hámster",
            "horse": "caballo, yegua",
            "tortoise": "tortuga",
            "parrot": "loro",
            "pet": "mascota, mascotas",
            "neighbour": "vecina, vecino",
            "flatmate": "compañera de piso, compañero de piso",
            "mother_in_law": "suegra",
            "father_in_law": "suegro",
            "brother_in_law": "cuñado",
            "sister_in_law": "cuñada",
            "doctor": "médico, médica, doctora",
            "teacher": "profesora, profesor, maestra",
        }
    ),
}
