"""What the measured memories are told and asked: made up from a seed, written before any figure was looked at.

Values occur once, so that a text that names one tells which fact and which version of it, and which user, it is
about.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SEED = 23


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of fact: said first, changed, asked for; `{s}` is whose, `{v}` the value."""

    subjects: tuple[str, ...]
    first: tuple[str, ...]
    later: tuple[str, ...]
    ask: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, its current value and the values that it had before."""

    question: str
    current: str
    former: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Changing:
    """Statements of one user in their order, and what is asked afterwards."""

    said: tuple[str, ...]
    asked: tuple[Asked, ...]


_TOWNS = (
    "Aveiro", "Bruges", "Cuenca", "Delft", "Esbjerg", "Faro", "Girona", "Halmstad", "Innsbruck", "Jena", "Kotor",
    "Lucca", "Mostar", "Namur", "Olomouc", "Poznan", "Quimper", "Rostock", "Split", "Trondheim", "Umea", "Vigo",
    "Wroclaw", "Ypres", "Zadar", "Annecy", "Burgos", "Chester", "Debrecen", "Erfurt", "Fulda", "Gijon", "Horsens",
    "Ivrea", "Joensuu", "Kassel",
)  # fmt: skip
_FIRMS = (
    "Alder Systems", "Birchfield Foods", "Coralline Press", "Dunmore Shipping", "Elverum Textiles", "Fernhill Energy",
    "Glasswing Studio", "Hollis Bank", "Ironbridge Tools", "Juniper Rail", "Kestrel Maps", "Larkspur Media",
    "Merriam Ceramics", "Northlight Films", "Oakhaven Hospital", "Pellworm Ferries", "Quayside Games", "Redfern Optics",
    "Stonecrop Seeds", "Thistle Robotics", "Umber Prints", "Vantage Cranes", "Wexcombe Legal", "Yarrow Pharma",
)  # fmt: skip
_PEOPLE = (
    "Agnethe", "Balint", "Cosima", "Dagny", "Eskil", "Fiammetta", "Gudrun", "Hamish", "Ilse", "Jarek", "Kerstin",
    "Lorcan", "Marisol", "Noor", "Oskar", "Priya", "Quentin", "Runa", "Stellan", "Tindra", "Ulrik", "Vesna", "Wilhelm",
    "Xenia", "Ysolde", "Zoltan", "Alfhild", "Benedikt", "Clio", "Dorothea",
)  # fmt: skip
_MONTHS = ("January", "February", "June", "July", "August", "October")
_DAYS = tuple(f"{day} {month}" for month in _MONTHS for day in range(3, 28, 4))
_SUMS = tuple(str(number) for number in range(217, 2400, 61))
_FRIENDS = ("Ruben", "Salome", "Teodor", "Una")
_WORKS = ("rose garden", "quarterly audit", "podcast", "boat shed")

KINDS = (
    Kind(
        subjects=("",),
        first=("I live in {v}.", "My flat is in {v}."),
        later=("I have moved to {v}.", "I live in {v} now.", "We relocated, so home is {v} these days."),
        ask=("Where do I live?", "Which town do I live in?"),
        values=_TOWNS,
    ),
    Kind(
        subjects=_FRIENDS,
        first=("My friend {s} lives in {v}.", "{s}, a friend of mine, has a house in {v}."),
        later=("{s} has moved to {v}.", "{s} lives in {v} now.", "{s} found a new place in {v}."),
        ask=("Where does {s} live?", "Which town does my friend {s} live in?"),
        values=_TOWNS,
    ),
    Kind(
        subjects=("",),
        first=("I work for {v}.", "My employer is {v}."),
        later=("I have started at {v}.", "I work for {v} now.", "My new employer is {v}."),
        ask=("Who do I work for?", "What is the name of my employer?"),
        values=_FIRMS,
    ),
    Kind(
        subjects=_FRIENDS,
        first=("My friend {s} works at {v}.", "{s} has a job at {v}."),
        later=("{s} works at {v} now.", "{s} has switched to {v}.", "{s} got a new job at {v}."),
        ask=("Where does {s} work?", "Which company does {s} work for?"),
        values=_FIRMS,
    ),
    Kind(
        subjects=("",),
        first=("My dentist is {v}.", "{v} is my dentist."),
        later=("My dentist is {v} now.", "My new dentist is {v}.", "I have changed dentists: {v} treats me now."),
        ask=("Who is my dentist?", "What is my dentist called?"),
        values=_PEOPLE,
    ),
    Kind(
        subjects=_WORKS,
        first=("{v} is in charge of the {s}.", "The {s} is run by {v}."),
        later=("{v} has taken over the {s}.", "The {s} is run by {v} now.", "{v} is in charge of the {s} from today."),
        ask=("Who is in charge of the {s}?", "Who runs the {s}?"),
        values=_PEOPLE,
    ),
    Kind(
        subjects=_WORKS,
        first=("The {s} is due on {v}.", "The deadline of the {s} is {v}."),
        later=("The {s} is due on {v} now.", "The deadline of the {s} moved to {v}.", "They put the {s} back to {v}."),
        ask=("When is the {s} due?", "What is the deadline of the {s}?"),
        values=_DAYS,
    ),
    Kind(
        subjects=_WORKS,
        first=("The budget of the {s} is {v} euros.", "We have {v} euros for the {s}."),
        later=("The budget of the {s} is {v} euros now.", "The {s} gets {v} euros instead.",
            "The {s} budget rose to {v} euros."),
        ask=("How large is the budget of the {s}?", "How many euros do we have for the {s}?"),
        values=_SUMS,
    ),
    Kind(
        subjects=("",),
        first=("My rent is {v} euros a month.", "I pay {v} euros of rent."),
        later=("My rent is {v} euros now.", "The landlord raised my rent to {v} euros.",
            "From this month my rent is {v} euros."),
        ask=("How much rent do I pay?", "What is my rent?"),
        values=_SUMS,
    ),
    Kind(
        subjects=("",),
        first=("My driving test is on {v}.", "I take my driving test on {v}."),
        later=("My driving test was moved to {v}.", "My driving test is on {v} now.",
            "I take the driving test on {v} instead."),
        ask=("When is my driving test?", "On which day do I take my driving test?"),
        values=_DAYS,
    ),
)  # fmt: skip

_BESIDE = (
    "Could you make that shorter?",
    "Thanks, that is what I was looking for.",
    "What a long week this was.",
    "I had soup for lunch and it was fine.",
    "Remind me to water the plants, please.",
    "The film last night was longer than I thought.",
    "My neighbour is looking for a flat.",
    "Somebody at the office asked about the budget again.",
    "I read an article about moving house.",
    "The dentist's waiting room had new chairs.",
    "A colleague of mine changed jobs last year.",
    "Deadlines always come sooner than one thinks.",
)
_BESIDE_SHARE = 0.5  # statements beside, for each one that says a fact


def changing(seed: int = SEED, *, changes: Sequence[int] = (1, 2, 3)) -> Changing:
    """Every kind and subject once; their numbers of changes are dealt out in turn. The same seed, the same words."""
    draw = random.Random(seed)  # noqa: S311 - made-up text, nothing secret
    rest = {id(kind.values): draw.sample(kind.values, len(kind.values)) for kind in KINDS}
    told: list[tuple[float, str]] = []
    asked: list[Asked] = []
    facts = [(kind, subject) for kind in KINDS for subject in kind.subjects]
    draw.shuffle(facts)
    for number, (kind, subject) in enumerate(facts):
        count = changes[number % len(changes)]
        values = [rest[id(kind.values)].pop() for _ in range(count + 1)]
        forms = [draw.choice(kind.first), *draw.sample(kind.later, count)]
        moments = sorted(draw.random() for _ in forms)
        for moment, form, value in zip(moments, forms, values, strict=True):
            told.append((moment, form.format(s=subject, v=value)))
        question = draw.choice(kind.ask).format(s=subject)
        asked.append(Asked(question=question, current=values[-1], former=tuple(values[:-1])))
    told += [(draw.random(), draw.choice(_BESIDE)) for _ in range(int(len(told) * _BESIDE_SHARE))]
    told.sort(key=lambda one: one[0])
    return Changing(said=tuple(text for _, text in told), asked=tuple(asked))


# --- speed ----------------------------------------------------------------------------------------------------------

_SPEED = (
    "My colleague {name} lives in {town}.",
    "My cousin {name} works for {firm}.",
    "{name} is in charge of the {thing} project.",
    "The {thing} project of {name} is due on {day}.",
    "I lent the {thing} to {name} on {day}.",
    "{name} is allergic to {food}.",
    "My friend {name} prefers {food} for breakfast.",
    "The appointment with {name} is on {day}.",
    "I bought a {thing} from {name} for {sum} euros.",
    "{name} keeps the keys of the {thing} in {town}.",
)
_SPEED_ASK = (
    "Where does {name} live?",
    "Who does {name} work for?",
    "What is {name} in charge of?",
    "When is the project of {name} due?",
    "What did I lend to {name}?",
    "What is {name} allergic to?",
    "What does {name} like for breakfast?",
    "When do I see {name}?",
    "What did I buy from {name}?",
    "Where does {name} keep the keys?",
)
_THINGS = (
    "telescope", "kayak", "greenhouse", "piano", "tandem", "sewing machine", "ladder", "canoe", "projector", "loom",
    "trailer", "kiln", "generator", "marquee", "drone", "sextant",
)  # fmt: skip
_FOODS = (
    "walnuts", "rye bread", "mackerel", "oat milk", "celery", "goat cheese", "lupin", "figs", "barley", "plums",
    "mustard", "shrimp",
)  # fmt: skip
_BEGIN = ("Ba", "Ce", "Di", "Fo", "Gu", "Ha", "Je", "Ki", "Lo", "Mu", "Na", "Pe", "Ri", "So", "Tu", "Va", "We", "Zi")
_MIDDLE = (
    "bra",
    "cel",
    "dor",
    "fin",
    "gal",
    "hem",
    "jan",
    "kor",
    "lin",
    "mer",
    "nol",
    "pir",
    "ras",
    "sel",
    "tam",
    "vin",
)
_END = ("a", "en", "ik", "o", "us", "ette", "ian", "is", "or", "y")  # fmt: skip


def name(number: int) -> str:
    """A person's name, another one for every number below 46,080."""
    number, end = divmod(number, len(_END))
    number, middle = divmod(number, len(_MIDDLE))
    first, begin = divmod(number, len(_BEGIN))
    return _BEGIN[begin] + _MIDDLE[middle] + (_MIDDLE[first % len(_MIDDLE)] if first else "") + _END[end]


def statement(number: int) -> str:
    """One thing that a person says about somebody, another one for every number."""
    draw = random.Random(SEED * 1_000_003 + number)  # noqa: S311 - made-up text, nothing secret
    return _SPEED[number % len(_SPEED)].format(
        name=name(number),
        town=draw.choice(_TOWNS),
        firm=draw.choice(_FIRMS),
        thing=draw.choice(_THINGS),
        day=draw.choice(_DAYS),
        food=draw.choice(_FOODS),
        sum=draw.choice(_SUMS),
    )


def question(number: int) -> str:
    """What asks for `statement(number)`."""
    return _SPEED_ASK[number % len(_SPEED_ASK)].format(name=name(number))


# --- two users --------------------------------------------------------------------------------------------------------

PAIRS = (("mira", "tobias"), ("user-1", "user-12"), ("jo", "Jo"), ("ann", "anna"), ("a_b", "axb"))
_ALIKE = (
    ("I live in {v}.", "Where do I live?", _TOWNS),
    ("I work for {v}.", "Who do I work for?", _FIRMS),
    ("My dentist is {v}.", "Who is my dentist?", _PEOPLE),
    ("My driving test is on {v}.", "When is my driving test?", _DAYS),
    ("My rent is {v} euros a month.", "How much rent do I pay?", _SUMS),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Neighbours:
    """Two users who say the same sentences with other values, and what each then asks."""

    users: tuple[str, str]
    said: tuple[tuple[str, str], ...]  # (user, statement)
    asked: tuple[tuple[str, str, tuple[str, ...]], ...]  # (user, question, values that only the other one said)


def neighbours(seed: int = SEED) -> Iterator[Neighbours]:
    """One pair after the other; each user also asks with the other's very sentence."""
    draw = random.Random(seed)  # noqa: S311 - made-up text, nothing secret
    for pair in PAIRS:
        values = [draw.sample(kind, 2) for _, _, kind in _ALIKE]
        said: list[tuple[str, str]] = []
        asked: list[tuple[str, str, tuple[str, ...]]] = []
        for place, user in enumerate(pair):
            others = tuple(one[1 - place] for one in values)
            for (form, ask, _), both in zip(_ALIKE, values, strict=True):
                said.append((user, form.format(v=both[place])))
                asked += [(user, ask, others), (user, form.format(v=both[1 - place]), others)]
        draw.shuffle(said)
        yield Neighbours(users=pair, said=tuple(said), asked=tuple(asked))
