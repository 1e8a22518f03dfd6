"""Forms of French."""

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


FRENCH: dict[str, Any] = {
    "code": "fr",
    "telling": _c(
        r"[çœêè]|\b(?:le|la|les|de|des|du|et|en|je|j'|mon|ma|mes|est|suis|ne|pas|pour|avec|une|un|dans|"
        r"qui|au|aux|c'est|sur|il|elle|nous|notre|mais|ans|très|depuis)\b|\b(?:j|d|l|qu|c|s|m|n)'"
    ),
    "certain": _c(
        r"\b(?:je m'appelle|je suis|j'habite|j'ai|je travaille|j'aime|j'adore|je déteste|je n'aime|je "
        r"préfère|mon anniversaire|je parle|s'appelle|je vis|je ne)\b"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\set (?=(?:je|j'|mon|ma|mes|il|elle|nous|notre)\b)|\s(?:mais|parce que|car|"
        "depuis|avec (?:mon|ma|mes)|quand|donc|l[ae] (?:mois|semaine|année) derni[eè]re?|en (?:janvier|"
        r"février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|\d{4}))\b)"
    ),
    "joiner": _c(r"\s*(?:,|\bet\b|\bni\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:je m'appelle|mon nom est|mon prénom est) {_N}"), "Tu t'appelles {v}."),
        ("favorite", _c(rf"\b(?:mon|ma) (?P<k>\w+) préférée? est (?:le |la |l')?{_V}"), "Ton {k} préféré est {v}."),
        (
            "response_preference",
            _c(
                r"(?P<v>\b(?:réponds|répondez|parle|parlez|tutoie|écris)[- ]moi (?:toujours |désormais |"
                "dorénavant )?(?:en|avec|sans|de façon|plus)[^.;!?]*)"
            ),
            "Tu as demandé : {v}.",
        ),
        (
            "workplace",
            _c(r"\bje suis (?:une? )?(?-i:[a-zà-ÿ-]+) (?:à|au|chez) (?P<v>(?-i:[A-ZÀ-Ý])[^.,;!?]+)"),
            "Tu travailles à {v}.",
        ),
        (
            "nickname",
            _c(rf"\b(?:on m'appelle|appelle-moi|appelez-moi|tout le monde m'appelle) {_N}"),
            "On t'appelle {v}.",
        ),
        ("-job", _c(rf"\bje ne suis plus (?:un |une )?(?!vég|à\b|en\b){_V}"), "Tu n'es plus {v}."),
        ("-home", _c(rf"\bje n'habite plus (?:à |en |au |aux )?{_V}"), "Tu n'habites plus à {v}."),
        ("-smoking", _c(r"\bje ne (?P<v>fume) plus"), "Tu ne fumes plus."),
        ("-diet", _c(r"\bje ne suis plus (?P<v>végétarien(?:ne)?|végane?|vegan)"), "Tu n'es plus {v}."),
        (
            "home",
            _c(
                r"\b(?:j'habite|nous habitons|on habite|je vis|nous vivons|j'ai déménagé|j'ai emménagé|on a "
                f"déménagé) (?:maintenant |désormais )?(?:à |en |au |aux |dans )?{_V}"
            ),
            "Tu habites à {v}.",
        ),
        ("lives_since", _c(r"\b(?:j'habite|je vis)\b[^.;!?]*?(?P<v>depuis [\w ]+)"), "Tu y habites {v}."),
        ("hometown", _c(rf"\b(?:je viens|je suis originaire) (?:de |d'|du ){_V}"), "Tu viens de {v}."),
        ("birthplace", _c(r"\bje suis née? (?:à|en|au) (?P<v>(?-i:[A-ZÀ-Ý])[^.,;!?]+)"), "Tu es né à {v}."),
        (
            "birthday",
            _c(
                r"\b(?:mon anniversaire(?: est| c'est)?|je suis née?) (?:c'est )?(?:le )?(?P<v>\d{1,2}(?:er)? "
                r"\w+(?: \d{4})?)"
            ),
            "Ton anniversaire est le {v}.",
        ),
        (
            "job",
            _c(rf"\bje (?:travaille comme|travaille en tant que|bosse comme) (?:une? )?{_V}"),
            "Tu travailles comme {v}.",
        ),
        (
            "workplace",
            _c(
                r"\bje (?:travaille|bosse) (?:(?:comme|en tant que) [^.,;!?]+? )?(?:chez|à|au|pour|dans) "
                "(?P<v>[^.;!?]+)"
            ),
            "Tu travailles chez {v}.",
        ),
        ("diet", _c(r"\bje suis (?:devenue? )?(?P<v>végétarien(?:ne)?|végane?|vegan|végétalien(?:ne)?)"), "Tu es {v}."),
        (
            "condition",
            _c(
                r"\b(?:je suis|j'ai) (?:du |de l'|une? |la |le )?(?P<v>diabétique|diabète|asthm\w+|cœliaque|"
                r"coeliaque|dyslexique|épilep\w+|intolérante? (?:au|à) [^.,;!?]+|migraines?)"
            ),
            "{v} : c'est ton état de santé.",
        ),
        ("allergy", _c(rf"\bje suis (?:très )?allergique (?:aux |au |à la |à l'|à ){_V}"), "Tu es allergique à {v}."),
        ("allergy", _c(rf"\bj'ai une allergie (?:aux |au |à la |à l'|à ){_V}"), "Tu es allergique à {v}."),
        (
            "job",
            _c(
                rf"\bje suis (?:une? )?{_JOB_NOT}(?P<v>(?-i:[a-zà-ÿ-]+(?: (?!à\b|au\b|aux\b|chez\b|dans\b|et\b|"
                r"en\b|depuis\b)[a-zà-ÿ'-]+){0,4}))"
            ),
            "Tu es {v}.",
        ),
        (
            "dislikes",
            _c(
                r"\b(?:je n'aime pas|je déteste|je ne supporte pas|j'ai horreur (?:de |des |du )|je hais) "
                f"?(?:les? |la |l'|du |des )?{_V}"
            ),
            "Tu n'aimes pas {v}.",
        ),
        (
            "likes",
            _c(
                r"\b(?:j'aime|j'adore|je suis fan de|je raffole de) (?:bien |beaucoup |énormément )?(?:les? |la |"
                rf"l'|du |des )?(?!pas\b){_V}"
            ),
            "Tu aimes {v}.",
        ),
        ("likes", _c(rf"\bje préfère {_V}"), "Tu préfères {v}."),
        ("avoids", _c(rf"\bje ne (?:mange|bois|peux) pas (?:manger )?(?:de |d'|du ){_V}"), "Tu ne manges pas de {v}."),
        ("language", _c(rf"\bje parle (?:le |l'|la )?(?!de\b|à\b|avec)\b{_V}"), "Tu parles {v}."),
        (
            "hobby",
            _c(r"\bje (?P<v>(?:joue (?:du|de la|au|aux|de l')|fais (?:du|de la|de l')|collectionne) ?[^.,;!?]+)"),
            "Tu {v}.",
        ),
        ("studies", _c(rf"\bj'étudie (?:les? |la |l'|à )?{_V}"), "Tu étudies {v}."),
        ("age", _c(r"\bj'ai (?P<v>(?:\d+|[\w-]+) ans)"), "Tu as {v}."),
        ("email", _c(r"\bmon (?:e-?mail|adresse|courriel)[^@.]{0,20}? est (?P<v>\S+@\S+\w)"), "Ton e-mail est {v}."),
        ("phone", _c(r"\bmon (?:numéro|téléphone|portable)[^\d+]{0,20}(?P<v>\+?[\d ()-]{7,})"), "Ton numéro est {v}."),
        (
            "manager",
            _c(rf"\b(?:mon|ma) (?:chef|cheffe|responsable|patron|patronne) (?:est|s'appelle|c'est) {_N}"),
            "Ton chef est {v}.",
        ),
        (
            "deadline",
            _c(
                r"\bla (?:date limite|deadline|date de rendu|remise) (?:du |de la |de l'|des |pour le |pour la |"
                "de )(?P<x>[^.,;!?]+?) est (?:le )?(?P<v>[^.;!?]+)"
            ),
            "La date limite pour {x} est le {v}.",
        ),
        (
            "deadline",
            _c(
                r"\b(?:le|la|mon|ma|notre) (?P<x>[\wà-ÿ -]+?) (?:est à rendre|doit être rendue?|est à remettre) "
                "(?:pour |avant )?(?:le )?(?P<v>[^.;!?]+)"
            ),
            "{x} : à rendre le {v}.",
        ),
        (
            "current_location",
            _c(r"\bcette semaine,? je suis (?:à|en|au) (?P<v>(?-i:[A-ZÀ-Ý])[^.,;!?]+)"),
            "Cette semaine, tu es à {v}.",
        ),
    ),
    "turns": (
        (r"\bje m'appelle\b", "tu t'appelles"),
        (r"\bje suis\b", "tu es"),
        (r"\bj'ai\b", "tu as"),
        (r"\bj'habite\b", "tu habites"),
        (r"\bje vis\b", "tu vis"),
        (r"\bje n'aime\b", "tu n'aimes"),
        (r"\bj'aime\b", "tu aimes"),
        (r"\bj'adore\b", "tu adores"),
        (r"\bje ne (\w+)e\b", r"tu ne \1es"),
        (r"\bje (?!ne\b)(\w+)e\b", r"tu \1es"),
        (r"\bj'étudie\b", "tu étudies"),
        (r"\bmon\b", "ton"),
        (r"\bma\b", "ta"),
        (r"\bmes\b", "tes"),
        (r"\bje ne bois\b", "tu ne bois"),
        (r"\bje viens\b", "tu viens"),
        (r"\bje fais\b", "tu fais"),
        (r"\bje ne peux\b", "tu ne peux"),
        (r"\bje n'habite\b", "tu n'habites"),
    ),
    "relations": by_word(
        {
            "spouse": "femme, mari, épouse",
            "partner": "copine, copain, compagne, compagnon",
            "mother": "mère, maman",
            "father": "père, papa",
            "sister": "sœur, soeur",
            "brother": "frère",
            "daughter": "fille",
            "son": "fils",
            "grandmother": "grand-mère",
            "grandfather": "grand-père",
            "aunt": "tante",
            "uncle": "oncle",
            "cousin": "cousine, cousin",
            "niece": "nièce",
            "nephew": "neveu",
            "dog": "chien, chienne",
            "cat": "chat, chatte",
            "friend": "amie, ami",
            "manager": "chef, cheffe",
            "rabbit": "lapin",
            "neighbour": "voisine, voisin",
            "colleague": "collègue",
        }
    ),
    "relation": _c(
        r"\b(?P<own>mon|ma) (?:meilleure? |grande? |petite? )?(?P<rel>[\w-]+)(?:,| s'appelle| c'est| "
        f"est)? (?P<name>{PERSON})"
    ),
    "relation_says": "{own} {rel} s'appelle {v}.",
    "of_relation": (
        (
            "age",
            _c(
                r"(?:\b(?:mon|ma) (?P<rel>[\w-]+)(?: (?-i:[A-ZÀ-Ý])\w+)? |\b(?:il|elle|qui|et) )a (?P<v>(?:\d+|"
                r"[\w-]+) (?:ans|mois))"
            ),
            "{x} a {v}.",
        ),
        (
            "job",
            _c(
                r"(?:\b(?:mon|ma) (?P<rel>[\w-]+)(?: (?-i:[A-ZÀ-Ý])\w+)? |\b(?:il|elle|qui|et) )(?:est|travaille "
                "comme) (?:une? )?(?P<v>[a-zà-ÿ-]+(?:eur|euse|rice|ier|ière|ien|ienne|iste|ant|ante|in|ogue|"
                r"decin|esse|at|ecte|ger|gère|naire|cat|cate|ine))\b"
            ),
            "{x} est {v}.",
        ),
        (
            "home",
            _c(
                r"(?:\b(?:mon|ma) (?P<rel>[\w-]+)(?: (?-i:[A-ZÀ-Ý])\w+)? |\b(?:il|elle|qui|et) )(?:habite|vit) "
                "(?:à |en |au )(?P<v>[^.,;!?]+)"
            ),
            "{x} habite à {v}.",
        ),
    ),
}
