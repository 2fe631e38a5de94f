// Finds what is wrong with texts of the synthetic world: what cannot all be true, and questions with no answer, another one or
// two. It shares no code with the generator.

import { findImpossibleDates } from "./_world_dates.ts";
import {
  keyOf,
  NAME,
  readDocuments,
  type Reading,
  type RelationName,
  RELATIONS,
  type Statement,
  WORDINGS,
} from "./_world_reading.ts";

/** What follows from a reading: for each relation and subject the objects, with the number of sentences that say so. */
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

/** Lists what cannot all be true in a reading, apart from dates. */
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

/** Lists circles of a relation. */
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

/** The answers to a question, with the number of sentences that say so; `null` if it is not understood. */
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

/** Follows a relation from each of some subjects; numbers of sentences multiply. */
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

/** Lists what is wrong with a question: the reference must be its only answer, stated by one sentence for each hop. */
export function findWrongAnswers(question: string, reference: string, known: Known): string[] {
  const answers = answersTo(question, known);
  if (answers === null) return [`question not understood: ${question}`];
  const given = [...answers.keys()];
  if (given.length !== 1 || given[0] !== keyOf(reference)) {
    return [`${given.length} answers to "${question}", not ${reference} alone: ${given.join(", ")}`];
  }
  return answers.get(given[0]!) === 1 ? [] : [`stated more than once: ${question}`];
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
