// A reader of the synthetic world that knows only its text. It shares no code with the generator: the sentences are written out
// here again, by hand.

/** What a sentence states: a relation between `subject` and `object`, and its year if it names one. */
export interface Statement {
  readonly relation: RelationName;
  readonly subject: string;
  readonly object: string;
  readonly year: number | null;
  readonly sentence: string;
}

/** What a text states, and which of its sentences are not understood. */
export interface Reading {
  readonly statements: readonly Statement[];
  /** Other years that a document mentions: floods, catalogues, charters. */
  readonly asides: readonly Aside[];
  /** Sentences with two names that are no known statement, and documents with too few statements. */
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
  /** X is a name or a description. */
  readonly questions: readonly string[];
  readonly descriptions: readonly string[];
}

export const WORDINGS: Readonly<Record<RelationName, Wording>> = {
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

export const RELATIONS = Object.keys(WORDINGS) as RelationName[];
export const NAME = "(?:The [A-Z][a-z]+ of )?[A-Z][a-z]+(?: [A-Z][a-z]+)?";

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

/** Reads documents of the world, without their headings. */
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

/** Every document states at least three things, so one with fewer was not understood. */
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

/** The one word of a name that no other has: the last one that is not the kind of a firm. */
export function keyOf(name: string): string {
  return name.split(" ").findLast((word) => !KINDS_OF_FIRM.test(word))!;
}

/** Counts the invented names of a sentence: capitals within it, or at its start if they occur elsewhere. */
function countNames(sentence: string, known: ReadonlySet<string>): number {
  const words = sentence.match(/\b[A-Z][a-z]{6,}\b/g) ?? [];
  const isName = (word: string): boolean =>
    known.has(word) || !(sentence.startsWith(word) || KINDS_OF_FIRM.test(word) || word === "Thursdays");
  return new Set(words.filter(isName)).size;
}
