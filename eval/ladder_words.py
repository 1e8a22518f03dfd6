"""The words of the large made-up history of `eval.ladder`: who and what, values that occur once, and ways of saying it.

Written before any figure was looked at. A form's `{s}` is whom or what it is about, `{r}` how the owner is related to
them, `{v}` the value. Each kind says a fact for the first time, says its change, and asks for it, each in several ways.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of fact: its forms, and the values that are dealt out, none of them twice."""

    first: tuple[str, ...]
    later: tuple[str, ...]
    ask: tuple[str, ...]
    values: tuple[str, ...]


PEOPLE = (
    ("Ottilie", "sister"), ("Bram", "brother"), ("Sunniva", "cousin"), ("Kaspar", "uncle"), ("Yael", "friend"),
    ("Tomasz", "neighbour"), ("Nkechi", "aunt"), ("Emre", "colleague"), ("Linnea", "daughter"), ("Anton", "son"),
    ("Rosalind", "niece"), ("Viggo", "nephew"),
)  # fmt: skip
PROJECTS = (
    "tram survey", "museum audio guide", "seed catalogue", "roof repair", "choir tour", "harbour archive",
    "ceramics order", "school garden", "bicycle count", "street festival",
)  # fmt: skip

HOME = Kind(
    first=("My {r} {s} lives in {v}.", "{s}, my {r}, is based in {v}.", "My {r} {s} has a flat in {v}."),
    later=("{s} has moved to {v}.", "{s} lives in {v} now.", "Actually, {s} is living in {v} these days."),
    ask=("Where does {s} live?", "Which city is my {r} {s} living in?", "What town is {s} in these days?"),
    values=(
        "Aarhus", "Ghent", "Porto", "Tartu", "Graz", "Bergen", "Lyon", "Turin", "Leeds", "Gdansk", "Utrecht", "Malaga",
        "Bristol", "Odense", "Freiburg", "Lausanne", "Trieste", "Bilbao", "Cork", "Uppsala", "Salzburg", "Rennes",
        "Antwerp", "Brno", "Tampere", "Coimbra", "Maribor", "Dundee", "Kaunas", "Riga", "Heidelberg", "Bologna",
        "Valencia", "Krakow", "Galway", "Stavanger",
    ),
)  # fmt: skip
JOB = Kind(
    first=("My {r} {s} works as a {v}.", "{s}, my {r}, is a {v} by trade.", "My {r} {s} is a {v}."),
    later=("{s} has become a {v}.", "{s} now works as a {v}.", "{s} changed careers and is a {v} now."),
    ask=("What does {s} do for a living?", "What is {s}'s job?", "What is my {r} {s}'s profession?"),
    values=(
        "carpenter", "nurse", "baker", "surveyor", "librarian", "plumber", "translator", "paramedic", "florist",
        "geologist", "bookbinder", "pharmacist", "tailor", "beekeeper", "tram driver", "cooper", "welder",
        "cartographer", "midwife", "locksmith", "vet", "glazier", "proofreader", "roofer", "chemist", "gardener",
        "piano tuner", "radiographer", "stonemason", "pastry chef", "brewer", "lifeguard", "notary", "blacksmith",
        "hydrologist", "sound engineer",
    ),
)  # fmt: skip
DEADLINE = Kind(
    first=("The {s} is due on {v}.", "The deadline for the {s} is {v}.", "We have to finish the {s} by {v}."),
    later=(
        "The deadline for the {s} has moved to {v}.",
        "The {s} is now due on {v}.",
        "They pushed the {s} back to {v}.",
    ),
    ask=("When is the {s} due?", "What is the deadline for the {s}?", "By when do we have to finish the {s}?"),
    values=tuple(f"{day} {month} 2027" for month in ("March", "April", "May") for day in range(4, 24, 2)),
)
BUDGET = Kind(
    first=("The budget for the {s} is {v} euros.", "We have {v} euros for the {s}.", "The {s} has {v} euros to spend."),
    later=(
        "The {s} budget went up to {v} euros.",
        "The budget for the {s} is {v} euros now.",
        "They changed the budget of the {s} to {v} euros.",
    ),
    ask=(
        "What is the budget for the {s}?",
        "How much money do we have for the {s}?",
        "How many euros are there for the {s}?",
    ),
    values=tuple(str(1150 + 270 * step) for step in range(30)),
)
LEAD = Kind(
    first=("{v} is in charge of the {s}.", "{v} leads the {s}.", "The {s} is led by {v}."),
    later=("{v} has taken over the {s}.", "{v} leads the {s} now.", "The {s} is led by {v} from now on."),
    ask=("Who leads the {s}?", "Who is in charge of the {s}?", "Who is responsible for the {s}?"),
    values=(
        "Adaeze", "Birgit", "Cosima", "Dragan", "Eskil", "Farida", "Gunnar", "Halina", "Ivo", "Jorinde", "Kenji",
        "Leocadia", "Magnus", "Noor", "Olympia", "Piet", "Quirin", "Ragna", "Silvan", "Thandiwe", "Ulrika", "Vesna",
        "Wim", "Xenia", "Ylva", "Zoltan", "Amrita", "Bogdan", "Chiara", "Desmond",
    ),
)  # fmt: skip

#: What ends and is not replaced.
ENDING = (
    Kind(
        first=("I play {v} every week.", "I've taken up {v}.", "{v} is my hobby."),
        later=("I no longer play {v}.", "I've given up {v}.", "I don't play {v} any more."),
        ask=("Do I still play {v}?", "Is {v} one of my hobbies?"),
        values=("badminton", "chess", "volleyball", "darts"),
    ),
    Kind(
        first=("I'm subscribed to {v}.", "I have a subscription to {v}."),
        later=(
            "I cancelled my subscription to {v}.",
            "I no longer subscribe to {v}.",
            "I'm not subscribed to {v} any more.",
        ),
        ask=("Am I still subscribed to {v}?", "Do I have a subscription to {v}?"),
        values=("Harbour Weekly", "Cinephile", "Quiet Radio", "Gazette Plus"),
    ),
    Kind(
        first=("I take {v} every morning.", "My doctor put me on {v}."),
        later=("I don't take {v} any more.", "I've stopped taking {v}.", "I no longer take {v}."),
        ask=("Do I take {v}?", "Am I still on {v}?"),
        values=("omeprazole", "loratadine", "metformin"),
    ),
    Kind(
        first=("I love {v}.", "I really like {v}.", "I enjoy {v} very much."),
        later=("I don't like {v} any more.", "I no longer like {v}.", "I've gone off {v}."),
        ask=("Do I like {v}?", "Is {v} something I enjoy?"),
        values=("liquorice", "opera", "camping", "jazz"),
    ),
)

#: Several values at a time. `later` ends one of them.
MULTI_PEOPLE = (
    Kind(
        first=("{s} speaks {v}.", "{s} also speaks {v}.", "{s} knows {v} too."),
        later=(),
        ask=("Which languages does {s} speak?", "What languages does {s} know?"),
        values=(
            "Estonian", "Catalan", "Welsh", "Basque", "Danish", "Polish", "Greek", "Turkish", "Hebrew", "Swahili",
            "Korean", "Finnish", "Czech", "Irish", "Maltese", "Persian",
        ),
    ),
    Kind(
        first=("{s} likes {v}.", "{s} also likes {v}.", "{s} is fond of {v}."),
        later=("{s} no longer likes {v}.", "{s} doesn't like {v} any more."),
        ask=("What does {s} like?", "Which things does {s} like?"),
        values=(
            "orchids", "marzipan", "crosswords", "sailing", "espresso", "origami", "watercolours", "figs", "puzzles",
            "trampolines", "dumplings", "astronomy", "accordions", "lemon cake", "kites", "ferns",
        ),
    ),
)  # fmt: skip
MULTI_OWN = (
    Kind(
        first=("I'm allergic to {v}.", "I'm also allergic to {v}.", "I have an allergy to {v} too."),
        later=("I'm no longer allergic to {v}.",),
        ask=("What am I allergic to?",),
        values=("hazelnuts", "penicillin", "shellfish"),
    ),
    Kind(
        first=("I speak {v}.", "I also speak {v}.", "I'm fluent in {v} as well."),
        later=(),
        ask=("Which languages do I speak?",),
        values=("Norwegian", "Portuguese", "Dutch"),
    ),
    Kind(
        first=("I've visited {v}.", "I've been to {v} as well.", "I have also visited {v}."),
        later=(),
        ask=("Which countries have I visited?",),
        values=("Iceland", "Morocco", "Vietnam"),
    ),
    Kind(
        first=("I have a cat called {v}.", "I also have a cat called {v}.", "We got another cat, {v}."),
        later=("We no longer have the cat {v}, she lives with a friend now.",),
        ask=("What are my cats called?",),
        values=("Pepper", "Miso", "Biscuit"),
    ),
)
TEAM = Kind(
    first=("{v} works on the {s}.", "{v} is on the {s} team too.", "{v} also works on the {s}."),
    later=("{v} no longer works on the {s}.", "{v} is not on the {s} team any more."),
    ask=("Who works on the {s}?", "Who is on the {s} team?"),
    values=(
        "Hedda",
        "Jerome",
        "Kalinda",
        "Lubomir",
        "Mireille",
        "Nils",
        "Oksana",
        "Percival",
        "Rafaela",
        "Sven",
        "Tove",
    ),
)

#: Bounded in time: "{s} is {v}." holds by default, these name the bound `{d}` of another value.
UNTIL = (
    "Until {d} {s} is {v}.",
    "{S} is {v} until {d}.",
    "Just until {d}, {s} is {v}.",
)
SINCE = (
    "From {d} {s} is {v}.",
    "{S} will be {v} from {d} on.",
    "Starting on {d}, {s} is {v}.",
)
#: What it is about, how its value is put, the usual value and the bounded one, and the question.
DATED = (
    ("my desk", "in the {v}", ("east wing", "annexe"), "Where is my desk?"),
    ("my parking space", "{v}", ("P31", "P58"), "Which parking space do I use?"),
    ("the choir rehearsal", "in the {v}", ("town hall", "old chapel"), "Where is the choir rehearsal?"),
    ("our team meeting", "on {v}", ("Tuesdays", "Fridays"), "On which day is our team meeting?"),
    ("my gym fee", "{v} a month", ("39 euros", "52 euros"), "How much is my gym fee?"),
    ("the library", "open till {v}", ("18:00", "21:00"), "How late is the library open?"),
    ("the ferry ticket", "{v}", ("14 euros", "17 euros"), "How much is the ferry ticket?"),
    ("the contact for the caretaker", "{v}", ("Mr Falk", "Ms Dorn"), "Who is the contact for the caretaker?"),
    ("my shift", "from {v} to 17:00", ("8:30", "10:45"), "When does my shift start?"),
    ("the swimming pool", "closed on {v}", ("Mondays", "Sundays"), "On which day is the swimming pool closed?"),
    ("my rent", "{v}", ("840 euros", "895 euros"), "How much is my rent?"),
    ("the reading group", "in the {v}", ("Corner Cafe", "Old Mill"), "Where is the reading group?"),
    ("the bin collection", "on {v}", ("Wednesdays", "Thursdays"), "On which day is the bin collection?"),
    ("the train pass", "{v}", ("76 euros", "81 euros"), "How much is the train pass?"),
    ("the waiting room", "on the {v}", ("second floor", "fifth floor"), "Where is the waiting room?"),
)

CHAT = (
    "Good morning.", "Thanks, that helps.", "Ha, fair enough.", "Let me think about that.", "Okay, later then.",
    "Sorry, I was away for a moment.", "That is funny.", "Hm, interesting.", "Never mind.", "Perfect, thank you!",
    "What a week this is.", "It rained the whole weekend.", "Good night, talk tomorrow.", "I'm back from lunch.",
    "That was quick.", "I'll have a look at it later.", "You're right, I missed that.",
)  # fmt: skip
WISHES = (
    "Could you make that shorter?", "Please explain it once more.", "How do I keep basil alive on a windowsill?",
    "What would be a good present for a gardener?", "Can you suggest a title for my talk?",
    "Read me the last part again.", "How do I get candle wax out of a tablecloth?",
    "Write a friendly reminder about the cleaning rota.",
    "What is the difference between a moraine and a drumlin?", "Translate 'see you on the bridge' into Italian.",
    "How many grams are in an ounce?", "Give me three ideas for a rainy afternoon.",
)  # fmt: skip
#: Near things that are never asked for: other people, other places, other works.
BESIDE_PEOPLE = (
    "the electrician",
    "my old teacher",
    "the lady next door",
    "the bookseller",
    "our landlord",
    "the mechanic",
)
BESIDE_PLACES = ("Zwolle", "Pilsen", "Nantes", "Bodø", "Ravenna", "Lugo", "Celje", "Esbjerg")
BESIDE_WORKS = ("newsletter", "kitchen shelf", "photo album", "tax form", "stage set", "bird box")
BESIDE = (
    "I ran into {p}, who lives in {c}.",
    "{P} used to live in {c}.",
    "We spent a day in {c} and it was lovely.",
    "The train to {c} was late again.",
    "{P} said the {w} will be done on {d}.",
    "The {w} cost me {n} euros.",
    "I worked on the {w} for {n} minutes.",
    "{P} asked about the {w} today.",
    "There was a nice article about {c} in the paper.",
    "I met {p} at the market in {c}.",
)
BESIDE_DAYS = ("Monday", "Saturday", "the weekend", "the last day of the month")
