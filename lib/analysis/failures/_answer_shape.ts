import type { Fact, Scoring } from "@/lib/generators/mod.ts";
import { countSteps, readChain } from "./_chains.ts";
import type { FailedSample } from "./failure_mode.ts";
import { spell } from "./_spelling.ts";

/** What the answers of a sample are made of, which decides what in a reply is an item: as strict as the references allow. */
export type AnswerKind = "uuid" | "number" | "name" | "pair" | "word" | "text";

/** How to understand a reply to a sample: read from its references and the roles of its facts, whatever its task. */
export interface AnswerShape {
  readonly kind: AnswerKind;
  /** How many items are asked for; 1 where any one of the references will do. */
  readonly asked: number;
  /** The fact of each answer that is wanted, by its spelling. */
  readonly targets: ReadonlyMap<string, Fact>;
  /** The facts that could be said in its place, by their spelling; `null` for a wrong answer that is no fact of its own. */
  readonly rivals: ReadonlyMap<string, Fact | null>;
  /** The facts of the worked example, by their spelling. */
  readonly examples: ReadonlyMap<string, Fact>;
  /** What the facts are about, where an answer is what they say; a reply may repeat it. */
  readonly keys: ReadonlySet<string>;
  /** The answers in the order of the chain that they make; empty where they make none. */
  readonly chain: readonly string[];
  /** What only leads to an answer, with the steps that lead to it, from 0. */
  readonly links: ReadonlyMap<string, number>;
  /** Whether an answer is right because it stands most often in the context. */
  readonly isCounted: boolean;
  /** The lengths that an item can have, in characters. */
  readonly sizes: ReadonlySet<number>;
}

/** Reads how the replies to a sample are to be understood. */
export function readShape(sample: FailedSample, scoring: Scoring): AnswerShape {
  const { facts, references, distractors = [] } = sample;
  const ofRole = (...roles: readonly Fact["role"][]): Fact[] => facts.filter(({ role }) => roles.includes(role));
  const targets = ofRole("target");
  const keys = new Set(targets.map(({ key }) => spell(key)));
  const isKey = targets.length > 0 && references.every((reference) => keys.has(spell(reference)));
  const answerOf = (fact: Fact): string => spell(isKey ? fact.key : fact.value);
  const index = (some: readonly Fact[]): Map<string, Fact> =>
    new Map(
      some.toReversed().map((fact): [string, Fact] => [answerOf(fact), fact]).filter(([answer]) => answer !== ""),
    );
  const chain = isKey ? readChain(targets) : [];
  const wanted = new Set(references.map(spell));
  const targetOf = index(targets);
  const rivals = new Map<string, Fact | null>(index(ofRole("distractor", "noise")));
  for (const distractor of distractors) if (!rivals.has(spell(distractor))) rivals.set(spell(distractor), null);
  for (const reference of wanted) rivals.delete(reference);
  const examples = index(ofRole("example"));
  return {
    kind: kindOf(references, scoring),
    asked: scoring === "any" ? 1 : wanted.size,
    targets: new Map([...wanted].flatMap((answer) => targetOf.has(answer) ? [[answer, targetOf.get(answer)!]] : [])),
    rivals,
    examples,
    keys: isKey ? new Set() : new Set(facts.map(({ key }) => spell(key))),
    chain: chain.map(answerOf),
    links: new Map(
      targets.filter((fact) => !wanted.has(answerOf(fact))).map((fact) => [answerOf(fact), countSteps(fact, targets)]),
    ),
    isCounted: isKey && chain.length === 0 &&
      targets.every(({ depth, value }) => depth === null && /^\d+$/.test(value)),
    sizes: new Set([...wanted, ...rivals.keys(), ...examples.keys()].map((answer) => answer.length)),
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function kindOf(references: readonly string[], scoring: Scoring): AnswerKind {
  const all = (pattern: RegExp): boolean => references.length > 0 && references.every((answer) => pattern.test(answer));
  if (all(UUID)) return "uuid";
  if (scoring === "any") return "text";
  if (all(/^\d+$/)) return "number";
  if (all(/^[A-Z]{3,}$/)) return "name";
  if (all(/^[a-z]+(?:['’-][a-z]+)*-[a-z]+$/i)) return "pair";
  return all(/^[a-z]+(?:['’][a-z]+)*$/i) ? "word" : "text";
}
