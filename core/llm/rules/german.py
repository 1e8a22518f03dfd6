"""Forms of German."""

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.phrases import PERSON, by_word


def _c(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_V = r"(?P<v>[^.;!?\n]+)"


_DATED = r"(?P<v>(?:\w+, )?(?:den |dem |der )?\d{1,2}\. ?(?:\w+|\d{1,2}\.)(?: \d{4})?[^;!?\n]*)"


GERMAN: dict[str, Any] = {
    "code": "de",
    "telling": _c(
        r"[äöüß]|\b(?:der|die|das|und|ich|mein|meine|meiner|meinem|meinen|ist|bin|nicht|mit|ein|eine|"
        "einen|für|auf|den|dem|zu|wir|unser|unsere|habe|wohne|arbeite|aber|seit|auf|mir|bitte|nach|immer|"
        r"letzten|haben|sind|sehr|von|als|nur|keine?n?|heiße|jahre|im|am)\b"
    ),
    "certain": _c(
        r"\b(?:ich (?:heiße|heisse|bin|wohne|lebe|arbeite|mag|liebe|hasse|trinke|esse|habe|spreche|komme|"
        r"nehme|rauche|fahre)|mein name|meine? \w+ (?:heißt|ist)|abgabetermin|wir (?:wohnen|leben|"
        r"haben))\b"
    ),
    "stop": _c(
        r"\s*(?:[,;!?()]|\.(?! ?(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|\d))|\s(?:und|aber|"
        r"weil|denn|obwohl|seit|mit mein\w*|wenn|nur)\b(?! ?\w+ Uhr))"
    ),
    "joiner": _c(r"\s*(?:,|\bund\b|\boder\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:ich heiße|ich heisse|mein name ist) (?P<v>{PERSON})"), "Du heißt {v}."),
        (
            "name",
            _c(
                r"\bich bin (?:die |der )?(?P<v>(?-i:[A-ZÄÖÜ][a-zäöüß]+))(?=[,.!]| und (?:wohne|komme|"
                "lebe))(?<!er)(?<!in)"
            ),
            "Du heißt {v}.",
        ),
        (
            "favorite",
            _c(rf"\bmeine? lieblings(?P<k>\w+) (?:ist|sind) (?:die |der |das )?{_V}"),
            "Dein Lieblings{k} ist {v}.",
        ),
        (
            "response_preference",
            _c(
                r"(?P<v>\b(?:bitte )?(?:antworte|schreib|schreibe|sprich|duze|sieze|halte)\b(?: (?:mir|mich|mit "
                "mir|bitte|dich|immer|künftig|ab jetzt|in zukunft|deine antworten))+[^.;!?]*)"
            ),
            "Du möchtest: {v}.",
        ),
        ("-employer", _c(r"\barbeite nicht mehr (?:bei|für) (?P<v>[^.;!?]+)"), "Du arbeitest nicht mehr bei {v}."),
        ("employer", _c(r"\bsondern (?:bei|für) (?P<v>(?-i:[A-ZÄÖÜ])[^.;!?]*)"), "Du arbeitest bei {v}."),
        ("nickname", _c(rf"\b(?:alle nennen mich|nennt? mich|man nennt mich) (?P<v>{PERSON})"), "Man nennt dich {v}."),
        (
            "-job",
            _c(rf"\bich arbeite nicht mehr als {_V}"),
            "Du arbeitest nicht mehr als {{v}}.".replace("{{", "{").replace("}}", "}"),
        ),
        ("-home", _c(r"\bich (?:wohne|lebe) nicht mehr in (?P<v>[^.,;!?]+)"), "Du wohnst nicht mehr in {v}."),
        (
            "-diet",
            _c(
                r"\bich bin (?:kein|keine) (?P<v>vegetarier(?:in)?|veganer(?:in)?) mehr|\bich bin nicht mehr "
                "(?P<w>x)"
            ),
            "Du bist nicht mehr {v}.",
        ),
        ("-smoking", _c(r"\bich (?P<v>rauche) (?:nicht mehr|seit \w+ nicht mehr)"), "Du rauchst nicht mehr."),
        (
            "home",
            _c(
                r"\b(?:wohne|wohnen|lebe|leben)\b(?! nicht mehr)(?: jetzt| nun| mittlerweile| aktuell)?(?: seit "
                r"[\w .]+?)?(?: jetzt| zusammen)?(?: mit (?:meine?[rmn]?|unsere?[rmn]?) [^.,;!?]{2,40}?)? (?:in|"
                "im|auf|am|bei) (?:der |dem |einer |einem )?(?P<v>[^.;!?]+)"
            ),
            "Du wohnst in {v}.",
        ),
        (
            "home",
            _c(
                r"\b(?:ich bin|wir sind) (?:[\w ]{0,24} )?nach (?P<v>(?-i:[A-ZÄÖÜ])[\wäöüß -]+?) (?:gezogen|"
                "umgezogen)"
            ),
            "Du bist nach {v} gezogen.",
        ),
        (
            "lives_since",
            _c(
                r"\b(?:wohne|lebe|wohnen|leben)\b[^.;!?]*?(?P<v>seit (?:\d{4}|\w+ (?:jahren|monaten|wochen)|"
                "(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)(?: "
                r"\d{4})?))"
            ),
            "Du wohnst dort {v}.",
        ),
        ("hometown", _c(rf"\bich komme (?:ursprünglich |eigentlich )?aus (?:der |dem )?{_V}"), "Du kommst aus {v}."),
        ("birthplace", _c(r"\bich bin in (?P<v>(?-i:[A-ZÄÖÜ])[\wäöüß -]+?) geboren"), "Du bist in {v} geboren."),
        (
            "birthday",
            _c(
                r"\b(?:mein geburtstag ist|ich habe|ich bin) (?:am |der |den )(?P<v>\d{1,2}\. ?\w+(?: \d{4})?)(?: "
                "geburtstag| geboren)?"
            ),
            "Dein Geburtstag ist am {v}.",
        ),
        (
            "job",
            _c(
                r"\b(?:ich )?arbeite (?!nicht)(?:jetzt |seit \w+ )?als (?P<v>[^.;!?]+?)(?= (?:bei|in|im|für|am|"
                r"an)\b|[.,;!?]|$| und )"
            ),
            "Du arbeitest als {v}.",
        ),
        (
            "employer",
            _c(r"\barbeite\b(?! nicht mehr)[^.;!?]*? (?:bei|für) (?:der |dem )?(?P<v>(?-i:[A-ZÄÖÜ])[^.;!?]*)"),
            "Du arbeitest bei {v}.",
        ),
        (
            "diet",
            _c(
                r"\b(?:ich bin|ich lebe|ich ernähre mich|ich esse) (?:seit \w+ )?(?P<v>vegan|vegetarisch|"
                r"vegetarier(?:in)?|veganer(?:in)?|glutenfrei|laktosefrei|halal|koscher)\b(?! mehr)"
            ),
            "Du bist {v}.",
        ),
        (
            "condition",
            _c(
                r"\bich (?:habe|bin) (?P<v>diabetes|diabetiker(?:in)?|asthma|zöliakie|migräne|legasthenie|"
                "legastheniker(?:in)?|epilepsie|heuschnupfen|laktoseintolerant|bluthochdruck|adhs|neurodermitis)"
            ),
            "Du hast {v}.",
        ),
        (
            "allergy",
            _c(rf"\b(?:ich bin|bin) (?:stark |sehr )?allergisch (?:gegen|auf) {_V}"),
            "Du bist allergisch gegen {{v}}.".replace("{{", "{").replace("}}", "}"),
        ),
        (
            "allergy",
            _c(r"\bich habe eine (?P<v>\w+)allergie|\bich vertrage (?:keine?n?) (?P<w>x)"),
            "Du hast eine {v}allergie.",
        ),
        (
            "avoids",
            _c(rf"\bich vertrage keine?n? {_V}"),
            "Du verträgst kein {{v}}.".replace("{{", "{").replace("}}", "}"),
        ),
        (
            "medication",
            _c(r"\bich nehme (?:täglich |jeden \w+ )?(?P<v>\d[\d,.]* ?(?:mg|ml|g) [^.;!?]+)"),
            "Du nimmst {v}.",
        ),
        (
            "job",
            _c(
                r"\bich bin (?:jetzt |seit \w+ )?(?:eine? |von beruf )?(?P<v>(?!Veg|Diab|Legas|"
                r"Single)(?-i:[A-ZÄÖÜ])[\wäöüß-]+(?:er|erin|in|or|ist|istin|ent|entin|mann|frau|loge|login|arzt|"
                r"ärztin|wirt|koch|köchin|eur|eurin|euse|kraft|lehrling|Azubi))\b"
            ),
            "Du bist {v}.",
        ),
        (
            "dislikes",
            _c(
                r"\b(?:ich )?(?:mag|kann) (?:keine?n?|überhaupt keine?n?) (?P<v>[^.;!?]+?)(?= ausstehen| leiden|"
                "[.,;!?]|$)"
            ),
            "Du magst kein {v}.",
        ),
        (
            "dislikes",
            _c(
                r"\bich (?:hasse|verabscheue|mag (?:die|den|das) (?=[^.;!?]*nicht)) ?(?P<v>[^.;!?]+?)(?= nicht\b|"
                "[.,;!?]|$)"
            ),
            "Du magst {v} nicht.",
        ),
        (
            "likes",
            _c(
                r"\bich (?:mag|liebe) (?!keine?n?\b|es\b|dich\b)(?!(?:die|den|das) [^.;!?]*nicht)(?:sehr |"
                r"gern(?:e)? |am liebsten )?(?P<v>[^.;!?]+?)(?= sehr\b|[.,;!?]|$)"
            ),
            "Du magst {v}.",
        ),
        ("likes", _c(r"\bich (?P<v>(?!hätte|würde|möchte|wüsste)\w+e (?:sehr )?gern(?:e)?\b[^.,;!?]*)"), "Du: {v}."),
        (
            "drinks",
            _c(
                r"\bich trinke (?P<v>(?:keine?n? [^.;,!?]+(?:, (?:nur|sondern) [^.;,!?]+)?|nur [^.;!?]+|am "
                "liebsten [^.;!?]+|lieber [^.;!?]+))"
            ),
            "Du trinkst {v}.",
        ),
        ("avoids", _c(r"\bich esse keine?n? (?P<v>[^.;!?]+)"), "Du isst kein {v}."),
        (
            "language",
            _c(r"\bich spreche (?:fließend |etwas |ein bisschen |auch )?(?P<v>(?-i:[A-ZÄÖÜ])[^.;!?]+)"),
            "Du sprichst {v}.",
        ),
        ("hobby", _c(r"\b(?:meine hobbys sind|mein hobby ist) (?P<v>[^.;!?]+)"), "Deine Hobbys: {v}."),
        ("hobby", _c(r"\bich (?P<v>(?:spiele|sammle|klettere|gehe \w+en) ?(?!mit dem gedanken)[^.,;!?]*)"), "Du: {v}."),
        ("studies", _c(r"\bich (?:studiere|lerne) (?P<v>(?-i:[A-ZÄÖÜ])[^.;!?]+)"), "Du studierst {v}."),
        ("car", _c(r"\bich fahre einen? (?P<v>[^.;!?]+)"), "Du fährst einen {v}."),
        ("age", _c(r"\bich (?:bin|werde) (?P<v>\d+(?: jahre(?: alt)?)?)\b"), "Du bist {v}."),
        ("email", _c(r"\bmeine (?:e-?mail\S*|mail\S*) (?:ist|lautet) (?P<v>\S+@\S+\w)"), "Deine E-Mail ist {v}."),
        (
            "phone",
            _c(r"\bmeine (?:nummer|telefonnummer|handynummer) (?:ist|lautet) (?P<v>\+?[\d /()-]{7,})"),
            "Deine Nummer ist {v}.",
        ),
        (
            "manager",
            _c(rf"\bmein(?:e)? (?:chef|chefin|vorgesetzte\w?) (?:ist|heißt) (?P<v>{PERSON})"),
            "Dein Chef ist {v}.",
        ),
        (
            "deadline",
            _c(
                r"\b(?:der |die )?(?:abgabetermin|abgabefrist|frist|deadline|abgabe) (?:für|von|der|des) (?:den |"
                r"die |das |der |unser\w* |mein\w* )?(?P<x>[\wäöüß -]+?) (?:ist|endet|läuft bis)(?: am| der| den| "
                f"bis)* {_DATED}"
            ),
            "Der Abgabetermin für {x} ist der {v}.",
        ),
        (
            "deadline",
            _c(
                r"\b(?:der|die|das|mein\w*|unser\w*) (?P<x>[\wäöüß -]+?) (?:muss|müssen) (?:bis|am)(?: zum| "
                f"spätestens)? {_DATED}"
            ),
            "{x}: bis {v}.",
        ),
        (
            "appointment",
            _c(
                r"\b(?:ich habe|wir haben) (?P<v>(?:am|nächsten|nächste|morgen|übermorgen)\b[^.;!?]*?) (?:einen "
                r")?(?P<x>[\wäöüß]*termin)\b"
            ),
            "Du hast {v} einen {x}.",
        ),
        (
            "current_location",
            _c(r"\bdiese woche bin ich in (?P<v>(?-i:[A-ZÄÖÜ])[^.,;!?]+)"),
            "Diese Woche bist du in {v}.",
        ),
    ),
    "turns": (
        (r"\bich heiße\b", "du heißt"),
        (r"\bich bin\b", "du bist"),
        (r"\bwir sind\b", "ihr seid"),
        (r"\bich habe\b", "du hast"),
        (r"\bich mag\b", "du magst"),
        (r"\bich esse\b", "du isst"),
        (r"\bich spreche\b", "du sprichst"),
        (r"\bich nehme\b", "du nimmst"),
        (r"\bich fahre\b", "du fährst"),
        (r"\bich vertrage\b", "du verträgst"),
        (r"\bich (arbeit)e\b", r"du \1est"),
        (r"\bich hasse\b", "du hasst"),
        (r"\bich (\w+)e\b", r"du \1st"),
        (r"^(wohn|leb|komm|lieb)e\b", r"du \1st"),
        (r"^arbeite\b", "du arbeitest"),
        (r"^mag\b", "du magst"),
        (r"\bmein(e[rmn]?|)\b", r"dein\1"),
        (r"\bunser(e[rmn]?|)\b", r"euer\1"),
    ),
    "relations": by_word(
        {
            "spouse": "frau, mann, ehefrau, ehemann",
            "partner": "freundin, freund, partnerin, partner",
            "mother": "mutter, mama",
            "father": "vater, papa",
            "sister": "schwester",
            "brother": "bruder",
            "daughter": "tochter",
            "son": "sohn",
            "grandmother": "oma, großmutter",
            "grandfather": "opa, großvater",
            "aunt": "tante",
            "uncle": "onkel",
            "cousin": "cousine, cousin",
            "niece": "nichte",
            "nephew": "neffe",
            "dog": "hund, hündin",
            "cat": "katze, kater",
            "rabbit": "hase, kaninchen",
            "manager": "chefin, chef",
            "colleague": "kollegin, kollege",
            "neighbour": "nachbarin, nachbar",
            "flatmate": "mitbewohnerin, mitbewohner",
        }
    ),
    "relation": _c(
        r"\b(?P<own>meine?[rmn]?|unsere?[rmn]?) (?:beste[rn]? |kleine[rn]? |große[rn]? |ältere[rn]? |"
        rf"jüngere[rn]? )?(?P<rel>[\wäöüß]+)(?:,| heißt| ist)? (?P<name>{PERSON})"
    ),
    "relation_says": "{own} {rel} heißt {v}.",
    "of_relation": (
        (
            "job",
            _c(
                r"(?:\bmeine?[rm]? (?P<rel>[\wäöüß]+)(?: (?-i:[A-ZÄÖÜ])\w+)? |\b(?:sie|er|die|der|und) "
                r")(?:arbeitet als|ist) (?:eine? )?(?P<v>(?-i:[A-ZÄÖÜ])[\wäöüß-]+(?:er|erin|in|or|ist|istin|ent|"
                r"entin|mann|frau|loge|login|arzt|ärztin|wirt|koch|köchin|eur|eurin))\b"
            ),
            "{x} arbeitet als {v}.",
        ),
        (
            "age",
            _c(
                r"(?:\bmeine?[rm]? (?P<rel>[\wäöüß]+)(?: (?-i:[A-ZÄÖÜ])\w+)? |\b(?:sie|er|und|die|der) )(?:ist|"
                r"wird) (?P<v>(?:\d+|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?: (?:jahre|"
                r"monate)(?: alt)?)?)\b"
            ),
            "{x} ist {v}.",
        ),
        (
            "home",
            _c(
                r"(?:\bmeine?[rm]? (?P<rel>[\wäöüß]+)(?: (?-i:[A-ZÄÖÜ])\w+)? |\b(?:sie|er|und|die|der) )(?:wohnt|"
                "lebt) in (?P<v>[^.,;!?]+)"
            ),
            "{x} wohnt in {v}.",
        ),
    ),
    "many": frozenset({"likes", "dislikes", "allergy", "language"}),
}
