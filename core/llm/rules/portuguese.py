"""Forms of Portuguese."""

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


PORTUGUESE: dict[str, Any] = {
    "code": "pt",
    "telling": _c(
        r"[ãõ]|\b(?:o|os|da|do|e|em|eu|meu|minha|não|com|uma|um|para|moro|sou|tenho|é|na|no|mas|anos|"
        r"chamo|gosto|trabalho|muito|olá)\b"
    ),
    "certain": _c(
        r"\b(?:me chamo|meu nome é|chamo-me|moro em|vivo em|trabalho como|sou alérgic\w|gosto (?:de|"
        r"muito)|não gosto|minha|meu|eu sou|falo|tenho \d+ anos)\b"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\se (?=(?:meu|minha|não|sou|moro|trabalho|tenho|gosto|eu)\b)|\s(?:mas|porque|"
        r"desde|com (?:o|a|meu|minha)|quando)\b)"
    ),
    "joiner": _c(r"\s*(?:,|\be\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome é) {_N}"), "Você se chama {v}."),
        (
            "name",
            _c(r"\b(?:sou|eu sou) (?:o |a )(?P<v>(?-i:[A-ZÁÉÍÓÚ][a-zà-ú]+))(?=[,.!]| e |$)"),
            "Você se chama {v}.",
        ),
        (
            "favorite",
            _c(rf"\b(?:meu|minha) (?P<k>\w+) (?:favorit[oa]|preferid[oa]) é (?:o |a )?{_V}"),
            "Seu {k} favorito é {v}.",
        ),
        (
            "response_preference",
            _c(r"(?P<v>\b(?:responda|responde|fale|escreva)(?:-me)? (?:sempre )?(?:em|com|sem)[^.;!?]*)"),
            "Você pediu: {v}.",
        ),
        ("-job", _c(rf"\bnão trabalho mais (?:como )?{_V}"), "Você não trabalha mais como {v}."),
        ("-smoking", _c(r"\b(?:não|parei de) (?P<v>fum\w+)(?: mais)?"), "Você não fuma mais."),
        (
            "home",
            _c(rf"\b(?:moro|vivo|moramos|me mudei|mudei-me) (?:agora )?(?:em|no|na|para|para o|para a) {_V}"),
            "Você mora em {v}.",
        ),
        ("hometown", _c(rf"\b(?:sou|venho) (?:de|do|da) {_V}"), "Você é de {v}."),
        (
            "job",
            _c(r"\btrabalho (?:como|de) (?:uma? )?(?P<v>[^.;!?]+?)(?= (?:em|na|no|para) |[.,;!?]|$| e )"),
            "Você trabalha como {v}.",
        ),
        (
            "workplace",
            _c(r"\btrabalho (?:(?:como|de) [^.,;!?]+? )?(?:na|no|em|para|para a) (?P<v>[^.;!?]+)"),
            "Você trabalha em {v}.",
        ),
        ("diet", _c(r"\bsou (?P<v>vegan[oa]|vegetarian[oa])"), "Você é {v}."),
        (
            "condition",
            _c(
                r"\b(?:sou|tenho) (?P<v>celíac[oa]|diabétic[oa]|diabetes|asma\w*|intolerante (?:à|a|ao) [^.,;!?]+|"
                r"enxaqueca\w*)"
            ),
            "{v}: sua condição.",
        ),
        ("allergy", _c(rf"\b(?:sou alérgic[oa]|tenho alergia) (?:a|à|ao|aos|às) {_V}"), "Você é alérgico a {v}."),
        (
            "job",
            _c(
                rf"\bsou (?:uma? )?{_JOB_NOT}(?P<v>[a-zà-ú]+(?:eir[oa]|or|ora|ista|nte|ogo|oga|ic[oa]|ári[oa]|"
                "ad[oa]|eto|eta)(?: [a-zà-ú]+){0,2})"
            ),
            "Você é {v}.",
        ),
        (
            "dislikes",
            _c(rf"\b(?:não gosto (?:de|do|da|dos|das)|odeio|detesto|não suporto) (?:o |a |os |as )?{_V}"),
            "Você não gosta de {v}.",
        ),
        (
            "likes",
            _c(rf"(?<!não )\b(?:gosto (?:muito )?(?:de|do|da|dos|das)|adoro|amo) (?:o |a |os |as )?{_V}"),
            "Você gosta de {v}.",
        ),
        ("avoids", _c(rf"\bnão (?:como|bebo) {_V}"), "Você não come {v}."),
        ("language", _c(rf"\bfalo {_V}"), "Você fala {v}."),
        (
            "birthday",
            _c(
                r"\b(?:meu aniversário é|faço anos|nasci) (?:no dia |em |a |dia )?(?P<v>\d{1,2} de \w+(?: de "
                r"\d{4})?)"
            ),
            "Seu aniversário é {v}.",
        ),
        ("age", _c(r"\btenho (?P<v>(?:\d+|\w+) anos)"), "Você tem {v}."),
        (
            "deadline",
            _c(r"\bo prazo (?:do|da|de|para o|para a) (?P<x>[^.,;!?]+?) é (?:dia )?(?P<v>[^.;!?]+)"),
            "O prazo de {x} é {v}.",
        ),
    ),
    "turns": (
        (r"\bme chamo\b", "você se chama"),
        (r"\bmeu\b", "seu"),
        (r"\bminha\b", "sua"),
        (r"\b(?:eu )?moro\b", "você mora"),
        (r"\b(?:eu )?vivo\b", "você vive"),
        (r"\b(?:eu )?sou\b", "você é"),
        (r"\b(?:eu )?tenho\b", "você tem"),
        (r"\b(?:eu )?trabalho\b", "você trabalha"),
        (r"\bnão gosto\b", "você não gosta"),
        (r"\b(?:eu )?gosto\b", "você gosta"),
        (r"\b(?:eu )?falo\b", "você fala"),
        (r"\b(?:eu )?adoro\b", "você adora"),
        (r"\b(?:eu )?odeio\b", "você odeia"),
        (r"\bnão como\b", "você não come"),
        (r"\bnão bebo\b", "você não bebe"),
    ),
    "relations": by_word(
        {
            "spouse": "esposa, mulher, marido",
            "partner": "namorada, namorado",
            "mother": "mãe",
            "father": "pai",
            "sister": "irmã",
            "brother": "irmão",
            "daughter": "filha",
            "son": "filho",
            "grandmother": "avó",
            "grandfather": "avô",
            "aunt": "tia",
            "uncle": "tio",
            "cousin": "prima, primo",
            "dog": "cachorro, cachorra, cão, cadela",
            "cat": "gato, gata",
            "friend": "amiga, amigo",
            "manager": "chefe",
            "colleague": "colega",
        }
    ),
    "relation": _c(rf"\b(?P<own>minha|meu) (?:melhor )?(?P<rel>\w+)(?:,| se chama| chama-se| é)? (?P<name>{PERSON})"),
    "relation_says": "{own} {rel} se chama {v}.",
    "of_relation": (
        (
            "age",
            _c(
                r"(?:\b(?:minha|meu) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:ele|ela|que|e|,) )tem (?P<v>(?:\d+|"
                r"\w+) (?:anos|meses))"
            ),
            "{x} tem {v}.",
        ),
        (
            "home",
            _c(
                r"(?:\b(?:minha|meu) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:ele|ela|que|e|,) )(?:mora|vive) (?:em|"
                "no|na) (?P<v>[^.,;!?]+)"
            ),
            "{x} mora em {v}.",
        ),
    ),
}
