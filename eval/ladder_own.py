"""What the owner says of themself in the large history of `eval.ladder`: one value at a time, in several ways."""

from __future__ import annotations

from eval.ladder_words import Kind

OWN = (
    Kind(
        first=("I live in {v}.", "My home is in {v}."),
        later=("I've moved to {v}.", "I live in {v} now."),
        ask=("Where do I live?", "Which town is my home in?"),
        values=("Narvik", "Perugia", "Ostrava"),
    ),
    Kind(
        first=("I work at {v}.", "My employer is {v}."),
        later=("I've started a new job at {v}.", "I now work for {v}."),
        ask=("Where do I work?", "Which company do I work for?"),
        values=("Halden Instruments", "Brightwater Labs", "Norrland Optics"),
    ),
    Kind(
        first=("My manager is {v}.", "I report to {v}."),
        later=("My new manager is {v}.", "I report to {v} now."),
        ask=("Who is my manager?", "Who do I report to?"),
        values=("Ingeborg", "Marius", "Petronella"),
    ),
    Kind(
        first=("I drive a {v}.", "My car is a {v}."),
        later=("I sold the old car and drive a {v} now.", "My new car is a {v}."),
        ask=("Which car do I drive?", "What kind of car do I have?"),
        values=("Skoda Fabia", "Renault Zoe", "Fiat Panda"),
    ),
    Kind(
        first=("My laptop is a {v}.", "I use a {v} as my laptop."),
        later=("I replaced my laptop with a {v}.", "My laptop is a {v} now."),
        ask=("Which laptop do I use?", "What laptop do I have?"),
        values=("ThinkPad", "MacBook", "Framework"),
    ),
    Kind(
        first=("My dentist is Dr {v}.", "I go to Dr {v} for my teeth."),
        later=("My new dentist is Dr {v}.", "I switched dentists, it is Dr {v} now."),
        ask=("Who is my dentist?", "What is my dentist's name?"),
        values=("Aalto", "Brandsma", "Castellan"),
    ),
    Kind(
        first=("My office is room {v}.", "I sit in room {v} at work."),
        later=("I moved to room {v} at work.", "My office is room {v} now."),
        ask=("Which room is my office?", "What is the number of my office?"),
        values=("4.12", "2.07", "6.31"),
    ),
    Kind(
        first=("I get up at {v}.", "My alarm goes off at {v}."),
        later=("I get up at {v} now.", "I set my alarm to {v} from now on."),
        ask=("When do I get up?", "What time does my alarm go off?"),
        values=("6:15", "7:05", "5:50"),
    ),
    Kind(
        first=("I take the {v} bus to work.", "My bus to work is the {v}."),
        later=("I take the {v} bus to work now.", "My bus to work is the {v} now."),
        ask=("Which bus do I take to work?", "What is my bus line to work?"),
        values=("M41", "N12", "K7"),
    ),
    Kind(
        first=("My mobile contract is with {v}.", "{v} is my phone provider."),
        later=("I switched my mobile contract to {v}.", "My phone provider is {v} now."),
        ask=("Who is my phone provider?", "Which company is my mobile contract with?"),
        values=("Telanor", "Fonwave", "Mobikon"),
    ),
    Kind(
        first=("I write my notes in {v}.", "My note-taking app is {v}."),
        later=("I write my notes in {v} now.", "I switched my note-taking app to {v}."),
        ask=("Which app do I write my notes in?", "What is my note-taking app?"),
        values=("Obsidian", "Joplin", "Logseq"),
    ),
    Kind(
        first=("My tax adviser is {v}.", "{v} does my taxes."),
        later=("My new tax adviser is {v}.", "{v} does my taxes now."),
        ask=("Who is my tax adviser?", "Who does my taxes?"),
        values=("Mr Lindqvist", "Ms Okonjo", "Mr Pereira"),
    ),
    Kind(
        first=("My locker at the pool is number {v}.", "I have locker {v} at the pool."),
        later=("My locker at the pool is number {v} now.", "They gave me locker {v} at the pool instead."),
        ask=("What is my locker at the pool?", "Which locker do I have at the pool?"),
        values=("318", "507", "964"),
    ),
    Kind(
        first=("My favourite restaurant is {v}.", "The restaurant I like best is {v}."),
        later=("My favourite restaurant is {v} now.", "My new favourite restaurant is {v}."),
        ask=("What is my favourite restaurant?", "Which restaurant do I like best?"),
        values=("Blue Heron", "Casa Mirtillo", "Zur Linde"),
    ),
    Kind(
        first=("My piano teacher is {v}.", "I have piano lessons with {v}."),
        later=("My new piano teacher is {v}.", "I have piano lessons with {v} now."),
        ask=("Who is my piano teacher?", "Who do I have piano lessons with?"),
        values=("Madame Orlova", "Mr Tanabe", "Ms Eriksen"),
    ),
    Kind(
        first=("I keep my bike in the {v}.", "My bike stands in the {v}."),
        later=("I keep my bike in the {v} now.", "I moved my bike to the {v}."),
        ask=("Where do I keep my bike?", "Where is my bike?"),
        values=("courtyard", "cellar", "hallway"),
    ),
)
