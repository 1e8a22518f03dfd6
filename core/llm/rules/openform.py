"""What an open form is, and the pieces that its patterns are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.llm.rules.phrases import PETS

NUMBER = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?|two|"
    r"three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)"
)
BEGIN = r"(?:^|[,;:(.!—-]\s*|\b(?:and|but|so|also|that|then|because|plus)\s+)"
END = (
    r"(?=$|[,;:.!()—]|\s-\s|\s(?:and|but|so|because|though|since|while|when|after|before|lol|"
    r"btw|these|here|now|for|as|at|please|yes)\b|\s[^\w\s'\"(&])"
)
NOUNS = r"[\w'&/-]+(?: [\w'&/-]+){0,4}?"
BREEDS = (
    "whippet|labrador|lab|spaniel|terrier|poodle|collie|beagle|greyhound|lurcher|dachshund|pug|boxer|husky|"
    "retriever|corgi|"
    "schnauzer|siamese|tabby|ragdoll|persian|mongrel|mutt|cockapoo|labradoodle|bulldog|chihuahua|rottweiler|dalmatian"
)
PET_WORD = "|".join(sorted((re.escape(word) for word in PETS), key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Form:
    """A turn of phrase. `slot` and `subject` may name groups: "{rel}". `says`: "" for the clause."""

    slot: str
    pattern: re.Pattern[str]
    says: str
    subject: str = "user"
    many: bool = False


DUTIES = (
    "coordinates|organi[sz]es|oversees|tutors|is tutoring|teaches|coaches|supervises|moderates|hosts|"
    "edits|designs|chairs|"
    "is coaching|is teaching|is covering for|takes care of|takes minutes|is in charge of|does the|"
    "writes the|drives the|keeps the"
)
KIND_WORDS = r"(?:[a-z][\w-]+ ){0,2}?[a-z][\w-]+"
PHONE = r"\+?\d[\d ()/-]{6,18}\d"
