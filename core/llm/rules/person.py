"""What people say of themselves and of others as persons: identity, home, work, health, taste, languages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import WHEN, WHEN_RX
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import NAME, PERSON, bare, read_value, rx, tidy
from core.llm.rules.scene import Rule, Scene, apply, draft

_BE = r"(?:am|are|is|was|were)"
_NUM = r"\d+(?:[.,]\d+)?"
_CONDITIONS = (
    r"(?:coeliac|celiac|diabetic|asthmatic|dyslexic|dyspraxic|autistic|epileptic|colou?r-?blind|deaf|hard of hearing|blind|anaemic|anemic|hypertensive|bipolar|pregnant|"
    r"lactose[- ]intolerant|gluten[- ]intolerant|\w+[- ]intolerant|insomniac|short-?sighted|near-?sighted|left-handed|right-handed|immunocompromised|neurodivergent|in remission|partially sighted|a wheelchair user)"
)
_ILLNESS = (
    r"(?:\w*(?:itis|osis|emia|aemia|lepsy|pathy|plegia|algia|phobia|noea|nea)|(?:type [12] |type-[12] )?diabetes|asthma|eczema|adhd|add|ocd|ptsd|ibs|pcos|migraines?|epilepsy|hay ?fever|tinnitus|vertigo|(?:high|low) blood pressure|"
    r"gout|crohn'?s(?: disease)?|parkinson'?s|lupus|dyslexia|dyspraxia|depression|anxiety|insomnia|autism|(?:coeliac|celiac|heart|kidney|thyroid|lyme)\w* (?:disease|condition)|hypothyroidism|hypertension|reflux|a (?:bad|weak|dodgy) (?:back|knee|hip|shoulder|heart|ankle)|"
    r"a pacemaker|a heart (?:condition|murmur)|sleep apnoea|sleep apnea|raynaud'?s|long covid|cancer|a stoma|sciatica|acid reflux|scoliosis|glaucoma|vitiligo)"
)
_DIETS = r"(?:vegan|vegetarian|veggie|pescatarian|pescetarian|flexitarian|keto|paleo|halal|kosher|gluten[- ]free|dairy[- ]free|lactose[- ]free|plant[- ]based|low[- ]carb|carnivore|teetotal|teetotaller|sober|fruitarian|nut[- ]free|sugar[- ]free)"
_DEMONYM = r"(?-i:(?:[A-Z][a-z]+-)?(?:[A-Z][a-z]+(?:ian|ish|ese|ean|ican|isian|guayan|nese|ani|aqi|eli|eer)|German|Greek|Dutch|French|Swiss|Thai|Czech|Scottish|Welsh|Filipin[oa]|Slovak|Turk|Croat|Serb|Dane|Swede|Finn|Pole|Kiwi|American|Mexican|Moroccan|Icelandic|Greenlandic|Kenyan|Belgian))"
_HEAD_JOB = (
    r"(?:\w+(?:er|or|ist|ian|eer|wright|smith|monger|herd|keeper|maker|man|woman|person|master|grapher|nurse|officer)|nurse|chef|cook|vet|pilot|clerk|judge|architect|accountant|consultant|assistant|attendant|"
    r"barista|coach|guide|surgeon|dentist|lawyer|solicitor|barrister|paramedic|mechanic|medic|analyst|student|dev|developer|pm|cto|ceo|cfo|coo|vp|head of [\w ]+|scientist|civil servant|au pair|nanny|midwife|apprentice|intern|trainee|director|lead|sommelier|"
    r"electrician|plumber|courier|priest|monk|nun|imam|rabbi|pastor|vicar|soldier|sailor|beekeeper|model|poet|critic|physio|gp|doctor|professor|academic|researcher|sre|qa|dba|sysadmin|admin|temp|freelancer|specialist|agent|broker|tailor|butcher|baker|host|hostess|technician|"
    r"engineer|geologist|radiographer|mathematician|chemist|athlete|actress|waitress|seamstress|postdoc|phd (?:student|candidate)|tradie|undergrad|notary|registrar|coroner|ranger|usher|steward|diplomat|spy|detective|translator|copyeditor|carer|welder|farmhand)"
)
_NOT_JOB = re.compile(
    r"\b(?:fan|lover|person|people|owner|vegetarian|vegan|mother|father|mum|mom|dad|parent|grandmother|grandfather|sister|brother|daughter|beginner|user|member|customer|reader|believer|teenager|tenant|foreigner|newcomer|stranger|loser|winner|dreamer|riser|owl|millionaire|"
    r"supporter|follower|admirer|sucker|smoker|drinker|hater|player|number|liar|man|woman|minor|diabetic|insomniac|never|ever|late|sleeper|eater|bit|little|lot|mess|bother|matter|disaster|other|further|better|outsider|night person|homeowner|hoarder|listener|talker|learner|starter|"
    r"subscriber|widower|bachelor|thinker|over|vegetarian or|monster|survivor|sufferer|wanderer|introvert|pescatarian|pescetarian|flexitarian|veggie|australian|canadian|italian|brazilian|russian|nigerian|norwegian|scorpio|libra|virgo|taurus|foodie|carnivore|teetotaller|nerd|christian|virgin|human|bookworm)$",
    re.IGNORECASE,
)
_AGE = rf"(?:{_NUM}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)"
_PLACE = rf"(?P<v>(?:a |an |the |our |my |central |north |south |east |west |northern |southern |downtown )?(?:\S.*))"

HOME_RULES = [
    Rule("birthplace", rx(r"(?:was |were |am |is )?born (?:and (?:raised|bred) )?in (?P<v>(?!\d{4}|january|february|march|april|may |june|july|august|september|october|november|december).+)"), "person"),
    Rule("birthday", rx(r"(?:was|were|am|is) born (?:on|in|the) (?P<v>(?:\d|the|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).+)"), "person", soft=True),
    Rule("hometown", rx(r"(?:grew up|was raised|were raised|raised|was brought up|spent my childhood) (?:in|near|on|outside) (?P<v>.+)"), "person"),
    Rule("hometown", rx(r"(?:am|is|are|come|comes|hail|hails) (?:originally )?from (?P<v>(?-i:the [A-Z]|[A-ZÀ-Þ]).+|(?:a|the) (?:small |little |tiny )?(?:town|village|island|farm|coast|north|south).+)"), "person"),
    Rule("home", rx(r"(?:live|lives|living|am living|is living|are living|reside|resides|am residing|stay permanently) (?:now )?(?:in|at|on|near|outside|just outside|next to|by|above|out in|over in|up in|down in) (?P<v>.+)"), "person"),
    Rule("home", rx(r"(?:have|has) (?:been living|lived) (?:in|at|on|near|outside) (?P<v>.+)"), "person"),
    Rule("home", rx(r"(?:am |is |are )?(?:based|located|settled) (?:in|out of|at|near) (?P<v>.+)"), "person"),
    Rule("home", rx(r"(?:have |has |had |just |'ve )?(?:moved|relocated|emigrated|moving) (?:back |house |away |over |up |down |out )?(?:from [\w' -]{2,40}? )?to (?P<v>(?!(?:a new (?:job|company|role|team))\b).+)"), "person"),
    Rule("home", rx(r"(?:have |has )?(?:bought|rented) (?:a|our|my) (?:\w+ ){0,2}(?:flat|house|apartment|place|cottage) (?:in|near) (?P<v>.+)"), "person"),
    Rule("housing", rx(r"(?P<v>(?:rent|rents|am renting|are renting|own|owns) (?:a|an|our|my|the) (?:\w+[ -]){0,3}(?:flat|house|apartment|place|room|studio|cottage|bungalow|home).*)"), "person"),
    Rule("lives_with", rx(r"(?:live|lives|am living|living|share a (?:flat|house)|moved in|have moved in|have just moved in|am moving in) with (?P<v>.+)"), "person", soft=True),
    Rule("lives_with", rx(r"(?:live|lives) (?P<v>alone|on my own|by myself|on (?:her|his) own)"), "person"),
    Rule("housing", rx(r"(?P<v>(?:live|lives) (?:on|aboard) a (?:houseboat|boat|farm|narrowboat).*)"), "person"),
]

JOB_RULES = [
    Rule("employment_status", rx(r"(?:am|is|are|have been|has been|been|have gone|went|became|'m)? ?(?P<v>(?:self-employed|self employed|unemployed|retired|semi-retired|freelancing|freelance|between jobs|on (?:maternity|paternity|parental|sick) leave|out of work|on sabbatical|job hunting|made redundant|laid off)(?: (?:since|from|for|until|in) [\w' ]+)?)(?! (?:\w+er|\w+or|\w+ist|\w+ian))"), "person", soft=True),
    Rule("employment_status", rx(r"(?:have )?(?P<v>(?:retired|was made redundant|got laid off|was laid off|quit my job|lost my job|left the (?:company|firm|team)|got fired)\b.*)"), "person"),
    Rule("tenure", rx(r"(?:have |has )?(?:been|worked) (?:there|here|at it|doing (?:this|it|that)|in (?:the|this) (?:job|role|industry|trade))(?: for| since| now)? (?P<v>.+)"), "person", soft=True),
    Rule("tenure", rx(r"is (?P<v>\d+ years) now"), "any"),
    Rule("works_from", rx(r"(?:work|works|am working|is working|working) (?P<v>(?:from home|remotely|hybrid|from the office)\b.*)"), "person"),
    Rule("works_from", rx(r"(?:work|works|am working|is working) (?:out of|from) (?P<v>.+)"), "person"),
    Rule("work_schedule", rx(r"(?:work|works|am working|am on|working|do|does) (?P<v>(?:mostly |only |mainly )?(?:nights?|days|weekends|night shifts?|day shifts?|early shifts?|late shifts?|shifts|earlies|lates|part[- ]time|full[- ]time|compressed hours|flexitime|(?:\d|four|five|three|two)[- ]days?(?: a| per|-)? ?week|(?:mon|tue|wed|thu|fri|sat|sun)\w*\b.*|from \d.+|\d+ hours (?:a|per) week).*)"), "person", soft=True),
    Rule("salary", rx(r"(?:earn|earns|make|makes|am paid|get paid|take home) (?P<v>(?:about |around |roughly )?(?:[£$€]|\d).+)"), "person"),
    Rule("manager", rx(r"(?:report|reports|am reporting) (?:directly )?to (?P<v>(?!work).+)"), "self"),
    Rule("reports_to", rx(r"(?:report|reports|is reporting) (?:directly )?to (?P<v>.+)"), "other"),
    Rule("job", rx(r"(?P<v>(?:teach(?:es)? (?!me|us|him|her|them|you|my|at\b)\w+|(?:run|runs|own|owns|manage|manages|have|has) (?:a|an|my own|our own|two|three) (?:small |little |family |tiny |local )*(?:\w+ )?(?:bakery|café|cafe|shop|business|company|studio|restaurant|farm|agency|salon|bar|pub|b&b|guesthouse|brewery|vineyard|bookshop|gallery|garage|school|nursery|clinic|practice|startup|start-up|hostel|hotel|food truck|stall)|drive (?:a )?(?:bus|taxi|truck|lorry|tram|train|ambulance|cab)(?:es|s)? (?:for|in)|(?:\w+ )+for a living).*)"), "person"),
    Rule("wedding_date", rx(r"(?:am|is|are) getting married (?P<v>.+)"), "person", soft=True),
    Rule("studies", rx(r"(?:am |is |are )?(?:study|studies|studying|majoring in|doing a (?:degree|master'?s|phd|course) in|doing my (?:degree|master'?s|phd) in|training (?:as|to be)(?: an?)?|learning|learn|am learning(?: to)?|have started learning) (?P<v>.+)"), "person", soft=True),
    Rule("education", rx(r"(?:graduated|have a (?:degree|phd|master'?s|ba|bsc|msc)|did my (?:degree|phd|master'?s)) (?P<v>.+)"), "person"),
]

HEALTH_RULES = [
    Rule("allergy", rx(r"(?:am |is |are )?(?:very |severely |highly |badly |deathly |mildly |slightly |a bit |extremely )*allergic (?:to|against) (?P<v>.+)"), "person", many=True),
    Rule("allergy", rx(r"(?:have|has|had|suffer from|suffers from|developed) (?:a |an )?(?:severe |bad |serious |mild |nasty |life-threatening )*(?:allergy|allergic reaction|allergies) to (?P<v>.+)"), "person", many=True),
    Rule("allergy", rx(r"(?:have|has) (?:a |an )?(?:severe |bad |serious |mild )*(?P<v>[\w -]+?) allerg(?:y|ies)\b"), "person"),
    Rule("diet", rx(rf"(?:am|is|are|went|go|have gone|has gone|turned|have been|has been|became|have become|eat|eats|am eating|follow|follows|'m)? ?(?:a |an |strictly |mostly |on a |fully |completely |100% )*(?P<v>{_DIETS}(?: (?:diet|since .+|for .+))?)(?! (?:restaurant|option|recipe|menu|food|bakeries|café))\b"), "person"),
    Rule("condition", rx(rf"(?:am|is|are|'m)? ?(?:a |an |also |severely |mildly |slightly )*(?P<v>(?:type [12] |type-[12] )?{_CONDITIONS})\b"), "person"),
    Rule("condition", rx(rf"(?:have|has|suffer from|suffers from|get|gets|got|have got|was diagnosed with|am diagnosed with|got diagnosed with|diagnosed with|live with|been diagnosed with|have been diagnosed with) (?:really |quite |very )?(?:bad |severe |mild |chronic |terrible |awful )?(?P<v>{_ILLNESS})(?:\b|(?=\s|$))"), "person"),
    Rule("condition", rx(r"(?:was|have been|am|got|been|were|is) diagnosed with (?P<v>.+)"), "person"),
    Rule("medication", rx(r"(?:take|takes|am taking|is taking|am on|is on|use|uses|was prescribed|have been prescribed|was put on|have been put on|started on) (?P<v>(?:a course of )?(?:\d[\d.,]* ?(?:mg|mcg|µg|ml|g|units?|puffs?|iu)\b.+|(?:an? )?(?:\w+ )?(?:antibiotics?|antidepressants?|blood thinners?|beta[- ]blockers?|statins?|insulin|metformin|inhaler|steroids?|antihistamines?|painkillers?|the pill|thyroxine|levothyroxine|ibuprofen|paracetamol|aspirin|warfarin|omeprazole|\w+(?:pril|sartan|olol|statin|azole|cillin|mycin|oxetine|traline|zepam|formin|prazole|tidine|thyroxine))\b.*))"), "person", soft=True),
    Rule("blood_type", rx(r"(?:am|have|is|has) (?:blood (?:type|group) )?(?P<v>(?:A|B|AB|O)(?:[+\-−]| positive| negative| pos\b| neg\b))"), "person"),
    Rule("avoids", rx(r"(?:(?:can't|cannot|can not|cant|don't|do not|dont|doesn't|never|mustn't|shouldn't|am not allowed to|won't)(?: really| ever)? (?:eat|have|tolerate|touch|digest|consume)|avoids?|stay away from|keep away from|(?:have|need) to avoid|am off|have given up|gave up|cut out|have cut out) (?P<v>(?!you\b|it\b|me\b|this\b|that\b|much\b|any (?:idea|time|plans|kids|pets|siblings|other|questions)|time\b|to\b|a (?:car|lot|clue|dog|cat|job|pet|tv|licence|license|passport)|the (?:time|money|budget)|pets|kids|children|siblings|enough|work|access|smoking|drinking|today|tomorrow|on\b)(?:any )?.+)"), "person", many=True),
    Rule("alcohol", rx(r"(?P<v>(?:don't|do not|dont|never|doesn't) drink(?: alcohol| at all| anymore| any more)?|(?:have )?(?:quit|stopped|gave up|given up) (?:drinking|alcohol)(?: .+)?)$"), "person"),
    Rule("smoking", rx(r"(?P<v>(?:don't|do not|never|doesn't) smoke|smoke(?:s)?(?: .+)?|vape(?:s)?|(?:have )?(?:quit|stopped|gave up|given up) (?:smoking|vaping)(?: .+)?)$"), "person"),
    Rule("weight", rx(r"(?:weigh|weighs|am at|am down to|am up to|now weigh) (?P<v>(?:about |around )?\d[\d.,]* ?(?:kg|kilos?|kilograms|lbs?|pounds|stone|st)\b[^,.;]*)"), "person"),
    Rule("height", rx(r"(?:am|is|measure) (?P<v>\d[\d.,']* ?(?:cm|m|ft|feet|foot|'|metres)? ?\d*\"?(?: tall))"), "person"),
    Rule("age", rx(rf"(?:am|is|are|turn|turns|turned|just turned|will be|am turning|is turning|have turned) (?P<v>{_AGE}(?: (?:years?|months?|weeks?) ?(?:old|of age)?| yo| y\.o\.)?)(?=\s*(?:$|[,.;!(]| (?:on|and|in|this|next|last|at|today|tomorrow|yesterday|now|soon|years|but|later)\b))(?! (?:kg|cm|km|m|%))"), "person"),
]

TASTE_RULES = [
    Rule("dislikes", rx(r"(?:am |is |are )?(?:not|never been|no) (?:really |exactly )?(?:a |an )?(?:big |huge |massive |great )?(?:fan of|keen on|fond of|into|crazy about|mad about|one for) (?P<v>.+)"), "person", many=True),
    Rule("dislikes", rx(r"(?:really |absolutely |just )?(?:hate|hates|dislike|dislikes|detest|detests|despise|despises|loathe|loathes|abhor|can't stand|cannot stand|cant stand|can't bear|cannot bear|can't stomach|cannot stomach|don't like|dont like|do not like|doesn't like|don't enjoy|don't care for|can't abide|am sick of|never liked|am not a fan of|have never liked|don't really like|don't particularly like|am terrified of|am scared of|am afraid of) (?P<v>.+)"), "person", many=True),
    Rule("likes", rx(r"(?:really |absolutely |just |do |still )?(?:love|loves|adore|adores|am obsessed with|is obsessed with|am crazy about|is crazy about|am mad about|enjoy|enjoys|am into|is into|am really into|am keen on|am fond of|am a (?:big |huge |massive |lifelong )?fan of|is a (?:big |huge )?fan of|am passionate about|have a soft spot for|have always loved|am partial to|big fan of|huge fan of) (?P<v>(?!to (?:hear|know|see|have|get) |how |that ).+)"), "person", many=True),
    Rule("likes", rx(r"(?:like|likes|am interested in|is interested in) (?P<v>(?!to (?:hear|know|see|have|get|ask|make|change|book|order|return) |how |that |this|it\b|the (?:idea|look|sound|first|second)|your ).+)"), "person", many=True),
    Rule("likes", rx(r"(?:support|supports) (?P<v>(?-i:[A-Z]).+)"), "person"),
    Rule("preference", rx(r"(?:prefer|prefers|would rather have) (?P<v>.+)"), "person", soft=True),
    Rule("hobby", rx(r"(?:have |has |had )?(?:taken up|took up|got into|gotten into|started|am taking up|begun|began) (?P<v>(?!work|a (?:new )?(?:job|role|course)|my |the |using|to |eating|at |in |on |as |with |smoking|drinking|off)(?:\w+ing(?: \w+){0,3}|yoga|pilates|pottery|judo|karate|chess|piano|violin|guitar|tennis|golf|\w+ing))"), "person"),
    Rule("hobby", rx(r"(?P<v>(?:play|plays|am learning to play|sing|sings) (?:the |in a |in an )?(?!with|a role|devil|it|around)\w+(?: \w+){0,4})"), "person"),
    Rule("hobby", rx(r"(?P<v>(?:go|goes) (?!to|on|with|by|for|back|home|in|out|through|into|ahead|away)\w+ing\b.*)"), "person"),
    Rule("hobby", rx(r"(?P<v>(?:collect|collects|knit|knits|crochet|paint|paints|garden|gardens|bake|bakes|climb|climbs|surf|surfs|hike|hikes|restore|restores|brew|brews|volunteer|volunteers|box|kayak|coach|coaches|referee|run marathons|swim|swims|cycle|cycles|dance|dances|fence|forage)\b(?! (?:to work|the kids)).*)"), "person"),
    Rule("drinks", rx(r"(?:only |mostly |usually )?(?:drink|drinks) (?P<v>(?!and).+)"), "person", soft=True),
    Rule("diet", rx(r"(?:have |has )?(?:started|begun|gone back to) (?P<v>eating .+)"), "person"),
    Rule("diet", rx(r"(?:eat|eats) (?P<v>(?:only |no |mostly |a lot of )\w+.*)"), "person"),
    Rule("language", rx(r"(?:can |also )?(?:speak|speaks|am fluent in|is fluent in|am native in|am bilingual in|speak some|speak fluent) (?:a little |a bit of |some |fluent |basic |native |good |decent |broken )*(?P<v>(?-i:[A-Z]).+)"), "person", many=True),
    Rule("visited", rx(r"(?:have |has )?(?:visited|been to|have been to|travelled to) (?P<v>(?-i:the [A-Z]|[A-Z]).+)"), "person", many=True),
    Rule("relationship_status", rx(r"(?:am|is|are|got|have been)? ?(?:recently |happily |newly )?(?P<v>(?:married|single|divorced|engaged|widowed|separated)(?! (?:to|room|ticket)))\b"), "person"),
    Rule("spouse", rx(rf"(?:am|got|is) (?:married|engaged) to (?P<v>{PERSON})"), "person"),
    Rule("transport", rx(r"(?P<v>(?:commute|commutes|cycle to|drive to|walk to|take the (?:train|bus|tram|ferry|metro|tube) to)\b.+)"), "person"),
    Rule("wears", rx(r"(?:wear|wears) (?P<v>.+)"), "person"),
    Rule("clothing_size", rx(r"(?:am|is|take|wear|wears) (?:a )?(?:shoe )?size (?P<v>[\w.]+)"), "person"),
    Rule("goal", rx(r"(?:am |is |are )?(?:training|saving(?: up)?|preparing|studying|practising|aiming) (?P<v>for .+)"), "person", soft=True),
    Rule("goal", rx(r"(?:want|wants|am trying|am hoping|aim|am aiming|hope) to (?P<v>(?!know|ask|see|make sure|check|understand|add|say|mention|tell|change (?:the|this)|use|have|get (?:a|an|the|it)|buy|go|do|be sure|find)\w+.+)"), "person", soft=True),
]

_I_AM_NAME = re.compile(rf"^am (?P<n>{PERSON})(?P<rest>.*)$", re.DOTALL)
_JOB_AT = re.compile(
    rf"^(?:(?:am working|is working|have been working|has been working|am now|am employed|am|is working|is|was promoted|was|are working|are|became|have become|work(?:s|ing)?|started(?: working| out)?|trained|start(?:s|ing)?|got a (?:new )?job|have a (?:new )?job|took a job|have been|has been|will be(?: working)?|joined|got promoted)(?: now)? (?:(?:as|like|to)? ?(?:a|an|the|our|one of the)? ?))"
    rf"(?P<j>[\w&/' -]+?)(?P<rest>(?: (?:at|for|with|in|of|near|from|on|by|based|since|and|who|but|here|there|mostly|mainly)\b.*|[,.(;!].*)?)$",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_AS_A = re.compile(r"^(?:\w+ ){1,3}?(?:as|like) (?:an? |the )?", re.IGNORECASE)
_WORK_AT = re.compile(
    rf"^(?:work(?:s|ing)?|am working|is working|have been working|started(?: working| a (?:new )?job)?|got a (?:new )?job|have a (?:new )?job|joined|am employed|am|is|start(?:s|ing)? (?:a new job )?|moved|intern(?:s|ing)?|have joined|have worked) (?:now )?(?:(?:at|for|with|over at|by) (?:the )?)?(?P<e>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_EMPLOYER = re.compile(rf"\b(?:at|for|with) (?:the |a |an )?(?P<e>(?-i:The )?{NAME}(?: [a-z]+(?=\b))?|(?:\w+ ){{0,3}}(?:hospital|school|university|bank|startup|start-up|company|agency|firm|clinic|library|museum|charity|factory|shop|bakery|restaurant|hotel|council|studio|ngo|lab|warehouse|supermarket|café|cafe|nursery|college|ministry|shipyard|airport|station|pharmacy|farm)(?: (?:in|of) {NAME})?)", re.IGNORECASE)
_IN_PLACE = re.compile(rf"\bin (?:the )?(?P<p>(?:\w+ of )?{NAME})", re.IGNORECASE)
_SHIFT = re.compile(r",?\s*(?P<s>(?:mostly|mainly|only|usually|on)\s+(?:nights?|days|weekends|early shifts?|late shifts?|shifts|earlies|lates|night shifts?|remote)|part[- ]time|full[- ]time|night shifts?)\b", re.IGNORECASE)
_STAGE = re.compile(r"^(?:here|back|sure|sorry|happy|glad|ready|done|off|ok|okay|fine|good|great|so|not|very|too|also|just|still|on|in|at|from|looking|trying|going|using)$", re.IGNORECASE)
_PLACE_CUT = re.compile(r"\s+(?:with (?:my|our|his|her|their|\d|two|three|a|an)\b|since\b|for (?:the (?:last|past)|about|\d|over|almost|nearly|two|three|four|five|six|ten|years)|on (?:the )?\d|last\b|next\b|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|from\b|at the (?:end|start|beginning)|this (?:week|month|summer|year|spring|autumn|winter)|and work|a (?:year|month|week|few)|\d+ years|because|where|two years|when|tomorrow|now|right|together)\b.*$", re.IGNORECASE | re.DOTALL)
_FLOOR = re.compile(r"\b((?:ground|first|second|third|fourth|fifth|sixth|top|\d+(?:st|nd|rd|th))[- ]floor)\b|\bon the ((?:ground|top|first|second|third|fourth|fifth|\w+th) floor)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(since [\w ]+?|for (?:the (?:last|past) )?(?:about |over |almost |nearly )?[\w-]+ (?:years?|months?|weeks?))(?=[,.;!]|$| and| with)", re.IGNORECASE)
_ON_DATE = re.compile(r"\b(?:on|in) (?P<d>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? \w+|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b(?: \d{1,2}(?:st|nd|rd|th)?)?|\d{4})(?: \d{4})?)", re.IGNORECASE)
_TURNS = re.compile(rf"(?:turns?|turning|am turning|is turning|will be|will turn) {_AGE}(?: years old)? (?:on |this |next )?(?P<d>{WHEN})", re.IGNORECASE)
_REGION = re.compile(rf"(?:,\s+(?:(?:flat|apt|apartment|unit|no\.?|number) )?(?-i:[A-ZÀ-Þ0-9])[\w'/-]*(?: (?-i:[A-ZÀ-Þ0-9])[\w'/-]*){{0,3}}(?=[,.;!)]|$| and| with| since))+", re.IGNORECASE)
_TEMPORARY = re.compile(r"^(?:am|is|are|'re) (?:currently )?(?:in|at|over in|visiting|travelling in|staying in|up in|down in|abroad in|out in) (?P<v>.+)", re.IGNORECASE)
_FEMALE = re.compile(r"\b(?:youngest|oldest|eldest|middle|second|third|only|older|younger) (?:child|of [\w]+(?: (?:brothers|sisters|siblings|kids|children))?)\b|\ban only child\b|\ba (?:twin|triplet)\b", re.IGNORECASE)


def read_person(clause: Clause, scene: Scene) -> Iterable[Draft]:
    """All facts that the predicate of a clause about a person gives."""
    if not clause.entity.subject:
        return []
    found: list[Draft] = []
    for reader in (_name, _birth_order, _where_now, _home, _job):
        found.extend(reader(clause, scene))
    found = [_dated(one) for one in found]
    found.extend(_turning(clause, scene))
    for table in (HEALTH_RULES, TASTE_RULES):
        if not found or found[-1].attribute == "birthday":
            found.extend(apply(table, clause, scene))
    return found


def _dated(one: Draft) -> Draft:
    if one.attribute not in {"birthday", "wedding_date"}:
        return one
    when = WHEN_RX.search(one.value)
    return _with(one, value=when.group(), attribute=one.attribute) if when else one


def _turning(clause: Clause, scene: Scene) -> list[Draft]:
    """ "turns 90 on 22 Nov": the birthday too."""
    found = _TURNS.match(clause.predicate)
    return [draft(clause, "birthday", found["d"], scene)] if found else []


def _name(clause: Clause, scene: Scene) -> list[Draft]:
    if not clause.is_self:
        return []
    found = _I_AM_NAME.match(clause.predicate)
    if not found or scene.said("name") or re.match(_DEMONYM + r"\b", found["n"]):
        nation = re.match(rf"am (?:half |part )?(?P<v>{_DEMONYM}(?:[- ]{_DEMONYM})?)\s*(?:$|[,.!;]|\b(?:and|but|by|living|originally)\b)", clause.predicate)
        return [draft(clause, "nationality", nation["v"], scene)] if nation else []
    rest = found["rest"].strip()
    if rest and not re.match(r"[,.;!(]|(?:and|but|from|btw|by the way|here|the|a|your)\b", rest):
        return []
    return [draft(clause, "name", found["n"], scene, statement=f"Your name is {found['n']}")]


def _birth_order(clause: Clause, scene: Scene) -> list[Draft]:
    if not re.match(r"(?:am|is) ", clause.predicate):
        return []
    found = _FEMALE.search(clause.predicate)
    return [draft(clause, "birth_order", found.group(), scene)] if found else []


def _home(clause: Clause, scene: Scene) -> list[Draft]:
    found = apply(HOME_RULES, clause, scene)
    full = clause.predicate
    out: list[Draft] = []
    for one in found:
        if one.attribute == "lives_with":
            out.extend(_shared_home(one, clause, scene))
            continue
        if one.attribute not in {"home", "hometown", "birthplace"}:
            out.append(one)
            continue
        place = tidy(_PLACE_CUT.sub("", _with_region(one.value, full)))
        if not place or re.match(r"(?:peace|fear|hope|the moment|a world|love|harmony|denial)\b", place, re.IGNORECASE):
            continue
        temporary = one.expires_at is not None and not re.match(r"(?:have )?moved|relocated", full, re.IGNORECASE)
        out.append(_with(one, value=place, attribute="current_location" if temporary else one.attribute))
    if any(one.attribute in {"home", "current_location"} for one in out):
        out.extend(_home_details(clause, scene))
    return out


def _with_region(value: str, full: str) -> str:
    """ "14 Harbour Lane" as it stands in "14 Harbour Lane, Galway": a capitalised piece after the comma belongs to the place."""
    at = full.find(value)
    tail = _REGION.match(full, at + len(value)) if at >= 0 else None
    return value + tail.group() if tail else value


_WITH_PLACE = re.compile(rf"^(?P<w>.+?)(?: in (?P<p>(?:a |an |the )?(?:\w+[ -]){{0,3}}?{NAME}.*))?(?:\s+(?:last|this|next|since|for|yesterday|two|a|in) .*)?$", re.DOTALL)


def _shared_home(one: Draft, clause: Clause, scene: Scene) -> list[Draft]:
    """ "with 2 flatmates in Ghent": with whom, and where; moving in with someone ends the earlier arrangement."""
    found = _WITH_PLACE.match(one.value)
    who = tidy(found["w"]) if found else one.value
    out = [_with(one, value=bare(who), attribute="lives_with")]
    if found and found["p"]:
        out.append(_with(one, value=tidy(_PLACE_CUT.sub("", found["p"])), attribute="home"))
    if re.match(r"(?:have |am )?(?:just )?(?:moved|moving) in", clause.predicate, re.IGNORECASE) and clause.is_self:
        out += [draft(clause, "lives_with", old.value, scene, retracts=True) for old in scene.known if old.attribute == "lives_with" and old.subject == "user"]
    return out


def _home_details(clause: Clause, scene: Scene) -> list[Draft]:
    out = []
    who = clause.entity.surface
    verb = "live" if clause.is_self else "lives"
    whole = clause.predicate
    if floor := _FLOOR.search(whole):
        out.append(draft(clause, "floor", floor[1] or floor[2], scene))
    if since := _SINCE.search(whole):
        out.append(draft(clause, "lives_since", since[1], scene, statement=clause.statement()))
    if company := re.search(r" with ((?:my|our|a|\d|two|three|four) ?.+)", whole, re.IGNORECASE):
        value = read_value(company[1], soft=True)
        if value:
            out.append(draft(clause, "lives_with", bare(value), scene, statement=f"{who} {verb} with {value}".replace(" my ", " your ").replace(" our ", " your ")))
    if re.match(r"(?:have |has )?(?:just )?(?:moved|relocated)", whole, re.IGNORECASE) and (day := _ON_DATE.search(whole)):
        out.append(draft(clause, "move_date", day["d"], scene))
    return [one for one in out if one.value]


def _with(one: Draft, *, value: str, attribute: str) -> Draft:
    from dataclasses import replace  # noqa: PLC0415

    return replace(one, value=value, attribute=attribute)


def _where_now(clause: Clause, scene: Scene) -> list[Draft]:
    """"I'm in Oslo this week" is a current location; "we're in Bruges now" a home, once a move was told."""
    found = _TEMPORARY.match(clause.predicate)
    if not found or not clause.entity.person:
        return []
    place = read_value(found["v"])
    place = tidy(re.sub(r"\s+(?:this (?:week|weekend|month)|until|till|for (?:a|the|\d|two|three|work)|today|tonight|next).*$", "", place, flags=re.IGNORECASE))
    if not re.match(r"(?-i:the [A-Z]|[A-ZÀ-Þ])", place) or re.match(NAME + r"'s", place):
        return []
    one = draft(clause, "current_location", place, scene)
    if one.expires_at is None and (scene.said("lives_with") or scene.said("home") or re.search(r"\bnow\b|these days", clause.said, re.IGNORECASE)):
        return [draft(clause, "home", place, scene)]
    return [one] if one.expires_at or re.search(r"currently|at the moment|right now|conference|holiday|visiting|trip", clause.said, re.IGNORECASE) else []


def _job(clause: Clause, scene: Scene) -> list[Draft]:
    if not clause.entity.person:
        return []
    first_rules = apply(JOB_RULES, clause, scene, all_of=True)
    if first_rules:
        return first_rules
    text = clause.predicate
    found = _JOB_AT.match(text)
    if found:
        job = bare(_PLACE_CUT.sub("", found["j"]))
        rest = found["rest"]
        sure = bool(_AS_A.match(text)) or bool(re.match(r"(?:was|got) promoted", text))
        employer = _EMPLOYER.search(rest)
        is_job = re.fullmatch(rf"(?:[\w&/'-]+ ){{0,4}}?{_HEAD_JOB}", job, re.IGNORECASE) and not _NOT_JOB.search(job)
        article = re.match(r"(?:am|is|was|became|have become|have been|has been|will be|am now) (?:now )?(?:an?|the) ", text)
        if (sure or (article and is_job)) and job and not (text.startswith("was ") and clause.is_self):
            return _job_drafts(clause, scene, job, rest, employer)
    at_work = re.match(r"(?:work(?:s|ing)?|am working|is working|have been working|started(?: working| a (?:new )?job)?|got a (?:new )?job|have a (?:new )?job|joined|have joined|am employed|intern(?:s|ing)?|will be working|start) (?:at|for|with|over at|by)? ?", text)
    if at_work and (re.search(r"\b(?:at|for|by|with) ?$", at_work.group()) or at_work.group().strip().endswith("joined")):
        value = read_value(text[at_work.end() :])
        value = tidy(_PLACE_CUT.sub("", re.sub(r"\s+as (?:a|an)\b.*$", "", value)))
        if value and not re.match(r"(?:me|myself|you|home|it|a living|the (?:moment|best)|this|that|both|them)$", value, re.IGNORECASE):
            as_job = re.search(r"\bas (?:a|an|the)? ?(?P<j>[\w -]+)", text, re.IGNORECASE)
            out = [draft(clause, "employer", bare(value) if not value.startswith("The ") else value, scene)]
            if as_job:
                out.append(draft(clause, "job", tidy(_PLACE_CUT.sub("", read_value(as_job["j"]))), scene))
            return out
    if field := re.match(r"(?:work|works|am working|is working|am) in (?P<v>(?:the )?(?:[a-z]+ ){0,2}(?:marketing|finance|it|hr|sales|logistics|education|healthcare|insurance|retail|research|publishing|engineering|construction|advertising|hospitality|tech|law|media|accounting|design|procurement|banking|agriculture|tourism|consulting|policy|film|theatre|\w+ industry|\w+ sector))\b", text, re.IGNORECASE):
        return [draft(clause, "job", field["v"], scene)]
    return []


def _job_drafts(clause: Clause, scene: Scene, job: str, rest: str, employer: re.Match[str] | None) -> list[Draft]:
    surface = clause.entity.surface
    out = [draft(clause, "job", job, scene)]
    place = _IN_PLACE.search(rest)
    if employer:
        name = tidy(employer["e"])
        out.append(draft(clause, "employer", name, scene, statement=f"{surface} work{'' if clause.is_self else 's'} at {name}"))
    elif place and (clause.is_self or "in " in rest):
        out.append(draft(clause, "workplace", tidy(place["p"]), scene))
    if shift := _SHIFT.search(rest):
        out.append(draft(clause, "work_schedule", shift["s"], scene, statement=f"{surface} work{'' if clause.is_self else 's'} {shift['s']}"))
    for one in out:
        if one.attribute in {"employer", "workplace"} and clause.is_self:
            scene.discourse.see(Entity(one.value, one.value, person=False))
    return out


def is_job_title(text: str) -> bool:
    """Whether a noun phrase reads as an occupation."""
    return bool(re.fullmatch(rf"(?:[\w&/'-]+ ){{0,4}}?{_HEAD_JOB}", text.strip(), re.IGNORECASE)) and not _NOT_JOB.search(text)


_ = (_STAGE, _WORK_AT, _PLACE)
