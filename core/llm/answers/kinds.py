"""Which slots may hold what a question's noun asks for: an instrument is played, a hospital may be where one works.

Unlike `asked.TRIGGERS`, a kind never answers by itself: it only lets `nearest` weigh a fact of a fitting slot although
the noun does not stand in it ("Which hospital am I at?" of "You work at St Brendan's").
"""

# ruff: noqa: E501 - a row is one kind; wrapping it would hide its words

from __future__ import annotations

from core.llm.answers.words import stem

# nouns that people ask with: words of the attribute names that can hold such a thing
_ROWS: tuple[tuple[str, str], ...] = (
    (
        "hospital clinic practice surgery school shop store restaurant cafe bakery bank office lab laboratory studio factory plant firm company organisation agency charity library nursery garage institution club place",
        "employer workplace works company job shop business school university volunteers",
    ),
    (
        "profession trade occupation line field industry sector position title post living",
        "job occupation role profession business employer",
    ),
    ("business workshop startup venture", "project business company employer workplace shop"),
    (
        "subject topic theme field area degree course thesis dissertation major",
        "studies topic subject thesis research teaches course major project about",
    ),
    ("instrument", "instrument instruments plays hobby"),
    ("sport exercise activity workout discipline pastime game", "sport exercise hobby plays likes training activity"),
    ("play", "plays instrument sport hobby"),
    ("author writer novelist poet", "author likes favourite favorite reads"),
    ("book novel series", "book reads reading"),
    ("airport station terminal platform port stop", "departure flight train travel airport station"),
    (
        "band group singer musician artist composer song album music genre",
        "band artist likes favourite favorite music composer hobby listens",
    ),
    ("film movie director show programme animation", "film movie likes favourite favorite watches dislikes"),
    (
        "food dish meal cuisine snack drink beverage flavour taste spice ingredient vegetable fruit herb cheese sweet",
        "likes dislikes favourite favorite avoids diet allergy hates drinks",
    ),
    ("smell texture insect colour weather season noise fabric sound", "likes dislikes favourite favorite hates"),
    ("animal creature livestock poultry bird pet", "pet pets dog cat animals keeps livestock birds chicken"),
    ("breed species", "pet dog cat rabbit horse animal breed"),
    ("vehicle transport ride", "car vehicle drives bike tractor boat project owns restoring rides job"),
    ("car van lorry truck", "car vehicle drives owns"),
    ("motorbike bike bicycle tractor boat scooter", "bike tractor boat vehicle rides project owns restoring"),
    (
        "camera lens computer machine laptop tablet phone handset gadget device printer watch console hardware keyboard headphones",
        "device laptop computer phone camera tablet owns uses printer tool machine shoots",
    ),
    ("model make brand", "device laptop car vehicle owns printer camera bike tool"),
    (
        "software app application program tool package editor engine framework library platform browser",
        "software tool uses editor decision engine device app framework stack",
    ),
    ("system distro linux windows os", "system os distro"),
    ("database language stack", "database stack tool uses decision language written"),
    (
        "illness disease problem issue complaint disorder ailment diagnosis disability",
        "condition illness diagnosis health diagnosed",
    ),
    ("medication drug tablet pill treatment antibiotic painkiller", "medication medicine takes"),
    (
        "area district neighbourhood neighborhood part quarter suburb region borough",
        "home housing address lives staying stays",
    ),
    ("floor storey", "home housing floor address flat"),
    (
        "city town country village place",
        "home location hometown nationality travel workplace trip destination lives staying",
    ),
    ("hotel hostel campsite accommodation", "hotel stays staying accommodation"),
    (
        "pattern rota shift hours evening night morning weekend day times busy",
        "schedule shift hours availability routine",
    ),
    (
        "format formatting order style tone unit scale temperature length spelling layout structure notation jargon",
        "answer response preference units unit format style",
    ),
    ("afraid scared frightened fear phobia", "fear phobia afraid dislikes scared terrified"),
    ("supplier caterer vendor provider broker bank insurer", "decision supplier caterer vendor provider uses insurer"),
    ("goal target race event", "goal training plan target race"),
)
KINDS: dict[str, frozenset[str]] = {}
for _nouns, _attributes in _ROWS:
    for _noun in _nouns.split():
        KINDS[stem(_noun)] = KINDS.get(stem(_noun), frozenset()) | frozenset(_attributes.split())
HELD: frozenset[str] = frozenset().union(*KINDS.values())  # words of attributes whose content is known


def fits(noun: str, attribute: str) -> bool:
    """Whether a slot may hold what the noun (a stem) asks for."""
    words = attribute.split("_")
    if len(words) > 1 and words[0] in ("favourite", "favorite"):
        words = words[1:]  # a favourite author is no favourite film
    return not KINDS.get(noun, frozenset()).isdisjoint(words)
