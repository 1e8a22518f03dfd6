"""Forms of Spanish, French, Italian and Portuguese."""

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.phrases import PERSON


def _c(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_V = r"(?P<v>[^.;!?\n]+)"
_N = rf"(?P<v>{PERSON})"
_JOB_NOT = r"(?!de\b|d'|del\b|al[eé]rg|vegan|vegetarian|muy|tan|très|molto|muito|allerg|così|de acuerdo|da\b|italian|frances|español|d'accord|content|désolé|ravi|sûr|prêt|en train|en|à|au|né|née|celíac|diab|pas|trop|si|seguro|feliz|contento|felice|sicuro|stato|stata|daccordo|d'accordo|intolér|intoler|alérgic|casad|solter|marié|sposat|mãe|pai|padre|madre|père|mère)"

SPANISH: dict[str, Any] = {
    "code": "es",
    "telling": _c(r"[¿¡ñ]|\b(?:el|la|los|las|de|que|y|en|mi|mis|con|una|por|para|me|yo|soy|tengo|es|no|ya|vivo|trabajo|años|muy|del|al|ahora|este|esta|pero|gusta|hola|nuestro|nuestra)\b"),
    "certain": _c(r"\b(?:me llamo|mi nombre es|vivo en|soy de|trabajo (?:de|como|en)|me gusta|me encanta|tengo|cumpleaños|alérgic|prefiero|odio|hablo)\w*"),
    "stop": _c(r"\s*(?:[,;.!?()]|\s(?:y|e) (?=(?:me|mi|mis|no|soy|vivo|trabajo|tengo|ahora|estoy|hablo|odio|prefiero|nuestro|nuestra|también)\b)|\s(?:pero|porque|aunque|desde|con mi|con mis|cuando|así que)\b)"),
    "joiner": _c(r"\s*(?:,|\by\b|\be\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:me llamo|mi nombre es) {_N}"), "Te llamas {v}."),
        ("nickname", _c(rf"\b(?:me dicen|me llaman|todos me dicen|llámame) {_N}"), "Te llaman {v}."),
        ("-job", _c(rf"\bya no (?:trabajo (?:de|como)|soy) (?:una? )?{_V}"), "Ya no trabajas de {v}."),
        ("-home", _c(rf"\bya no vivo en {_V}"), "Ya no vives en {v}."),
        ("-smoking", _c(r"\b(?:ya no|dejé de) (?P<v>fum\w+)"), "Ya no fumas."),
        ("home", _c(rf"(?<!ya no )\b(?:vivo|vivimos|me mudé|nos mudamos|resido|me he mudado) (?:en|a) {_V}"), "Vives en {v}."),
        ("lives_since", _c(r"\bviv(?:o|imos)\b[^.;!?]*?(?P<v>desde (?:hace )?[\w ]+)"), "Vives ahí {v}."),
        ("hometown", _c(rf"\b(?:soy|vengo) de {_V}"), "Eres de {v}."),
        ("birthplace", _c(r"\bnací en (?P<v>[A-ZÁÉÍÓÚ][^.,;!?]+)"), "Naciste en {v}."),
        ("job", _c(rf"(?<!ya no )\btrabajo (?:de|como) (?:una? )?(?P<v>[^.;!?]+?)(?= en [A-ZÁÉÍÓÚ]|[.,;!?]|$| y )"), "Trabajas de {v}."),
        ("workplace", _c(r"(?<!ya no )\btrabajo (?:(?:de|como) [^.,;!?]+? )?(?:en|para) (?P<v>[^.;!?]+)"), "Trabajas en {v}."),
        ("diet", _c(r"\b(?:soy|me hice|me he hecho) (?P<v>vegan[oa]|vegetarian[oa])"), "Eres {v}."),
        ("condition", _c(r"\b(?:soy|tengo) (?P<v>celíac[oa]|diabétic[oa]|asm[aá]\w*|diabetes|migraña\w*|hipertens\w+|intolerante a [^.,;!?]+|epilepsia|dislexia|disléxic[oa])"), "{v}: tu condición."),
        ("allergy", _c(rf"\b(?:soy|somos) (?:muy )?al[eé]rgic[oa]s? (?:a|al) (?:las?|los|el|l)?\s?{_V}"), "Eres alérgico a {v}."),
        ("allergy", _c(rf"\btengo alergia (?:a|al) (?:las?|los|el)?\s?{_V}"), "Tienes alergia a {v}."),
        ("job", _c(rf"(?<!ya no )\bsoy (?:una? )?{_JOB_NOT}(?P<v>[a-záéíóúñ]+(?: (?:de|en|del|[a-záéíóúñ]+)){{0,4}})"), "Eres {v}."),
        ("dislikes", _c(rf"\bno me gustan? (?:nada )?(?:las?|los|el|l)?\s?{_V}"), "No te gusta {v}."),
        ("dislikes", _c(rf"\b(?:odio|detesto|no soporto) (?:las?|los|el)?\s?{_V}"), "Odias {v}."),
        ("likes", _c(rf"(?<!no )\bme (?:gustan?|encantan?|fascinan?) (?:mucho |muchísimo )?(?:las?|los|el|l)?\s?(?!saber|que me)\b{_V}"), "Te gusta {v}."),
        ("likes", _c(rf"\bprefiero {_V}"), "Prefieres {v}."),
        ("avoids", _c(rf"\bno (?:como|bebo|tomo|puedo comer) {_V}"), "No comes {v}."),
        ("language", _c(rf"\bhablo {_V}"), "Hablas {v}."),
        ("hobby", _c(r"\b(?P<v>(?:toco|colecciono|practico|juego al?) [^.,;!?]+)"), "Tú: {v}."),
        ("studies", _c(rf"\bestudio {_V}"), "Estudias {v}."),
        ("birthday", _c(r"\b(?:mi cumpleaños es|cumplo años|nací) (?:el )?(?P<v>\d{1,2} de \w+(?: de \d{4})?)"), "Tu cumpleaños es el {v}."),
        ("age", _c(r"\btengo (?P<v>(?:\d+|\w+) años)"), "Tienes {v}."),
        ("email", _c(r"\bmi (?:correo|email|mail)[^@.]{0,20}? es (?P<v>\S+@\S+\w)"), "Tu correo es {v}."),
        ("phone", _c(r"\bmi (?:teléfono|número|móvil|celular)[^\d+]{0,20}(?P<v>\+?[\d ()-]{7,})"), "Tu teléfono es {v}."),
        ("employer", _c(rf"\bmi empresa (?:es|se llama) {_V}"), "Tu empresa es {v}."),
        ("manager", _c(rf"\bmi (?:jefe|jefa) (?:es|se llama) {_N}"), "Tu jefe es {v}."),
        ("deadline", _c(r"\b(?:la fecha límite|el plazo|la entrega) (?:de|del|para) (?:la |el |los |las )?(?P<x>[^.,;!?]+?) es (?:el )?(?P<v>[^.;!?]+)"), "La fecha límite de {x} es el {v}."),
        ("current_location", _c(r"\besta semana estoy en (?P<v>[A-ZÁÉÍÓÚ][^.,;!?]+)"), "Esta semana estás en {v}."),
    ),
    "relations": {
        "esposa": "spouse", "esposo": "spouse", "mujer": "spouse", "marido": "spouse", "novia": "partner", "novio": "partner", "pareja": "partner", "madre": "mother", "mamá": "mother", "padre": "father", "papá": "father",
        "hermana": "sister", "hermano": "brother", "hija": "daughter", "hijo": "son", "abuela": "grandmother", "abuelo": "grandfather", "tía": "aunt", "tío": "uncle", "prima": "cousin", "primo": "cousin", "sobrina": "niece", "sobrino": "nephew",
        "perra": "dog", "perro": "dog", "gata": "cat", "gato": "cat", "amiga": "friend", "amigo": "friend", "jefa": "manager", "jefe": "manager", "conejo": "rabbit", "vecina": "neighbour", "vecino": "neighbour", "suegra": "mother_in_law", "cuñado": "brother_in_law", "cuñada": "sister_in_law",
    },
    "relation": _c(rf"\b(?P<own>mi|nuestra|nuestro) (?:mejor |hermana |perro |gato )??(?P<rel>\w+)(?: mayor| menor)?(?:,| se llama| es| llamad[oa])? (?P<name>{PERSON})"),
    "relation_says": "{own} {rel} es {v}.",
    "of_relation": (
        ("age", _c(r"(?:\bmi (?P<rel>\w+)(?: \w+)? |\b(?:que|y|,|él|ella) )tiene (?P<v>(?:\d+|\w+) (?:años|meses))"), "{x} tiene {v}."),
        ("job", _c(r"(?:\bmi (?P<rel>\w+) (?:(?-i:[A-Z])\w+ )?|\b(?:que|y|,|él|ella) )(?:es|trabaja (?:de|como)) (?:una? )?(?P<v>(?!de\b|muy)[a-záéíóúñ]+(?:er[oa]|or|ora|ista|nte|ic[oa]|ogo|oga|ad[oa]|ari[oa]|ense))\b"), "{x} es {v}."),
        ("home", _c(r"(?:\bmi (?P<rel>\w+) (?:(?-i:[A-Z])\w+ )?|\b(?:que|y|,|él|ella) )vive en (?P<v>[^.,;!?]+)"), "{x} vive en {v}."),
    ),
}  # fmt: skip

FRENCH: dict[str, Any] = {
    "code": "fr",
    "telling": _c(r"[çœêè]|\b(?:le|la|les|de|des|du|et|en|je|j'|mon|ma|mes|est|suis|ne|pas|pour|avec|une|un|dans|qui|au|aux|c'est|sur|il|elle|nous|notre|mais|ans|très|depuis)\b|\b(?:j|d|l|qu|c|s|m|n)'"),
    "certain": _c(r"\b(?:je m'appelle|je suis|j'habite|j'ai|je travaille|j'aime|j'adore|je déteste|je n'aime|je préfère|mon anniversaire|je parle|s'appelle|je vis|je ne)\b"),
    "stop": _c(r"\s*(?:[,;.!?()]|\set (?=(?:je|j'|mon|ma|mes|il|elle|nous|notre)\b)|\s(?:mais|parce que|car|depuis|avec (?:mon|ma|mes)|quand|donc)\b)"),
    "joiner": _c(r"\s*(?:,|\bet\b|\bni\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:je m'appelle|mon nom est|mon prénom est) {_N}"), "Tu t'appelles {v}."),
        ("nickname", _c(rf"\b(?:on m'appelle|appelle-moi|appelez-moi|tout le monde m'appelle) {_N}"), "On t'appelle {v}."),
        ("-job", _c(rf"\bje ne suis plus (?:un |une )?(?!vég|à\b|en\b){_V}"), "Tu n'es plus {v}."),
        ("-home", _c(rf"\bje n'habite plus (?:à |en |au |aux )?{_V}"), "Tu n'habites plus à {v}."),
        ("-smoking", _c(r"\bje ne (?P<v>fume) plus"), "Tu ne fumes plus."),
        ("-diet", _c(r"\bje ne suis plus (?P<v>végétarien(?:ne)?|végane?|vegan)"), "Tu n'es plus {v}."),
        ("home", _c(rf"\b(?:j'habite|nous habitons|on habite|je vis|nous vivons|j'ai déménagé|j'ai emménagé|on a déménagé) (?:maintenant |désormais )?(?:à |en |au |aux |dans )?{_V}"), "Tu habites à {v}."),
        ("lives_since", _c(r"\b(?:j'habite|je vis)\b[^.;!?]*?(?P<v>depuis [\w ]+)"), "Tu y habites {v}."),
        ("hometown", _c(rf"\b(?:je viens|je suis originaire) (?:de |d'|du ){_V}"), "Tu viens de {v}."),
        ("birthplace", _c(r"\bje suis née? (?:à|en|au) (?P<v>(?-i:[A-ZÀ-Ý])[^.,;!?]+)"), "Tu es né à {v}."),
        ("birthday", _c(r"\b(?:mon anniversaire(?: est| c'est)?|je suis née?) (?:c'est )?(?:le )?(?P<v>\d{1,2}(?:er)? \w+(?: \d{4})?)"), "Ton anniversaire est le {v}."),
        ("job", _c(rf"\bje (?:travaille comme|travaille en tant que|bosse comme) (?:une? )?{_V}"), "Tu travailles comme {v}."),
        ("workplace", _c(r"\bje (?:travaille|bosse) (?:(?:comme|en tant que) [^.,;!?]+? )?(?:chez|à|au|pour|dans) (?P<v>[^.;!?]+)"), "Tu travailles chez {v}."),
        ("diet", _c(r"\bje suis (?:devenue? )?(?P<v>végétarien(?:ne)?|végane?|vegan|végétalien(?:ne)?)"), "Tu es {v}."),
        ("condition", _c(r"\b(?:je suis|j'ai) (?:du |de l'|une? |la |le )?(?P<v>diabétique|diabète|asthm\w+|cœliaque|coeliaque|dyslexique|épilep\w+|intolérante? (?:au|à) [^.,;!?]+|migraines?)"), "{v} : c'est ton état de santé."),
        ("allergy", _c(rf"\bje suis (?:très )?allergique (?:aux |au |à la |à l'|à ){_V}"), "Tu es allergique à {v}."),
        ("allergy", _c(rf"\bj'ai une allergie (?:aux |au |à la |à l'|à ){_V}"), "Tu es allergique à {v}."),
        ("job", _c(rf"\bje suis (?:une? )?{_JOB_NOT}(?P<v>[a-zà-ÿ-]+(?: (?:de|en|du|d'|des|[a-zà-ÿ'-]+)){{0,4}})"), "Tu es {v}."),
        ("dislikes", _c(rf"\b(?:je n'aime pas|je déteste|je ne supporte pas|j'ai horreur (?:de |des |du )|je hais) ?(?:les? |la |l'|du |des )?{_V}"), "Tu n'aimes pas {v}."),
        ("likes", _c(rf"\b(?:j'aime|j'adore|je suis fan de|je raffole de) (?:bien |beaucoup |énormément )?(?:les? |la |l'|du |des )?(?!pas\b){_V}"), "Tu aimes {v}."),
        ("likes", _c(rf"\bje préfère {_V}"), "Tu préfères {v}."),
        ("avoids", _c(rf"\bje ne (?:mange|bois|peux) pas (?:manger )?(?:de |d'|du ){_V}"), "Tu ne manges pas de {v}."),
        ("language", _c(rf"\bje parle (?:le |l'|la )?(?!de\b|à\b|avec)\b{_V}"), "Tu parles {v}."),
        ("hobby", _c(r"\bje (?P<v>(?:joue (?:du|de la|au|aux|de l')|fais (?:du|de la|de l')|collectionne) ?[^.,;!?]+)"), "Tu {v}."),
        ("studies", _c(rf"\bj'étudie (?:les? |la |l'|à )?{_V}"), "Tu étudies {v}."),
        ("age", _c(r"\bj'ai (?P<v>(?:\d+|[\w-]+) ans)"), "Tu as {v}."),
        ("email", _c(r"\bmon (?:e-?mail|adresse|courriel)[^@.]{0,20}? est (?P<v>\S+@\S+\w)"), "Ton e-mail est {v}."),
        ("phone", _c(r"\bmon (?:numéro|téléphone|portable)[^\d+]{0,20}(?P<v>\+?[\d ()-]{7,})"), "Ton numéro est {v}."),
        ("manager", _c(rf"\b(?:mon|ma) (?:chef|cheffe|responsable|patron|patronne) (?:est|s'appelle|c'est) {_N}"), "Ton chef est {v}."),
        ("deadline", _c(r"\bla (?:date limite|deadline|date de rendu|remise) (?:du |de la |de l'|des |pour le |pour la |de )(?P<x>[^.,;!?]+?) est (?:le )?(?P<v>[^.;!?]+)"), "La date limite pour {x} est le {v}."),
        ("deadline", _c(r"\b(?:le|la|mon|ma|notre) (?P<x>[\wà-ÿ -]+?) (?:est à rendre|doit être rendue?|est à remettre) (?:pour |avant )?(?:le )?(?P<v>[^.;!?]+)"), "{x} : à rendre le {v}."),
        ("current_location", _c(r"\bcette semaine,? je suis (?:à|en|au) (?P<v>(?-i:[A-ZÀ-Ý])[^.,;!?]+)"), "Cette semaine, tu es à {v}."),
    ),
    "relations": {
        "femme": "spouse", "mari": "spouse", "épouse": "spouse", "copine": "partner", "copain": "partner", "compagne": "partner", "compagnon": "partner", "mère": "mother", "maman": "mother", "père": "father", "papa": "father", "sœur": "sister", "soeur": "sister", "frère": "brother",
        "fille": "daughter", "fils": "son", "grand-mère": "grandmother", "grand-père": "grandfather", "tante": "aunt", "oncle": "uncle", "cousine": "cousin", "cousin": "cousin", "nièce": "niece", "neveu": "nephew", "chien": "dog", "chienne": "dog", "chat": "cat", "chatte": "cat",
        "amie": "friend", "ami": "friend", "chef": "manager", "cheffe": "manager", "lapin": "rabbit", "voisine": "neighbour", "voisin": "neighbour", "collègue": "colleague",
    },
    "relation": _c(rf"\b(?P<own>mon|ma) (?:meilleure? |grande? |petite? )?(?P<rel>[\w-]+)(?:,| s'appelle| c'est| est)? (?P<name>{PERSON})"),
    "relation_says": "{own} {rel} s'appelle {v}.",
    "of_relation": (
        ("age", _c(r"(?:\b(?:mon|ma) (?P<rel>[\w-]+)(?: (?-i:[A-ZÀ-Ý])\w+)? |\b(?:il|elle|qui|et) )a (?P<v>(?:\d+|[\w-]+) (?:ans|mois))"), "{x} a {v}."),
        ("job", _c(r"(?:\b(?:mon|ma) (?P<rel>[\w-]+)(?: (?-i:[A-ZÀ-Ý])\w+)? |\b(?:il|elle|qui|et) )(?:est|travaille comme) (?:une? )?(?P<v>[a-zà-ÿ-]+(?:eur|euse|rice|ier|ière|ien|ienne|iste|ant|ante|in|ogue|decin|esse|at|ecte|ger|gère|naire))\b"), "{x} est {v}."),
        ("home", _c(r"(?:\b(?:mon|ma) (?P<rel>[\w-]+)(?: (?-i:[A-ZÀ-Ý])\w+)? |\b(?:il|elle|qui|et) )(?:habite|vit) (?:à |en |au )(?P<v>[^.,;!?]+)"), "{x} habite à {v}."),
    ),
}  # fmt: skip

ITALIAN: dict[str, Any] = {
    "code": "it",
    "telling": _c(r"\b(?:il|lo|gli|di|che|e|è|sono|mi|mio|mia|con|una|per|non|ho|vivo|abito|lavoro|del|della|ma|anche|da|nel|anni|ciao|sto|piace)\b"),
    "certain": _c(r"\b(?:mi chiamo|vivo a|abito a|lavoro come|mi piac\w+|sono allergic\w|il mio|la mia|odio|ho \d+ anni|faccio (?:il|la|l')|sono (?:un|una)|parlo)\b"),
    "stop": _c(r"\s*(?:[,;.!?()]|\s(?:e|ed) (?=(?:mi|il|la|mia|mio|non|sono|vivo|abito|lavoro|ho|parlo)\b)|\s(?:ma|perché|però|con (?:il|la|mia|mio)|dal|quando)\b)"),
    "joiner": _c(r"\s*(?:,|\be\b|\bed\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:mi chiamo|il mio nome è) {_N}"), "Ti chiami {v}."),
        ("-job", _c(rf"\bnon (?:lavoro|faccio) più (?:come |il |la )?{_V}"), "Non lavori più come {v}."),
        ("-smoking", _c(r"\bnon (?P<v>fumo) più"), "Non fumi più."),
        ("home", _c(rf"\b(?:vivo|abito|viviamo|abitiamo|mi sono trasferit[oa]) (?:a|in) {_V}"), "Vivi a {v}."),
        ("hometown", _c(rf"\b(?:vengo|sono originari[oa]) (?:da|di) {_V}"), "Vieni da {v}."),
        ("job", _c(r"\b(?:lavoro come|faccio (?:il |la |l')) ?(?:una? )?(?P<v>[^.;!?]+?)(?= (?:a|in|presso|per) (?-i:[A-Z])|[.,;!?]|$| e )"), "Lavori come {v}."),
        ("workplace", _c(r"\blavoro (?:presso|per|da|in|alla|al) (?P<v>[^.;!?]+)"), "Lavori per {v}."),
        ("diet", _c(r"\bsono (?:diventat[oa] )?(?P<v>vegan[oa]|vegetarian[oa])"), "Sei {v}."),
        ("condition", _c(r"\b(?:sono|ho) (?:il |l'|la )?(?P<v>celiac[oa]|diabetic[oa]|diabete|asma\w*|intollerante (?:al|alla|ai|a) [^.,;!?]+|emicrani\w+)"), "{v}: la tua condizione."),
        ("allergy", _c(rf"\bsono (?:molto )?allergic[oa] (?:alle |agli |ai |alla |al |all'|a ){_V}"), "Sei allergico a {v}."),
        ("job", _c(rf"\bsono (?:una? |un')?{_JOB_NOT}(?P<v>[a-zà-ù]+(?:ere|iere|iera|ista|tore|trice|ante|ente|aio|aia|ologo|ologa|ico|ica|ato|gnere|estra|estro|edico|ario|aria|uoco|uoca)(?: [a-zà-ù]+){{0,2}})"), "Sei {v}."),
        ("dislikes", _c(rf"\b(?:non mi piacciono|non mi piace|odio|detesto|non sopporto) (?:il |lo |la |i |gli |le |l')?{_V}"), "Non ti piace {v}."),
        ("likes", _c(rf"(?<!non )\b(?:mi piacciono|mi piace|adoro|amo) (?:molto |tanto )?(?:il |lo |la |i |gli |le |l')?{_V}"), "Ti piace {v}."),
        ("avoids", _c(rf"\bnon (?:mangio|bevo) {_V}"), "Non mangi {v}."),
        ("language", _c(rf"\bparlo {_V}"), "Parli {v}."),
        ("birthday", _c(r"\b(?:il mio compleanno è|sono nat[oa]|compio gli anni) (?:il |l')?(?P<v>\d{1,2}(?:°)? \w+(?: \d{4})?)"), "Il tuo compleanno è il {v}."),
        ("age", _c(r"\bho (?P<v>(?:\d+|\w+) anni)"), "Hai {v}."),
        ("deadline", _c(r"\bla scadenza (?:del |della |dell'|per il |per la |di )(?P<x>[^.,;!?]+?) è (?:il |l')?(?P<v>[^.;!?]+)"), "La scadenza di {x} è il {v}."),
    ),
    "relations": {
        "moglie": "spouse", "marito": "spouse", "ragazza": "partner", "ragazzo": "partner", "compagna": "partner", "compagno": "partner", "madre": "mother", "mamma": "mother", "padre": "father", "papà": "father", "sorella": "sister", "fratello": "brother", "figlia": "daughter", "figlio": "son",
        "nonna": "grandmother", "nonno": "grandfather", "zia": "aunt", "zio": "uncle", "cugina": "cousin", "cugino": "cousin", "cane": "dog", "gatto": "cat", "gatta": "cat", "amica": "friend", "amico": "friend", "capo": "manager", "collega": "colleague",
    },
    "relation": _c(rf"\b(?P<own>mia|mio) (?:migliore )?(?P<rel>\w+)(?:,| si chiama| è)? (?P<name>{PERSON})"),
    "relation_says": "{own} {rel} si chiama {v}.",
    "of_relation": (
        ("age", _c(r"(?:\b(?:mia|mio) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:lui|lei|che|e|,) )ha (?P<v>(?:\d+|\w+) (?:anni|mesi))"), "{x} ha {v}."),
        ("home", _c(r"(?:\b(?:mia|mio) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:lui|lei|che|e|,) )(?:vive|abita) (?:a|in) (?P<v>[^.,;!?]+)"), "{x} vive a {v}."),
    ),
}  # fmt: skip

PORTUGUESE: dict[str, Any] = {
    "code": "pt",
    "telling": _c(r"[ãõ]|\b(?:o|os|da|do|e|em|eu|meu|minha|não|com|uma|um|para|moro|sou|tenho|é|na|no|mas|anos|chamo|gosto|trabalho|muito|olá)\b"),
    "certain": _c(r"\b(?:me chamo|meu nome é|chamo-me|moro em|vivo em|trabalho como|sou alérgic\w|gosto (?:de|muito)|não gosto|minha|meu|eu sou|falo|tenho \d+ anos)\b"),
    "stop": _c(r"\s*(?:[,;.!?()]|\se (?=(?:meu|minha|não|sou|moro|trabalho|tenho|gosto|eu)\b)|\s(?:mas|porque|desde|com (?:o|a|meu|minha)|quando)\b)"),
    "joiner": _c(r"\s*(?:,|\be\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome é) {_N}"), "Você se chama {v}."),
        ("-job", _c(rf"\bnão trabalho mais (?:como )?{_V}"), "Você não trabalha mais como {v}."),
        ("-smoking", _c(r"\b(?:não|parei de) (?P<v>fum\w+)(?: mais)?"), "Você não fuma mais."),
        ("home", _c(rf"\b(?:moro|vivo|moramos|me mudei|mudei-me) (?:agora )?(?:em|no|na|para|para o|para a) {_V}"), "Você mora em {v}."),
        ("hometown", _c(rf"\b(?:sou|venho) (?:de|do|da) {_V}"), "Você é de {v}."),
        ("job", _c(r"\btrabalho (?:como|de) (?:uma? )?(?P<v>[^.;!?]+?)(?= (?:em|na|no|para) |[.,;!?]|$| e )"), "Você trabalha como {v}."),
        ("workplace", _c(r"\btrabalho (?:(?:como|de) [^.,;!?]+? )?(?:na|no|em|para|para a) (?P<v>[^.;!?]+)"), "Você trabalha em {v}."),
        ("diet", _c(r"\bsou (?P<v>vegan[oa]|vegetarian[oa])"), "Você é {v}."),
        ("condition", _c(r"\b(?:sou|tenho) (?P<v>celíac[oa]|diabétic[oa]|diabetes|asma\w*|intolerante (?:à|a|ao) [^.,;!?]+|enxaqueca\w*)"), "{v}: sua condição."),
        ("allergy", _c(rf"\b(?:sou alérgic[oa]|tenho alergia) (?:a|à|ao|aos|às) {_V}"), "Você é alérgico a {v}."),
        ("job", _c(rf"\bsou (?:uma? )?{_JOB_NOT}(?P<v>[a-zà-ú]+(?:eir[oa]|or|ora|ista|nte|ogo|oga|ic[oa]|ári[oa]|ad[oa]|eto|eta)(?: [a-zà-ú]+){{0,2}})"), "Você é {v}."),
        ("dislikes", _c(rf"\b(?:não gosto (?:de|do|da|dos|das)|odeio|detesto|não suporto) (?:o |a |os |as )?{_V}"), "Você não gosta de {v}."),
        ("likes", _c(rf"(?<!não )\b(?:gosto (?:muito )?(?:de|do|da|dos|das)|adoro|amo) (?:o |a |os |as )?{_V}"), "Você gosta de {v}."),
        ("avoids", _c(rf"\bnão (?:como|bebo) {_V}"), "Você não come {v}."),
        ("language", _c(rf"\bfalo {_V}"), "Você fala {v}."),
        ("birthday", _c(r"\b(?:meu aniversário é|faço anos|nasci) (?:no dia |em |a |dia )?(?P<v>\d{1,2} de \w+(?: de \d{4})?)"), "Seu aniversário é {v}."),
        ("age", _c(r"\btenho (?P<v>(?:\d+|\w+) anos)"), "Você tem {v}."),
        ("deadline", _c(r"\bo prazo (?:do|da|de|para o|para a) (?P<x>[^.,;!?]+?) é (?:dia )?(?P<v>[^.;!?]+)"), "O prazo de {x} é {v}."),
    ),
    "relations": {
        "esposa": "spouse", "mulher": "spouse", "marido": "spouse", "namorada": "partner", "namorado": "partner", "mãe": "mother", "pai": "father", "irmã": "sister", "irmão": "brother", "filha": "daughter", "filho": "son", "avó": "grandmother", "avô": "grandfather", "tia": "aunt", "tio": "uncle",
        "prima": "cousin", "primo": "cousin", "cachorro": "dog", "cachorra": "dog", "cão": "dog", "cadela": "dog", "gato": "cat", "gata": "cat", "amiga": "friend", "amigo": "friend", "chefe": "manager", "colega": "colleague",
    },
    "relation": _c(rf"\b(?P<own>minha|meu) (?:melhor )?(?P<rel>\w+)(?:,| se chama| chama-se| é)? (?P<name>{PERSON})"),
    "relation_says": "{own} {rel} se chama {v}.",
    "of_relation": (
        ("age", _c(r"(?:\b(?:minha|meu) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:ele|ela|que|e|,) )tem (?P<v>(?:\d+|\w+) (?:anos|meses))"), "{x} tem {v}."),
        ("home", _c(r"(?:\b(?:minha|meu) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:ele|ela|que|e|,) )(?:mora|vive) (?:em|no|na) (?P<v>[^.,;!?]+)"), "{x} mora em {v}."),
    ),
}  # fmt: skip
