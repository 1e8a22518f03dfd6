"""Forms of Spanish: what people say of themselves."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.folding import folded as _c
from core.llm.rules.phrases import PERSON
from core.llm.rules.spanish_kin import SPANISH_KIN

_V = r"(?P<v>[^.;!?\n]+)"


_NAME = rf"(?P<v>{PERSON}|(?!y\b|soy\b)[a-z]{{2,}}(?: (?!y\b|soy\b|vivo\b|tengo\b|pero\b|trabajo\b|con\b|de\b|no\b)[a-z]{{3,}})?)"


_DAY = (
    r"(?:(?:(?:el|la|este|esta|pr[oó]xim[oa]|todos los) )*(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|"
    r"fin de semana|semana que viene|mes que viene|semana)|mañana|pasado mañana|hoy|(?:el )?(?:d[ií]a )?\d{1,2} de [a-z]+|"
    r"(?:el )?\d{1,2}/\d{1,2}(?:/\d{2,4})?)"
)


#: A trade: an agent noun, and not what one merely is.
_TRADE = (
    r"(?=(?-i:[a-z]))(?!(?:solter|casad|divorciad|separad|viud|al[eé]rg|diab|asm[aá]t|cel[ií]ac|simp[aá]tic|enamorad|cansad|delgad|"
    r"inteligent|optimis|pesimis|rom[aá]ntic|feminis|cat[oó]lic|hispan|latin|perfeccionis|padre|madre|argentin|"
    r"mexican|español|frances|italian|american|intolerante|consciente|diferente|suficiente|paciente|nuev[oa]|muy)\w*)"
    r"\w+(?:ero|era|dor|dora|tor|tora|sor|sora|ista|ante|ente|enta|ico|ica|ogo|oga|ado|ada|ario|aria|afo|afa|ecto|ecta|"
    r"stra|stro|iatra|atriz|riz|azafat[ao]|eta|enfe|jefe|jefa|ente)|(?:chef|juez|jueza|albañil|piloto|policia|guia|"
    r"actriz|matron[ao]|contable|medico|monitor|becari[oa]|autonom[oa]|ama de casa|militar|sacerdote|agricultor|jefe|jefa|fisio|profe|psicolog[oa])"
)
_JOB = rf"(?P<v>(?:{_TRADE})\b(?: (?!en\b|y\b|e\b|desde\b|pero\b|con\b|ahora\b|a\b)[a-z]+){{0,3}})"


_FORMS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("name", _c(rf"(?<!no )\b(?:me llamo|mi nombre(?: completo)? es) {_NAME}"), "Te llamas {v}."),
    (
        "name",
        _c(
            r"(?:^|[,.!] |\bhola )(?:yo )?soy (?!(?:aries|tauro|géminis|cáncer|leo\b|virgo|libra|escorpio|sagitario|capricornio|acuario|piscis|español|mexican|argentin|colombian|chilen|perua?n|católic|cristian|musulm))(?P<v>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}))(?=[,.!]| y |$)"
        ),
        "Te llamas {v}.",
    ),
    (
        "name",
        _c(rf"^(?:hola,? |buenas,? )?soy (?!{_TRADE})(?P<v>[a-z]+)(?=(?:,| y) (?:vivo|tengo|trabajo|soy|me|estudio) )"),
        "Te llamas {v}.",
    ),
    ("name", _c(rf"\bno me llamo \w+,? sino (?:que )?(?P<v>{PERSON})"), "Te llamas {v}."),
    ("age", _c(rf"\b(?:soy|me llamo) {PERSON}, (?P<v>\d{{1,2}} años)"), "Tienes {v}."),
    (
        "job",
        _c(rf"\b(?:soy|me llamo) {PERSON},(?: (?:tengo )?\d+ años,?)?(?: y)?(?: soy)? (?:una? )?{_JOB}"),
        "Eres {v}.",
    ),
    ("name", _c(rf"^(?:hola|buenas|hey)?[,! ]*(?P<v>{PERSON}) (?:aquí|por aquí|al habla)\b"), "Te llamas {v}."),
    ("hometown", _c(r"\bcrecí en (?P<v>[^.,;!?]+)"), "Creciste en {v}."),
    (
        "home",
        _c(r"\b(?:comprar|comprado|compramos|compré) (?:una casa|un piso|un apartamento) en (?P<v>[^.,;!?]+)"),
        "=Tu casa está en {v}.",
    ),
    ("allergy", _c(rf"\bmis alergias(?: son|:) ?(?:al? |el |la |los )?{_V}"), "Tienes alergia a {v}."),
    ("work_schedule", _c(r"\bmi (?:turno|horario) (?P<v>(?:empieza|termina|es|va|acaba)[^.,;!?]+)"), "Tu turno {v}."),
    (
        "work_schedule",
        _c(r"\btrabajo (?P<v>de noche|por las noches|a media jornada|a turnos|los fines de semana|desde casa)"),
        "Trabajas {v}.",
    ),
    ("hometown", _c(rf"\bsoy {PERSON}, de (?P<v>{PERSON})"), "Eres de {v}."),
    (
        "favorite",
        _c(rf"\bmi (?P<k>\w+) (?:favorit[oa]|preferid[oa]) es (?:el |la )?{_V}"),
        "Tu {k} favorito es {v}.",
    ),
    (
        "response_preference",
        _c(
            r"(?P<v>\b(?:respóndeme|contéstame|háblame|responde siempre|contesta siempre|prefiero que me "
            "(?:respondas|contestes|hables)|tutéame|trátame de)[^.;!?]*)"
        ),
        "Pediste: {v}.",
    ),
    (
        "nickname",
        _c(rf"\b(?:me dicen|me llaman|todos me dicen|todo el mundo me llama|llámame|dime) (?P<v>{PERSON})"),
        "Te llaman {v}.",
    ),
    ("-job", _c(rf"\bya no (?:trabajo (?:de|como)|soy) (?:una? )?(?!vegan|vegetarian){_V}"), "Ya no trabajas de {v}."),
    ("-employer", _c(r"\bya no trabajo (?:en|para) (?P<v>[^.,;!?]+)"), "Ya no trabajas en {v}."),
    (
        "-workplace",
        _c(r"\b(?:dejé (?:mi|el) (?:trabajo|curro|puesto) en|me fui de) (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Ya no trabajas en {v}.",
    ),
    ("-home", _c(rf"\bya no viv(?:o|imos) en {_V}"), "Ya no vives en {v}."),
    ("-home", _c(r"\bantes viv(?:ía|íamos) en (?P<v>[^.,;!?]+)"), "Ya no vives en {v}."),
    ("-diet", _c(r"\bya no soy (?P<v>vegan[oa]|vegetarian[oa])"), "Ya no eres {v}."),
    ("-smoking", _c(r"\b(?:ya no|dejé de|he dejado de|hace \w+ \w+ que no) (?P<v>fum\w+)"), "Ya no fumas."),
    (
        "home",
        _c(
            r"(?<!ya no )\b(?:vivo|vivimos|resido|me (?:he )?mud(?:é|ado)|nos (?:hemos )?mud(?:amos|ado)|"
            r"me acabo de mudar|acabo de mudarme|nos acabamos de mudar|acabamos de mudarnos|viviendo)"
            r"(?: ahora| actualmente| hace [\w ]+?)?(?: con [^.,;!?]+?)?(?: desde [\w ]+?)? (?:en|a|para|cerca de) "
            r"(?:(?:un|una) (?:piso|casa|pueblo|ciudad|apartamento|depa|barrio)(?: \w+)? (?:en|de) )?" + _V
        ),
        "Vives en {v}.",
    ),
    (
        "home",
        _c(r"\b(?:me cambi[eé] de (?:ciudad|casa|piso)|me mud[eé])[^.;!?]*?\bahora estoy en (?P<v>[^.,;!?]+)"),
        "Vives en {v}.",
    ),
    ("lives_since", _c(r"\bviv(?:o|imos)\b[^.;!?]*?(?P<v>desde (?:hace )?[\w ]+)"), "Vives ahí {v}."),
    ("lives_since", _c(r"\bllevo (?P<v>[\w ]+?) viviendo\b"), "Vives ahí desde hace {v}."),
    ("address", _c(r"\bmi dirección (?:nueva )?es (?:la |el )?(?P<v>[^.;!?]+)"), "Tu dirección es {v}."),
    ("hometown", _c(rf"\b(?:soy|vengo) (?:originari[oa] )?de (?!la idea|los que|las que|acuerdo){_V}"), "Eres de {v}."),
    ("birthplace", _c(r"\bnac[ií](?: el [\w ]+?| en \d{4})? en (?P<v>(?-i:[A-Z])[^.,;!?]+)"), "Naciste en {v}."),
    (
        "nationality",
        _c(r"\bsoy (?P<v>(?:español|colombian|mexican|argentin|chilen|peruan|italian|cuban|venezolan)[oa]?)\b"),
        "Eres {v}.",
    ),
    (
        "job",
        _c(
            r"(?<!ya no )\b(?:trabajo|curro|chambeo|trabajando|currando) (?:(?:en|para) [^.,;!?]+? )?(?:de|como) (?:una? )?"
            r"(?P<v>[^.;!?]+?)(?= (?:en|para|desde)\b|[.,;!?]|$| y )"
        ),
        "Trabajas de {v}.",
    ),
    ("job", _c(rf"\bme dedico (?:a la |al |a los |a las |a )?{_V}"), "Te dedicas a {v}."),
    (
        "job",
        _c(
            r"\b(?:empecé|empiezo|empezar|empezado) (?:a trabajar )?(?:[^.,;!?]*? )?(?:de|como) (?:una? )?(?P<v>[^.,;!?]+?)(?= en\b|"
            r"[.,;!?]|$| y )"
        ),
        "Trabajas de {v}.",
    ),
    (
        "workplace",
        _c(
            r"(?<!ya no )\b(?:trabajo|curro|trabajar|trabajando) (?:(?:de|como) [^.,;!?]+? |por las? \w+ |a \w+ \w+ )?(?:en|para) (?!casa\b)"
            r"(?P<v>[^.;!?]+?)(?= (?:de|como) (?:una? )?[a-z]+(?:ero|era|or|ora|ista|ico|ica|nte)\b|[.,;!?]|$| desde\b)"
        ),
        "Trabajas en {v}.",
    ),
    (
        "workplace",
        _c(r"\b(?:trabajo|curro|puesto)\b[^.;!?]*\bahora (?:estoy|trabajo) en (?P<v>(?-i:[A-Z])[^.,;!?]+)"),
        "Trabajas en {v}.",
    ),
    (
        "business",
        _c(
            r"\b(?:tengo|llevo|abrí|hemos abierto|abrimos) (?P<v>una? (?:peque\w+ )?\w+(?:ería|negocio|tienda|bar|"
            r"restaurante|empresa|taller|café|academia)\b[^.,;!?]*?)(?= y |[.,;!?]|$)"
        ),
        "Tienes {v}.",
    ),
    (
        "employment_status",
        _c(r"\bestoy (?P<v>en (?:el )?paro|desempleado|desempleada|jubilad[oa]|de baja)"),
        "Estás {v}.",
    ),
    ("employment_status", _c(r"\b(?:me (?P<v>jubilé)|me he (?P<w>jubilado))"), "Te jubilaste."),
    ("employment_status", _c(r"\bsoy (?P<v>jubilad[oa]|pensionista)"), "Eres {v}."),
    (
        "diet",
        _c(
            r"(?<!ya no )\b(?:soy|me hice|me he hecho|llevo una dieta|como) (?P<v>vegan[oa]|vegetarian[oa]|sin gluten|halal)"
        ),
        "Eres {v}.",
    ),
    (
        "condition",
        _c(
            r"\b(?:soy|tengo|padezco(?: de)?|sufro de|me diagnosticaron) (?P<v>(?:celíac[oa]|diabétic[oa]|asm[aá]\w*|diabetes|"
            r"migraña\w*|hipertens\w+|intoleran\w+ (?:a|al) [^.,;!?]+|epilep\w+|dislexia|disléxic[oa]|ansiedad|artritis|"
            r"fibromialgia|colesterol|\w+itis|\w+algia|TDAH)\b[^.;!?]*)"
        ),
        "{v}: tu condición.",
    ),
    (
        "allergy",
        _c(rf"\b(?:soy|somos) (?:muy )?alérgic[oa]s? (?:a|al) (?:las?\b|los|el|l)?\s?{_V}"),
        "Eres alérgico a {v}.",
    ),
    ("allergy", _c(rf"\b(?:tengo|tenemos) alergia (?:a|al) (?:las?\b|los|el)?\s?{_V}"), "Tienes alergia a {v}."),
    ("allergy", _c(r"(?:^|[,.] )(?:el |la |los |las )?(?P<v>[^.,;!?]+?) me dan? alergia"), "Te da alergia {v}."),
    ("allergy", _c(r"\bme da alergia (?:el |la |los |las )?(?P<v>[^.,;!?]+)"), "Te da alergia {v}."),
    (
        "medication",
        _c(
            r"\btomo (?P<v>[^.,;!?]+?)(?= (?:todos los días|cada \w+|a diario|para (?:la|el|los|las|mi)\b|por las? \w+|"
            r"diariamente|\d+ veces))"
        ),
        "Tomas {v}.",
    ),
    ("job", _c(rf"(?<!ya no )\b(?:soy|era) (?:una? )?{_JOB}"), "Eres {v}."),
    (
        "workplace",
        _c(rf"\bsoy (?:una? )?(?:{_TRADE})\b(?: (?!en\b)[a-z]+){{0,3}} en (?:el |la |una? )?(?P<v>[^.,;!?]+)"),
        "Trabajas en {v}.",
    ),
    (
        "dislikes",
        _c(rf"\bno me (?:gustan?|agradan?) (?:nada )?(?:las?\b|los|el|l\b)?\s?{_V}"),
        "No te gusta {v}.",
    ),
    ("dislikes", _c(rf"\b(?:odio|detesto|no soporto|no aguanto|me dan? asco) (?:las?\b|los|el)?\s?{_V}"), "Odias {v}."),
    (
        "likes",
        _c(
            r"(?<!no )\b(?:me (?:gustan?|encantan?|fascinan?|flipan?|apasionan?)|adoro|soy (?:muy )?fan del?|amo|lo que más me gusta es) (?:mucho |muchísimo )?"
            rf"(?:las?\b|los|el|l\b)?\s?(?!saber|que me)\b{_V}"
        ),
        "Te gusta {v}.",
    ),
    ("likes", _c(rf"\bprefiero (?!que me)(?:el |la |los |las )?{_V}"), "Prefieres {v}."),
    (
        "avoids",
        _c(r"\bno (?:como|bebo|puedo comer|puedo tomar|puedo beber) (?!nada\b|mucho\b)(?P<v>[^.,;!?]+)"),
        "No comes {v}.",
    ),
    ("language", _c(rf"\b(?:hablo|sé hablar) {_V}"), "Hablas {v}."),
    (
        "hobby",
        _c(
            r"\b(?P<v>(?:toco (?:el|la)|colecciono|practico|juego al?|hago (?:yoga|deporte|senderismo)|corro|pinto|bailo) ?[^.,;!?]*)"
        ),
        "Tú: {v}.",
    ),
    (
        "studies",
        _c(
            rf"\b(?:estudio|estoy estudiando|voy a estudiar) (?:(?:primero|segundo|tercero|cuarto|\w+ año|la carrera) de )?{_V}"
        ),
        "Estudias {v}.",
    ),
    (
        "studies",
        _c(
            r"\b(?:hago|estoy haciendo|curso|estoy cursando) (?P<v>(?:un|una|el|la) (?:máster|doctorado|grado|carrera|curso|fp|tesis)[^.,;!?]*)"
        ),
        "Haces {v}.",
    ),
    ("studies", _c(r"\bsoy estudiante de (?P<v>[^.,;!?]+?)(?= en |[.,;!?]|$)"), "Estudias {v}."),
    ("studies", _c(r"\bestoy aprendiendo (?:a )?(?P<v>[^.,;!?]+)"), "Estás aprendiendo {v}."),
    (
        "birthday",
        _c(
            r"\b(?:mi (?:cumpleaños|cumple) es|cumplo (?:los )?años|nací) (?:el )?(?P<v>\d{1,2} de \w+(?: (?:de|del) \d{4})?|"
            r"\d{1,2}/\d{1,2}(?:/\d{2,4})?)"
        ),
        "Tu cumpleaños es el {v}.",
    ),
    (
        "birthday",
        _c(
            r"\bel (?:cumpleaños|cumple) de mi (?P<rel>\w+)(?: [a-z]+)? es (?:el )?(?P<v>\d{1,2} de \w+(?: (?:de|del) \d{4})?)"
        ),
        "El cumpleaños de tu {rel} es el {v}.",
    ),
    ("birthday", _c(r"\bel (?P<v>\d{1,2} de \w+) es mi cumple"), "Tu cumpleaños es el {v}."),
    ("age", _c(r"\btengo (?P<v>(?:\d+|\w+)(?: y \w+)? años)"), "Tienes {v}."),
    ("age", _c(r"\b(?:acabo de cumplir|cumplí|he cumplido) (?P<v>\d+(?: años)?)"), "Tienes {v}."),
    ("email", _c(r"\bmi (?:correo|email|mail|e-mail)[^@.]{0,20}? es (?P<v>\S+@\S+\w)"), "Tu correo es {v}."),
    (
        "phone",
        _c(r"\bmi (?:teléfono|número|móvil|celular|cel|tel)\b[^\d+]{0,20}(?P<v>\+?[\d ()-]{7,}\d)"),
        "Tu teléfono es {v}.",
    ),
    (
        "blood_type",
        _c(
            r"\b(?:mi (?:grupo sanguíneo|tipo de sangre) es|soy) (?:el )?(?P<v>(?:AB|A|B|0|O) ?(?:positivo|negativo|\+|-))"
        ),
        "Tu grupo sanguíneo es {v}.",
    ),
    ("weight", _c(r"\bpeso (?P<v>\d+(?:[.,]\d+)? ?(?:kilos?|kg)?)"), "Pesas {v}."),
    ("height", _c(r"\bmido (?P<v>\d(?:[.,]\d+)?(?: ?m(?:etros?)?\b)?(?: ?\d+)?)"), "Mides {v}."),
    (
        "car",
        _c(
            r"\b(?:mi coche es|conduzco|manejo|me (?:he )?compr(?:é|ado) un (?:coche|carro|auto)(?: \w+)?,|tengo un coche,?) (?:una? )?(?P<v>[^.,;!?]+)"
        ),
        "Tu coche: {v}.",
    ),
    (
        "laptop",
        _c(
            r"\b(?:uso|tengo|mi (?:portátil|ordenador|laptop|compu\w*) es) una? (?P<v>(?:mac\w*|thinkpad|dell|lenovo|asus|hp|acer|chromebook|surface)\b[^.,;!?]*?)(?= para\b|[.,;!?]|$)"
        ),
        "Tu ordenador: {v}.",
    ),
    (
        "phone_model",
        _c(
            r"\b(?:tengo|uso|me (?:he )?compr(?:é|ado)) una? (?P<v>(?:iphone|samsung|galaxy|pixel|xiaomi|redmi|motorola|huawei|"
            r"oneplus|nokia|realme|oppo)\b[^.,;!?]*)"
        ),
        "Tu móvil: {v}.",
    ),
    ("employer", _c(rf"\bmi empresa (?:es|se llama) {_V}"), "Tu empresa es {v}."),
    ("manager", _c(rf"\bmi (?:jefe|jefa) (?:es|se llama) (?P<v>{PERSON})"), "Tu jefe es {v}."),
    ("spouse", _c(rf"\bestoy casad[oa] con (?P<v>{PERSON})"), "Estás casado con {v}."),
    ("partner", _c(rf"\b(?:salgo|estoy saliendo) con (?P<v>{PERSON})"), "Sales con {v}."),
    (
        "deadline",
        _c(
            r"\b(?:la fecha límite|el plazo|la entrega|el deadline) (?:de|del|para) (?:la |el |los |las "
            rf")?(?P<x>[^.,;!?]+?) (?:es|termina|acaba|vence|cierra) (?:el )?{_V}"
        ),
        "La fecha límite de {x} es el {v}.",
    ),
    (
        "deadline",
        _c(
            r"\b(?:tengo que|tenemos que|debo|hay que) (?:entregar|acabar|terminar|presentar|enviar|mandar|pagar) (?:el |la |los |las |mi )?(?P<x>[^.,;!?]+?) "
            rf"(?:antes del?|para|el|hasta|como muy tarde) (?P<v>(?:el )?(?:{_DAY})[^.,;!?]*)"
        ),
        "{x}: hay que entregarlo antes del {v}.",
    ),
    (
        "appointment",
        _c(
            r"\b(?:tengo|tenemos) (?:una? |la )?(?P<x>(?:cita|entrevista|reunión|examen|consulta|revisión|vuelo|boda|clase|cena|médico|dentista|fiesta|concierto|viaje|turno|"
            rf"operación|mudanza|partido)\b[^.,;!?]*?) (?P<v>{_DAY}\b[^.,;!?]*)"
        ),
        "Tienes {x} {v}.",
    ),
    (
        "appointment",
        _c(
            rf"\b(?P<v>{_DAY}(?: a las? [\d:]+)?)(?: a las? [\d:]+)? (?:tengo|tenemos) (?:una? |el |la )?(?P<x>(?:cita|entrevista|reunión|examen|consulta|"
            r"revisión|vuelo|boda|cena|operación)\b[^.,;!?]*)"
        ),
        "Tienes {x} {v}.",
    ),
    (
        "date",
        _c(
            r"\b(?:la |el )(?P<x>(?!cumple|entrega|plazo|fecha)[a-z]+)(?: de [a-z]+)? (?:es|será|se cambió (?:para|a)|pasa al?|"
            rf"se movió al?) (?:para )?(?P<v>{_DAY}[^.,;!?]*)"
        ),
        "{x}: {v}.",
    ),
    (
        "travel",
        _c(
            rf"\b(?P<w>{_DAY} |en \w+ )?(?P<v>(?:viajo|viajamos|vuelo|volamos|me voy de viaje|nos vamos de viaje|me voy|voy a viajar) (?:a|para|hasta) "
            r"(?-i:[A-Z])[^.;,!?]*)"
        ),
        "{w} {v}.",
    ),
    ("current_location", _c(r"\besta semana estoy en (?P<v>(?-i:[A-Z])[^.,;!?]+)"), "Esta semana estás en {v}."),
)


SPANISH: dict[str, Any] = {
    **SPANISH_KIN,
    "code": "es",
    "telling": re.compile(
        r"[¿¡ñ]|\b(?:el|la|los|las|de|que|y|en|mi|mis|con|una|un|por|para|me|yo|soy|tengo|es|no|ya|vivo|"
        r"trabajo|años|muy|del|al|ahora|este|esta|pero|gusta|hola|nuestro|nuestra|se|tomo|peso|estudio|hablo|odio|adoro|prefiero|uso|conduzco|colecciono|curro|nací|estoy|nos|toco|juego)\b",
        re.IGNORECASE,
    ),
    "certain": _c(
        r"\b(?:me llamo|mi nombre es|vivo en|soy de|trabajo (?:de|como|en)|me gustan?|me encantan?|tengo|"
        r"cumpleaños|alergic|prefiero|odio|hablo|se llama|mido|peso|mi (?:mejor )?(?:hij|herman|madre|padre|mujer|marido|novi|perr|gat|jef|abuel|espos|pareja|coche|casa|[a-z]+ (?:es|tiene|se llama|vive|trabaja|estudia))|no (?:puedo|como|aguanto)|conduzco|uso un|me dan? alergia|es mi|ya no|colecciono)"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\s(?:y|e) (?=(?:me|mi|mis|no|soy|vivo|trabajo|tengo|tiene|ahora|estoy|hablo|odio|mido|peso|"
        r"prefiero|nuestro|nuestra|también|he|quiero|ya|toco|juego|estudio|es|se|nos|llevo|busco|necesito)\b)|\s(?:pero|porque|aunque|"
        r"desde|con mi|con mis|cuando|así que|"
        r"hace \w+ \w+|por el trabajo|el (?:mes|año) pasado|la semana pasada|en (?:enero|febrero|marzo|abril|mayo|junio|julio|"
        r"agosto|septiembre|octubre|noviembre|diciembre|\d{4}))\b)"
    ),
    "joiner": _c(r"\s*(?:,|\by\b|\be\b|\bni\b)\s*"),
    "filler": _c(
        r"(?:(?:un poco|algo|muchos?|muchas?) de |también |(?:a|al) (?:la |los |las |el )?|(?:el|la|los|las) )"
    ),
    "hush": _c(
        r"^(?:y |pero )?(?:si (?:yo )?(?:\w+(?:ra|se|ramos)\b|algún día)|ojalá|imagin\w+|supon\w+|digamos|quizás?\b|tal vez|a lo mejor|"
        r"traduc\w*|traduz\w*|escríb\w*|explíca\w*|resum\w*|corrig\w*|dame|hazme|cuéntame|ayúdame|recomiénd\w+|"
        r"como d(?:ijo|ecía|ice)|según)\b|"
        r"\b(?:mi personaje|el protagonista|la protagonista|en (?:la|mi) novela|la letra dice|la canción dice|el papa|"
        r"algún día|es broma|era broma|quizás? me|me gustaría|quisiera)\b|^(?:jaj|jej)\w*"
    ),
    "forms": _FORMS,
}
