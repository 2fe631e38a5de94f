// A reader of the synthetic world that knows only its text. It shares no code with the generator: the sentences are written
// out here once more, by hand, and so is what plain English makes of them. It collects every statement of a text, adds what
// follows from them, and lists whatever cannot be true together and every question with no answer, another or two.

/** What a sentence states: that `object` stands in a relation to `subject`, from a year on or in a year where it names one. */
export interface Statement {
  readonly relation: RelationName;
  readonly subject: string;
  readonly object: string;
  readonly year: number | null;
  readonly sentence: string;
}

/** What a text states and what it does not let one understand. */
export interface Reading {
  readonly statements: readonly Statement[];
  /** Years that a document names beside its statements: floods, catalogues, charters. */
  readonly asides: readonly Aside[];
  /** Sentences with two names that are none of the statements known here, and documents with too few of those. */
  readonly unread: readonly string[];
  /** Sentences of one document that cannot both be true. */
  readonly clashes: readonly string[];
}

interface Aside {
  readonly subject: string;
  readonly year: number;
  readonly sentence: string;
}

export type RelationName =
  | "birthplace"
  | "home"
  | "employer"
  | "teacher"
  | "book"
  | "founder"
  | "head office"
  | "product"
  | "manager"
  | "supplier"
  | "river"
  | "mayor"
  | "bridge"
  | "market"
  | "festival";

/** How a relation is worded: S its subject, O its object, Y a year. */
interface Wording {
  readonly statements: readonly string[];
  /** X is what is asked about: a name or a description. */
  readonly questions: readonly string[];
  readonly descriptions: readonly string[];
}

const WORDINGS: Readonly<Record<RelationName, Wording>> = {
  birthplace: {
    statements: [
      "S(?:, the youngest of six,)? was born in O(?: in Y)?",
      "It was in O that S was born in Y",
      "The birthplace of S is O, .+",
      "A plaque in O marks the house where S was born",
    ],
    questions: ["In which town was X born", "Where was X born", "What is the birthplace of X"],
    descriptions: ["the town where X was born", "the birthplace of X"],
  },
  home: {
    statements: [
      "S has lived in O since Y",
      "Since Y the home of S has been in O",
      "S now lives in O, .+",
      "S lives in a narrow house in O\\b.*",
      "A move in Y took S to O, and that is where the household still lives",
    ],
    questions: ["In which town does X live", "Where does X live now"],
    descriptions: ["the town where X lives", "the town in which X now lives"],
  },
  employer: {
    statements: [
      "S works for O",
      "Since Y S has been employed by O",
      "S earns a living at O, .+",
      "The name of S has stood on the payroll of O since Y",
      "On weekdays S keeps the accounts of O, .+",
    ],
    questions: ["Which firm does X work for", "By which firm is X employed"],
    descriptions: ["the firm that employs X", "the firm that X works for"],
  },
  teacher: {
    statements: [
      "S learned the craft from O",
      "S spent four years as a pupil of O",
      "It was O who taught S the craft",
      "In Y S was apprenticed to O, .+",
      "The one teacher of S was O, .+",
    ],
    questions: ["Who taught X the craft", "Who was the teacher of X", "From whom did X learn the craft"],
    descriptions: ["the teacher of X", "the person who taught X"],
  },
  book: {
    statements: [
      "S is the author of O",
      "In Y S published O, .+",
      "The only book by S is called O",
      "S wrote O in the course of .+",
      "Readers know S for a single book, O",
    ],
    questions: ["Which book did X write", "What is the title of the book by X"],
    descriptions: [],
  },
  founder: {
    statements: [
      "S was founded by O",
      "O founded S in Y with .+",
      "The founder of S was O",
      "It was O who founded S in Y",
      "S began in a rented shed, where O founded it in Y",
    ],
    questions: ["Who founded X", "Who was the founder of X"],
    descriptions: ["the founder of X", "the person who founded X"],
  },
  "head office": {
    statements: [
      "S has its head office in O",
      "S is based in O",
      "The head office of S stands in O, .+",
      "Since Y S has been run from its head office in O",
      "Visitors find the head office of S in O, .+",
    ],
    questions: ["In which town does X have its head office", "Where is the head office of X"],
    descriptions: ["the town where X has its head office", "the town in which X is based"],
  },
  product: {
    statements: [
      "The best-known product of S is the O",
      "The O, introduced in Y, is the best-known product of S",
      "S is best known for the O(?:, first sold in Y)?",
      "Of all that S makes, the O is the product that everybody knows",
    ],
    questions: ["What is the best-known product of X", "For which product is X best known"],
    descriptions: [],
  },
  manager: {
    statements: [
      "The present manager of S is O",
      "S is now managed by O",
      "Since Y O has been the manager of S",
      "O took over as manager of S in Y and .+",
      "The daily business of S is in the hands of its manager, O",
    ],
    questions: ["Who manages X", "Who is the manager of X"],
    descriptions: ["the manager of X", "the person who manages X"],
  },
  supplier: {
    statements: [
      "S buys its raw materials from O",
      "The main supplier of S is O",
      "Since Y O has been the main supplier of S",
      "Nearly every crate that reaches S comes from its main supplier, O",
      "O has supplied S with raw materials since Y",
    ],
    questions: ["Which firm is the main supplier of X", "From which firm does X buy its raw materials"],
    descriptions: ["the main supplier of X", "the firm that supplies X"],
  },
  river: {
    statements: [
      "S lies in the valley of the O",
      "S is a town in the valley of the O",
      "Travellers reach S by following the O, in whose valley it lies",
      "The O runs through the valley in which S lies",
      "The valley of the O is (?:wide|widest|narrow) where S lies",
    ],
    questions: [
      "In which river valley does X lie",
      "In the valley of which river does X lie",
      "Which river runs through the valley in which X lies",
    ],
    descriptions: [],
  },
  mayor: {
    statements: [
      "The mayor of S is O",
      "O has been mayor of S since Y",
      "In Y the people of S chose O as their mayor",
      "The present mayor of S, O, was elected in Y",
      "S has O for a mayor, .+",
    ],
    questions: ["Who is the mayor of X", "Who leads X as its mayor"],
    descriptions: ["the mayor of X", "the person who is mayor of X"],
  },
  bridge: {
    statements: [
      "The stone bridge at S was designed by O",
      "O designed the stone bridge at S in Y",
      "It was O who drew the plans for the stone bridge at S",
      "The stone bridge at S, built in Y, is the work of O",
      "The designer of the stone bridge at S was O, .+",
    ],
    questions: ["Who designed the stone bridge at X", "Who drew the plans for the stone bridge at X"],
    descriptions: ["the designer of the stone bridge at X", "the person who designed the stone bridge at X"],
  },
  market: {
    statements: [
      "The people of S go to market in O",
      "Farmers from S take their goods to market in O",
      "On market days the carts of S are all to be found in O",
      "The market town for S has been O since Y",
      "Having lost its own market in Y, S trades at the one in O",
    ],
    questions: ["In which town do the people of X go to market", "Which is the market town for X"],
    descriptions: ["the market town for X", "the town where the people of X go to market"],
  },
  festival: {
    statements: [
      "The great festival of S is called O",
      "Every autumn S celebrates O with lanterns",
      "Since Y S has celebrated a festival called O",
      "S is known for its festival, O, which lasts nine days",
      "The whole of S shuts its doors for O, the festival of the town",
    ],
    questions: ["What is the name of the festival of X", "Which festival does X celebrate"],
    descriptions: [],
  },
};

const RELATIONS = Object.keys(WORDINGS) as RelationName[];
const NAME = "(?:The [A-Z][a-z]+ of )?[A-Z][a-z]+(?: [A-Z][a-z]+)?";

const STATEMENTS: readonly (readonly [RelationName, RegExp])[] = RELATIONS.flatMap((relation) =>
  WORDINGS[relation].statements.map((wording): [RelationName, RegExp] => [
    relation,
    new RegExp(`^${
      wording.replace(/\bS\b/, `(?<subject>${NAME})`).replace(/\bO\b/, `(?<object>${NAME})`)
        .replace(/\bY\b/, "(?<year>\\d{4})")
    }\\.$`),
  ])
);

/** Sentences that do not both hold of the same thing. */
const CLASHES: readonly (readonly [RegExp, RegExp])[] = [
  [/with borrowed money/, /never borrowed a coin/],
  [/where the family kept an orchard/, /comes from a family of weavers/],
  [/always briefly/, /silent for an hour/],
  [/seldom leaves it/, /to the coast and back/],
  [/walks to the coast/, /A bad knee/],
  [/For three generations/, /in 1(?:8[89]|9)\d/],
  [/lost its own market/, /covered with stalls/],
  [/best.known/, /has a name for/],
  [/\b(?:lives|lived|home of)\b/, /the employer of half the street/],
];

/** Reads documents of the world: each an array item, without what stands above it. */
export function readDocuments(documents: readonly string[]): Reading {
  const statements: Statement[] = [];
  const asides: Aside[] = [];
  const others: string[] = [];
  const clashes: string[] = [];
  for (const text of documents) {
    const sentences = text.split(/\n|(?<=\.) /).filter((line) => line.endsWith("."));
    const rest: string[] = [];
    let subject: string | undefined;
    for (const sentence of sentences) {
      const statement = readSentence(sentence);
      if (statement) {
        statements.push(statement);
        subject = statement.subject;
      } else rest.push(sentence);
    }
    if (sentences.length - rest.length < 3) others.push(`${LITTLE} ${text}`);
    for (const sentence of rest) {
      others.push(sentence);
      const year = /\b\d{4}\b/.exec(sentence)?.[0];
      if (year && subject !== undefined) asides.push({ subject, year: Number(year), sentence });
    }
    for (const [left, right] of CLASHES) {
      const first = sentences.find((sentence) => left.test(sentence));
      const second = sentences.find((sentence) => right.test(sentence));
      if (first && second && first !== second) clashes.push(`${first} ${second}`);
    }
  }
  const known = new Set(statements.flatMap(({ subject, object }) => [subject, object]));
  return {
    statements,
    asides,
    clashes,
    unread: others.filter((text) => text.startsWith(LITTLE) || countNames(text, known) > 1),
  };
}

/** Every document of the world states three things at least, so one with fewer was not understood. */
export const LITTLE = "fewer than three statements:";

function readSentence(sentence: string): Statement | undefined {
  for (const [relation, pattern] of STATEMENTS) {
    const groups = pattern.exec(sentence)?.groups;
    if (!groups) continue;
    const { subject, object, year } = groups;
    const years = year === undefined ? null : Number(year);
    return { relation, subject: keyOf(subject!), object: keyOf(object!), year: years, sentence };
  }
  return undefined;
}

const KINDS_OF_FIRM = /^(?:Works|Mills|Foundry|Brothers|Yards|Press|Glassworks|Looms|Pottery|Brewery)$/;

/** The one word by which a name is told from all others: the last one, but for the kind of a firm. */
function keyOf(name: string): string {
  return name.split(" ").findLast((word) => !KINDS_OF_FIRM.test(word))!;
}

/** Counts the invented names of a sentence: capitals within it, or at its beginning where they are met elsewhere. */
function countNames(sentence: string, known: ReadonlySet<string>): number {
  const words = sentence.match(/\b[A-Z][a-z]{6,}\b/g) ?? [];
  const isName = (word: string): boolean =>
    known.has(word) || !(sentence.startsWith(word) || KINDS_OF_FIRM.test(word) || word === "Thursdays");
  return new Set(words.filter(isName)).size;
}

/** All that holds by a reading: for each relation, of each subject the objects and by how many sentences each. */
export type Known = ReadonlyMap<RelationName, ReadonlyMap<string, ReadonlyMap<string, number>>>;

/** Adds to statements what they imply in plain English. */
export function close(statements: readonly Statement[]): Known {
  const known = new Map<RelationName, Map<string, Map<string, number>>>(
    RELATIONS.map((relation) => [relation, new Map()]),
  );
  const add = (relation: RelationName, subject: string, object: string): void => {
    const ofRelation = known.get(relation)!;
    let objects = ofRelation.get(subject);
    if (!objects) ofRelation.set(subject, objects = new Map());
    objects.set(object, (objects.get(object) ?? 0) + 1);
  };
  for (const { relation, subject, object } of statements) {
    add(relation, subject, object);
    // Whoever manages or founded a firm works for it, and a mayor lives in the town.
    if (relation === "manager" || relation === "founder") add("employer", object, subject);
    if (relation === "mayor") add("home", object, subject);
    // A town where others go to market has a market of its own.
    if (relation === "market") add("market", object, object);
  }
  return known;
}

/** Lists what cannot be true together in a reading, dates apart. */
export function findContradictions({ statements, clashes, unread }: Reading): string[] {
  const faults = [
    ...clashes.map((clash) => `do not go together: ${clash}`),
    ...unread.map((sentence) => `not understood: ${sentence}`),
  ];
  for (const [relation, subjects] of close(statements)) {
    for (const [subject, objects] of subjects) {
      if (objects.size > 1) faults.push(`more than one ${relation} of ${subject}: ${[...objects.keys()].join(", ")}`);
    }
  }
  const offices = new Map<string, string>();
  const widest = new Map<string, string>();
  for (const { relation, subject, object, sentence } of statements) {
    if (relation === "manager" || relation === "mayor" || relation === "book") {
      const office = `${relation} ${object}`;
      if ((offices.get(office) ?? subject) !== subject) faults.push(`${object} is ${relation} twice: ${sentence}`);
      offices.set(office, subject);
    }
    if (sentence.includes("widest")) {
      if ((widest.get(object) ?? subject) !== subject) faults.push(`the valley is widest twice: ${sentence}`);
      widest.set(object, subject);
    }
    if (subject === object) faults.push(`of itself: ${sentence}`);
  }
  const manager = new Map(
    statements.filter(({ relation }) => relation === "manager").map((fact) => [fact.subject, fact]),
  );
  for (const { relation, subject, object } of statements) {
    if (relation === "founder" && manager.get(subject)?.object === object) {
      faults.push(`took over from itself: ${manager.get(subject)!.sentence}`);
    }
  }
  return [...faults, ...findCircles(statements, "teacher"), ...findCircles(statements, "supplier")];
}

/** Lists where a relation leads back to where it began. */
function findCircles(statements: readonly Statement[], wanted: RelationName): string[] {
  const next = new Map(
    statements.filter(({ relation }) => relation === wanted).map(({ subject, object }) => [subject, object]),
  );
  const settled = new Set<string>();
  const faults: string[] = [];
  for (const start of next.keys()) {
    const path = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = next.get(at);
    }
    if (at !== undefined && path.has(at)) faults.push(`a circle of ${wanted}s through ${at}`);
    for (const passed of path) settled.add(passed);
  }
  return faults;
}

/** That the year of `later` is at least `gap` after that of `earlier`. */
interface Order {
  readonly earlier: string;
  readonly later: string;
  readonly gap: number;
  readonly why: string;
}

const YEAR_0 = "the year 0";
const NOW = "now";
/** Ages beyond which nobody works, and nobody lives. */
const OLDEST_AT_WORK = 85;
const OLDEST = 95;

/** Lists what the years of a reading, and what is known without a year, leave no room for. */
export function findImpossibleDates({ statements, asides }: Reading): string[] {
  const orders: Order[] = [];
  const atLeast = (later: string, earlier: string, { gap, why }: { gap: number; why: string }): void => {
    orders.push({ earlier, later, gap, why });
  };
  const notBefore = (what: string, year: number, why: string): void => atLeast(what, YEAR_0, { gap: year, why });
  const notAfter = (what: string, year: number, why: string): void => atLeast(YEAR_0, what, { gap: -year, why });
  /** A person's age in a year is within bounds. */
  const aged = (person: string, year: number, { low, high, why }: { low: number; high: number; why: string }): void => {
    notAfter(`birth of ${person}`, year - low, why);
    notBefore(`birth of ${person}`, year - high, why);
  };
  const kinds = new Map<string, "person" | "firm" | "town">();
  for (const { relation, subject, object, year, sentence: why } of statements) {
    kinds.set(subject, KIND_OF_SUBJECT[relation]);
    if (year !== null) notBefore(NOW, year, why);
    // The world is told in the present tense: whoever it speaks of is alive.
    for (const person of PEOPLE_OF[relation].map((side) => ({ subject, object })[side])) {
      atLeast(`birth of ${person}`, NOW, { gap: -OLDEST, why });
    }
    switch (relation) {
      case "birthplace":
        if (year !== null) aged(subject, year, { low: 0, high: 0, why });
        break;
      case "home":
      case "book":
        if (year !== null) aged(subject, year, { low: 16, high: OLDEST, why });
        break;
      case "employer":
        if (year !== null) {
          aged(subject, year, { low: 14, high: OLDEST_AT_WORK, why });
          notAfter(`founding of ${object}`, year, why);
        }
        break;
      case "teacher":
        atLeast(`birth of ${subject}`, `birth of ${object}`, { gap: 8, why });
        if (year !== null) {
          aged(subject, year, { low: 10, high: 22, why });
          aged(object, year, { low: 20, high: OLDEST_AT_WORK, why });
        }
        break;
      case "founder":
        if (year !== null) {
          notBefore(`founding of ${subject}`, year, why);
          notAfter(`founding of ${subject}`, year, why);
        }
        atLeast(`founding of ${subject}`, `birth of ${object}`, { gap: 18, why });
        atLeast(`birth of ${object}`, `founding of ${subject}`, { gap: -OLDEST_AT_WORK, why });
        break;
      case "head office":
      case "product":
        if (year !== null) notAfter(`founding of ${subject}`, year, why);
        break;
      case "manager":
        if (year !== null) {
          notAfter(`founding of ${subject}`, year, why);
          aged(object, year, { low: 20, high: OLDEST_AT_WORK, why });
        }
        atLeast(NOW, `birth of ${object}`, { gap: 20, why });
        break;
      case "supplier":
        if (year !== null) {
          notAfter(`founding of ${subject}`, year, why);
          notAfter(`founding of ${object}`, year, why);
        }
        break;
      case "mayor":
        if (year !== null) {
          aged(object, year, { low: 20, high: OLDEST_AT_WORK, why });
          notAfter(`charter of ${subject}`, year, why);
        }
        break;
      case "bridge":
        if (year !== null) aged(object, year, { low: 18, high: OLDEST_AT_WORK, why });
        break;
    }
  }
  for (const { subject, year, sentence: why } of asides) {
    notBefore(NOW, year, why);
    const kind = kinds.get(subject);
    if (kind === "firm") notAfter(`founding of ${subject}`, year, why);
    if (kind === "person") notAfter(`birth of ${subject}`, year - 16, why);
    if (/was a village until/.test(why)) notBefore(`charter of ${subject}`, year, why);
  }
  return findImpossible(orders);
}

const KIND_OF_SUBJECT: Readonly<Record<RelationName, "person" | "firm" | "town">> = {
  birthplace: "person",
  home: "person",
  employer: "person",
  teacher: "person",
  book: "person",
  founder: "firm",
  "head office": "firm",
  product: "firm",
  manager: "firm",
  supplier: "firm",
  river: "town",
  mayor: "town",
  bridge: "town",
  market: "town",
  festival: "town",
};

/** Which sides of a relation are people. */
const PEOPLE_OF: Readonly<Record<RelationName, readonly ("subject" | "object")[]>> = {
  birthplace: ["subject"],
  home: ["subject"],
  employer: ["subject"],
  teacher: ["subject", "object"],
  book: ["subject"],
  founder: ["object"],
  "head office": [],
  product: [],
  manager: ["object"],
  supplier: [],
  river: [],
  mayor: ["object"],
  bridge: ["object"],
  market: [],
  festival: [],
};

/** Lists the circles of orders that no years can meet, one through each knot: differences with a negative cycle (Bellman and Ford). */
function findImpossible(orders: readonly Order[]): string[] {
  const faults: string[] = [];
  let left = orders;
  for (;;) {
    const circle = findImpossibleCircle(left);
    if (circle === null) return faults;
    faults.push(`no year fits: ${[...new Set(circle.map(({ why }) => why))].join(" | ")}`);
    // What is left without one of them may hold another circle.
    const [dropped] = circle.filter(({ why }) => why !== "");
    left = left.filter((order) => order.why !== dropped!.why);
    if (faults.length >= MOST_DATE_FAULTS) return faults;
  }
}

const MOST_DATE_FAULTS = 5;

function findImpossibleCircle(orders: readonly Order[]): Order[] | null {
  // The earliest year of everything, as far as orders are met: all begin at the same, and are moved up.
  const earliest = new Map<string, number>();
  const because = new Map<string, Order>();
  for (const { earlier, later } of orders) earliest.set(earlier, 0).set(later, 0);
  for (let round = 0; round <= earliest.size; round++) {
    let moved: string | null = null;
    for (const order of orders) {
      const bound = earliest.get(order.earlier)! + order.gap;
      if (bound <= earliest.get(order.later)!) continue;
      earliest.set(order.later, bound);
      because.set(order.later, order);
      moved = order.later;
    }
    if (moved === null) return null;
    // Looked for now and then, so that a circle is found long before the last round.
    if (round % 8 === 7 || round === earliest.size) {
      const circle = followBack(because, moved);
      if (circle) return circle;
    }
  }
  return null;
}

function followBack(because: ReadonlyMap<string, Order>, start: string): Order[] | null {
  const seen = new Map<string, number>();
  const path: Order[] = [];
  let at = start;
  for (;;) {
    const from = seen.get(at);
    if (from !== undefined) return path.slice(from);
    const order = because.get(at);
    if (order === undefined) return null;
    seen.set(at, path.length);
    path.push(order);
    at = order.earlier;
  }
}

const QUESTIONS = readingsOf("questions", "\\?");
const DESCRIPTIONS = readingsOf("descriptions", "");

function readingsOf(form: "questions" | "descriptions", mark: string): (readonly [RelationName, RegExp])[] {
  return RELATIONS.flatMap((relation) =>
    WORDINGS[relation][form].map((wording): [RelationName, RegExp] => [
      relation,
      new RegExp(`^${wording.replace(/\bX\b/, "(.+)")}${mark}$`),
    ])
  );
}

/** What answers a question, with the number of sentences that say so; `null` for a question not understood. */
export function answersTo(question: string, known: Known): ReadonlyMap<string, number> | null {
  for (const [relation, pattern] of QUESTIONS) {
    const about = pattern.exec(question)?.[1];
    const subjects = about === undefined ? null : whoIs(about, known);
    if (subjects) return follow(relation, subjects, known);
  }
  return null;
}

function whoIs(about: string, known: Known): ReadonlyMap<string, number> | null {
  for (const [relation, pattern] of DESCRIPTIONS) {
    const name = pattern.exec(about)?.[1];
    if (name !== undefined) return follow(relation, new Map([[keyOf(name), 1]]), known);
  }
  return new RegExp(`^${NAME}$`).test(about) ? new Map([[keyOf(about), 1]]) : null;
}

/** Goes one relation further from each of some subjects; sentences multiply along the way. */
function follow(
  relation: RelationName,
  subjects: ReadonlyMap<string, number>,
  known: Known,
): ReadonlyMap<string, number> {
  const objects = new Map<string, number>();
  for (const [subject, ways] of subjects) {
    for (const [object, count] of known.get(relation)!.get(subject) ?? []) {
      objects.set(object, (objects.get(object) ?? 0) + ways * count);
    }
  }
  return objects;
}

/** Lists what is wrong with the answer to a question: it must be the reference, and one sentence for each hop must say so. */
export function findWrongAnswers(question: string, reference: string, known: Known): string[] {
  const answers = answersTo(question, known);
  if (answers === null) return [`question not understood: ${question}`];
  const given = [...answers.keys()];
  if (given.length !== 1 || given[0] !== keyOf(reference)) {
    return [`${given.length} answers to "${question}", not ${reference} alone: ${given.join(", ")}`];
  }
  return answers.get(given[0]!) === 1 ? [] : [`said more than once: ${question}`];
}

/** Cuts a prompt into its documents and its question. */
export function cutPrompt(prompt: string): { readonly documents: readonly string[]; readonly question: string } {
  const pieces = prompt.split(/\n\n(?=Document \d+:\n|Answer the question based on)/);
  return {
    documents: pieces.filter((piece) => piece.startsWith("Document ")).map((piece) =>
      piece.slice(piece.indexOf("\n") + 1)
    ),
    question: /\nQuestion: (.+)$/.exec(prompt)![1]!,
  };
}

/** Lists everything that is wrong with a sample of a question-answering task about the world. */
export function findFaults(prompt: string, reference: string): string[] {
  const { documents, question } = cutPrompt(prompt);
  const reading = readDocuments(documents);
  return [
    ...findContradictions(reading),
    ...findImpossibleDates(reading),
    ...findWrongAnswers(question, reference, close(reading.statements)),
  ];
}
