import { type Sample, writeReply } from "@/lib/generators/mod.ts";
import type { RightAnswer } from "@/lib/scorers/mod.ts";

/** The most answers of a question that has several right ones. */
const MOST_ANSWERS = 8;

/**
 * Returns the right answers to a sample, each as the suite writes a correct reply; empty without references.
 *
 * One answer has all references, in their order, or in that of the text if one key has them all, since no other order is asked for.
 * If any reference is right (`contains: "any"`), each of the first eight is an answer of its own.
 */
export function rightAnswers(
  sample: Sample,
  { contains }: { readonly contains?: "all" | "any" | undefined },
): readonly RightAnswer[] {
  const { references } = sample;
  if (references.length === 0) return [];
  const alternatives = contains === "any" ? references.map((reference) => [reference]) : [inTextOrder(sample)];
  return alternatives.slice(0, MOST_ANSWERS).map((values) => {
    const text = writeReply(sample, plantedOf(values, sample));
    return { text, parts: partsOf(text, values) };
  });
}

/** Orders the values of one key by their depth. */
function inTextOrder({ references, facts }: Sample): readonly string[] {
  const targets = references.map((reference) =>
    facts.find(({ role, value }) => role === "target" && value === reference)
  );
  const keys = new Set(targets.map((fact) => fact?.key));
  const depths = targets.map((fact) => fact?.depth ?? null);
  if (keys.size > 1 || depths.includes(null)) return references;
  return references.map((reference, at) => ({ reference, depth: depths[at]! }))
    .sort((left, right) => left.depth - right.depth).map(({ reference }) => reference);
}

/** Leaves out values that a reply derives from the others, such as their sum, which the suite writes itself. */
function plantedOf(values: readonly string[], { facts }: Sample): readonly string[] {
  const planted = new Set(facts.filter(({ role }) => role === "target").flatMap(({ key, value }) => [key, value]));
  const own = values.filter((value) => planted.has(value));
  return own.length > 0 ? own : values;
}

/** Finds the values in a text, one after the other; the whole text if it has none of them. */
function partsOf(text: string, values: readonly string[]): RightAnswer["parts"] {
  let from = 0;
  const parts = values.flatMap((value): RightAnswer["parts"] => {
    const at = value === "" ? -1 : text.indexOf(value, from);
    if (at < 0) return [];
    from = at + value.length;
    return [[at, from]];
  });
  return parts.length > 0 ? parts : [[0, text.length]];
}
