import { fillSlots, type Relation, RELATIONS } from "./world_relations.ts";
import { maskNames } from "./world_names.ts";

/** One statement of the synthetic world, as a text makes it. */
export interface WorldFact {
  /** The word that names what it is about: of `Ilse Grovelumert`, the last one. */
  readonly subject: string;
  /** The relation, such as `bornIn`. */
  readonly relation: string;
  /** The name that stands in that relation to it, in full. */
  readonly object: string;
  /** Where its sentence begins in the text, in characters. */
  readonly at: number;
}

/** What a question about the synthetic world asks. */
export interface WorldQuestion {
  /** The word that names where to begin. */
  readonly subject: string;
  /** The relations to follow from there, one for each hop. */
  readonly path: readonly string[];
}

/**
 * Finds the statements of the synthetic world in a text.
 *
 * Any text will do: a paragraph, a whole prompt or a part of one. Other sentences are skipped. The cost is linear in
 * the length of the text.
 *
 * @param text The text.
 * @returns The statements, in the order of the text.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(readWorldFacts("Document 1:\nIt rained. Ilse Grovelumert works for Brelodex Mills."), [
 *   { subject: "Grovelumert", relation: "worksFor", object: "Brelodex Mills", at: 23 },
 * ]);
 * ```
 */
export function readWorldFacts(text: string): WorldFact[] {
  const facts: WorldFact[] = [];
  for (const { 0: sentence, index } of text.matchAll(/[^\s.?!][^.?!\n]*\./g)) {
    const { masked, names } = maskNames(sentence);
    if (names.length !== 2) continue;
    const statement = STATEMENTS.get(masked.replace(/\d{4}/g, "#"));
    if (statement === undefined) continue;
    const [first, second] = names as [Name, Name];
    const [subject, object] = statement.subjectFirst ? [first, second] : [second, first];
    facts.push({
      subject: subject.word,
      relation: statement.relation,
      object: object.full,
      at: index,
    });
  }
  return facts;
}

type Name = ReturnType<typeof maskNames>["names"][number];

/**
 * Understands a question about the synthetic world.
 *
 * @param question The question alone, as a data set holds it.
 * @returns Where to begin and which relations to follow; `null` for a question that is not about the world.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(readWorldQuestion("Who taught the founder of Brelodex Mills the craft?"), {
 *   subject: "Brelodex",
 *   path: ["foundedBy", "taughtBy"],
 * });
 * ```
 */
export function readWorldQuestion(question: string): WorldQuestion | null {
  const { masked, names } = maskNames(question.trim());
  const path = QUESTIONS.get(masked);
  const [subject] = names;
  return path && subject ? { subject: subject.word, path } : null;
}

/**
 * Answers a question about the synthetic world from statements found in a text, by following its relations.
 *
 * @param question The question alone.
 * @param facts What is known, from {@linkcode readWorldFacts}; of two statements of the same relation the first counts.
 * @returns The answer, a name in full; `null` where the question is not about the world or a statement is missing.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const facts = readWorldFacts("Brelodex Mills was founded by Ilse Grovelumert. Grovelumert was born in Skenolamund.");
 * equal(answerWorldQuestion("In which town was the founder of Brelodex Mills born?", facts), "Skenolamund");
 * ```
 */
export function answerWorldQuestion(
  question: string,
  facts: readonly WorldFact[],
): string | null {
  const asked = readWorldQuestion(question);
  if (asked === null) return null;
  let subject = asked.subject;
  let answer: string | null = null;
  for (const relation of asked.path) {
    const fact = facts.find((known) => known.subject === subject && known.relation === relation);
    if (fact === undefined) return null;
    answer = fact.object;
    subject = maskNames(answer).names[0]?.word ?? answer;
  }
  return answer;
}

const ALL_RELATIONS: readonly Relation[] = Object.values(RELATIONS).flat();

/** The relation that a masked sentence states, and which of its two names is the subject. */
const STATEMENTS: ReadonlyMap<
  string,
  { readonly relation: string; readonly subjectFirst: boolean }
> = new Map(ALL_RELATIONS.flatMap((relation) =>
  relation.statements.map((statement) => [mask(statement, relation), {
    relation: relation.name,
    subjectFirst: statement.indexOf("{s}") < statement.indexOf("{o}"),
  }])
));

/** The relations that a masked question follows. */
const QUESTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  ALL_RELATIONS.flatMap((last) =>
    last.questions.flatMap((question): [string, readonly string[]][] => [
      [mask(question, last), [last.name]],
      ...ALL_RELATIONS.filter((first) => first.object === last.subject)
        .flatMap((first) =>
          first.descriptions.map((description): [string, string[]] => [
            mask(question.replace("{s}", description), first),
            [first.name, last.name],
          ])
        ),
    ])
  ),
);

function mask(phrasing: string, relation: Relation): string {
  return fillSlots(phrasing, (slot) => {
    if (slot === "s") return `<${relation.subject}>`;
    return slot === "o" ? `<${relation.object}>` : "#";
  });
}
