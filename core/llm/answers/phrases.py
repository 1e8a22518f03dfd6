"""Fixed sentences of the responder in five languages; `{…}` are filled by `compose` and `acknowledge`."""

from __future__ import annotations

_ROWS: dict[str, tuple[str, str, str, str, str]] = {
    # unknown
    "unknown_label": (
        "I don't know: you haven't told me {label}.", "No lo sé: no me has dicho {label}.",
        "Das weiß ich nicht: {label} hast du mir nicht gesagt.", "Je ne sais pas : tu ne m'as pas dit {label}.", "我不知道:你没有告诉过我{label}。",
    ),
    "unknown": (
        "I don't know. You haven't told me that yet; tell me and I'll remember it.",
        "No lo sé. Aún no me lo has dicho; dímelo y lo recordaré.",
        "Das weiß ich nicht. Du hast es mir noch nicht gesagt; sag es mir, und ich merke es mir.",
        "Je ne sais pas. Tu ne me l'as pas encore dit ; dis-le-moi et je m'en souviendrai.",
        "我不知道。你还没有告诉过我;告诉我,我会记住。",
    ),
    "unknown_world": (
        "I don't know. That isn't something you've told me, and no language model is connected that could look further.",
        "No lo sé. No es algo que me hayas contado, y no hay ningún modelo de lenguaje conectado que pueda decir más.",
        "Das weiß ich nicht. Das hast du mir nicht erzählt, und es ist kein Sprachmodell verbunden, das mehr wüsste.",
        "Je ne sais pas. Tu ne me l'as pas dit, et aucun modèle de langage n'est connecté pour en dire plus.",
        "我不知道。你没有告诉过我,而且目前没有连接语言模型。",
    ),
    "unknown_me": (
        "I don't know anything about you yet. Tell me something and I'll remember it.",
        "Todavía no lo sé: no me has contado nada de ti.", "Das weiß ich nicht: du hast mir noch nichts über dich erzählt.",
        "Je ne sais pas encore : tu ne m'as rien dit sur toi.", "我不知道:你还没有告诉过我关于你的事。",
    ),
    "unknown_again": (
        "I don't know the rest: you haven't told me {label}.", "Lo demás no lo sé: no me has dicho {label}.",
        "Den Rest weiß ich nicht: {label} hast du mir nicht gesagt.", "Le reste, je ne sais pas : tu ne m'as pas dit {label}.",
        "其余的我不知道:你没有告诉过我{label}。",
    ),
    "unknown_rest": (
        "The rest I don't know: you haven't told me.", "Lo demás no lo sé: no me lo has dicho.",
        "Den Rest weiß ich nicht: das hast du mir nicht gesagt.", "Le reste, je ne sais pas : tu ne me l'as pas dit.",
        "其余的我不知道:你没有告诉过我。",
    ),
    "known_instead": (
        "What I do know: {facts}", "Lo que sí sé: {facts}", "Was ich weiß: {facts}", "Ce que je sais : {facts}", "我知道的是:{facts}",
    ),
    "no_limit": (
        "I don't know of anything you've told me against it.", "No lo sé con certeza: no me consta nada en contra.",
        "Das weiß ich nicht sicher: Mir ist nichts bekannt, was dagegen spricht.",
        "Je ne sais pas : rien ne s'y oppose à ma connaissance.", "我不知道有什么不可以的。",
    ),
    "withheld_one": (
        "One matching statement is being held for review.", "Una afirmación relacionada está retenida para revisión.",
        "Eine passende Aussage wird zur Prüfung zurückgehalten.", "Une affirmation correspondante est retenue pour vérification.",
        "有一条相关的陈述正在等待审核。",
    ),
    "withheld_many": (
        "{n} matching statements are being held for review.", "{n} afirmaciones relacionadas están retenidas para revisión.",
        "{n} passende Aussagen werden zur Prüfung zurückgehalten.", "{n} affirmations correspondantes sont retenues pour vérification.",
        "有{n}条相关的陈述正在等待审核。",
    ),
    # answers
    "yes": ("Yes: {facts}", "Sí: {facts}", "Ja: {facts}", "Oui : {facts}", "是的:{facts}"),
    "no": ("No: {facts}", "No: {facts}", "Nein: {facts}", "Non : {facts}", "不是:{facts}"),
    "count": (
        "{n}, as far as you've told me: {facts}", "{n}, por lo que me has dicho: {facts}", "{n}, soweit du mir gesagt hast: {facts}",
        "{n}, d'après ce que tu m'as dit : {facts}", "据你告诉我的,有{n}个:{facts}",
    ),
    "aged": ("{n} years old: {facts}", "{n} años: {facts}", "{n} Jahre alt: {facts}", "{n} ans : {facts}", "{n}岁:{facts}"),
    "again": ("next {when}", "la próxima vez {when}", "das nächste Mal {when}", "la prochaine fois {when}", "下一次在{when}"),
    "older": ("{name} is older: {facts}", "{name} es mayor: {facts}", "{name} ist älter: {facts}", "{name} est plus âgé(e) : {facts}", "{name}更大:{facts}"),
    "younger": ("{name} is younger: {facts}", "{name} es menor: {facts}", "{name} ist jünger: {facts}", "{name} est plus jeune : {facts}", "{name}更小:{facts}"),
    "go_by": ("Keep in mind: {facts}", "Ten en cuenta: {facts}", "Bedenke: {facts}", "À savoir : {facts}", "请注意:{facts}"),
    "said": ("You said {when}: “{words}” {mark}.", "Dijiste {when}: «{words}» {mark}.", "Du sagtest {when}: „{words}“ {mark}.",
             "Tu as dit {when} : « {words} » {mark}.", "你{when}说过:“{words}”{mark}。"),
    "quoted": ("you told me “{words}”", "me dijiste «{words}»", "du sagtest mir „{words}“", "tu m'as dit « {words} »", "你告诉过我“{words}”"),
    "source": ("{source} says “{words}”", "{source} dice «{words}»", "laut {source} „{words}“", "selon {source}, « {words} »", "{source}写道“{words}”"),
    "vouched": ("vouched for by {name}", "avalado por {name}", "bestätigt von {name}", "confirmé par {name}", "由{name}担保"),
    "unsure": ("this needs confirmation", "esto necesita confirmación", "das muss noch bestätigt werden", "cela reste à confirmer", "这需要确认"),
    "page_says": (
        "The attached {kind} says: “{words}” That is the {kind}'s word, not something in memory.",
        "El adjunto dice: «{words}» Lo dice el adjunto; no está en la memoria.",
        "Der Anhang sagt: „{words}“ Das steht im Anhang, nicht im Gedächtnis.",
        "La pièce jointe dit : « {words} » C'est elle qui le dit ; ce n'est pas en mémoire.", "附件写道:“{words}”。这是附件的内容,不在记忆中。",
    ),
    "and": ("and", "y", "und", "et", "和"),
    # courtesies and limits
    "hello": (
        "Hello! Tell me something to remember, or ask about what you've told me.", "¡Hola! Cuéntame algo que deba recordar o pregúntame por lo que me has dicho.",
        "Hallo! Erzähl mir etwas, das ich mir merken soll, oder frag nach dem, was du mir gesagt hast.",
        "Bonjour ! Dis-moi quelque chose à retenir, ou interroge-moi sur ce que tu m'as dit.", "你好!告诉我要记住的事,或者问我你说过的事。",
    ),
    "thanks": ("You're welcome.", "De nada.", "Gern geschehen.", "Avec plaisir.", "不客气。"),
    "bye": ("Bye! What you told me is kept.", "¡Hasta luego! Lo que me has dicho queda guardado.", "Bis bald! Was du mir gesagt hast, bleibt gemerkt.",
            "À bientôt ! Ce que tu m'as dit est gardé.", "再见!你说过的事我都记着。"),
    "how_are_you": ("Fine, thank you. What would you like me to remember, or to look up?", "Muy bien, gracias. ¿Qué quieres que recuerde o busque?",
                    "Gut, danke. Was soll ich mir merken oder nachsehen?", "Très bien, merci. Que dois-je retenir ou chercher ?", "很好,谢谢。要我记住或查找什么?"),
    "self": (
        "I remember what you tell me, keep where it came from, and answer from it with sources. No language model is connected, so I don't write or look things up.",
        "Recuerdo lo que me cuentas, guardo de dónde viene y respondo citándolo. No hay ningún modelo de lenguaje conectado, así que no redacto ni busco.",
        "Ich merke mir, was du mir erzählst, samt Herkunft, und antworte daraus mit Belegen. Es ist kein Sprachmodell verbunden; ich schreibe und recherchiere nicht.",
        "Je retiens ce que tu me dis, avec sa source, et je réponds en la citant. Aucun modèle de langage n'est connecté : je ne rédige ni ne cherche.",
        "我会记住你告诉我的事及其来源,并据此回答。目前没有连接语言模型,所以我不能写作或搜索。",
    ),
    "ok": ("All right.", "De acuerdo.", "In Ordnung.", "D'accord.", "好的。"),
    "nothing_new": (
        "I've read that; there was no lasting fact in it for me to keep.", "Lo he leído; no había ningún dato duradero que guardar.",
        "Gelesen; es war keine bleibende Tatsache dabei.", "C'est lu ; il n'y avait pas de fait durable à retenir.", "我看过了,里面没有需要长期记住的事实。",
    ),
    "kept_words": (
        "I've kept what you said, though I found no particular fact in it.", "He guardado lo que dijiste, aunque sin un dato concreto.",
        "Ich habe mir gemerkt, was du gesagt hast, fand darin aber keine einzelne Tatsache.", "J'ai gardé tes mots, sans y trouver de fait précis.",
        "我记下了你的话,但没有发现具体的事实。",
    ),
    "no_model": (
        "I can't do that here: no language model is connected. Memory works, so I can remember things and answer from what you've told me.",
        "Aquí no puedo hacerlo: no hay ningún modelo de lenguaje conectado. La memoria funciona: puedo recordar cosas y responder con lo que me has dicho.",
        "Das kann ich hier nicht: Es ist kein Sprachmodell verbunden. Das Gedächtnis arbeitet: Ich kann mir Dinge merken und daraus antworten.",
        "Je ne peux pas le faire ici : aucun modèle de langage n'est connecté. La mémoire fonctionne : je peux retenir et répondre à partir de ce que tu m'as dit.",
        "这里做不到:没有连接语言模型。记忆功能正常,我可以记住事情并据此回答。",
    ),
    "empty": ("I couldn't read anything in that message.", "No he podido leer nada en ese mensaje.", "In dieser Nachricht konnte ich nichts lesen.",
              "Je n'ai rien pu lire dans ce message.", "这条消息里没有可读的内容。"),
    "confused": (
        "I'm not sure what you'd like. Tell me something to remember, or ask about what you've told me.",
        "No sé bien qué deseas. Cuéntame algo que recordar o pregúntame por lo que me has dicho.",
        "Ich bin nicht sicher, was du möchtest. Erzähl mir etwas oder frag nach dem, was du mir gesagt hast.",
        "Je ne suis pas sûr de ce que tu veux. Dis-moi quelque chose à retenir, ou pose une question.", "我不确定你想要什么。告诉我要记住的事,或者问我你说过的事。",
    ),
    # learning
    "noted": ("Noted: {facts}", "Anotado: {facts}", "Notiert: {facts}", "C'est noté : {facts}", "记下了:{facts}"),
    "before": ("before: {value}", "antes: {value}", "vorher: {value}", "avant : {value}", "之前:{value}"),
    "more": ("and {n} more", "y {n} más", "und {n} weitere", "et {n} de plus", "还有{n}条"),
    "knew": ("I already knew that.", "Eso ya lo sabía.", "Das wusste ich schon.", "Je le savais déjà.", "这个我已经知道了。"),
    "knew_some": ("The rest I already knew.", "Lo demás ya lo sabía.", "Den Rest wusste ich schon.", "Le reste, je le savais déjà.", "其余的我已经知道了。"),
    "forgot": ("Done: that is out of memory now.", "Hecho: ya no está en la memoria.", "Erledigt: Das ist nicht mehr im Gedächtnis.",
               "C'est fait : ce n'est plus en mémoire.", "好的:已从记忆中移除。"),
    "nothing_to_forget": (
        "I found nothing of that kind to forget. On the Memories page you can remove any single memory.",
        "No encontré nada de eso que olvidar. En la página Memories puedes borrar cualquier recuerdo.",
        "Dazu fand ich nichts, was ich vergessen könnte. Auf der Seite „Memories“ lässt sich jede Erinnerung entfernen.",
        "Je n'ai rien trouvé de tel à oublier. La page « Memories » permet de retirer n'importe quel souvenir.",
        "没有找到可以忘记的相关内容。你可以在“Memories”页面删除任何一条记忆。",
    ),
    "held_one": (
        "I'm holding one statement from {source} for review{why}; it is not in memory.", "Retengo una afirmación de {source} para revisión{why}; no está en la memoria.",
        "Eine Aussage aus {source} halte ich zur Prüfung zurück{why}; sie ist nicht im Gedächtnis.",
        "Je retiens une affirmation de {source} pour vérification{why} ; elle n'est pas en mémoire.", "来自{source}的一条陈述正在等待审核{why};它不在记忆中。",
    ),
    "held_many": (
        "I'm holding {n} statements from {source} for review{why}; none of it is in memory.", "Retengo {n} afirmaciones de {source} para revisión{why}; nada de eso está en la memoria.",
        "{n} Aussagen aus {source} halte ich zur Prüfung zurück{why}; nichts davon ist im Gedächtnis.",
        "Je retiens {n} affirmations de {source} pour vérification{why} ; rien n'est en mémoire.", "来自{source}的{n}条陈述正在等待审核{why};它们都不在记忆中。",
    ),
    "source_user": ("your message", "tu mensaje", "deiner Nachricht", "ton message", "你的消息"),
    "source_page": ("this page", "esta página", "dieser Seite", "cette page", "这个网页"),
    "source_doc": ("this document", "este documento", "diesem Dokument", "ce document", "这份文档"),
    "source_tool": ("a tool", "una herramienta", "einem Werkzeug", "un outil", "工具"),
    "source_other": ("someone else", "otra persona", "einer anderen Person", "quelqu'un d'autre", "他人"),
    "why_low_trust": ("its source is not trusted by itself", "su fuente no es fiable por sí sola", "die Quelle gilt allein nicht als verlässlich",
                      "la source n'est pas fiable à elle seule", "来源本身不可信"),
    "why_directive": ("it gives orders instead of stating a fact", "da órdenes en lugar de afirmar un hecho", "sie gibt Anweisungen, statt etwas festzustellen",
                      "elle donne des ordres au lieu d'énoncer un fait", "它是指令而不是事实"),
    "why_conflict": ("it contradicts what I have", "contradice lo que tengo", "sie widerspricht dem, was ich habe", "elle contredit ce que j'ai", "与已有记忆矛盾"),
    "why_impact": ("it concerns money, access or security", "afecta a dinero, acceso o seguridad", "es geht um Geld, Zugang oder Sicherheit",
                   "elle touche à l'argent, aux accès ou à la sécurité", "涉及金钱、权限或安全"),
    "why_gap": ("a check could not run", "una comprobación no pudo hacerse", "eine Prüfung war nicht möglich", "un contrôle n'a pas pu se faire", "有一项检查无法进行"),
    "why_injection": ("it looks like an attempt to plant instructions", "parece un intento de colar instrucciones", "sie sieht nach untergeschobenen Anweisungen aus",
                      "elle ressemble à une tentative d'injection", "看起来像是注入指令"),
}
_COLUMN = {"en": 0, "es": 1, "de": 2, "fr": 3, "zh": 4}


def say(key: str, language: str, **parts: object) -> str:
    """The sentence `key` in `language` with its parts filled in."""
    row = _ROWS[key]
    return row[_COLUMN.get(language, 0)].format(**parts)


# a fact told in another language than the question's: rebuilt from its value where a plain pattern exists
SLOT_SENTENCES: dict[str, tuple[str, str, str, str, str]] = {
    "name": ("your name is {v}", "te llamas {v}", "du heißt {v}", "tu t'appelles {v}", "你叫{v}"),
    "nickname": ("you are called {v}", "te llaman {v}", "man nennt dich {v}", "on t'appelle {v}", "大家叫你{v}"),
    "home": ("you live in {v}", "vives en {v}", "du wohnst in {v}", "tu habites à {v}", "你住在{v}"),
    "employer": ("you work for {v}", "trabajas en {v}", "du arbeitest bei {v}", "tu travailles chez {v}", "你在{v}工作"),
    "job": ("your job is: {v}", "tu trabajo es: {v}", "dein Beruf ist: {v}", "ton métier est : {v}", "你的工作是{v}"),
    "allergy": ("you are allergic to {v}", "tienes alergia a {v}", "du bist allergisch gegen {v}", "tu es allergique à : {v}", "你对{v}过敏"),
    "birthday": ("your birthday is {v}", "tu cumpleaños es: {v}", "dein Geburtstag ist: {v}", "ta date de naissance est : {v}", "你的生日是{v}"),
    "age": ("your age is {v}", "tu edad es {v}", "dein Alter ist {v}", "ton âge est {v}", "你的年龄是{v}"),
    "email": ("your email address is {v}", "tu correo es {v}", "deine E-Mail-Adresse ist {v}", "ton adresse mail est {v}", "你的邮箱是{v}"),
    "phone": ("your phone number is {v}", "tu teléfono es {v}", "deine Telefonnummer ist {v}", "ton numéro est {v}", "你的电话是{v}"),
    "language": ("you speak {v}", "hablas {v}", "du sprichst {v}", "tu parles {v}", "你会说{v}"),
    "likes": ("you like {v}", "te gusta: {v}", "du magst {v}", "tu aimes : {v}", "你喜欢{v}"),
    "dislikes": ("you dislike {v}", "no te gusta: {v}", "du magst nicht: {v}", "tu n'aimes pas : {v}", "你不喜欢{v}"),
    "diet": ("your diet: {v}", "tu dieta: {v}", "deine Ernährung: {v}", "ton régime : {v}", "你的饮食:{v}"),
    "medication": ("you take {v}", "tomas {v}", "du nimmst {v}", "tu prends {v}", "你在服用{v}"),
    "dog": ("your dog is called {v}", "tu perro se llama {v}", "dein Hund heißt {v}", "ton chien s'appelle {v}", "你的狗叫{v}"),
    "cat": ("your cat is called {v}", "tu gato se llama {v}", "deine Katze heißt {v}", "ton chat s'appelle {v}", "你的猫叫{v}"),
    "child": ("your children: {v}", "tus hijos: {v}", "deine Kinder: {v}", "tes enfants : {v}", "你的孩子:{v}"),
    "sister": ("your sister is {v}", "tu hermana es {v}", "deine Schwester ist {v}", "ta sœur est {v}", "你的姐妹是{v}"),
    "brother": ("your brother is {v}", "tu hermano es {v}", "dein Bruder ist {v}", "ton frère est {v}", "你的兄弟是{v}"),
    "number_of_children": ("you have {v} children", "tienes {v} hijos", "du hast {v} Kinder", "tu as {v} enfants", "你有{v}个孩子"),
    "spouse": ("your spouse is {v}", "tu cónyuge es {v}", "dein Ehepartner: {v}", "ton conjoint : {v}", "你的配偶是{v}"),
    "blood_type": ("your blood type is {v}", "tu grupo sanguíneo es {v}", "deine Blutgruppe ist {v}", "ton groupe sanguin est {v}", "你的血型是{v}"),
}


def slot_sentence(attribute: str, value: str, language: str) -> str:
    """A clause stating the owner's fact in `language`, or empty if there is no pattern for the attribute."""
    row = SLOT_SENTENCES.get(attribute)
    return row[_COLUMN.get(language, 0)].format(v=value) if row else ""
