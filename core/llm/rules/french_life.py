"""Forms of French: tastes, pastimes, belongings, plans and dates."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re

from core.llm.rules.french_words import DAY, VALUE, pattern_of
from core.llm.rules.phrases import PERSON

FORMS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "dislikes",
        pattern_of(
            r"\b(?:je n'aime (?:pas|plus)|j'aime pas|jaime pas|je déteste|je ne supporte pas|je supporte pas|j'ai horreur (?:de |des |du |d')|je hais) "
            rf"?(?:du tout |trop |beaucoup )?(?:les? |la |l'|du |des )?{VALUE}"
        ),
        "Tu n'aimes pas {v}.",
    ),
    (
        "likes",
        pattern_of(
            r"\b(?:j'aime|jaime|j'adore|jadore|je suis (?:fan|passionnée?) de|je raffole (?:de|des|du)) (?:bien |beaucoup |énormément |trop )?(?:les? |la |"
            rf"l'|du |des )?(?!pas\b){VALUE}"
        ),
        "Tu aimes {v}.",
    ),
    ("likes", pattern_of(rf"\bje préfère (?:le |la |les |l')?{VALUE}"), "Tu préfères {v}."),
    (
        "avoids",
        pattern_of(
            r"\bje (?:ne |n')?(?:mange|bois|peux) (?:pas|plus|jamais) (?:manger |boire )?(?:de |d'|du )(?P<v>[^.;!?]+)"
        ),
        "Tu ne manges pas de {v}.",
    ),
    (
        "language",
        pattern_of(rf"\bje parle (?:couramment )?(?:le |l'|la )?(?!de\b|à\b|avec|du\b|trop\b){VALUE}"),
        "Tu parles {v}.",
    ),
    (
        "hobby",
        pattern_of(
            r"\bje (?P<v>(?:joue (?:du|de la|au|aux|de l'|à la)|fais (?:du|de la|de l')|collectionne|pratique) ?[^.,;!?]+)"
        ),
        "Tu {v}.",
    ),
    (
        "studies",
        pattern_of(
            r"\b(?:j'étudie|j'apprends) (?:les? |la |l'|à )?(?P<v>[^.;!?]+?)(?= (?:à la|à l'|au|en|à) (?-i:[A-Z]|univ|fac)|[.,;!?]|$)"
        ),
        "Tu étudies {v}.",
    ),
    (
        "studies",
        pattern_of(
            r"\bje suis en (?P<v>(?:première|deuxième|troisième|\w+) année (?:de|d')[^.,;!?]+|(?:master|licence|bts|fac|prépa|terminale|thèse|doctorat)\b[^.,;!?]*)"
        ),
        "Tu es en {v}.",
    ),
    (
        "studies",
        pattern_of(
            r"\bje (?:fais|prépare|suis) (?P<v>(?:une|un|des|ma|mon) (?:licence|master|études|thèse|doctorat|bts|but|formation|école)\b[^.,;!?]*)"
        ),
        "Tu fais {v}.",
    ),
    ("studies", pattern_of(r"\bétudiante? en (?P<v>[^.,;!?]+?)(?= à | au |[.,;!?]|$)"), "Tu étudies {v}."),
    ("age", pattern_of(r"\bj'ai (?P<v>(?:\d+|[\w-]+) ans)"), "Tu as {v}."),
    (
        "email",
        pattern_of(r"\bmon (?:e-?mail|mail|adresse|courriel)[^@.]{0,20}? (?:est|c'est) (?P<v>\S+@\S+\w)"),
        "Ton e-mail est {v}.",
    ),
    (
        "phone",
        pattern_of(r"\bmon (?:numéro|téléphone|portable|tel|num)[^\d+]{0,20}(?P<v>\+?[\d ().-]{7,}\d)"),
        "Ton numéro est {v}.",
    ),
    (
        "blood_type",
        pattern_of(
            r"\b(?:mon groupe sanguin (?:est|c'est)|je suis) (?:le )?(?P<v>(?:AB|A|B|O)(?: ?(?:\+|-|positif|négatif)))"
        ),
        "Ton groupe sanguin est {v}.",
    ),
    ("weight", pattern_of(r"\bje pèse (?P<v>\d+(?:[.,]\d+)? ?(?:kilos?|kg)?)"), "Tu pèses {v}."),
    ("height", pattern_of(r"\bje (?:mesure|fais) (?P<v>\d ?m ?\d*|\d[.,]\d+ ?m?)"), "Tu mesures {v}."),
    (
        "car",
        pattern_of(
            r"\b(?:ma voiture (?:est|c'est) une?|je roule en|je conduis une?|j'ai (?:acheté )?une? (?=(?:clio|peugeot|renault|citroën|dacia|twingo|golf|tesla|fiat|audi|bmw|toyota|mégane|yaris|polo|208|308|3008)\b)) ?(?P<v>[^.,;!?]+)"
        ),
        "Ta voiture : {v}.",
    ),
    (
        "phone_model",
        pattern_of(
            r"\b(?:j'ai|je viens d'acheter|j'utilise|j'ai acheté) (?:une? )(?:nouveau )?(?P<v>(?:iphone|samsung|galaxy|pixel|xiaomi|redmi|huawei|fairphone|oneplus|oppo)\b[^.,;!?]*)"
        ),
        "Ton téléphone : {v}.",
    ),
    (
        "manager",
        pattern_of(
            rf"\b(?:mon|ma) (?:chef|cheffe|responsable|patron|patronne|manager) (?:est|s'appelle|c'est) (?P<v>{PERSON})"
        ),
        "Ton chef est {v}.",
    ),
    ("spouse", pattern_of(rf"\bje suis mariée? (?:avec|à) (?P<v>{PERSON})"), "Tu es marié avec {v}."),
    ("partner", pattern_of(rf"\bje (?:suis en couple|sors|vis) avec (?P<v>{PERSON})"), "Tu es en couple avec {v}."),
    (
        "business",
        pattern_of(
            r"\bj'ai (?:ouvert |monté |créé )?(?P<v>(?:une?|mon|ma) (?:petite? )?(?:boulangerie|boutique|restaurant|café|entreprise|garage|salon|librairie|ferme|épicerie|agence|cabinet)\b[^.,;!?]*)"
        ),
        "Tu as {v}.",
    ),
    (
        "deadline",
        pattern_of(
            r"\bla (?:date limite|deadline|date de rendu|remise) (?:du |de la |de l'|des |pour le |pour la |"
            r"de )(?P<x>[^.,;!?]+?) (?:est|c'est) (?:le )?(?P<v>[^.;!?]+)"
        ),
        "La date limite pour {x} est le {v}.",
    ),
    (
        "deadline",
        pattern_of(
            r"\b(?:le|la|mon|ma|notre) (?P<x>[\w -]+?) (?:est à (?:rendre|remettre|payer|envoyer|finir)|doit être (?:rendue?|payée?|envoyée?)) "
            r"(?:pour |avant )?(?:le )?(?P<v>[^.;!?]+)"
        ),
        "{x} : à rendre le {v}.",
    ),
    (
        "deadline",
        pattern_of(
            r"\b(?:je dois|on doit|il faut) (?:rendre|finir|envoyer|remettre|payer|terminer) (?:mon |ma |mes |le |la |les |l')?(?P<x>[^.,;!?]+?) "
            rf"(?:pour |avant |d'ici )?(?P<v>{DAY}[^.,;!?]*)"
        ),
        "{x} : à rendre {v}.",
    ),
    (
        "appointment",
        pattern_of(
            r"\b(?:j'ai|on a|nous avons) (?:une? |mon |ma )?(?P<x>(?:rendez-vous|rdv|entretien|réunion|examen|consultation|vol|mariage|concert|opération|partiel)"
            rf"\b[^.,;!?]*?) (?P<v>{DAY}\b[^.,;!?]*)"
        ),
        "Tu as {x} {v}.",
    ),
    (
        "appointment",
        pattern_of(
            rf"\b(?P<v>{DAY}(?: à \d+ ?h ?\d*)?),? (?:j'ai|on a|nous avons) (?:une? |mon |ma )?(?P<x>(?:rendez-vous|rdv|entretien|réunion|examen|consultation|vol|mariage|concert|opération|partiel)\b[^.,;!?]*)"
        ),
        "Tu as {x} {v}.",
    ),
    (
        "date",
        pattern_of(
            rf"\b(?:la |le |l')(?P<x>réunion|rendez-vous|fête|mariage|entretien|dîner|cours|examen|concert)(?: de [a-z]+)? (?:n'est (?:pas|plus) (?:le )?(?:{DAY}),? mais |est (?:reportée? au |déplacée? à )?|aura lieu )(?:le )?(?P<v>{DAY}[^.,;!?]*)"
        ),
        "{x} : {v}.",
    ),
    (
        "travel",
        pattern_of(
            rf"\b(?:{DAY},? )?(?P<v>(?:je|on) (?:pars|part|vais en voyage|m'envole|voyage) (?:{DAY} )?(?:à|en|au|aux|pour) (?-i:[A-Z])[^.;,!?]*)"
        ),
        "Voyage : {v}.",
    ),
    (
        "current_location",
        pattern_of(r"\bcette semaine,? je suis (?:à|en|au) (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Cette semaine, tu es à {v}.",
    ),
)
