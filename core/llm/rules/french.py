"""Forms of French: who one is, where one lives, work and health."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.french_kin import FRENCH_KIN
from core.llm.rules.french_life import FORMS
from core.llm.rules.french_words import DATE, TRADE, VALUE, pattern_of
from core.llm.rules.phrases import PERSON

_NATION = "français|anglais|belge|suisse|canadien|québécois|marocain|algérien|tunisien|italien|espagnol|portugais|allemand|américain|chinois|japonais|russe|sénégalais|ivoirien|camerounais|malien|congolais|libanais|turc"


_FORMS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "name",
        pattern_of(
            rf"\b(?:je m'appelle|mon nom (?:complet )?(?:est|c'est)|mon prénom (?:est|c'est)|moi,? c'est) (?P<v>{PERSON}|(?!le\b|la\b|les\b|un\b|plus\b|pas\b)[a-z-]{{2,}}(?: (?!et\b|je\b|j\b)[a-z-]{{3,}})?)"
        ),
        "Tu t'appelles {v}.",
    ),
    (
        "name",
        pattern_of(
            rf"(?:^|[,.!] |\b(?:salut|bonjour|coucou) )je suis (?!(?:{TRADE})|(?:{_NATION}|breton|parisien|lyonnais|marseillais|bélier|taureau|gémeaux|cancer|lion|vierge|balance|scorpion|sagittaire|capricorne|verseau|poissons?|chrétien|musulman|juif|athée))(?P<v>(?-i:[A-Z][a-z-]+(?: [A-Z][a-z-]+)?))(?=[,.!]| et |$)"
        ),
        "Tu t'appelles {v}.",
    ),
    ("name", pattern_of(rf"\bje (?:ne )?m'appelle pas \w+,? mais (?P<v>{PERSON})"), "Tu t'appelles {v}."),
    (
        "name",
        pattern_of(rf"^(?:salut|bonjour|coucou|hello|bonsoir)[,! ]+(?P<v>{PERSON}),? (?=\d+ ans\b|ici\b)"),
        "Tu t'appelles {v}.",
    ),
    ("age", pattern_of(rf"^(?:\w+[,! ]+)?{PERSON}, (?P<v>\d+ ans)\b"), "Tu as {v}."),
    ("job", pattern_of(rf"\b\d+ ans, (?P<v>(?:{TRADE}))\b"), "Tu es {v}."),
    ("age", pattern_of(rf"\b(?:je m'appelle|moi,? c'est) {PERSON},? (?P<v>\d+ ans)\b"), "Tu as {v}."),
    (
        "job",
        pattern_of(rf"\b(?:je m'appelle|moi,? c'est) {PERSON},(?: \d+ ans,?)?(?: et)? (?:une? )?(?P<v>(?:{TRADE}))\b"),
        "Tu es {v}.",
    ),
    ("hometown", pattern_of(r"\bj'ai grandi (?:à|en|au|dans) (?P<v>[^.,;!?]+)"), "Tu as grandi à {v}."),
    ("allergy", pattern_of(rf"\bmes allergies(?: sont| :|:) ?(?:les |le |la |l')?{VALUE}"), "Tu es allergique à {v}."),
    (
        "work_schedule",
        pattern_of(r"\bje (?:travaille|bosse) (?P<v>de nuit|de jour|à temps partiel|à mi-temps|le week-end|en 3x8)"),
        "Tu travailles {v}.",
    ),
    ("nationality", pattern_of(rf"\bje suis (?P<v>(?:{_NATION})(?:n?e)?)\b"), "Tu es {v}."),
    ("origin", pattern_of(r"\bje suis d'origine (?P<v>[^.,;!?]+)"), "Tu es d'origine {v}."),
    (
        "allergy",
        pattern_of(r"(?:^|[,.] )(?:les |le |la |l'|aux |au )?(?P<v>[^.,;!?]+?),? j'y suis (?:\w+ )?allergique"),
        "Tu es allergique à {v}.",
    ),
    (
        "laptop",
        pattern_of(r"\bmon (?:ordi|ordinateur|pc|portable) (?:est|c'est) une? (?P<v>[^.,;!?]+)"),
        "Ton ordinateur : {v}.",
    ),
    (
        "favorite",
        pattern_of(rf"\b(?:mon|ma) (?P<k>\w+) préférée? (?:est|c'est) (?:le |la |l')?{VALUE}"),
        "Ton {k} préféré est {v}.",
    ),
    (
        "response_preference",
        pattern_of(
            r"(?P<v>\b(?:réponds|répondez|parle|parlez|tutoie|tutoyez|vouvoie|écris)(?:[- ]moi)? (?:toujours |désormais |"
            "dorénavant )?(?:en|avec|sans|de façon|plus|brièvement)[^.;!?]*)"
        ),
        "Tu as demandé : {v}.",
    ),
    ("response_preference", pattern_of(r"(?P<v>\b(?:tutoie|vouvoie|tutoyez)[- ]moi[^.;!?]*)"), "Tu as demandé : {v}."),
    (
        "workplace",
        pattern_of(
            rf"\bje suis (?:une? )?(?:{TRADE})\b(?: d[e'][^.,;!?]*?)? (?:à|au|chez|dans) (?:une? |l[ae] |l'|les? )?(?P<v>[^.,;!?]+?)(?= et |[.,;!?]|$)"
        ),
        "Tu travailles à {v}.",
    ),
    (
        "nickname",
        pattern_of(
            rf"\b(?:on m'appelle|appelle-moi|appelez-moi|tout le monde m'appelle|mes amis m'appellent) (?P<v>{PERSON})"
        ),
        "On t'appelle {v}.",
    ),
    ("-job", pattern_of(rf"\bje ne suis plus (?:un |une )?(?!vég|à\b|en\b|au\b|chez\b){VALUE}"), "Tu n'es plus {v}."),
    (
        "-employer",
        pattern_of(r"\bje ne (?:travaille|bosse) plus (?:chez|à|au|pour) (?P<v>[^.,;!?]+)"),
        "Tu ne travailles plus chez {v}.",
    ),
    (
        "-home",
        pattern_of(r"(?:\bje n'habite|\bje ne vis) plus (?:à |en |au |aux )?(?P<v>[^.,;!?]+)"),
        "Tu n'habites plus à {v}.",
    ),
    ("-home", pattern_of(r"\bavant,? j'habitais (?:à |en |au )?(?P<v>[^.,;!?]+)"), "Tu n'habites plus à {v}."),
    (
        "home",
        pattern_of(
            r"(?:\bje n'habite|\bje ne vis) plus [^.,;!?]+?,? (?:mais |maintenant |j'habite |je vis |je suis )+(?:maintenant |désormais )?(?:à|en|au|dans) (?P<v>[^.,;!?]+)"
        ),
        "=Tu habites à {v}.",
    ),
    ("-smoking", pattern_of(r"\bje ne (?P<v>fume) plus|\bj'ai arrêté de fumer"), "Tu ne fumes plus."),
    ("-smoking", pattern_of(r"\bj'ai arrêté (?:de (?P<v>fumer)|la cigarette)"), "Tu ne fumes plus."),
    ("-diet", pattern_of(r"\bje ne suis plus (?P<v>végétarien(?:ne)?|végane?|vegan)"), "Tu n'es plus {v}."),
    (
        "home",
        pattern_of(
            r"\b(?:j'habite(?! plus| pas)|nous habitons|on habite|je vis(?! plus| pas)|nous vivons|on vit|j'ai déménagé|j'ai emménagé|on a "
            r"(?:déménagé|emménagé)|(?:je viens|on vient|nous venons) d'(?:emménager|habiter)|(?:je viens|on vient) de déménager|je me suis installée?|on s'est installée?s|"
            r"finalement,? (?:je|on) reste) "
            rf"(?:maintenant |désormais |actuellement )?(?:avec [^.,;!?]+? )?(?:(?:à |en |au |aux |dans |sur |près de )|(?=(?-i:[A-Z])))(?!avec\b|chez\b){VALUE}"
        ),
        "Tu habites à {v}.",
    ),
    ("lives_since", pattern_of(r"\b(?:j'habite|je vis)\b[^.;!?]*?(?P<v>depuis [\w ]+)"), "Tu y habites {v}."),
    ("address", pattern_of(r"\bmon adresse (?:est|c'est) (?:le |au )?(?P<v>[^.;!?@]+)$"), "Ton adresse : {v}."),
    (
        "hometown",
        pattern_of(
            rf"\b(?:je viens|je suis originaire) (?:de |d'|du |des )(?!\w+er\b|finir|faire|lire|prendre|voir){VALUE}"
        ),
        "Tu viens de {v}.",
    ),
    (
        "birthplace",
        pattern_of(rf"\bje suis née? (?:le {DATE} |en \d{{4}} )?(?:à|en|au) (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Tu es né à {v}.",
    ),
    (
        "birthday",
        pattern_of(rf"\b(?:mon anniv(?:ersaire)?,?(?: est| c'est)?|je suis née?) (?:c'est )?(?:le )?(?P<v>{DATE})"),
        "Ton anniversaire est le {v}.",
    ),
    (
        "birthday",
        pattern_of(rf"\bl'anniversaire de (?:mon|ma) (?P<rel>[\w-]+)(?: \w+)?,? (?:est|c'est) (?:le )?(?P<v>{DATE})"),
        "L'anniversaire ({rel}) est le {v}.",
    ),
    (
        "job",
        pattern_of(
            r"\bje (?:travaille|bosse|suis à mon compte)(?: (?!plus\b)[^.,;!?]*?)? (?:comme|en tant qu(?:e |')) ?(?:une? )?(?P<v>[^.;!?]+?)(?= (?:chez|à|au|dans|pour|depuis)\b|[.,;!?]|$| et )"
        ),
        "Tu travailles comme {v}.",
    ),
    ("job", pattern_of(rf"\b(?:mon métier,? c'est|dans la vie,? je suis) (?:une? )?{VALUE}"), "Ton métier : {v}."),
    (
        "workplace",
        pattern_of(
            r"\bje (?:travaille|bosse) (?:(?:comme|en tant que) [^.,;!?]+? )?(?:de nuit |de jour |à temps partiel |à mi-temps )?(?:chez|à la|à l'|à|au|pour|dans) (?:une? |la |le |l')?(?!mon compte|domicile)"
            r"(?P<v>[^.;!?]+?)(?= comme| en tant|[.,;!?]|$| et )"
        ),
        "Tu travailles chez {v}.",
    ),
    (
        "workplace",
        pattern_of(r"\b(?:boulot|travail|poste|job|stage|cdi)\b[^.,;!?]* chez (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Tu travailles chez {v}.",
    ),
    (
        "workplace",
        pattern_of(r"\b(?<!plus )(?:je suis|maintenant|désormais) (?:maintenant )?chez (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Tu es chez {v}.",
    ),
    (
        "employment_status",
        pattern_of(
            r"\bje suis (?P<v>au chômage|à la retraite|retraitée?|en arrêt maladie|en congé (?:maternité|parental)|à mon compte|sans emploi)"
        ),
        "Tu es {v}.",
    ),
    (
        "diet",
        pattern_of(
            r"\b(?:je suis|je mange) (?:devenue? )?(?P<v>végétarien(?:ne)?|végane?|vegan|végétalien(?:ne)?|halal|casher|sans gluten)\b"
        ),
        "Tu es {v}.",
    ),
    (
        "condition",
        pattern_of(
            r"\b(?:je suis|j'ai|je souffre) (?:du |de l'|une? |des |de |d'|la |le )?(?P<v>(?:diabétique|diabète|asthm\w+|cœliaque|"
            r"coeliaque|dyslexique|épilep\w+|intolérante? (?:au|à) [^.,;!?]+|migraines?|hypertension|arthrose|endométriose|eczéma|\w+ite|tdah|anémie)\b[^.;!?]*)"
        ),
        "{v} : c'est ton état de santé.",
    ),
    (
        "allergy",
        pattern_of(rf"\bje suis (?:très )?allergique (?:aux |au |à la |à l'|à ){VALUE}"),
        "Tu es allergique à {v}.",
    ),
    ("allergy", pattern_of(rf"\bj'ai une allergie (?:aux |au |à la |à l'|à ){VALUE}"), "Tu es allergique à {v}."),
    (
        "medication",
        pattern_of(
            r"\bje prends (?:du |de la |de l'|des |un |une )?(?P<v>[^.,;!?]+?)(?= (?:tous les|chaque|matin|le matin|le soir|pour (?:ma|mon|mes)\b|\d+ fois|par jour))"
        ),
        "Tu prends {v}.",
    ),
    (
        "job",
        pattern_of(
            rf"\bje suis (?:devenue? |actuellement |maintenant )?(?:une? )?(?P<v>(?:{TRADE})\b(?: (?!à\b|au\b|aux\b|chez\b|dans\b|et\b|en\b|depuis\b|mais\b)[a-z'-]+){{0,3}})"
        ),
        "Tu es {v}.",
    ),
)


FRENCH: dict[str, Any] = {
    **FRENCH_KIN,
    "code": "fr",
    "telling": re.compile(
        r"[çœêè]|\b(?:le|la|les|de|des|du|et|en|je|j'|mon|ma|mes|est|suis|ne|pas|pour|avec|une|un|dans|"
        r"qui|au|aux|c'est|sur|il|elle|nous|notre|mais|ans|très|depuis|on|reste|jaime|jadore|chez)\b|\b(?:j|d|l|qu|c|s|m|n)'",
        re.IGNORECASE,
    ),
    "certain": pattern_of(
        r"\b(?:je m'appelle|je suis|j'habite|j'ai|je travaille|j'aime|j'adore|je déteste|je n'aime|je "
        r"préfère|mon anniversaire|je parle|s'appelle|je vis|je ne|moi c'est|jaime|\d+ ans|chuis|j'suis|mon anniv|je roule|(?:mon|ma|mes) [\w-]+ (?:est|a|s'appel\w+|habite|vit|travaille|c'est)|on habite|finalement on)\b"
    ),
    "stop": pattern_of(
        r"\s*(?:[,;.!?()]|\set (?=(?:je|j'|mon|ma|mes|il|elle|nous|notre|on|suis|maintenant)\b|j')|\s(?:mais|parce que|car|"
        r"depuis|avec (?:mon|ma|mes)|quand|donc|l[ae] (?:mois|semaine|année) derni[eè]re?|il y a|en (?:janvier|"
        r"février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|\d{4}))\b)"
    ),
    "joiner": pattern_of(r"\s*(?:,|\bet\b|\bni\b)\s*"),
    "filler": pattern_of(r"(?:un peu (?:de |d')|aussi |(?:des|aux|au|les|le|la|du|de la) |(?:à |de )?l'|d')"),
    "hush": pattern_of(
        r"^(?:et |mais )?(?:si j'\w+(?:ais|ait)\b|si je \w+ais\b|j'aimerais|je voudrais|imagin\w+|suppos\w+|peut-être|traduis|traduisez|écris|écrivez|"
        r"explique|expliquez|résume|corrige|aide-moi|donne-moi|raconte|comme disait|comme dit|un jour)\b|"
        r"\b(?:mon personnage|le héros|l'héroïne|dans (?:le|mon) roman|la chanson dit|les paroles|le pape|un jour|je rigole|je plaisante)\b|^(?:mdr|lol|ptdr)\b"
    ),
    "forms": _FORMS + FORMS,
}
