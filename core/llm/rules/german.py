"""Forms of German: who one is, where one lives, work and health."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.german_kin import GERMAN_KIN
from core.llm.rules.german_life import FORMS
from core.llm.rules.german_words import DATE, HAVE, MONTH, NO_NAME, TRADE, VALUE, pattern_of
from core.llm.rules.phrases import PERSON

_FORMS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "name",
        pattern_of(
            rf"\b(?:ich heiße|ich heisse|mein name ist|ich bin's,?) (?P<v>{PERSON}|(?!nicht\b)[a-zß]{{2,}}(?: (?!und\b|aus\b|bin\b)[a-zß]{{3,}})?)"
        ),
        "Du heißt {v}.",
    ),
    (
        "name",
        pattern_of(
            rf"\bich bin (?:die |der )?{NO_NAME}(?!(?:{TRADE})\b)(?P<v>(?-i:[A-Z][a-zß]+(?: [A-Z][a-zß]+)?))(?=[,.!]|$| (?:und|aus|hier)\b)(?<!erin)(?<!istin)(?<!entin)"
        ),
        "Du heißt {v}.",
    ),
    (
        "age",
        pattern_of(rf"\bich (?:bin|heiße) {PERSON}(?:,| und) (?P<v>\d{{1,2}}(?: jahre?(?: alt)?)?)(?=[,. ]|$)"),
        "Du bist {v}.",
    ),
    (
        "job",
        pattern_of(
            rf"\bich (?:bin|heiße) {PERSON}(?:, \d+(?: jahre?(?: alt)?)?)?(?:,| und| und bin)? (?:bin )?(?:eine? )?(?P<v>(?:{TRADE}))\b"
        ),
        "Du bist {v}.",
    ),
    ("name", pattern_of(rf"\bich hei(?:ß|ss)e nicht \w+,? sondern (?P<v>{PERSON})"), "Du heißt {v}."),
    ("name", pattern_of(rf"^(?:hallo|hi|moin|hey|servus|guten \w+)?[,! ]*(?P<v>{PERSON}) hier\b"), "Du heißt {v}."),
    ("age", pattern_of(r"\bhier,? (?:ich )?bin (?P<v>\d{1,2})\b|^bin (?P<w>x)"), "Du bist {v}."),
    (
        "nickname",
        pattern_of(rf"\b(?:du kannst mich|ihr könnt mich) (?:auch |einfach |gern )?(?P<v>{PERSON}) nennen"),
        "Man nennt dich {v}.",
    ),
    (
        "allergy",
        pattern_of(r"\b(?:gegen|auf) (?P<v>[^.,;!?]+?) (?:bin|reagiere) ich (?:\w+ )?allergisch"),
        "Du bist allergisch gegen {v}.",
    ),
    ("birthday", pattern_of(rf"\bam (?P<v>{DATE}) (?:werde ich|habe? ich geburtstag)"), "Dein Geburtstag ist am {v}."),
    (
        "laptop",
        pattern_of(r"\bmein (?:laptop|rechner|computer|notebook|pc) ist (?:ein|eine) (?P<v>[^.,;!?]+)"),
        "Dein Laptop: {v}.",
    ),
    (
        "employer",
        pattern_of(r"\bfang(?:e)? (?:ich )?[^.,;!?]*?\bbei (?:der |dem )?(?P<v>(?-i:[A-Z])[^.,;!?]*?) an\b"),
        "Du fängst bei {v} an.",
    ),
    (
        "favorite",
        pattern_of(rf"\bmeine? lieblings(?P<k>\w+) (?:ist|sind) (?:die |der |das )?{VALUE}"),
        "Dein Lieblings{k} ist {v}.",
    ),
    (
        "response_preference",
        pattern_of(
            r"(?P<v>\b(?:bitte )?(?:antworte|sprich|duz|duze|siez|sieze|halte)\b(?: (?:mir|mich|mit "
            r"mir|bitte|dich|immer|künftig|ab jetzt|in zukunft|deine antworten|kurz|auf \w+))+[^.;!?]*)"
        ),
        "Du möchtest: {v}.",
    ),
    (
        "response_preference",
        pattern_of(
            r"(?P<v>\b(?:bitte )?schreibe? (?:mir|deine antworten)? ?(?:bitte |immer |künftig |ab jetzt |in zukunft )+(?:auf|in|mit|ohne|kurz)[^.;!?]*)"
        ),
        "Du möchtest: {v}.",
    ),
    (
        "response_preference",
        pattern_of(r"\bund (?P<v>antworte (?:mir )?(?:bitte )?(?:immer )?(?:auf |in )?\w+)(?=[.!]?$)"),
        "Du möchtest: {v}.",
    ),
    ("-employer", pattern_of(r"\barbeite nicht mehr (?:bei|für) (?P<v>[^.,;!?]+)"), "Du arbeitest nicht mehr bei {v}."),
    (
        "employer",
        pattern_of(r"\b(?:sondern|jetzt|nun|inzwischen) (?:bei|für) (?:der |dem )?(?P<v>(?-i:[A-Z])[^.,;!?]*)"),
        "Du arbeitest bei {v}.",
    ),
    (
        "nickname",
        pattern_of(
            rf"\b(?:alle nennen mich|nennt? mich|man nennt mich|nenn mich|sag(?:t)? \w* ?zu mir)(?: einfach| bitte| ruhig)? (?P<v>{PERSON})"
        ),
        "Man nennt dich {v}.",
    ),
    ("-job", pattern_of(rf"\bich arbeite nicht mehr als {VALUE}"), "Du arbeitest nicht mehr als {v}."),
    (
        "-home",
        pattern_of(r"\b(?:ich (?:wohne|lebe)|wir (?:wohnen|leben)) nicht mehr in (?P<v>[^.,;!?]+)"),
        "Du wohnst nicht mehr in {v}.",
    ),
    (
        "home",
        pattern_of(
            r"\b(?:wohne|lebe|wohnen|leben) nicht mehr in [^.,;!?]+, (?:sondern|jetzt) (?:jetzt )?in (?P<v>[^.,;!?]+)"
        ),
        "=Du wohnst in {v}.",
    ),
    (
        "-home",
        pattern_of(r"\bvon (?P<v>(?-i:[A-Z])[\wß -]+?) nach (?-i:[A-Z])[\wß -]+? (?:gezogen|umgezogen)"),
        "Du wohnst nicht mehr in {v}.",
    ),
    ("-diet", pattern_of(r"\bbin keine? (?P<v>vegetarier(?:in)?|veganer(?:in)?) mehr"), "Du bist nicht mehr {v}."),
    ("-diet", pattern_of(r"\bbin nicht mehr (?P<v>vegetarisch|vegan)"), "Du bist nicht mehr {v}."),
    (
        "-smoking",
        pattern_of(r"\bich (?P<v>rauche) (?:nicht mehr|seit \w+(?: \w+)? nicht mehr)"),
        "Du rauchst nicht mehr.",
    ),
    ("-smoking", pattern_of(r"\b(?:mit dem (?P<v>rauchen) aufgehört)"), "Du rauchst nicht mehr."),
    (
        "home",
        pattern_of(
            r"\b(?<!früher )(?:wohne|wohnen|lebe|leben)\b(?! nicht mehr)(?: ich| wir)?(?: jetzt| nun| mittlerweile| aktuell| zurzeit)?(?: seit "
            r"[\w .]+?)?(?: jetzt| zusammen| allein(?:e)?)?(?: mit (?:meine?[rmn]?|unsere?[rmn]?) [^.,;!?]{2,40}?)? (?:in|"
            r"im|auf|am|bei) (?:der |dem |einer |einem )?(?!wg\b)(?P<v>[^.;!?]+)"
        ),
        "Du wohnst in {v}.",
    ),
    (
        "home",
        pattern_of(
            r"\b(?:ich bin|wir sind|bin|sind)\b(?: [\wß]+){0,5}? nach (?P<v>(?!hause\b)[a-zß][\wß-]+(?: (?!gezogen|umgezogen)[\wß-]+)?) (?:gezogen|umgezogen)"
        ),
        "=Du wohnst jetzt in {v}.",
    ),
    (
        "lives_since",
        pattern_of(
            r"\b(?:wohne|lebe|wohnen|leben)\b[^.;!?]*?(?P<v>seit (?:\d{4}|\w+ (?:jahren|monaten|wochen)|"
            rf"{MONTH}(?: \d{{4}})?))\b"
        ),
        "Du wohnst dort {v}.",
    ),
    (
        "address",
        pattern_of(r"\bmeine (?:neue )?(?:adresse|anschrift) (?:ist|lautet) (?P<v>[^;!?]+)"),
        "Deine Adresse ist {v}.",
    ),
    (
        "hometown",
        pattern_of(rf"\b(?:ich )?komme (?:ursprünglich |eigentlich )?aus (?:der |dem )?{VALUE}"),
        "Du kommst aus {v}.",
    ),
    ("hometown", pattern_of(r"\bbin in (?P<v>[^.,;!?]+?) aufgewachsen"), "Du bist in {v} aufgewachsen."),
    ("allergy", pattern_of(rf"\bmeine allergien(?: sind|:) ?{VALUE}"), "Du bist allergisch gegen {v}."),
    (
        "work_schedule",
        pattern_of(
            r"\b(?:arbeite|hab|habe) (?:meistens |immer |oft )?(?P<v>teilzeit|nachts|nachtschicht\w*|spätschicht\w*|frühschicht\w*|im schichtdienst|im homeoffice)"
        ),
        "Du arbeitest {v}.",
    ),
    (
        "birthplace",
        pattern_of(rf"\bich (?:bin|wurde) (?:am {DATE} )?(?:\d{{4}} )?in (?P<v>(?-i:[A-Z])[\wß -]+?) geboren"),
        "Du bist in {v} geboren.",
    ),
    (
        "birthday",
        pattern_of(
            rf"\b(?:mein geburtstag ist|ich habe?|ich bin|ich wurde) (?:immer )?(?:am |der |den )(?P<v>\d{{1,2}}\. ?(?:{MONTH}|\d{{1,2}}\.?)(?: ?\d{{4}})?)"
            r"(?= geburtstag| geboren| in [^.,;!?]+ geboren|$|[.,!]| und)"
        ),
        "Dein Geburtstag ist am {v}.",
    ),
    (
        "birthday",
        pattern_of(
            rf"\bmeine?[rn]? (?P<rel>[a-zß]+) hat (?:immer )?am (?P<v>\d{{1,2}}\. ?(?:{MONTH}|\d{{1,2}}\.?)) geburtstag"
        ),
        "Der Geburtstag ({rel}) ist am {v}.",
    ),
    (
        "job",
        pattern_of(
            r"\b(?:arbeite|jobbe|angefangen|selbstständig|selbständig|freiberuflich|tätig)\b(?! nicht mehr)[^.,;!?]*? als (?P<v>[^.;!?]+?)"
            r"(?= (?:bei|in|im|für|am|an|und|tätig)\b|[.,;!?]|$)"
        ),
        "Du arbeitest als {v}.",
    ),
    (
        "employer",
        pattern_of(
            r"\barbeite\b(?! nicht mehr)[^.,;!?]*? (?:bei|für) (?:der |dem |den )?(?P<v>(?-i:[A-Z])[^.;!?]*?)(?= als\b| in\b|[.,;!?]|$)"
        ),
        "Du arbeitest bei {v}.",
    ),
    (
        "employer",
        pattern_of(
            r"\b(?:job|stelle|ausbildung|arbeit) bei (?:der |dem )?(?P<v>(?-i:[A-Z])[^.,;!?]*?)(?= (?:angefangen|begonnen|bekommen|gefunden|als)\b|[.,;!?]|$)"
        ),
        "Du arbeitest bei {v}.",
    ),
    (
        "workplace",
        pattern_of(
            r"\barbeite (?:(?!nicht|als|bei|für)[a-zß]+ ){0,3}(?:in|im|an|am) (?!letzter|diese)(?:einer |einem |der )?(?P<v>[^.,;!?]+?)(?= als\b|[.,;!?]|$)"
        ),
        "Du arbeitest in {v}.",
    ),
    (
        "employment_status",
        pattern_of(
            r"\bich bin (?:seit \w+ )?(?P<v>in rente|arbeitslos|in elternzeit|pensioniert|im ruhestand|krankgeschrieben)"
        ),
        "Du bist {v}.",
    ),
    (
        "diet",
        pattern_of(
            r"\b(?:ich bin|ich lebe|ich ernähre mich|ich esse) (?:seit \w+(?: \w+)? )?(?P<v>vegan|vegetarisch|pescetarisch|"
            r"vegetarier(?:in)?|veganer(?:in)?|glutenfrei|laktosefrei|halal|koscher)\b(?! mehr)"
        ),
        "Du bist {v}.",
    ),
    (
        "condition",
        pattern_of(
            rf"(?:{HAVE}|\bich bin|\bich leide (?:an|unter)) (?P<v>(?:diabetes|diabetiker(?:in)?|asthma|zöliakie|migräne|legasthenie|"
            r"legastheniker(?:in)?|epilepsie|heuschnupfen|laktoseintoleran[zt]|glutenunverträglichkeit|bluthochdruck|adhs|neurodermitis|rheuma|arthrose|\w+itis)\b[^.;!?]*)"
        ),
        "Du hast {v}.",
    ),
    (
        "allergy",
        pattern_of(rf"\b(?:ich bin|bin|reagiere) (?:leider |stark |sehr )?allergisch (?:gegen|auf) {VALUE}"),
        "Du bist allergisch gegen {v}.",
    ),
    (
        "allergy",
        pattern_of(rf"(?:{HAVE}) (?:leider )?(?:eine|ne|'ne) (?P<v>[\wß]+)allergie"),
        "Du hast eine {v}allergie.",
    ),
    (
        "allergy",
        pattern_of(rf"(?:{HAVE}) (?:eine|ne) allergie (?:gegen|auf) {VALUE}"),
        "Du hast eine Allergie gegen {v}.",
    ),
    ("avoids", pattern_of(rf"\bich vertrage (?:leider )?keine?n? {VALUE}"), "Du verträgst kein {v}."),
    (
        "medication",
        pattern_of(r"\bich nehme (?:täglich |jeden \w+ |zweimal täglich |morgens |abends )(?P<v>[^.;!?]+)"),
        "Du nimmst {v}.",
    ),
    ("medication", pattern_of(r"\bich nehme (?P<v>(?:täglich )?\d[\d,.]* ?(?:mg|ml|g) [^.;!?]+)"), "Du nimmst {v}."),
    ("medication", pattern_of(r"\bich nehme (?P<v>[^.,;!?]+?) (?:täglich|gegen|jeden)\b"), "Du nimmst {v}."),
    (
        "job",
        pattern_of(
            rf"(?:\bich bin|^(?:moin,? |hallo,? |hi,? )?bin|\bbin ich)(?: jetzt| seit \w+(?: \w+)?)? (?:eine? |von beruf |gelernte[rn]? |ausgebildete[rn]? |staatlich geprüfte[rn]? )*(?P<v>(?:{TRADE}))\b(?! mehr)"
        ),
        "Du bist {v}.",
    ),
    (
        "workplace",
        pattern_of(
            rf"\bich bin (?:eine? )?(?:{TRADE}) (?:in|im|an|am|bei) (?:der |dem |einer |einem )?(?P<v>[^.,;!?]+?)(?= und |[.,;!?]|$)"
        ),
        "Du arbeitest in {v}.",
    ),
)


GERMAN: dict[str, Any] = {
    **GERMAN_KIN,
    "code": "de",
    "telling": re.compile(
        r"[äöüß]|\b(?:der|die|das|und|ich|mein|meine|meiner|meinem|meinen|ist|bin|nicht|mit|ein|eine|"
        r"einen|für|auf|den|dem|zu|wir|unser|unsere|habe|hab|wohne|arbeite|aber|seit|auf|mir|bitte|nach|immer|"
        r"letzten|haben|sind|sehr|von|als|nur|keine?n?|heiße|jahre|im|am|umgezogen|gezogen|nenn|mich)\b",
        re.IGNORECASE,
    ),
    "certain": pattern_of(
        r"\b(?:ich (?:heiße|heisse|hab|mag|[a-zß]+e)\b|mein name|meine? \w+ (?:heißt|ist)|abgabetermin|meine?[rmn]? [a-zß]+|wir (?:wohnen|leben|"
        r"haben)|nenn mich)"
    ),
    "stop": pattern_of(
        r"\s*(?:[,;!?()]|\.(?! ?(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|\d))|\s(?:aber|"
        r"weil|denn|obwohl|seit|mit mein\w*|wenn|zum glück)\b|\sund (?=(?:ich|wir|mein\w*|bin|hab\w*|wohne|lebe|arbeite|mag|liebe|komme|"
        r"suche|brauche|möchte|antworte|unser\w*|sie|er|es|die|der|spiele|esse|trinke|studiere|lerne|heiße|wiege|nehme|hasse|spreche|fahre)\b))"
    ),
    "joiner": pattern_of(r"\s*(?:,|\bund\b|\boder\b|\bsowie\b)\s*"),
    "filler": pattern_of(r"(?:etwas|ein bisschen|ein wenig|auch|fließend|die|der|das|den|sehr) "),
    "hush": pattern_of(
        r"^(?:und |aber )?(?:wenn ich\b[^.]*(?:würde|hätte|wäre)|ich hätte gern|ich würde|übersetze?|schreibe? (?:mir )?(?:ein|eine|einen)\b|erklär\w*|fass\w*|"
        r"korrigier\w*|hilf|gib mir|mach mir|stell dir vor|angenommen|wäre ich|hätte ich)\b|"
        r"\b(?:hauptfigur|protagonist\w*|in meinem roman|im lied|liedtext|romanfigur|kaiser von china|ironie|nur ein witz|irgendwann)\b|^(?:haha|lol)\w*"
    ),
    "forms": _FORMS + FORMS,
}
