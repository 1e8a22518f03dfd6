"""Forms of Spanish."""

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.phrases import PERSON, by_word


def _c(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_V = r"(?P<v>[^.;!?\n]+)"


_N = rf"(?P<v>{PERSON})"


_JOB_NOT = (
    r"(?!de\b|d'|del\b|al[eé]rg|vegan|vegetarian|muy|tan|très|molto|muito|allerg|così|de acuerdo|da\b|"
    "italian|frances|español|d'accord|content|désolé|ravi|sûr|prêt|en train|en|à|au|né|née|celíac|"
    "diab|pas|trop|si|seguro|feliz|contento|felice|sicuro|stato|stata|daccordo|d'accordo|intolér|"
    "intoler|alérgic|casad|solter|marié|sposat|mãe|pai|padre|madre|père|mère)"
)


SPANISH: dict[str, Any] = {
    "code": "es",
    "telling": _c(
        r"[¿¡ñ]|\b(?:el|la|los|las|de|que|y|en|mi|mis|con|una|por|para|me|yo|soy|tengo|es|no|ya|vivo|"
        r"trabajo|años|muy|del|al|ahora|este|esta|pero|gusta|hola|nuestro|nuestra)\b"
    ),
    "certain": _c(
        r"\b(?:me llamo|mi nombre es|vivo en|soy de|trabajo (?:de|como|en)|me gusta|me encanta|tengo|"
        r"cumpleaños|alérgic|prefiero|odio|hablo)\w*"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\s(?:y|e) (?=(?:me|mi|mis|no|soy|vivo|trabajo|tengo|ahora|estoy|hablo|odio|"
        r"prefiero|nuestro|nuestra|también)\b)|\s(?:pero|porque|aunque|desde|con mi|con mis|cuando|así "
        "que|el (?:mes|año) pasado|la semana pasada|en (?:enero|febrero|marzo|abril|mayo|junio|julio|"
        r"agosto|septiembre|octubre|noviembre|diciembre|\d{4}))\b)"
    ),
    "joiner": _c(r"\s*(?:,|\by\b|\be\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:me llamo|mi nombre es) {_N}"), "Te llamas {v}."),
        (
            "name",
            _c(r"\bsoy (?P<v>(?-i:[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+(?: [A-ZÁÉÍÓÚÑ][a-záéíóúñ]+)?))(?=[,.!]| y |$)"),
            "Te llamas {v}.",
        ),
        (
            "favorite",
            _c(rf"\bmi (?P<k>\w+) (?:favorit[oa]|preferid[oa]) es (?:el |la )?{_V}"),
            "Tu {k} favorito es {v}.",
        ),
        (
            "response_preference",
            _c(
                r"(?P<v>\b(?:respóndeme|contéstame|háblame|responde siempre|contesta siempre|prefiero que me "
                "(?:respondas|contestes|hables))[^.;!?]*)"
            ),
            "Pediste: {v}.",
        ),
        ("nickname", _c(rf"\b(?:me dicen|me llaman|todos me dicen|llámame) {_N}"), "Te llaman {v}."),
        ("-job", _c(rf"\bya no (?:trabajo (?:de|como)|soy) (?:una? )?{_V}"), "Ya no trabajas de {v}."),
        ("-home", _c(rf"\bya no vivo en {_V}"), "Ya no vives en {v}."),
        ("-smoking", _c(r"\b(?:ya no|dejé de) (?P<v>fum\w+)"), "Ya no fumas."),
        (
            "home",
            _c(rf"(?<!ya no )\b(?:vivo|vivimos|me mudé|nos mudamos|resido|me he mudado) (?:en|a) {_V}"),
            "Vives en {v}.",
        ),
        ("lives_since", _c(r"\bviv(?:o|imos)\b[^.;!?]*?(?P<v>desde (?:hace )?[\w ]+)"), "Vives ahí {v}."),
        ("hometown", _c(rf"\b(?:soy|vengo) de {_V}"), "Eres de {v}."),
        ("birthplace", _c(r"\bnací en (?P<v>[A-ZÁÉÍÓÚ][^.,;!?]+)"), "Naciste en {v}."),
        (
            "job",
            _c(r"(?<!ya no )\btrabajo (?:de|como) (?:una? )?(?P<v>[^.;!?]+?)(?= en [A-ZÁÉÍÓÚ]|[.,;!?]|$| y )"),
            "Trabajas de {v}.",
        ),
        (
            "workplace",
            _c(r"(?<!ya no )\btrabajo (?:(?:de|como) [^.,;!?]+? )?(?:en|para) (?P<v>[^.;!?]+)"),
            "Trabajas en {v}.",
        ),
        ("diet", _c(r"\b(?:soy|me hice|me he hecho) (?P<v>vegan[oa]|vegetarian[oa])"), "Eres {v}."),
        (
            "condition",
            _c(
                r"\b(?:soy|tengo) (?P<v>celíac[oa]|diabétic[oa]|asm[aá]\w*|diabetes|migraña\w*|hipertens\w+|"
                "intolerante a [^.,;!?]+|epilepsia|dislexia|disléxic[oa])"
            ),
            "{v}: tu condición.",
        ),
        (
            "allergy",
            _c(rf"\b(?:soy|somos) (?:muy )?al[eé]rgic[oa]s? (?:a|al) (?:las?|los|el|l)?\s?{_V}"),
            "Eres alérgico a {v}.",
        ),
        ("allergy", _c(rf"\btengo alergia (?:a|al) (?:las?|los|el)?\s?{_V}"), "Tienes alergia a {v}."),
        (
            "job",
            _c(rf"(?<!ya no )\bsoy (?:una? )?{_JOB_NOT}(?P<v>(?-i:[a-záéíóúñ]+(?: (?!en\b)[a-záéíóúñ]+){{0,4}}))"),
            "Eres {v}.",
        ),
        ("dislikes", _c(rf"\bno me gustan? (?:nada )?(?:las?|los|el|l)?\s?{_V}"), "No te gusta {v}."),
        ("dislikes", _c(rf"\b(?:odio|detesto|no soporto) (?:las?|los|el)?\s?{_V}"), "Odias {v}."),
        (
            "likes",
            _c(
                r"(?<!no )\bme (?:gustan?|encantan?|fascinan?) (?:mucho |muchísimo )?(?:las?|los|el|"
                rf"l)?\s?(?!saber|que me)\b{_V}"
            ),
            "Te gusta {v}.",
        ),
        ("likes", _c(rf"\bprefiero (?!que me){_V}"), "Prefieres {v}."),
        ("avoids", _c(rf"\bno (?:como|bebo|tomo|puedo comer) {_V}"), "No comes {v}."),
        ("language", _c(rf"\bhablo {_V}"), "Hablas {v}."),
        ("hobby", _c(r"\b(?P<v>(?:toco|colecciono|practico|juego al?) [^.,;!?]+)"), "Tú: {v}."),
        ("studies", _c(rf"\bestudio {_V}"), "Estudias {v}."),
        (
            "birthday",
            _c(r"\b(?:mi cumpleaños es|cumplo años|nací) (?:el )?(?P<v>\d{1,2} de \w+(?: de \d{4})?)"),
            "Tu cumpleaños es el {v}.",
        ),
        ("age", _c(r"\btengo (?P<v>(?:\d+|\w+) años)"), "Tienes {v}."),
        ("email", _c(r"\bmi (?:correo|email|mail)[^@.]{0,20}? es (?P<v>\S+@\S+\w)"), "Tu correo es {v}."),
        (
            "phone",
            _c(r"\bmi (?:teléfono|número|móvil|celular)[^\d+]{0,20}(?P<v>\+?[\d ()-]{7,})"),
            "Tu teléfono es {v}.",
        ),
        ("employer", _c(rf"\bmi empresa (?:es|se llama) {_V}"), "Tu empresa es {v}."),
        ("manager", _c(rf"\bmi (?:jefe|jefa) (?:es|se llama) {_N}"), "Tu jefe es {v}."),
        (
            "deadline",
            _c(
                r"\b(?:la fecha límite|el plazo|la entrega) (?:de|del|para) (?:la |el |los |las "
                ")?(?P<x>[^.,;!?]+?) es (?:el )?(?P<v>[^.;!?]+)"
            ),
            "La fecha límite de {x} es el {v}.",
        ),
        ("current_location", _c(r"\besta semana estoy en (?P<v>[A-ZÁÉÍÓÚ][^.,;!?]+)"), "Esta semana estás en {v}."),
    ),
    "turns": (
        (r"\bme (?=llamo\b)", "te "),
        (r"\bllamo\b", "llamas"),
        (r"\bsoy\b", "eres"),
        (r"\bvivo\b", "vives"),
        (r"\bvivimos\b", "vivís"),
        (r"\btrabajo (?=de|como|en|para)", "trabajas "),
        (r"\bmis\b", "tus"),
        (r"\bmi\b", "tu"),
        (r"\bme (?=(?:gusta|encanta|fascina))", "te "),
        (r"\btengo\b", "tienes"),
        (r"\bprefiero\b", "prefieres"),
        (r"\bodio\b", "odias"),
        (r"\bdetesto\b", "detestas"),
        (r"\bhablo\b", "hablas"),
        (r"\bestudio\b", "estudias"),
        (r"\bcomo\b(?! )|(?<=no )como\b", "comes"),
        (r"\bbebo\b", "bebes"),
        (r"\btomo\b", "tomas"),
        (r"\bnací\b", "naciste"),
        (r"\bme mudé\b", "te mudaste"),
        (r"\bestoy\b", "estás"),
        (r"\btoco\b", "tocas"),
        (r"\bpractico\b", "practicas"),
        (r"\bjuego\b", "juegas"),
        (r"\bfumo\b", "fumas"),
        (r"\bno soporto\b", "no soportas"),
    ),
    "relations": by_word(
        {
            "spouse": "esposa, esposo, mujer, marido",
            "partner": "novia, novio, pareja",
            "mother": "madre, mamá",
            "father": "padre, papá",
            "sister": "hermana",
            "brother": "hermano",
            "daughter": "hija",
            "son": "hijo",
            "grandmother": "abuela",
            "grandfather": "abuelo",
            "aunt": "tía",
            "uncle": "tío",
            "cousin": "prima, primo",
            "niece": "sobrina",
            "nephew": "sobrino",
            "dog": "perra, perro",
            "cat": "gata, gato",
            "friend": "amiga, amigo",
            "manager": "jefa, jefe",
            "rabbit": "conejo",
            "neighbour": "vecina, vecino",
            "mother_in_law": "suegra",
            "brother_in_law": "cuñado",
            "sister_in_law": "cuñada",
        }
    ),
    "relation": _c(
        r"\b(?P<own>mi|nuestra|nuestro) (?:mejor |hermana |perro |gato )??(?P<rel>\w+)(?: mayor| "
        f"menor)?(?:,| se llama| es| llamad[oa])? (?P<name>{PERSON})"
    ),
    "relation_says": "{own} {rel} es {v}.",
    "of_relation": (
        (
            "age",
            _c(r"(?:\bmi (?P<rel>\w+)(?: \w+)? |\b(?:que|y|,|él|ella) )tiene (?P<v>(?:\d+|\w+) (?:años|meses))"),
            "{x} tiene {v}.",
        ),
        (
            "job",
            _c(
                r"(?:\bmi (?P<rel>\w+) (?:(?-i:[A-Z])\w+ )?|\b(?:que|y|,|él|ella) )(?:es|trabaja (?:de|como)) "
                r"(?:una? )?(?P<v>(?!de\b|muy)[a-záéíóúñ]+(?:er[oa]|or|ora|ista|nte|ic[oa]|ogo|oga|ad[oa]|ari[oa]|"
                r"ense))\b"
            ),
            "{x} es {v}.",
        ),
        (
            "home",
            _c(r"(?:\bmi (?P<rel>\w+) (?:(?-i:[A-Z])\w+ )?|\b(?:que|y|,|él|ella) )vive en (?P<v>[^.,;!?]+)"),
            "{x} vive en {v}.",
        ),
    ),
}
