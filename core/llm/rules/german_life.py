"""Forms of German: tastes, pastimes, belongings, plans and dates."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re

from core.llm.rules.german_words import DATE, DATED, DAY, HAVE, WEEKDAY, pattern_of
from core.llm.rules.phrases import PERSON

FORMS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "dislikes",
        pattern_of(
            r"\b(?:ich )?(?:mag|kann) (?:keine?n?|überhaupt keine?n?) (?P<v>[^.;!?]+?)(?= ausstehen| leiden|"
            r"[.,;!?]|$)"
        ),
        "Du magst kein {v}.",
    ),
    (
        "dislikes",
        pattern_of(
            r"(?:^|[,.] |\baber )(?P<v>(?!das\b|es\b)[\wß-]+(?: [\wß-]+)?) (?:mag|esse|trinke) ich (?:gar |überhaupt |leider )?nicht\b"
        ),
        "Du magst {v} nicht.",
    ),
    (
        "dislikes",
        pattern_of(
            r"(?:^|[,.] |\bich kann )(?P<v>(?!das\b|es\b)[\wß-]+(?: [\wß-]+)?) (?:kann ich )?(?:überhaupt |gar )?nicht (?:ausstehen|leiden|ab)\b"
        ),
        "Du kannst {v} nicht ausstehen.",
    ),
    (
        "dislikes",
        pattern_of(
            r"\bich (?:hasse|verabscheue|mag (?:die|den|das) (?=[^.;!?]*nicht)) ?(?P<v>[^.;!?]+?)(?= nicht\b|"
            r"[.,;!?]|$)"
        ),
        "Du magst {v} nicht.",
    ),
    (
        "likes",
        pattern_of(
            r"\bich (?:mag|liebe|steh auf|stehe auf|bevorzuge) (?!keine?n?\b|es\b|dich\b)(?!(?:die|den|das) [^.;!?]*nicht)(?:sehr |"
            r"gern(?:e)? |am liebsten )?(?P<v>[^.;!?]+?)(?= sehr\b|[.;!?]|$)"
        ),
        "Du magst {v}.",
    ),
    (
        "likes",
        pattern_of(r"\bam liebsten (?:esse|trinke|höre|lese|schaue|spiele|mag) ich (?P<v>[^.;!?]+)"),
        "Am liebsten magst du {v}.",
    ),
    (
        "likes",
        pattern_of(r"\bich (?P<v>(?!hätte|würde|möchte|wüsste)\w+e (?:sehr )?gern(?:e)?\b[^.,;!?]*)"),
        "Du: {v}.",
    ),
    (
        "drinks",
        pattern_of(
            r"\bich trinke (?P<v>(?:keine?n? [^.;,!?]+(?:, (?:nur|sondern) [^.;,!?]+)?|nur [^.;!?]+|am "
            r"liebsten [^.;!?]+|lieber [^.;!?]+))"
        ),
        "Du trinkst {v}.",
    ),
    ("avoids", pattern_of(r"\bich esse (?:leider )?keine?n? (?P<v>[^.;!?]+)"), "Du isst kein {v}."),
    (
        "language",
        pattern_of(
            r"\bich (?:spreche|kann) (?:fließend |etwas |ein bisschen |auch )?(?P<v>[a-z]+(?:isch|utsch)\b[^.;!?]*)"
        ),
        "Du sprichst {v}.",
    ),
    ("hobby", pattern_of(r"\b(?:meine hobbys sind|mein hobby ist) (?P<v>[^.;!?]+)"), "Deine Hobbys: {v}."),
    (
        "hobby",
        pattern_of(
            r"\bich (?P<v>(?:spiele|sammle|klettere|tanze|male|gehe (?:\w+mal (?:die|pro|in der) \w+ |oft |gern |gerne |regelmäßig )?[a-z]+n\b) ?(?!mit dem gedanken)[^.,;!?]*)"
        ),
        "Du: {v}.",
    ),
    (
        "studies",
        pattern_of(
            r"\bich (?:studiere|lerne) (?:gerade |jetzt |seit \w+ )?(?P<v>[a-z][^.,;!?]+?)(?= im \w+ semester| an der| in (?-i:[A-Z])|[.,;!?]|$)"
        ),
        "Du studierst {v}.",
    ),
    (
        "studies",
        pattern_of(
            r"\bich mache (?:gerade |jetzt )?(?:eine |meine |'ne )?(?P<v>(?:ausbildung|weiterbildung|umschulung|lehre)\b[^.,;!?]*)"
        ),
        "Du machst {v}.",
    ),
    (
        "studies",
        pattern_of(r"\bstudent(?:in)? (?:der |im fach )?(?P<v>(?-i:[A-Z])[^.,;!?]+?)(?= an | in |[.,;!?]|$)"),
        "Du studierst {v}.",
    ),
    (
        "car",
        pattern_of(r"\b(?:ich fahre einen?|mein auto ist (?:ein|eine)) (?!fahrrad)(?P<v>[^.;!?]+)"),
        "Du fährst einen {v}.",
    ),
    (
        "phone_model",
        pattern_of(
            rf"(?:{HAVE}|\bich nutze|\bmein handy ist)(?: mir)? (?:jetzt )?(?:ein|einen) (?:neues |neuen )?(?P<v>(?:iphone|samsung|galaxy|pixel|xiaomi|huawei|fairphone|nokia|motorola|oneplus)\b[^.,;!?]*?)(?= gekauft|[.,;!?]|$)"
        ),
        "Dein Handy: {v}.",
    ),
    (
        "age",
        pattern_of(r"\bich (?:bin|werde) (?P<v>\d{1,3}(?: jahre(?: alt)?)?)\b(?![,.]\d| ?(?:m|cm|kg)\b)"),
        "Du bist {v}.",
    ),
    ("height", pattern_of(r"\bbin (?P<v>\d[.,]\d+ ?(?:m|meter)?|\d{3} ?cm) groß"), "Du bist {v} groß."),
    ("weight", pattern_of(r"\bwiege (?P<v>\d+(?:[.,]\d+)? ?(?:kg|kilo)?)"), "Du wiegst {v}."),
    (
        "blood_type",
        pattern_of(
            r"\b(?:meine blutgruppe ist|ich habe blutgruppe) (?P<v>(?:AB|A|B|0|O)\b(?: ?(?:positiv|negativ|\+|-))?)"
        ),
        "Deine Blutgruppe ist {v}.",
    ),
    ("email", pattern_of(r"\bmeine (?:e-?mail\S*|mail\S*) (?:ist|lautet) (?P<v>\S+@\S+\w)"), "Deine E-Mail ist {v}."),
    (
        "phone",
        pattern_of(
            r"\bmeine (?:neue )?(?:nummer|telefonnummer|handynummer) (?:ist|lautet) (?:die )?(?P<v>\+?[\d /()-]{7,})"
        ),
        "Deine Nummer ist {v}.",
    ),
    (
        "manager",
        pattern_of(rf"\bmein(?:e)? (?:chef|chefin|vorgesetzte\w?) (?:ist|heißt) (?P<v>{PERSON})"),
        "Dein Chef ist {v}.",
    ),
    (
        "spouse",
        pattern_of(rf"\bbin (?:seit \w+ )?mit (?:meine[rm] \w+ )?(?P<v>{PERSON}) verheiratet"),
        "Du bist mit {v} verheiratet.",
    ),
    ("partner", pattern_of(rf"\bbin (?:seit \w+ )?mit (?P<v>{PERSON}) zusammen"), "Du bist mit {v} zusammen."),
    (
        "deadline",
        pattern_of(
            r"\b(?:der |die )?(?:abgabetermin|abgabefrist|frist|deadline|abgabe) (?:für|von|der|des) (?:den |"
            r"die |das |der |unser\w* |mein\w* )?(?P<x>[\wß -]+?) (?:ist|endet|läuft bis)(?: am| der| den| "
            rf"bis)* {DATED}"
        ),
        "Der Abgabetermin für {x} ist der {v}.",
    ),
    (
        "deadline",
        pattern_of(
            r"\b(?:der|die|das|mein\w*|unser\w*) (?P<x>[\wß -]+?) (?:muss|müssen) (?:bis|am)(?: zum| "
            rf"spätestens)? {DATED}"
        ),
        "{x}: bis {v}.",
    ),
    (
        "deadline",
        pattern_of(
            rf"\b(?:ich muss|wir müssen) (?:bis|am)(?: zum| spätestens)? (?P<v>(?:{WEEKDAY}|{DATE})) (?:die |den |das |meine? |meinen )?(?P<x>[^.,;!?]+?) (?:abgeben|einreichen|fertig)"
        ),
        "{x}: bis {v}.",
    ),
    (
        "appointment",
        pattern_of(
            rf"(?:{HAVE}) (?P<v>{DAY}\b[^.;!?]*?) (?:einen |ein |eine |'nen )?(?P<x>[\wß]*(?:termin|gespräch|prüfung|klausur|treffen|meeting|operation|flug|hochzeit|interview|untersuchung))\b"
        ),
        "Du hast {v} einen {x}.",
    ),
    (
        "appointment",
        pattern_of(
            rf"\b(?P<v>{DAY}(?: um [\d:]+(?: uhr)?)?) hab(?:e)? ich (?:um [\d:]+ (?:uhr )?)?(?:einen |ein |eine )?(?P<x>[\wß]*(?:termin|gespräch|prüfung|klausur|treffen|meeting|operation|flug|interview|untersuchung))\b"
        ),
        "Du hast {v} {x}.",
    ),
    (
        "date",
        pattern_of(
            rf"(?:^|\b)(?:nicht (?:am )?{WEEKDAY}, sondern (?:am )?)(?P<v>{WEEKDAY}) ist (?:der|die|das) (?P<x>[\wß]+)"
        ),
        "{x}: {v}.",
    ),
    (
        "date",
        pattern_of(
            rf"\b(?:der|die|das|unser\w*|mein\w*) (?P<x>(?!abgabe|geburtstag|frist)[a-zß]+(?: (?:nach|mit|in|bei) \w+)?) (?:ist|findet) (?:nicht (?:am )?{WEEKDAY},? sondern |jetzt |doch )?am (?P<v>(?:{WEEKDAY}|{DATE})[^.,;!?]*)"
        ),
        "{x}: {v}.",
    ),
    (
        "travel",
        pattern_of(
            rf"\b(?P<w>{DAY} )?(?P<v>(?:(?:fliege|fahre|reise) ich nach (?-i:[A-Z])[^.;,!?]*))|\bich (?P<y>fliege|fahre|reise) (?P<z>{DAY} )?nach (?-i:[A-Z])"
        ),
        "{w} {v}.",
    ),
    ("travel", pattern_of(rf"\bich (?P<v>(?:fliege|fahre|reise) (?:{DAY} )?nach (?-i:[A-Z])[^.;,!?]*)"), "Du: {v}."),
    (
        "business",
        pattern_of(
            rf"(?:{HAVE}|\bich betreibe|\bich führe|\bich leite) (?P<v>(?:eine|einen|ein) (?:kleine\w? )?[\wß]*(?:laden|geschäft|café|restaurant|firma|praxis|werkstatt|bäckerei|hof|studio|agentur|kneipe)\b[^.,;!?]*)"
        ),
        "Du hast {v}.",
    ),
    (
        "current_location",
        pattern_of(r"\bdiese woche bin ich in (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Diese Woche bist du in {v}.",
    ),
)
