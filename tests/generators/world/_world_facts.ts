import { maskNames } from "./_mask_names.ts";
import { fillSlots, type Relation, RELATIONS } from "@/lib/generators/world/world_wordings.ts";

/** One statement of the synthetic world, as a text makes it. */
export interface WorldFact {
  /** The one word that names its subject: of `Ilse Grovelumert`, the last one. */
  readonly subject: string;
  /** The relation, such as `bornIn`. */
  readonly relation: string;
  /** The name of its object, in full. */
  readonly object: string;
  /** Characters of the text before its sentence. */
  readonly at: number;
}

/** A question about the synthetic world. */
export interface WorldQuestion {
  /** The one word that names where to begin. */
  readonly subject: string;
  /** The relations to follow from there, one for each hop. */
  readonly path: readonly string[];
}

/**
 * Finds the statements of the synthetic world in any text, in linear time and in order; other sentences are skipped.
 */
export function readWorldFacts(text: string): WorldFact[] {
  const facts: WorldFact[] = [];
  // A line without a full stop is passed over as a whole: to look for one from each of its characters takes quadratic time.
  for (const { 0: sentence, index } of text.matchAll(/[^\s.?!][^.?!\n]*\.?/g)) {
    if (!sentence.endsWith(".")) continue;
    const { masked, names } = maskNames(sentence);
    if (names.length !== 2) continue;
    const statement = STATEMENTS.get(masked.replace(/\d{4}/g, "#"));
    if (statement === undefined) continue;
    const [subject, object] = statement.subjectFirst ? names : names.toReversed();
    facts.push({ subject: subject!.word, relation: statement.relation, object: object!.full, at: index });
  }
  return facts;
}

/** Understands a question about the synthetic world; `null` for any other question. */
export function readWorldQuestion(question: string): WorldQuestion | null {
  const { masked, names } = maskNames(question.trim());
  const path = QUESTIONS.get(masked);
  const [subject] = names;
  return path && subject ? { subject: subject.word, path } : null;
}

/**
 * Answers a question about the synthetic world with a name in full, by following its relations through statements from
 * {@linkcode readWorldFacts}. Of two statements of one relation the first counts; `null` if one is missing or the question is
 * not about the world.
 */
export function answerWorldQuestion(question: string, facts: readonly WorldFact[]): string | null {
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

/** The fact in a masked sentence. */
interface Statement {
  readonly relation: string;
  readonly subjectFirst: boolean;
}

/** Statements by masked sentence. */
const STATEMENTS: ReadonlyMap<string, Statement> = new Map(
  ALL_RELATIONS.flatMap((relation) =>
    relation.statements.map((statement): [string, Statement] => [
      mask(statement, relation),
      { relation: relation.name, subjectFirst: statement.indexOf("{s}") < statement.indexOf("{o}") },
    ])
  ),
);

/** The relations to follow, by masked question. */
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
