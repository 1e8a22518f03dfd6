"""Forms of Portuguese."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.folding import folded as _c
from core.llm.rules.phrases import PERSON, by_word

_V = r"(?P<v>[^.;!?\n]+)"
_LOW = r"[a-z]{2,}"
_CALLED = r"(?:(?:que )?se chama|chama-se|chamad[oa]|de nome)"
_DAY = (
    r"(?:(?:n[ao] |est[ae] |próxim[oa] )*(?:segunda|terça|quarta|quinta|sexta|sábado|domingo)(?:-feira)?|amanhã|hoje|"
    r"(?:n?o )?dia \d{1,2}(?: de \w+)?|\d{1,2} de \w+)"
)
_TRADE = (
    r"(?!(?:alérg|vegan|vegetarian|diab|celíac|casad|solteir|brasileir|divorciad|canhot|intoler)\w*)"
    r"(?:[a-z]+(?:eiro|eira|or|ora|ista|nte|ogo|oga|ico|ica|ário|ária|ado|ada|eto|eta|egado|gada)|chef|juiz|juíza|piloto|policial)"
)


PORTUGUESE: dict[str, Any] = {
    "code": "pt",
    "telling": re.compile(
        r"[ãõ]|\b(?:o|os|da|do|e|em|eu|meu|minha|não|com|uma|um|para|moro|sou|tenho|é|na|no|mas|anos|"
        r"chamo|gosto|trabalho|muito|olá|oi|adoro|estudo|agora)\b",
        re.IGNORECASE,
    ),
    "certain": _c(
        r"\b(?:me chamo|meu nome é|chamo-me|moro (?:em|no|na)|trabalho (?:como|na|no)|sou (?:alérgic\w|enfermeir\w|vegetariana?)|gosto (?:de|"
        r"muito)|não gosto|minha|meu|eu sou|falo|tenho|acabei|estudo \w+ n[ao]|adoro)\b"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\se (?=(?:meu|minha|não|sou|moro|trabalho|tenho|gosto|eu|estudo|agora)\b)|\s(?:mas|porque|"
        r"desde|com (?:o|a|meu|minha)|quando)\b)"
    ),
    "joiner": _c(r"\s*(?:,|\be\b)\s*"),
    "filler": _c(r"(?:um pouco de |também |(?:a|ao|aos|o|os|as) )"),
    "hush": _c(
        r"^(?:se eu \w+sse\b|imagin\w+|supon\w+|talvez|traduz\w*|escrev\w+|expli\w+|quem me dera|tomara)\b|"
        r"\b(?:meu personagem|o protagonista|um dia eu)\b|^(?:kkk|haha|rsrs)"
    ),
    "own": {"meu": "seu", "minha": "sua", "um": "seu", "uma": "sua", "nosso": "seu", "nossa": "sua"},
    "forms": (
        (
            "name",
            _c(rf"\b(?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome é) (?P<v>{PERSON}|{_LOW})"),
            "Você se chama {v}.",
        ),
        (
            "name",
            _c(r"\b(?:sou|eu sou) (?:o |a )(?P<v>(?-i:[A-Z][a-z]+))(?=[,.!]| e |$)"),
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
        ("-job", _c(rf"\bnão trabalho mais (?:como ){_V}"), "Você não trabalha mais como {v}."),
        ("-employer", _c(r"\bnão trabalho mais (?:na|no|em) (?P<v>[^.,;!?]+)"), "Você não trabalha mais em {v}."),
        ("-home", _c(r"\bnão moro mais (?:em|no|na) (?P<v>[^.,;!?]+)"), "Você não mora mais em {v}."),
        ("-smoking", _c(r"\b(?:não|parei de) (?P<v>fum\w+)(?: mais)?"), "Você não fuma mais."),
        (
            "home",
            _c(
                r"(?<!não )\b(?:moro|vivo|moramos|(?:acabei de )?me mudar|me mudei|mudei-me|mudei)(?! mais) (?:agora )?(?:em|no|na|para|pra|para o|para a) "
                + _V
            ),
            "Você mora em {v}.",
        ),
        ("hometown", _c(rf"\b(?:sou|venho) (?:de|do|da) {_V}"), "Você é de {v}."),
        ("birthplace", _c(r"\bnasci (?:em|no|na) (?P<v>(?-i:[A-Z])[^.,;!?]+)"), "Você nasceu em {v}."),
        (
            "job",
            _c(
                r"(?<!não )\btrabalho (?:(?:em|na|no|para) [^.,;!?]+? )?(?:como|de) (?:uma? )?(?P<v>[^.;!?]+?)(?= (?:em|na|no|para) |[.,;!?]|$| e )"
            ),
            "Você trabalha como {v}.",
        ),
        (
            "workplace",
            _c(
                r"\btrabalho (?:(?:como|de) [^.,;!?]+? )?(?:na|no|em|para|para a) (?!casa\b)(?P<v>[^.;!?]+?)(?= como\b|[.,;!?]|$| e )"
            ),
            "Você trabalha em {v}.",
        ),
        ("diet", _c(r"\bsou (?P<v>vegan[oa]|vegetarian[oa])"), "Você é {v}."),
        (
            "condition",
            _c(
                r"\b(?:sou|tenho) (?P<v>(?:celíac[oa]|diabétic[oa]|diabetes|asma\w*|intolerante (?:à|a|ao) [^.,;!?]+|"
                r"enxaqueca\w*|pressão alta)\b[^.;!?]*)"
            ),
            "{v}: sua condição.",
        ),
        ("allergy", _c(rf"\b(?:sou alérgic[oa]|tenho alergia) (?:a|à|ao|aos|às) {_V}"), "Você é alérgico a {v}."),
        (
            "job",
            _c(rf"\bsou (?:uma? )?(?P<v>{_TRADE}(?: (?!em\b|na\b|no\b|e\b)[a-z]+){{0,2}})(?=[ .,;!?]|$)"),
            "Você é {v}.",
        ),
        (
            "workplace",
            _c(rf"\bsou (?:uma? )?{_TRADE}(?: (?!em\b|na\b|no\b)[a-z]+){{0,2}} (?:na|no|em) (?P<v>[^.,;!?]+)"),
            "Você trabalha em {v}.",
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
        ("hobby", _c(r"\b(?P<v>(?:toco|coleciono|pratico|jogo) [^.,;!?]+)"), "Você: {v}."),
        (
            "studies",
            _c(r"\b(?:estudo|faço faculdade de) (?P<v>[^.;!?]+?)(?= (?:na|no|em) |[.,;!?]|$)"),
            "Você estuda {v}.",
        ),
        (
            "birthday",
            _c(
                r"\b(?:meu aniversário é|faço anos|nasci) (?:no dia |em |a |dia )?(?P<v>\d{1,2} de \w+(?: de "
                r"\d{4})?)"
            ),
            "Seu aniversário é {v}.",
        ),
        ("age", _c(r"\btenho (?P<v>(?:\d+|\w+) anos)"), "Você tem {v}."),
        ("email", _c(r"\bmeu (?:e-?mail|email)[^@.]{0,12}? é (?P<v>\S+@\S+\w)"), "Seu e-mail é {v}."),
        (
            "phone",
            _c(r"\bmeu (?:telefone|número|celular|telemóvel)[^\d+]{0,12}(?P<v>\+?[\d ()-]{7,}\d)"),
            "Seu telefone é {v}.",
        ),
        (
            "appointment",
            _c(
                rf"\btenho (?:uma? )?(?P<x>(?:consulta|entrevista|reunião|prova|exame|voo)\b[^.,;!?]*?) (?P<v>{_DAY}[^.,;!?]*)"
            ),
            "Você tem {x} {v}.",
        ),
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
        (r"\b(?:eu )?estudo\b", "você estuda"),
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
            "daughter": "filha, filhas",
            "son": "filho",
            "child": "filhos, criança, crianças",
            "grandmother": "avó",
            "grandfather": "avô",
            "aunt": "tia",
            "uncle": "tio",
            "cousin": "prima, primo",
            "dog": "cachorro, cachorra, cão, cadela, cachorros",
            "cat": "gato, gata, gatos, gatas",
            "friend": "amiga, amigo",
            "manager": "chefe",
            "colleague": "colega",
        }
    ),
    "relation": (
        _c(rf"\b(?P<own>minha|meu) (?:melhor )?(?P<rel>\w+),? {_CALLED} (?P<name>{PERSON}|{_LOW})"),
        _c(rf"\b(?P<own>minha|meu) (?:melhor )?(?P<rel>\w+)(?:,| é)? (?P<name>{PERSON})"),
        _c(rf"\b(?:tenho|temos|adotei) (?P<own>uma?) (?P<rel>\w+),? (?:{_CALLED} )?(?P<name>{PERSON})"),
    ),
    "relation_says": "{own} {rel} se chama {v}.",
    "brood": _c(r"\b(?:tenho|temos) (?P<num>(?P<count>\d+|dois|duas|três|quatro|uma?)) (?P<rel>\w+)"),
    "brood_item": _c(
        rf"(?:[,:( ]|, | e )\s*(?P<name>{PERSON})(?:,? (?:de |\()?(?P<v>\d{{1,2}}(?: anos)?)\)?)?(?=[,;.)( ]|$)"
    ),
    "brood_says": "Entre {rel}: {v}.",
    "brood_counts": "Você tem {v}.",
    "age_says": "{x} tem {v}.",
    "head": rf"\b(?P<own>minha|meu) (?P<rel>\w+),?(?: (?P<nm>{PERSON}),?)? ",
    "pronoun": r"\b(?:ele|ela) ",
    "joint": r"\b(?:que|e) |, ",
    "said_of": (
        ("age", r"tem (?P<v>(?:\d+|\w+) (?:anos|meses))", "{x} tem {v}."),
        ("allergy", r"é alérgic[oa] (?:a|à|ao|aos|às) (?P<v>[^.;!?]+)", "{x} é alérgico a {v}."),
        ("job", rf"(?:é|trabalha como) (?:uma? )?(?P<v>{_TRADE})\b", "{x} é {v}."),
        ("home", r"(?:mora|vive) (?:em|no|na) (?P<v>[^.,;!?]+)", "{x} mora em {v}."),
    ),
}
