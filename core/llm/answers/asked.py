"""Which attributes a word of a question asks for, who counts as whose relation, and how an attribute is named.

`TRIGGERS` leads from a canonical word (`lexicon`) to attribute names as extractors write them (`core.slots` and common
snake_case nouns): "live" asks for `home`, "earn" for `salary`. A fact in one of these attributes answers the word even
if its sentence puts it differently.
"""

from __future__ import annotations

from core.llm.answers.words import word_set

_HOME = "home city town residence location lives_in address country housing flat"
_JOB = "job occupation profession job_title trade"
_WORK = "employer workplace company works_at work_location job"
_ANSWERS = (
    "answer_preference answer_style answer_format answer_length response_preference preference communication_preference"
)
_BEASTS = "hamster horse pony parrot budgie tortoise snake goldfish fish guinea_pig gerbil bird ferret"

TRIGGERS: dict[str, tuple[str, ...]] = {
    word: tuple(attributes.split())
    for word, attributes in {
        "name": "name full_name first_name surname nickname preferred_name",
        "firstname": "first_name given_name nickname preferred_name",
        "surname": "surname last_name family_name",
        "nickname": "nickname preferred_name called name_preference",
        "callme": "nickname preferred_name called first_name name",
        "role": "role job responsibility title",
        "identity": "name full_name first_name nickname job",
        "birthday": "birthday date_of_birth birth_date",
        "born": "birthday date_of_birth birthplace birth_year born",
        "birthplace": "birthplace",
        "old": "age turns birth_year",
        "hometown": "hometown grew_up_in origin birthplace",
        "fromwhere": "hometown origin birthplace nationality grew_up_in",
        "nationality": "nationality",
        "anniversary": "anniversary wedding_anniversary wedding_date",
        "married": "spouse wedding_date anniversary marital_status husband wife",
        "live": _HOME,
        "living": _HOME,
        "home": _HOME,
        "city": "home city town lives_in",
        "country": "home country lives_in",
        "move": "moved move_date moved_to lives_since previous_home",
        "flat": "flat housing floor",
        "rent": "housing tenure housing_status rents rent",
        "located": "current_location location place",
        "address": "address postal_address home_address delivery_address",
        "floor": "floor home_floor housing",
        "livelihood": f"{_JOB} role responsibility",
        "job": _JOB,
        "dowork": _JOB,
        "work": _WORK + " works_from",
        "employer": "employer company workplace works_at",
        "salary": "salary income wage earnings",
        "hours": "working_hours work_schedule shift schedule",
        "selfemployed": "employment_status employment self_employed_since",
        "study": "studies university school course major degree",
        "university": "university studies college school",
        "own": "owner owns role responsibility",
        "handle": "role responsibility handles responsible_for owner",
        "lead": "role lead leads manages owner runs manager",
        "report": "reports_to manager",
        "manager": "manager boss reports_to",
        "allergy": "allergy allergies intolerance",
        "medicine": "medication medicine prescription takes treatment",
        "dose": "medication medicine dose dosage",
        "condition": "condition health_condition illness diagnosis disability",
        "blood": "blood_type",
        "diet": "diet dietary_preference dietary_restriction",
        "eat": "diet dietary_preference dietary_restriction avoids eats allergy condition intolerance likes dislikes",
        "drink": "drinks drink alcohol likes avoids dislikes diet",
        "avoid": "allergy avoids intolerance diet dislikes condition dietary_restriction lesson",
        "trouble": "allergy avoids intolerance condition dislikes",
        "health": "allergy medication condition blood_type intolerance diet avoids pregnancy",
        "weigh": "weight",
        "weightgoal": "weight_goal target_weight goal",
        "tall": "height",
        "like": "likes hobby interests loves favourite",
        "dislike": "dislikes avoids",
        "hobby": "hobby hobbies interests side_project likes",
        "favourite": "likes favourite favorite",
        "language": "language languages speaks",
        "speak": "language languages speaks",
        "reply": _ANSWERS,
        "phone": "phone phone_number device mobile",
        "phonemodel": "phone_model mobile phone device",
        "phonenumber": "phone phone_number mobile",
        "email": "email email_address",
        "contact": "phone phone_number email contact contact_preference contact_method",
        "number": "phone phone_number",
        "car": "car vehicle drives",
        "laptop": "laptop computer device machine",
        "system": "operating_system os",
        "editor": "editor text_editor tool",
        "budget": "budget",
        "money": "budget salary price",
        "cost": "price cost fee budget",
        "deadline": "deadline due due_date date",
        "appointment": "appointment date time",
        "launch": "launch launch_date launch_place deadline date",
        "release": "release release_date date deadline ship_date",
        "trip": "travel trip flight travel_plan departure destination plan",
        "return": "return return_date",
        "depart": "departure departure_date travel",
        "seat": "seat seat_number",
        "reference": "booking_reference reference booking_ref",
        "expire": "expiry expiry_date expires expiration_date",
        "begin": "start start_date date begins",
        "end": "end end_date date deadline",
        "goal": "goal weight_goal target plan",
        "plan": "plan travel plans goal",
        "breed": "breed dog_breed cat_breed species",
        "purpose": "purpose description goal replaces",
        "describe": "description type kind industry business purpose breed job role",
        "status": "status",
        "howlong": "tenure duration length",
        "choose": "decision decision_made choice tool database place",
        "unit": f"units unit_preference {_ANSWERS}",
        "tool": "tool decision software uses system database",
        "database": "database decision tool uses",
        "lesson": "lesson procedure rule",
        "drive": "car vehicle drives",
        "visit": "visited travel",
        "livewith": "lives_with flatmate partner spouse",
        "code": "code",
        "version": "version",
        "siblings": "number_of_siblings birth_order sibling brother sister",
        "children": "number_of_children child daughter son",
        "spouse": "spouse husband wife partner",
        "pet": f"pet dog cat rabbit {_BEASTS}",
    }.items()
}

# canonical relation word: the attributes whose value is that person or animal
RELATIONS: dict[str, tuple[str, ...]] = {
    word: tuple(attributes.split())
    for word, attributes in {
        "mother": "mother mum parent",
        "father": "father dad parent",
        "parent": "mother father parent",
        "sister": "sister sibling",
        "brother": "brother sibling",
        "sibling": "sibling sister brother",
        "daughter": "daughter child",
        "son": "son child",
        "child": "child children daughter son",
        "wife": "wife spouse partner",
        "husband": "husband spouse partner",
        "spouse": "spouse husband wife partner",
        "partner": "partner spouse girlfriend boyfriend husband wife",
        "girlfriend": "girlfriend partner",
        "boyfriend": "boyfriend partner",
        "fiance": "fiance fiancee partner spouse",
        "grandmother": "grandmother relative",
        "grandfather": "grandfather relative",
        "grandparent": "grandmother grandfather",
        "aunt": "aunt relative",
        "uncle": "uncle relative",
        "cousin": "cousin relative",
        "niece": "niece relative",
        "nephew": "nephew relative",
        "brotherinlaw": "brother_in_law in_law",
        "sisterinlaw": "sister_in_law in_law",
        "motherinlaw": "mother_in_law in_law",
        "fatherinlaw": "father_in_law in_law",
        "inlaw": "in_law",
        "friend": "friend best_friend",
        "colleague": "colleague",
        "neighbour": "neighbour neighbor",
        "flatmate": "flatmate lives_with",
        "manager": "manager boss reports_to line_manager supervisor",
        "doctor": "doctor gp",
        "landlord": "landlord",
        "dog": "dog pet",
        "cat": "cat pet",
        "rabbit": "rabbit pet",
        "pet": f"pet dog cat rabbit {_BEASTS}",
    }.items()
}

# attributes that count their relation: "How many nieces do I have?"
COUNTED: dict[str, str] = {
    "child": "number_of_children",
    "sibling": "number_of_siblings",
    "brother": "number_of_siblings",
}

# attributes whose value is a person, a place, a date or a figure: for the type of answer that a question wants
PERSON_ATTRIBUTES = frozenset(a for attributes in RELATIONS.values() for a in attributes) | word_set(
    "owner lead contact contact_person colleague team_lead cto ceo cfo host organiser dentist"
)
PLACE_ATTRIBUTES = word_set(
    "home address hometown birthplace employer workplace company works_at current_location place "
    "location venue city country lives_in residence travel visited floor flat destination trip origin "
    "works_from school nursery university housing seat parking"
)
DATE_ATTRIBUTES = word_set(
    "deadline appointment date time departure return birthday anniversary due_date start_date end_date "
    "release_date launch_date launch expiry expiry_date schedule start lives_since since working_hours work_schedule "
    "wedding_date"
)
NUMBER_ATTRIBUTES = word_set(
    "age budget salary weight height weight_goal tenure price number_of_children number_of_siblings "
    "phone cost length duration size count floor medication"
)

LABELS: dict[str, tuple[str, str, str, str, str]] = {
    # word asked: (English after a possessive, Spanish, German, French, Chinese), the last four with their possessive
    "name": ("name", "tu nombre", "deinen Namen", "ton nom", "你的名字"),
    "surname": ("surname", "tu apellido", "deinen Nachnamen", "ton nom de famille", "你的姓"),
    "birthday": ("birthday", "tu cumpleaños", "deinen Geburtstag", "ta date de naissance", "你的生日"),
    "old": ("age", "tu edad", "dein Alter", "ton âge", "你的年龄"),
    "live": ("home", "dónde vives", "wo du wohnst", "où tu habites", "你住在哪里"),
    "job": ("job", "tu trabajo", "deinen Beruf", "ton métier", "你的工作"),
    "livelihood": ("job", "tu trabajo", "deinen Beruf", "ton métier", "你的工作"),
    "employer": ("employer", "tu empresa", "deinen Arbeitgeber", "ton employeur", "你的公司"),
    "salary": ("salary", "tu sueldo", "dein Gehalt", "ton salaire", "你的工资"),
    "blood": ("blood type", "tu grupo sanguíneo", "deine Blutgruppe", "ton groupe sanguin", "你的血型"),
    "allergy": ("allergies", "tus alergias", "deine Allergien", "tes allergies", "你的过敏情况"),
    "medicine": ("medication", "tus medicamentos", "deine Medikamente", "tes médicaments", "你的用药情况"),
    "diet": ("diet", "tu dieta", "deine Ernährung", "ton régime", "你的饮食"),
    "phone": ("phone number", "tu teléfono", "deine Telefonnummer", "ton numéro", "你的电话"),
    "phonenumber": ("phone number", "tu teléfono", "deine Telefonnummer", "ton numéro", "你的电话"),
    "email": ("email address", "tu correo", "deine E-Mail-Adresse", "ton adresse mail", "你的邮箱"),
    "address": ("address", "tu dirección", "deine Adresse", "ton adresse", "你的地址"),
    "weigh": ("weight", "tu peso", "dein Gewicht", "ton poids", "你的体重"),
    "tall": ("height", "tu altura", "deine Größe", "ta taille", "你的身高"),
    "car": ("car", "tu coche", "dein Auto", "ta voiture", "你的车"),
    "budget": ("budget", "tu presupuesto", "dein Budget", "ton budget", "你的预算"),
    "hobby": ("hobbies", "tus aficiones", "deine Hobbys", "tes loisirs", "你的爱好"),
    "anniversary": (
        "anniversary",
        "tu aniversario",
        "deinen Hochzeitstag",
        "ton anniversaire de mariage",
        "你的纪念日",
    ),
    "nationality": ("nationality", "tu nacionalidad", "deine Nationalität", "ta nationalité", "你的国籍"),
}
