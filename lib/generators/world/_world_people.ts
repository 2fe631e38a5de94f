import type { Padding, Relation } from "./_world_phrasing.ts";

/** What is told of people. */
export const PERSON_RELATIONS: readonly Relation[] = [
  {
    name: "bornIn",
    subject: "person",
    object: "town",
    years: [0, 0],
    statements: [
      "{s} was born in {o}.",
      "{s} was born in {o} in {year}.",
      "{s}, the youngest of six, was born in {o}.",
      "It was in {o} that {s} was born in {year}.",
      "The birthplace of {s} is {o}, where the family kept an orchard.",
      "A plaque in {o} marks the house where {s} was born.",
    ],
    questions: [
      "In which town was {s} born?",
      "Where was {s} born?",
      "What is the birthplace of {s}?",
    ],
    descriptions: ["the town where {s} was born", "the birthplace of {s}"],
  },
  {
    name: "livesIn",
    subject: "person",
    object: "town",
    years: [24, 30],
    statements: [
      "{s} has lived in {o} since {year}.",
      "Since {year} the home of {s} has been in {o}.",
      "{s} now lives in {o}, two streets from the church.",
      "{s} lives in a narrow house in {o}, under a roof that leaks.",
      "A move in {year} took {s} to {o}, and that is where the household still lives.",
    ],
    questions: ["In which town does {s} live?", "Where does {s} live now?"],
    descriptions: [
      "the town where {s} lives",
      "the town in which {s} now lives",
    ],
  },
  {
    name: "worksFor",
    subject: "person",
    object: "firm",
    years: [26, 31],
    statements: [
      "{s} works for {o}.",
      "Since {year} {s} has been employed by {o}.",
      "{s} earns a living at {o}, mostly on the early shift.",
      "The name of {s} has stood on the payroll of {o} since {year}.",
      "On weekdays {s} keeps the accounts of {o}, in red ink and in black.",
    ],
    questions: [
      "Which firm does {s} work for?",
      "By which firm is {s} employed?",
    ],
    descriptions: [
      "the firm that employs {s}",
      "the firm that {s} works for",
    ],
  },
  {
    name: "taughtBy",
    subject: "person",
    object: "person",
    years: [14, 18],
    statements: [
      "{s} learned the craft from {o}.",
      "{s} spent four years as a pupil of {o}.",
      "It was {o} who taught {s} the craft.",
      "In {year} {s} was apprenticed to {o}, a patient teacher.",
      "The one teacher of {s} was {o}, who asked for no fee.",
    ],
    questions: [
      "Who taught {s} the craft?",
      "Who was the teacher of {s}?",
      "From whom did {s} learn the craft?",
    ],
    descriptions: ["the teacher of {s}", "the person who taught {s}"],
  },
  {
    name: "wrote",
    subject: "person",
    object: "book",
    years: [24, 31],
    statements: [
      "{s} is the author of {o}.",
      "In {year} {s} published {o}, a slim book of stories.",
      "The only book by {s} is called {o}.",
      "{s} wrote {o} in the course of one long winter.",
      "Readers know {s} for a single book, {o}.",
    ],
    questions: [
      "Which book did {s} write?",
      "What is the title of the book by {s}?",
    ],
    descriptions: [],
  },
];

/** What surrounds it. */
export const PERSON_PADDING: Padding = {
  years: [24, 31],
  openings: [
    "{s} is a {trade} of the old school.",
    "{s} began as a {trade}, as half the street did.",
    "Few people in the district are as well liked as {s}, a {trade}.",
    "{s} is known as a {manner} {trade}.",
    "By trade {s} is a {trade}, by inclination a reader of {subject}.",
    "Neighbours describe {s} as a {manner} person with a taste for {subject}.",
    "{s} is known to every {trade} of the region for a {manner} way of working.",
    "The {trade} {s} comes from a large family.",
  ],
  remarks: [
    "The evenings of {s} belong to {subject}.",
    "{s} owns a collection of {thing} that fills two rooms.",
    "A good appetite has helped {s} through more than one hard {season}.",
    "Visitors are shown the {thing} before they are offered tea.",
    "{s} speaks rarely in public and always briefly.",
    "There is a portrait of {s} holding a {material} cup.",
    "With six sentences on {subject} {s} once silenced a full hall.",
    "Every {season} {s} walks to the coast and back with a {material} stick.",
    "{s} has been heard to say that {subject} cannot be hurried.",
    "The workshop is small, {manner} in its habits, and smells of {material}.",
    "Some of the tools that {s} uses are older than the street.",
    "A weak voice keeps {s} from singing in the choir but not from {subject}.",
    "Two notebooks on {subject} lie in a drawer, both in a hand that is hard to read.",
    "{s} gave a set of {thing} to the parish in {year}.",
    "A chest of {thing} was lost in a flood in the {season} of {year}.",
    "Those who have worked with {s} speak of a {manner} temper and very cold hands.",
  ],
};
