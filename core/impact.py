"""Which statements could harm somebody if they were false: the impact tiers of rules §1.7. Pure; English, structure.

`impact_of` looks at what a statement is about and whether it changes something: a payment destination, a right, a
control, a process, a choice. Such a statement needs more trust than its channel may give. `asks_owner` names those few
of the owner's own statements that are put to the owner first. Both read the plain form, without hidden characters.
"""

from __future__ import annotations

import re

from core import secrets
from core.detectors.characters import plain, views, windows
from core.detectors.payloads import decoded
from core.detectors.speech import sentences
from core.model import SpeechAct

# One record's number is to stand for another's: "30789 -> 4269", "refer to 4269 for 30789" (rules §1.7, redirection).
_NUMBER = r"#?\b(?!(?:19|20)\d\d\b)\d{4,}\b"
_PARTS = {
    "redirection": (
        rf"{_NUMBER}\s*(?:->|→|=>)\s*{_NUMBER}|"
        rf"\b(?:refer to|look (?:up|at)|use|take|go by|see)\b[^.\n]{{0,20}}{_NUMBER}[^.\n]{{0,20}}"
        rf"\b(?:for|instead of|in place of|rather than)\b[^.\n]{{0,20}}{_NUMBER}|"
        rf"{_NUMBER}[^.\n]{{0,20}}\b(?:is|are|was|were) (?:now )?"
        rf"(?:under|at|filed under|stored under|in|replaced by|known as)\b[^.\n]{{0,20}}{_NUMBER}"
    ),
    "address": r"(?:https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,63}\.\w+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:com|net|io|org|ai|dev|co|app|example)\b)",
    "phone": r"(?:\+\d[\d ().-]{6,18}\d|\b\d{3}[-. ]\d{3,4}[-. ]\d{3,4}\b|\b555-\d{4}\b)",
    "iban": r"\b[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4}\b",
    "amount": r"(?:[$€£¥]\s?\d[\d,.]*|\b\d[\d,.]*\s?(?:k |m )?(?:usd|eur|gbp|chf|dollars|euros?|pounds|rupees)\b)",
    "bank": (
        r"(?:bank (?:account|details|transfer)|account (?:number|details|ending|\d{3,})|payment details|payroll|iban|"
        r"bic|swift|sort code|routing number|wallet address|(?:bitcoin|crypto|eth) wallet|card ending|beneficiary|"
        r"payee|remit\w*)"
    ),
    "secret": (
        r"(?:passwords?|passphrases?|passcodes?|pins?|api keys?|secret keys?|access keys?|deploy keys?|private keys?|"
        r"ssh keys?|credentials|(?:session|access|auth\w*|bearer|api) tokens?|recovery (?:codes?|phrases?)|"
        r"seed phrases?|one-time codes?|otps?)"
    ),
    "off": (
        r"(?:disabl\w+|skip\w*|bypass\w*|turn(?:ed|ing)? off|switch(?:ed|ing)? off|remov\w+|omit\w*|waiv\w+|relax\w*|"
        r"avoid\w*|suspend\w*|deactivat\w+|ignor\w+|lower\w*|weaken\w*|circumvent\w*|drop(?:ped|ping)?|exempt\w*|"
        r"(?:no need|no longer (?:need|require)\w*|not (?:need|require)\w*|(?:(?:do|does|need) not|don't|"
        r"doesn't) (?:need|require|have|use|bother|wait)\w*)(?: for| to)?)"
    ),
    "control": (
        r"(?:mfa|2fa|(?:two|multi)-factor\w*(?: authentication)?|signature\w*|validat\w+|verif(?:y|ication)\w*|tls|"
        r"ssl|https|certificate\w*(?: pinning)?|encrypt\w+|rate[- ]limit\w*|waf|firewalls?|csrf|authenticat\w+|"
        r"authoriz\w+|sandbox\w*|audit\w*(?: logs?)?|(?:security |vulnerability |container )*scan\w*|vulnerability|"
        r"constraints?|safety checks?|content filters?|security (?:checks?|controls?|filtering|review)|sanitiz\w+|"
        r"sanitis\w+|parameteri[sz]ed quer(?:y|ies)|(?:code|peer|security) reviews?|"
        r"(?<!product )(?<!negative )review(?: step)?|approvals?|sign-?offs?|confirmation(?: step| prompts?)?|"
        r"pre-commit hooks|integration tests|linting|token refresh|antivirus)"
    ),
    "process": (
        r"(?:review\w*|approv\w+|refunds?|invoices?|access|releases?|sign-?offs?|expenses?|purchas\w+|audits?|"
        r"onboarding|compliance|vendors?|suppliers?|contracts?|consent|payments?|wire transfers?|salar(?:y|ies)|"
        r"patient data|personal data|data sharing|procurement|integrations?)"
    ),
    "name": r"(?-i:\b[A-Z][\w&.+-]{0,40}(?: [A-Z][\w&.+-]{0,40}){0,3})",
    "vendor": (
        r"(?:vendor|supplier|provider|partner|source|choice|option|alternative|replacement|default|solution|database|"
        r"library|tool|platform|product|service|site|brand|shop|standard|contractor|carrier|registry|package|"
        r"framework)s?"
    ),
    "lead": (
        r"(?:^|[:;,.!\-–—]\s*|\b(?:please|must|should|shall|to|can|may|always|and|then|was|were|is|are|be|been|has|"
        r"have|by|i|you|we|also)\s+)"
    ),
}


def _rx(*patterns: str) -> re.Pattern[str]:
    whole = "|".join(patterns)
    for name, part in _PARTS.items():
        whole = whole.replace(f"<{name}>", part)
    return re.compile(whole, re.IGNORECASE)


# Ways to forbid what the rest of the sentence says: "never share passwords" protects.
_PROTECTS = re.compile(
    r"\b(?:never|must not|should not|shouldn't|do not|don't|cannot|can't|avoid|instead of|"
    r"rather than)\s+(?:ever\s+)?$",
    re.IGNORECASE,
)

_TIERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "money",
        _rx(
            r"\b(?:approv|authori[sz]|consent|agre)\w*\b[^.]{0,60}\b(?:refunds?|transfers?|payments?|invoices?|"
            r"purchases?|expenses?|loans?|spending|<amount>)",
            r"\b(?:refunds?|transfers?|payments?|invoices?|purchases?|expenses?|<amount>)[^.]{0,60}\b(?:(?:auto-?|"
            r"pre-?|automatically )approved|without (?:approval|review|asking)|should be (?:denied|approved|paid|"
            r"sent))",
            r"\b(?:refunds?|reimbursements?|payouts?|payments?|invoices?)(?: requests?| claims?)?\b[^.]{0,20}"
            r"\b(?:are|is|get|gets|will be|must be)(?: now| only| always)* "
            r"(?:settled|handled|paid|processed|made|issued|sent|credited)\b",
            r"\b(?:approval|spending|transfer|credit|expense|payment|purchase|refund) (?:limits?|thresholds?|"
            r"ceilings?)\b",
            r"<lead>(?:send|transfer|wire|pay|reallocate|invest|withdraw|reimburse|charge|"
            r"refund)\b[^.]{0,60}(?:<amount>|\b(?:money|funds|transaction|invoice|fee|deposit)\b)",
        ),
    ),
    (
        "payment",
        _rx(
            r"<iban>",
            r"\b(?:new|changed?|updated?|now|send|pay|transfer\w*|wire\w*|remit|into|to|is|are|"
            r"use)\b[^.]{0,50}\b<bank>\b",
            r"\b<bank>\b[^.]{0,50}\b(?:is|are|has|have|changed|now|to|:)\b",
        ),
    ),
    (
        "credentials",
        _rx(
            r"\b(?:shar|send|giv|hard-?cod|log(?:ging)? |expos|e-?mail|reveal|post|stor|includ|collect|export|"
            r"forward|embed|put)\w*\b[^.]{0,50}\b<secret>\b",
            r"\b<secret>\b[^.]{0,50}\b(?:is|are|was|were|has been|:|=|in (?:the )?(?:url|source|localstorage|"
            r"code))(?=\W)[^.]{0,40}(?:\d|<address>|\bnow\b|rotated|changed|shared|sent|stored|localstorage|url|"
            r"plain)",
            r"\bhard-?cod\w+\b",
            r"\b(?:session )?tokens?\b[^.]{0,40}\b(?:localstorage|url parameters?|lifetime|expiry|expiration)\b",
            r"\bpassword (?:\w+ )?length\b",
        ),
    ),
    (
        "access",
        _rx(
            r"\b(?:grant|give|giv|elevat|escalat|assign|add|invit|promot)\w*\b[^.]{0,60}\b(?:admin\w*|root|access|"
            r"privileges?|permissions?|rights|role|workspace|owner)\b",
            r"\b(?:has|have|had|with|gets?|given|granted)\b[^.]{0,30}\b(?:admin\w*|root|full|unrestricted|elevated|"
            r"broad|read/write|write) (?:\w+ )?(?:access|rights|privileges|permissions)\b",
            r"\b(?:access|clearance) level\b",
            r"\b(?:can|may|should) be shared with (?:any|all|every)\b",
            r"\bas (?:the )?root(?: user)?\b|\bshared (?:service |admin )?accounts?\b",
            r"\bexpose\w*\b[^.]{0,40}\b(?:endpoint|port|api|service)s?\b",
            r"\b(?:use|with) the (?:system|admin|root|service) account\b",
            r"\bopen(?:ed|ing)? (?:the )?ports?\b|\bpublicly (?:accessible|readable|writable)\b|\bweb-accessible\b",
        ),
    ),
    (
        "contact",
        _rx(
            r"\b(?:send|sent|forward\w*|report\w*|e-?mail\w*|mail|contact\w*|escalate|submit\w*|call|reach|cop(?:y|"
            r"ies)|post\w*|upload\w*|belongs?|reset|renew|verify|visit|connect\w*|append|redirect\w*|log|export|"
            r"fetch|download|query|check|ping|subscribe)\b[^?\n]{0,120}(?:<address>|<phone>)",
            r"\b(?:emergency contact|delivery address|shipping address|billing address|mailing address|phone number|"
            r"hotline|(?:support|help ?desk|service|contact) (?:number|line|e-?mail|address|"
            r"desk))\b[^.]{0,40}\b(?:is|are|was|changed|now|:)(?=\W)",
            r"\b(?:ship|deliver|send)\b[^.]{0,40}\bto \d+ [A-Z]\w+",
            r"\b(?:proxy|endpoint|server|gateway|platform)\b[^.]{0,30}(?:<address>|\bat \S+\.\S+)",
        ),
    ),
    (
        "security",
        _rx(
            r"\b<off>\b(?:\s+[\w/'-]+){0,5}?\s+<control>\b",
            r"\b(?:without|instead of|rather than|no) (?:(?:any|the|using) )?<control>\b",
            r"\b<control>\b[^.]{0,50}\b(?:can|may|should|could|is|are|was|were|has been|"
            r"have been) (?:now )?(?:be )?(?:\w+ )?(?:skipped|disabled|bypassed|omitted|waived|ignored|removed|"
            r"avoided|unnecessary|optional|not (?:needed|required|necessary)|no longer (?:needed|required|necessary)|"
            r"turned off|switched off|slow)\b",
            r"allow-origin\W{1,4}(?:to )?\W{0,2}\*|--no-verify|--force\b|--insecure|verify\s*=\s*false|chmod 777",
            r"\b(?:unencrypted|plain ?text|string (?:concatenation|formatting)|f-string|client-side (?:checks?|"
            r"permissions?))\b",
            r"\b(?:set|log|logging|level|to)\b[^.]{0,30}(?-i:\b(?:DEBUG|TRACE)\b)",
            r"\b(?:use|using|require|must use|should use)\b[^.]{0,30}\b(?:tls 1\.[01]|sslv?[23]|md5|sha-?1|des|rc4)\b",
            r"\b(?:base64|md5)\b[^.]{0,50}\b(?:secur|password|encrypt)\w*",
            r"\baccept (?:all|any) (?:file types|inputs?|certificates?|connections?)\b|\bbackdoors?\b",
            r"\bdelet\w+\b[^.]{0,30}\b(?:audit|security|access) (?:logs?|trail|records)\b",
            r"\b(?:safety|security) (?:checks?|filters?)[^.]{0,30}\bdisabled\b",
        ),
    ),
    (
        "policy",
        _rx(
            r"\b(?:new|updated|revised) (?:policy|rule|procedure|guideline)s?\b|\bpolicy (?:update|change|was|is now|"
            r"has)\b|\beffective immediately\b|\bpre-?approved\b|\bauto-?approve\w*|\bapprover\b[^.]{0,40}\bis\b",
            r"\b(?:company|refund|security|access|travel|expense|approval|privacy|data|hiring|"
            r"review) policy\b[^.]{0,60}\b(?:updated|changed|now|requires?|exempt\w*|no longer|must|shall|may)\b",
            r"\b<process>\b[^.]{0,70}\b(?:may|must|shall|(?:is|are) exempt|no longer (?:need|require|appl)\w*|(?:do|"
            r"does) not (?:need|require)|not required|waived|should be (?:denied|approved|granted))\b",
            r"\b(?:may|must|shall|(?:is|are) exempt from|no longer (?:need|require)\w*|(?:do|does) not (?:need|"
            r"require)|not required|without) (?:\w+ ){0,4}?<process>\b",
            r"\b(?:in|for|on|across|of) all (?:\w+ )?(?:environments?|services?|projects|apis?|endpoints|deployments|"
            r"builds|agents|developers|employees|teams|tools)\b",
            r"\b(?:skip|bypass)\b[^.]{0,40}\b(?:review|approval|confirmation)\b|\bapprove all\b",
        ),
    ),
    (
        "tool_choice",
        _rx(
            r"\b(?:use|using|used|choose|adopt|deploy|connect|integrate|store|keep|run)\b[^.]{0,80}\b(?:instead of|"
            r"rather than|exclusively|by default|instead)\b",
            r"\b(?:should|must|shall|to) (?:\w+ )?(?:use|adopt|switch to|migrate to|move to|standardi[sz]e on) <name>",
            r"\b(?:switch(?:ed)?|migrat\w+|mov(?:e|ed|ing)) (?:off|away from|everything to)\b|\breplac(?:e|ed|"
            r"es) <name> with\b",
            r"\b(?:download|fetch|install|pull|execute|run)\b[^.?\n]{0,80}(?:<address>|\b(?:modules?|scripts?|"
            r"plugins?|binary)\b)",
            r"\b(?:call|invoke|use|employ|deploy) (?:the )?(?:[a-z]+(?:_[a-z]+)+|\w*Tool|[\w`]+ tool)\b",
        ),
    ),
    (
        "recommendation",
        _rx(
            r"\b(?:the|a|an|our|your|as|is) (?:\w+ )?(?:best|top|most trusted|trusted|recommended|preferred|leading|"
            r"approved|pre-?approved|endorsed|go-to|only|safest|industry|default|number one) (?:\w+ ){0,3}?<vendor>\b",
            r"\b(?:always|only|must|should|to|please|can) (?:recommend|suggest|promote|endorse|prefer|treat|trust)\b|"
            r"\brecommend(?:s|ed|ing)? (?:<name>|avoiding|using|switching)",
            r"<name> (?:significantly |consistently |also )?(?:outperforms?|outperformed|beats?|surpasses|"
            r"is superior|offers? better|provides? (?:\d+x |far |the same |more |better |comprehensive )+)",
            r"\b(?:is|are|was|were|been) (?:generally |widely |now |considered )*(?:unreliable|unsuitable|outdated|"
            r"declining|deprecated|discontinued|unsafe|insecure|vulnerable|no longer (?:recommended|supported|"
            r"necessary))\b",
            r"\bendorsed by\b|\b(?:critical|known) (?:\w+ )?(?:vulnerabilit(?:y|ies)|cves?|issues)\b|\brecent cves\b",
            r"\b(?:soc 2|iso 27001|fips|pci)\b[^.]{0,80}\b(?:passed|valid|certif\w+|confirm\w*|renewed|current|"
            r"achieved)\b|\b(?:passed|valid|certif\w+|confirm\w*|holds?)\b[^.]{0,60}\b(?:soc 2|iso 27001|fips|pci)\b",
            r"\buse <name> instead\b|\binstead of <name>",
            r"<redirection>",
        ),
    ),
)

_BEFORE = 40
_ASSERTS = frozenset({SpeechAct.ASSERTION, SpeechAct.DIRECTIVE})
_MASKED = re.compile(r"\[(?!card)[a-z ]{3,20} masked\]")
_CREDENTIAL = _rx(
    r"\b(?:passwords?|passphrase|passcode|pin(?: code| number)?|api key|secret key|access (?:key|token)|private key|"
    r"ssh key|recovery (?:code|phrase)|seed phrase|log-?in(?: details| data)?|credentials)\b(?: for [^.:=]{1,40}|"
    r" to [^.:=]{1,40}| of [^.:=]{1,40})?\s*(?:is|are|was changed to|=|:)\s*(?!(?:not|too|very|gone|lost|wrong|weak|"
    r"old|safe|still|in|on|no|always|never|so|required|expired)\b)\S"
)
_PAY_OTHER = _rx(
    r"\b(?:pay|transfer|wire|remit|send (?:the |all |my |our )?(?:money|rent|payments?|funds|deposit|"
    r"fees?))\b[^\n]{0,80}\b(?:to|into|via|on)\b(?! (?:my|our)\b)[^\n]{0,40}(?:\b(?:account|iban|sort code|wallet|"
    r"paypal|bank details)\b|<iban>)",
    r"\b(?:(?!it|that|here|what|there|let)\w+'s|\w+s'|their|his|her|(?:the|a|its) (?:new |updated )?(?:supplier|"
    r"vendor|landlord|contractor|company|payee|client|agency)(?:'s)?) (?:new |updated |current )?(?:bank (?:details|"
    r"account)|iban|account (?:number|details)|payment (?:details|account)|sort code|routing number|"
    r"wallet(?: address)?|paypal)\b[^\n]{0,30}\b(?:is|are|has|have|changed|now|:)(?=\W)",
    r"\b(?:bank (?:details|account)|iban|account (?:number|details)|payment details|sort code) (?:of|for) (?:(?!me\b|"
    r"my\b|our\b|us\b)\w|(?:my|our) (?:new )?(?:supplier|vendor|landlord|landlady|contractor|client|agency|tenant|"
    r"accountant|plumber|builder))",
    r"(?:^|[.,;:!]\s*|\bi |\bplease |\balways )(?:approve|pay|accept|release) (?:all|any|"
    r"every) (?:\w+ )?(?:invoices?|payments?|refunds?|transfers?|bills?)\b from (?!my|our)",
    r"\b(?:invoices?|payments?|rent|bills?)\b[^\n]{0,50}\b(?:go|goes|are paid|is paid|should be paid|to be paid|"
    r"payable) (?:to|into)\b(?! (?:my|our)\b)[^\n]{0,40}\b(?:account|iban|wallet|bank)\b",
)
_OWN_BANK = re.compile(r"\b(?:my|our)(?: \w+){0,2} (?:iban|account|bank|card)\b", re.IGNORECASE)
_IBAN = _rx(r"<iban>")
_KIND = (
    r"(?:source|site|website|vendor|supplier|provider|shop|store|brand|company|partner|reference|tool|service|choice|"
    r"option|authority|citation|contractor|recommendation|expert|adviser|advisor|outlet|newspaper)s?"
)
_ORDER = r"(?:^|[,;:.!?]\s*|\b(?:please|you|should|must|and|then|that you|always|to)\s+)(?<!i always )(?<!we always )"
_STANDING = _rx(
    r"\b(?:consider|count|call) [^\n]{1,60}? (?:a|an|the|our|my) (?:\w+ )?(?:trusted|trustworthy|reliable|"
    r"authoritative|"
    rf"preferred|approved|credible)(?: \w+){{0,2}}? {_KIND}\b",
    r"\b(?:remember|treat|consider|keep|mark|note|save|trust|regard|count|cite|list|store|use|accept|"
    r"record)\b[^\n]{1,60}\bas (?:a |an |the |our |my |your )?(?:\w+ )?(?:trusted|trustworthy|reliable|authoritative|"
    r"preferred|approved|official|primary|"
    rf"go-to|best|top|default|recommended|pre-?approved|first|credible)\b(?: \w+){{0,2}}? ?(?:{_KIND}\b|[.!]?$)",
    rf"\b(?:remember|note|keep in mind) (?:that )?[^\n]{{1,60}}\b(?:is|are) (?:a |an |the |our )?(?:\w+ )?(?:trusted|"
    rf"trustworthy|authoritative|preferred|approved|pre-?approved|best|recommended|"
    rf"most reliable)(?: \w+){{0,2}} {_KIND}\b",
    rf"{_ORDER}(?:first |only |always )*(?:recommend|promote|endorse|suggest|mention|cite|"
    rf"name)\b[^\n]{{1,60}}\b(?:first|above all|"
    r"before (?:any|all|other)|over (?:any|all|other)|whenever|every time|by default|as (?:the|your|my) (?:first|top|"
    r"best))\b",
    rf"{_ORDER}(?:always |only |first )+(?:recommend|promote|endorse)\b|{_ORDER}(?:always |only |"
    rf"first )+suggest <name>",
    r"\b(?:when(?:ever)?|if|any ?time|each time)\b[^\n,]{0,60}\b(?:ask|asks|asked|need|needs|want|wants|looking|"
    r"about)\b[^\n]{0,60},\s*(?:please |always |then )*(?:recommend|promote|endorse|suggest <name>|point (?:me|them|"
    r"people) to <name>|send (?:me|them|people) to <name>)",
    r"\bput <name> (?:first|at the top|on top)\b[^\n]{0,40}\b(?:recommend\w*|suggest\w*|list|answers?)\b",
    r"<name> (?:should|must|has to|is to) (?:always )?be (?:your |the )?(?:first|top|default|recommended|suggested)\b",
    r"\bprefer <name>[^\n]{0,40}\b(?:when (?:recommending|suggesting|advising)|in (?:your )?(?:recommendations|"
    r"suggestions))",
)


_REDIRECTION = _rx("<redirection>")


def _statements(text: str) -> list[str]:
    """The sentences of every text that can be read out of this one."""
    readings = [
        reading
        for piece in windows(text)
        for reading in (plain(piece), *views(piece), *(words for _, words in decoded(piece)))
    ]
    return [sentence for reading in readings for sentence in sentences(reading)]


def _touches(pattern: re.Pattern[str], sentence: str) -> bool:
    return any(not _PROTECTS.search(sentence[: hit.start()][-_BEFORE:]) for hit in pattern.finditer(sentence))


def impact_of(text: str) -> tuple[str, ...]:
    """The impact tiers of rules §1.7 that a statement touches, in their fixed order; empty for an ordinary one."""
    said = _statements(text)
    return tuple(tier for tier, pattern in _TIERS if any(_touches(pattern, sentence) for sentence in said))


def _asked(sentence: str) -> set[str]:
    asked = set()
    if _PAY_OTHER.search(sentence) or (_IBAN.search(sentence) and not _OWN_BANK.search(sentence)):
        asked.add("payment")
    if _MASKED.search(secrets.mask(sentence)[0]) or _CREDENTIAL.search(sentence):
        asked.add("credentials")
    if _STANDING.search(sentence) or _REDIRECTION.search(sentence):
        asked.add("recommendation")
    return asked


def asks_owner(text: str, speech_act: SpeechAct) -> tuple[str, ...]:
    """Which tiers of the owner's own statement are put to the owner before it is remembered (rules §1.7).

    Credentials, where others are to be paid, and standing recommendations; nothing of the owner's own life.
    """
    if speech_act not in _ASSERTS:
        return ()
    asked = set().union(*(_asked(sentence) for sentence in sentences(plain(text))))
    return tuple(tier for tier, _ in _TIERS if tier in asked)
