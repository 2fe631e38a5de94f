// A reader of the synthetic world that knows only its text. It shares no code with the generator: the sentences are written out
// again in _wordings.json, by hand.

import wordings from "./_wordings.json" with { type: "json" };

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

export type RelationName = keyof typeof wordings;

/** How a relation is worded: S its subject, O its object, Y a year. */
interface Wording {
  readonly statements: readonly string[];
  /** X is a name or a description. */
  readonly questions: readonly string[];
  readonly descriptions: readonly string[];
}

export const WORDINGS: Readonly<Record<RelationName, Wording>> = wordings;

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
