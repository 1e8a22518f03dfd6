"""Building blocks of the French forms: dates, trades, and how a pattern is written."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re

from core.llm.rules.folding import folded

VALUE = r"(?P<v>[^.;!?\n]+)"


def pattern_of(pattern: str) -> re.Pattern[str]:
    """A pattern that also reads spoken spelling: "chuis", "j'suis", and a denial without its "ne"."""
    spoken = pattern.replace("je suis", "(?:je suis|j'suis|chuis|jsuis)")
    return folded(spoken.replace("je n'", "(?:je n'|j')").replace("je ne ", "(?:je ne |je |j')"))


MONTH = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"

DATE = rf"(?:\d{{1,2}}(?:er)? {MONTH}(?: \d{{4}})?|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?)"

DAY = (
    rf"(?:(?:ce |le |tous les |ce )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-end)(?: prochain)?|(?:le )?{DATE}|"
    r"(?:la semaine|le mois) prochaine?|demain|après-demain|aujourd'hui|ce soir)"
)


TRADE = (
    r"(?=(?-i:[a-z]))(?!(?:dés|content|heureu|malheureu|sûr|prêt|ravi|célibat|mari|divorc|fatigu|allerg|intol|asthm|végé|vegan|végan|diab|"
    r"dyslex|origin|parisien|américain|italien|canadien|algérien|tunisien|matin|couche|fan|plutôt|toujours|maintenant|souvent|"
    r"vraiment|actuellement|seulement|malade|français|grand|petit|amoureu|curieu)\w*\b|(?:chez|née?|en|à|au|pas|plus|le|la|les|de|avec|contre|encore|bien)\b)"
    r"(?:[a-z-]+(?:eur|euse|rice|ier|ière|ien|ienne|iste|ant|ante|ogue|cin|esse|ecte|ger|gère|aire|cat|cate|ine|naliste|ste|graphe|"
    r"iatre|tre|mier|tier)|(?:prof|chef|cheffe|juge|pilote|maçon|agent|agente|cadre|guide|commercial|commerciale|avocate?|étudiante?|vétérinaire|"
    r"architecte|interne|sage-femme|femme de ménage|médecin|dev|développeur|kiné|barman|serveur|nounou))"
)
