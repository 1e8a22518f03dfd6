"""Facts told in another language than the question's: rebuilt from their value where a plain pattern exists."""

from __future__ import annotations

from core.llm.answers.phrases import COLUMN

SLOT_SENTENCES: dict[str, tuple[str, str, str, str, str]] = {
    "name": ("your name is {v}", "te llamas {v}", "du heißt {v}", "tu t'appelles {v}", "你叫{v}"),
    "nickname": ("you are called {v}", "te llaman {v}", "man nennt dich {v}", "on t'appelle {v}", "大家叫你{v}"),
    "home": ("you live in {v}", "vives en {v}", "du wohnst in {v}", "tu habites à {v}", "你住在{v}"),
    "employer": (
        "you work for {v}",
        "trabajas en {v}",
        "du arbeitest bei {v}",
        "tu travailles chez {v}",
        "你在{v}工作",
    ),
    "job": ("your job is: {v}", "tu trabajo es: {v}", "dein Beruf ist: {v}", "ton métier est : {v}", "你的工作是{v}"),
    "allergy": (
        "you are allergic to {v}",
        "tienes alergia a {v}",
        "du bist allergisch gegen {v}",
        "tu es allergique à : {v}",
        "你对{v}过敏",
    ),
    "birthday": (
        "your birthday is {v}",
        "tu cumpleaños es: {v}",
        "dein Geburtstag ist: {v}",
        "ta date de naissance est : {v}",
        "你的生日是{v}",
    ),
    "age": ("your age is {v}", "tu edad es {v}", "dein Alter ist {v}", "ton âge est {v}", "你的年龄是{v}"),
    "email": (
        "your email address is {v}",
        "tu correo es {v}",
        "deine E-Mail-Adresse ist {v}",
        "ton adresse mail est {v}",
        "你的邮箱是{v}",
    ),
    "phone": (
        "your phone number is {v}",
        "tu teléfono es {v}",
        "deine Telefonnummer ist {v}",
        "ton numéro est {v}",
        "你的电话是{v}",
    ),
    "language": ("you speak {v}", "hablas {v}", "du sprichst {v}", "tu parles {v}", "你会说{v}"),
    "likes": ("you like {v}", "te gusta: {v}", "du magst {v}", "tu aimes : {v}", "你喜欢{v}"),
    "dislikes": ("you dislike {v}", "no te gusta: {v}", "du magst nicht: {v}", "tu n'aimes pas : {v}", "你不喜欢{v}"),
    "diet": ("your diet: {v}", "tu dieta: {v}", "deine Ernährung: {v}", "ton régime : {v}", "你的饮食:{v}"),
    "medication": ("you take {v}", "tomas {v}", "du nimmst {v}", "tu prends {v}", "你在服用{v}"),
    "dog": (
        "your dog is called {v}",
        "tu perro se llama {v}",
        "dein Hund heißt {v}",
        "ton chien s'appelle {v}",
        "你的狗叫{v}",
    ),
    "cat": (
        "your cat is called {v}",
        "tu gato se llama {v}",
        "deine Katze heißt {v}",
        "ton chat s'appelle {v}",
        "你的猫叫{v}",
    ),
    "child": ("your children: {v}", "tus hijos: {v}", "deine Kinder: {v}", "tes enfants : {v}", "你的孩子:{v}"),
    "sister": (
        "your sister is {v}",
        "tu hermana es {v}",
        "deine Schwester ist {v}",
        "ta sœur est {v}",
        "你的姐妹是{v}",
    ),
    "brother": (
        "your brother is {v}",
        "tu hermano es {v}",
        "dein Bruder ist {v}",
        "ton frère est {v}",
        "你的兄弟是{v}",
    ),
    "number_of_children": (
        "you have {v} children",
        "tienes {v} hijos",
        "du hast {v} Kinder",
        "tu as {v} enfants",
        "你有{v}个孩子",
    ),
    "spouse": (
        "your spouse is {v}",
        "tu cónyuge es {v}",
        "dein Ehepartner: {v}",
        "ton conjoint : {v}",
        "你的配偶是{v}",
    ),
    "blood_type": (
        "your blood type is {v}",
        "tu grupo sanguíneo es {v}",
        "deine Blutgruppe ist {v}",
        "ton groupe sanguin est {v}",
        "你的血型是{v}",
    ),
}


def slot_sentence(attribute: str, value: str, language: str) -> str:
    """A clause stating the owner's fact in `language`, or empty if there is no pattern for the attribute."""
    row = SLOT_SENTENCES.get(attribute)
    return row[COLUMN.get(language, 0)].format(v=value) if row else ""
