"""What is a kind of what: enough everyday vocabulary to see that kiwi is a fruit and that bread holds gluten.

Used in two places: a question that names a class ("which fruit …") accepts a fact that names a member, and a question
whether something may be eaten finds the restriction that bears on it. Unknown words stay unknown: nothing is guessed.
"""

# ruff: noqa: E501 - lists of words

from __future__ import annotations

from core.llm.answers.words import stem

_MEMBERS: dict[str, str] = {
    "fruit": "apple pear banana orange lemon lime grapefruit kiwi mango papaya pineapple strawberry raspberry blueberry "
    "blackberry cherry plum peach apricot nectarine grape melon watermelon fig date pomegranate lychee guava passionfruit "
    "cranberry currant gooseberry avocado coconut quince persimmon tangerine clementine mandarin rhubarb",
    "vegetable": "carrot potato tomato onion garlic leek cabbage broccoli cauliflower spinach kale lettuce pea bean "
    "celery celeriac beetroot turnip parsnip radish pepper aubergine eggplant courgette zucchini cucumber pumpkin squash "
    "mushroom asparagus artichoke fennel sprout okra swede corn sweetcorn olive chard",
    "herb": "basil coriander cilantro parsley mint thyme rosemary sage oregano dill chive tarragon chervil marjoram "
    "lavender lemongrass",
    "spice": "cumin cinnamon turmeric paprika saffron cardamom clove nutmeg ginger chilli pepper curry vanilla aniseed",
    "nut": "peanut almond walnut hazelnut cashew pistachio pecan macadamia",
    "fish": "salmon tuna cod haddock trout herring mackerel sardine anchovy anchovies sushi halibut eel carp pike sole plaice",
    "shellfish": "prawn shrimp crab lobster mussel oyster clam scallop squid octopus seafood",
    "meat": "beef pork lamb chicken turkey duck bacon ham sausage steak salami venison veal liver mince burger kebab",
    "dairy": "milk milkshake latte cappuccino pudding lasagne pizza icecream cheese butter cream yoghurt yogurt kefir lactose custard whey cheddar brie camembert feta mozzarella "
    "parmesan gouda quark",
    "cheese": "cheddar brie camembert feta mozzarella parmesan gouda stilton roquefort halloumi emmental gorgonzola ricotta",
    "grain": "wheat rye barley oat rice spelt quinoa bulgur couscous millet buckwheat",
    "gluten": "wheat bread pasta rye barley spelt flour couscous bulgur cake biscuit beer toast baguette croissant noodle "
    "pizza cracker seitan semolina cookie bagel",
    "alcohol": "wine beer whisky whiskey gin vodka rum cider champagne cocktail sherry brandy prosecco liqueur ale lager "
    "booze tequila sake",
    "drink": "tea coffee water juice milk cola lemonade cocoa smoothie kombucha matcha espresso latte cappuccino",
    "tea": "lapsang oolong darjeeling assam sencha matcha rooibos chamomile earl sencha chai",
    "sweet": "sugar chocolate candy cake biscuit icecream honey caramel toffee liquorice marzipan nougat",
    "pork": "bacon ham sausage salami gammon prosciutto chorizo lard pancetta pepperoni",
    "beef": "steak burger mince brisket oxtail",
    "egg": "egg omelette mayonnaise meringue",
    "medicine": "penicillin penicilina penicilline penizillin amoxicilina amoxicilline amoxizillin ibuprofeno aspirina amoxicillin antibiotic ibuprofen aspirin paracetamol codeine morphine insulin metformin "
    "statin sertraline ramipril naproxen diclofenac sulfa sulfonamide antihistamine cetirizine warfarin prednisone "
    "cortisone thyroxine levothyroxine omeprazole salbutamol inhaler steroid antidepressant vaccine novocaine lidocaine "
    "tetracycline doxycycline cephalosporin fluoxetine citalopram lithium methotrexate ampicillin flucloxacillin tramadol painkiller antibiotics",
    "penicillin": "amoxicillin amoxicilina amoxicilline amoxizillin ampicillin flucloxacillin coamoxiclav augmentin dicloxacillin piperacillin antibiotic",
    "sulfa": "sulfonamide sulfamethoxazole cotrimoxazole bactrim",
    "animal": "dog cat rabbit hamster horse parrot budgie canary goldfish tortoise turtle snake lizard guinea pig chicken "
    "hen goat sheep cow pony ferret gerbil mouse rat python gecko",
    "insect": "bee wasp hornet mosquito ant fly spider",
    "sport": "football soccer tennis badminton cricket rugby hockey basketball volleyball swimming running cycling rowing "
    "climbing bouldering skiing snowboarding surfing golf judo karate boxing fencing squash archery sailing hiking yoga "
    "skating handball athletics triathlon",
    "instrument": "piano guitar violin cello flute clarinet oboe trumpet trombone saxophone drum harp accordion ukulele "
    "bass viola organ banjo mandolin",
    "music": "jazz blues rock pop techno classical opera folk metal punk reggae hiphop rap baroque soul country",
    "colour": "red green blue yellow orange purple violet pink brown black white grey teal turquoise indigo crimson beige "
    "maroon navy magenta lilac mauve ochre",
    "chore": "ironing hoovering vacuuming dusting laundry dishes cooking cleaning mopping gardening shopping washing",
    "database": "postgres postgresql mysql mariadb sqlite mongo mongodb oracle redis cassandra dynamodb clickhouse duckdb",
    "programming": "python rust java javascript typescript kotlin swift ruby perl haskell scala elixir php golang cobol "
    "fortran clojure erlang lua",
    "wood": "oak pine beech ash walnut maple teak birch mahogany cedar bamboo plywood spruce",
    "tree": "oak pine beech ash maple birch willow elm poplar fir spruce chestnut cypress",
    "flower": "rose tulip lily daisy orchid peony sunflower daffodil iris carnation dahlia hydrangea",
    "metal": "steel iron copper brass aluminium gold silver bronze titanium",
    "currency": "euro dollar pound yen franc krona peso rupee yuan",
    "fabric": "cotton wool silk linen denim velvet polyester fleece cashmere",
    "language": "english spanish german french italian portuguese dutch norwegian swedish danish finnish polish czech russian ukrainian greek turkish arabic hebrew hindi urdu bengali chinese mandarin cantonese japanese korean vietnamese thai indonesian swahili latin welsh irish basque catalan romanian hungarian esperanto",
    "fuel": "petrol diesel electric hybrid lpg hydrogen",
    "unit": "metric imperial celsius fahrenheit metre mile kilogram pound",
    "metric": "metre kilometre kilogram litre celsius",
    "weekday": "monday tuesday wednesday thursday friday saturday sunday",
    "month": "january february march april may june july august september october november december",
    "season": "spring summer autumn winter",
}
_SUBCLASSES: dict[str, str] = {
    "food": "fruit vegetable herb spice nut fish shellfish meat dairy cheese grain gluten sweet egg",
    "language": "programming",
    "seafood": "fish shellfish",
    "pet": "animal",
    "drug": "medicine",
    "beverage": "drink alcohol tea",
    "day": "weekday",
    "dish": "food",
}
MEMBERS: dict[str, frozenset[str]] = {stem(k): frozenset(stem(w) for w in v.split()) for k, v in _MEMBERS.items()}
for _name, _parts in _SUBCLASSES.items():
    MEMBERS[stem(_name)] = frozenset().union(
        MEMBERS.get(stem(_name), frozenset()),
        *(MEMBERS[stem(p)] | {stem(p)} for p in _parts.split() if stem(p) in MEMBERS),
    )
KNOWN: frozenset[str] = frozenset().union(*MEMBERS.values())

# restriction as a person states it: the classes (or words) it bears on
_BEARS: dict[str, str] = {
    "coeliac": "gluten",
    "gluten": "gluten",
    "wheat": "gluten",
    "vegan": "meat fish shellfish dairy egg cheese honey",
    "vegetarian": "meat fish shellfish",
    "veg": "meat fish shellfish",
    "veggie": "meat fish shellfish",
    "pescatarian": "meat",
    "halal": "pork bacon ham alcohol salami",
    "kosher": "pork bacon ham shellfish",
    "lactose": "dairy cheese",
    "dairy": "dairy cheese",
    "nut": "nut",
    "shellfish": "shellfish",
    "language": "programming",
    "seafood": "fish shellfish",
    "fish": "fish",
    "diabetic": "sweet",
    "diabetes": "sweet",
    "alcohol": "alcohol",
    "penicillin": "penicillin",
    "penicilina": "penicillin",
    "pénicilline": "penicillin",
    "penizillin": "penicillin",
    "sulfa": "sulfa",
    "drink": "alcohol",
    "antibiotic": "alcohol",
    "pregnant": "alcohol",
    "meat": "meat",
    "pork": "pork",
    "beef": "beef",
    "egg": "egg",
}
_BEARING: dict[str, frozenset[str]] = {
    stem(k): frozenset().union(*(MEMBERS.get(stem(c), frozenset()) | {stem(c)} for c in v.split()))
    for k, v in _BEARS.items()
}


def is_member(kind: str, stems: frozenset[str]) -> bool:
    """Whether one of `stems` is known as a kind of the stem `kind`."""
    return not MEMBERS.get(kind, frozenset()).isdisjoint(stems)


def is_class(kind: str) -> bool:
    """Whether the stem `kind` names a class at all."""
    return kind in MEMBERS


def bears_on(restriction: frozenset[str], thing: frozenset[str]) -> bool:
    """Whether a stated restriction (its stems) concerns the thing asked about (its stems)."""
    if not restriction.isdisjoint(thing):
        return True
    if any(len(word) > 3 and other.endswith(word) for word in restriction for other in thing):  # noqa: PLR2004 - Erdnüsse
        return True
    return any(not _BEARING[word].isdisjoint(thing) for word in restriction if word in _BEARING)


def is_edible(thing: frozenset[str]) -> bool:
    """Whether one of the stems is known food or drink."""
    return any(is_member(stem(kind), thing) or stem(kind) in thing for kind in ("food", "drink", "alcohol"))
