import type { Padding, Relation } from "./_world_phrasing.ts";

/** What is told of towns. */
export const TOWN_RELATIONS: readonly Relation[] = [
  {
    name: "liesOn",
    subject: "town",
    object: "river",
    years: [0, 0],
    statements: [
      "{s} lies in the valley of the {o}.",
      "{s} is a town in the valley of the {o}.",
      "Travellers reach {s} by following the {o}, in whose valley it lies.",
      "The {o} runs through the valley in which {s} lies.",
      "The valley of the {o} is wide where {s} lies.",
    ],
    questions: [
      "In which river valley does {s} lie?",
      "In the valley of which river does {s} lie?",
      "Which river runs through the valley in which {s} lies?",
    ],
    descriptions: [],
  },
  {
    name: "ledBy",
    subject: "town",
    object: "person",
    objectRoles: ["mayor"],
    isOffice: true,
    settles: "livesIn",
    years: [72, 87],
    statements: [
      "The mayor of {s} is {o}.",
      "{o} has been mayor of {s} since {year}.",
      "In {year} the people of {s} chose {o} as their mayor.",
      "The present mayor of {s}, {o}, was elected in {year}.",
      "{s} has {o} for a mayor, elected with a single vote to spare.",
    ],
    questions: ["Who is the mayor of {s}?", "Who leads {s} as its mayor?"],
    descriptions: ["the mayor of {s}", "the person who is mayor of {s}"],
  },
  {
    name: "bridgedBy",
    subject: "town",
    object: "person",
    objectRoles: ["founder", "manager", "mayor"],
    years: [60, 70],
    statements: [
      "The stone bridge at {s} was designed by {o}.",
      "{o} designed the stone bridge at {s} in {year}.",
      "It was {o} who drew the plans for the stone bridge at {s}.",
      "The stone bridge at {s}, built in {year}, is the work of {o}.",
      "The designer of the stone bridge at {s} was {o}, who worked without pay.",
    ],
    questions: [
      "Who designed the stone bridge at {s}?",
      "Who drew the plans for the stone bridge at {s}?",
    ],
    descriptions: [
      "the designer of the stone bridge at {s}",
      "the person who designed the stone bridge at {s}",
    ],
  },
  {
    name: "marketsAt",
    subject: "town",
    object: "town",
    settles: "marketsAt",
    years: [40, 86],
    statements: [
      "The people of {s} go to market in {o}.",
      "Farmers from {s} take their goods to market in {o}.",
      "On market days the carts of {s} are all to be found in {o}.",
      "The market town for {s} has been {o} since {year}.",
      "Having lost its own market in {year}, {s} trades at the one in {o}.",
    ],
    questions: [
      "In which town do the people of {s} go to market?",
      "Which is the market town for {s}?",
    ],
    descriptions: [
      "the market town for {s}",
      "the town where the people of {s} go to market",
    ],
  },
  {
    name: "celebrates",
    subject: "town",
    object: "festival",
    years: [0, 86],
    statements: [
      "The great festival of {s} is called {o}.",
      "Every autumn {s} celebrates {o} with lanterns.",
      "Since {year} {s} has celebrated a festival called {o}.",
      "{s} is known for its festival, {o}, which lasts nine days.",
      "The whole of {s} shuts its doors for {o}, the festival of the town.",
    ],
    questions: [
      "What is the name of the festival of {s}?",
      "Which festival does {s} celebrate?",
    ],
    descriptions: [],
  },
];

/** What surrounds it. */
export const TOWN_PADDING: Padding = {
  years: [36, 60],
  openings: [
    "{s} is a {manner} town of some four thousand people.",
    "{s} is an old town with walls of {material}.",
    "The town of {s} is known to the outside world for its {thing}.",
    "{s} grew up around a trade in {material}.",
    "Nothing in {s} is taller than the grain store.",
    "{s} was a village until {year}, when it received its charter.",
    "A {manner} place even in {season}, {s} has no railway.",
    "{s} keeps to itself, and its {thing} are famous all the same.",
  ],
  remarks: [
    "The roofs of {s} are of {material}, by an old rule of the council.",
    "In {season} half the windows of {s} are hung with {thing}.",
    "A flood in {year} left its mark on every {material} door.",
    "{s} has one inn, two bakers, and a society for {subject}.",
    "The schoolhouse was paid for by the sale of {thing}.",
    "A {trade} is said to haunt the lane behind the church.",
    "The clock in {s} has been slow since {year}.",
    "Painters come to {s} in {season} for the {manner} light.",
    "The library of {s} holds a great deal on {subject} and little else.",
    "A {material} statue of an unknown {trade} stands by the well.",
    "Nobody in {s} locks a door before the first frost.",
    "The {season} play was given up in {year} for want of {thing}.",
    "Its cellars are dry enough to keep {material} for a lifetime.",
    "The air of {s} is thought to be good for students of {subject}.",
    "The oldest house in {s} belonged to a {trade} with eleven children.",
    "Carts of {thing} pass through {s} on the way to the coast.",
  ],
};
