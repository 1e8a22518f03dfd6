"""Health as people tell it: allergies, diets, conditions, medicine, measures."""

from __future__ import annotations

from core.llm.rules.phrases import rx
from core.llm.rules.scene import Rule

_NUM = r"\d+(?:[.,]\d+)?"


_CONDITIONS = (
    "(?:coeliac|celiac|diabetic|asthmatic|dyslexic|dyspraxic|autistic|epileptic|colou?r-?blind|deaf|"
    "hard of hearing|blind|anaemic|anemic|hypertensive|bipolar|pregnant|"
    r"lactose[- ]intolerant|gluten[- ]intolerant|(?!am|is|are|very)\w+[- ]intolerant|insomniac|"
    "short-?sighted|"
    "near-?sighted|left-handed|right-handed|immunocompromised|neurodivergent|in remission|partially "
    "sighted|a wheelchair user)"
)


_ILLNESS = (
    r"(?:\w*(?:itis|osis|emia|aemia|lepsy|pathy|plegia|algia|phobia|noea|pnea|tinea)|(?:type [12] |type-[12] "
    ")?diabetes|asthma|eczema|adhd|add|ocd|ptsd|ibs|pcos|migraines?|epilepsy|hay ?fever|tinnitus|"
    "vertigo|(?:high|low) blood pressure|"
    "gout|crohn'?s(?: disease)?|parkinson'?s|lupus|dyslexia|dyspraxia|depression|anxiety|insomnia|"
    r"autism|(?:coeliac|celiac|heart|kidney|thyroid|lyme)\w* (?:disease|condition)|hypothyroidism|"
    "hypertension|reflux|a (?:bad|weak|dodgy) (?:back|knee|hip|shoulder|heart|ankle)|"
    "a pacemaker|a heart (?:condition|murmur)|sleep apnoea|sleep apnea|raynaud'?s|long covid|cancer|"
    "a stoma|sciatica|acid reflux|scoliosis|glaucoma|vitiligo)"
)


DIETS = (
    "(?:vegan|vegetarian|veggie|pescatarian|pescetarian|flexitarian|keto|paleo|halal|kosher|gluten[- "
    "]free|dairy[- ]free|lactose[- ]free|plant[- ]based|low[- ]carb|carnivore|teetotal|teetotaller|"
    "sober|fruitarian|nut[- ]free|sugar[- ]free)"
)


AGE = (
    rf"(?:{_NUM}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)"
)


HEALTH_RULES = [
    Rule(
        "avoids",
        rx(r"(?:am |is |are )?(?:very |slightly |mildly |severely )?intolerant (?:to|of) (?P<v>.+)"),
        "person",
        many=True,
    ),
    Rule(
        "diet",
        rx(r"(?:follow|follows|am following|am on|is on) (?:a|an|the) (?P<v>[\w-]+(?: [\w-]+)?) diet\b"),
        "person",
    ),
    Rule(
        "diet",
        rx(
            "(?:do )?(?:eat|eats) (?P<v>(?:fish|meat|eggs|dairy|seafood|everything|anything|poultry|"
            r"chicken)\b.*)"
        ),
        "person",
    ),
    Rule(
        "allergy",
        rx(
            "(?:am |is |are )?(?:very |severely |highly |badly |deathly |mildly |slightly |a bit |extremely "
            ")*allergic (?:to|against) (?P<v>.+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "allergy",
        rx(
            "(?:have|has|had|suffer from|suffers from|developed) (?:a |an )?(?:severe |bad |serious |mild |"
            "nasty |life-threatening )*(?:allergy|allergic reaction|allergies) to (?P<v>.+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "allergy",
        rx(r"(?:have|has) (?:a |an )?(?:severe |bad |serious |mild )*(?P<v>[\w -]+?) allerg(?:y|ies)\b"),
        "person",
    ),
    Rule(
        "diet",
        rx(
            "(?:am|is|are|went|go|have gone|has gone|turned|have been|has been|became|have become|eat|eats|"
            "am eating|follow|follows|'m)? ?(?:a |an |strictly |mostly |on a |fully |completely |100% "
            f")*(?P<v>{DIETS}(?: (?:diet|since .+|for .+))?)(?! (?:restaurant|option|recipe|menu|food|"
            r"bakeries|café))\b"
        ),
        "person",
    ),
    Rule(
        "condition",
        rx(
            "(?:am|is|are|'m)? ?(?:a |an |also |severely |mildly |slightly )*(?P<v>(?:type [12] |type-[12] "
            rf")?{_CONDITIONS})\b"
        ),
        "person",
    ),
    Rule(
        "condition",
        rx(
            "(?:have|has|suffer from|suffers from|get|gets|got|have got|was diagnosed with|am diagnosed with|"
            "got diagnosed with|diagnosed with|live with|been diagnosed with|have been diagnosed with) "
            "(?:really |quite |very )?(?:bad |severe |mild |chronic |terrible |awful "
            rf")?(?P<v>{_ILLNESS})(?:\b|(?=\s|$))"
        ),
        "person",
    ),
    Rule("condition", rx(r"(?:was|have been|am|got|been|were|is) diagnosed with (?P<v>.+)"), "person"),
    Rule(
        "medication",
        rx(
            "(?:take|takes|am taking|is taking|am on|is on|use|uses|was prescribed|have been prescribed|was "
            r"put on|have been put on|started on) (?P<v>(?:a course of )?(?:\d[\d.,]* ?(?:mg|mcg|µg|ml|g|"
            r"units?|puffs?|iu)\b.+|(?:an? )?(?:\w+ )?(?:antibiotics?|antidepressants?|blood thinners?|beta[- "
            "]blockers?|statins?|insulin|metformin|inhaler|steroids?|antihistamines?|painkillers?|the pill|"
            r"thyroxine|levothyroxine|ibuprofen|paracetamol|aspirin|warfarin|omeprazole|\w+(?:pril|sartan|"
            r"olol|statin|azole|cillin|mycin|oxetine|traline|zepam|formin|prazole|tidine|thyroxine))\b.*))"
        ),
        "person",
        soft=True,
    ),
    Rule(
        "blood_type",
        rx(
            r"(?:am|have|is|has) (?:blood (?:type|group) )?(?P<v>(?:A|B|AB|O)(?:[+\-−]| positive| negative| "
            r"pos\b| neg\b))"
        ),
        "person",
    ),
    Rule(
        "avoids",
        rx(
            "(?:(?:can't|cannot|can not|cant|don't|do not|dont|doesn't|never|mustn't|shouldn't|am not "
            "allowed to|won't)(?: really| ever)? (?:eat|have|tolerate|touch|digest|consume)|avoids?|stay "
            "away from|keep away from|(?:have|need) to avoid|am off|have given up|gave up|cut out|have cut "
            r"out) (?P<v>(?!you\b|it\b|me\b|this\b|that\b|much\b|any (?:idea|time|plans|kids|pets|siblings|"
            r"other|questions)|time\b|to\b|a (?:car|lot|clue|dog|cat|job|pet|tv|licence|license|passport)|the "
            "(?:time|money|budget)|pets|kids|children|siblings|enough|work|access|smoking|drinking|today|"
            r"tomorrow|on\b)(?:any )?.+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "alcohol",
        rx(
            "(?P<v>(?:don't|do not|dont|never|doesn't) drink(?: alcohol| at all| anymore| any more)?|(?:have "
            ")?(?:quit|stopped|gave up|given up) (?:drinking|alcohol)(?: .+)?)$"
        ),
        "person",
    ),
    Rule(
        "smoking",
        rx(
            "(?P<v>(?:don't|do not|never|doesn't) smoke|smoke(?:s)?(?: .+)?|vape(?:s)?|(?:have )?(?:quit|"
            "stopped|gave up|given up) (?:smoking|vaping)(?: .+)?)$"
        ),
        "person",
    ),
    Rule(
        "weight",
        rx(
            r"(?:weigh|weighs|am at|am down to|am up to|now weigh) (?P<v>(?:about |around )?\d[\d.,]* ?(?:kg|"
            r"kilos?|kilograms|lbs?|pounds|stone|st)\b[^,.;]*)"
        ),
        "person",
    ),
    Rule(
        "height", rx(r"(?:am|is|measure) (?P<v>\d[\d.,']* ?(?:cm|m|ft|feet|foot|'|metres)? ?\d*\"?(?: tall))"), "person"
    ),
    Rule(
        "age",
        rx(
            "(?:am|is|are|turn|turns|turned|just turned|will be|am turning|is turning|have turned) "
            rf"(?P<v>{AGE}(?: (?:years?|months?|weeks?) ?(?:old|of age)?| yo| y\.o\.)?)(?=\s*(?:$|[,.;!(]| "
            r"(?:on|and|in|this|next|last|at|today|tomorrow|yesterday|now|soon|years|but|later)\b))(?! (?:kg|"
            "cm|km|m|%))"
        ),
        "person",
    ),
]
