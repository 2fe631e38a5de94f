import type { FactFeatures, PromptFeatures } from "./recall.ts";
import { type Fact, formOf, type Sample, writeReply } from "@/lib/generators/mod.ts";

/** What a sample asks for, as its facts and references say. */
export interface Asked {
  /** The values that a right reply gives. */
  readonly wanted: readonly Wanted[];
  /** Values in the prompt that could be mistaken for them. */
  readonly rivals: readonly Pick<Wanted, "key" | "value">[];
  /** The answer of the worked example; empty if there is none. */
  readonly example: readonly string[];
  /** Whether the reply also has the total of the values. */
  readonly hasTotal: boolean;
  readonly features: PromptFeatures;
}

/** One value that a right reply gives. */
export interface Wanted {
  readonly value: string;
  /** The key of its fact. */
  readonly key: string;
  /** The values on the way to it, if it is found step by step. */
  readonly way: readonly string[];
}

/**
 * Reads what a sample asks for from its facts and references; its prompt is not parsed.
 *
 * A reference belongs to the target with that key, as a word or a variable, or with that value. References beyond the first are
 * left out if the reply does not give them, and so is one without a fact of its own beside others that have one: a total.
 */
export function readAsked(sample: Sample): Asked {
  const { references, paths = [], facts } = sample;
  const { category } = formOf(sample);
  const withRole = (role: Fact["role"]): readonly Fact[] => facts.filter((fact) => fact.role === role);
  const [targets, distractors, solved] = [withRole("target"), withRole("distractor"), withRole("example")];
  const own = matchFacts(references, targets);
  const isFirstAlone = writeReply(sample, references) === writeReply(sample, references.slice(0, 1));
  const places = [...references.keys()];
  const matched = places.filter((at) => own[at] !== undefined);
  const hasTotal = !isFirstAlone && matched.length > 0 && matched.length < places.length;
  const asked = hasTotal ? matched : places.slice(0, isFirstAlone ? 1 : Infinity);
  const factAt = (at: number): Fact | undefined => own[at] ?? targets[0];
  const isByKey = asked.length > 0 && own[asked[0]!]?.key === references[asked[0]!];
  const isCounted = isByKey && category === "aggregation";
  const textOf = ({ key, value }: Fact): string => isByKey || value === "" ? key : value;
  const rivals = distractors.map((fact) => ({ key: fact.key, value: textOf(fact) }));
  const sameKey = Map.groupBy(asked, (at) => factAt(at)?.key ?? "");
  const counts = asked.map((at) => Number(factAt(at)?.value));
  const links = Math.max(1, Math.round(targets.length / Math.max(1, asked.length)), copyLinks(sample));
  const featuresOf = (at: number, place: number): FactFeatures => {
    const { key = "", depth = null } = factAt(at) ?? {};
    return {
      depth,
      links: paths[at]?.length ?? links,
      isChained: isByKey && category === "multi-hop tracing" && place > 0,
      keyLength: key.length,
      valueLength: references[at]!.length,
      sameKey: sameKey.get(key)!.length,
      lead: isCounted
        ? Math.log(distractors[0] === undefined ? USUAL_LEAD : counts[place]! / +distractors[0].value)
        : null,
    };
  };
  // Of counted words, the example asks for the most frequent ones.
  const most = Math.max(...solved.map(({ value }) => Number(value)));
  const example = solved.filter(({ value }) => !isCounted || Number(value) === most).map(textOf).slice(0, asked.length);
  const tokens = sample.promptTokens === 0 ? sample.length : sample.promptTokens;
  const others = rivals.length + (category === "retrieval" ? sameKey.size - 1 : 0);
  return {
    wanted: asked.map((at) => (
      { value: references[at]!, key: factAt(at)?.key ?? "", way: paths[at]?.slice(0, -1) ?? [] }
    )),
    rivals,
    example,
    hasTotal,
    features: {
      category,
      tokens,
      rivals: isCounted ? otherWords(tokens, counts) : others,
      hasExample: example.length > 0,
      facts: asked.map(featuresOf),
    },
  };
}

/** Finds the target of each reference: the one with that key, or else the first unused one with that value. */
function matchFacts(references: readonly string[], targets: readonly Fact[]): (Fact | undefined)[] {
  const byKey = new Map(targets.map((fact) => [fact.key, fact]));
  const byValue = Map.groupBy(targets, ({ value }) => value);
  return references.map((reference) => byKey.get(reference) ?? byValue.get(reference)?.shift());
}

/** Returns the links of a copy that is as long as the prompt: it can go wrong wherever it doubles. */
function copyLinks({ references: [copy = ""], answerRoom, promptTokens }: Sample): number {
  return answerRoom < promptTokens / 2 ? 1 : Math.ceil(Math.log2(1 + copy.split(" ").length));
}

/** How much more frequent than others words are whose rivals are not known. */
const USUAL_LEAD = 10;

/**
 * Estimates the other words of a text in which words are counted. Equally frequent words are in a list, where most others occur
 * three times, below an example; otherwise frequencies follow Zipf's law, so that few words make up most of the text.
 */
function otherWords(tokens: number, counts: readonly number[]): number {
  const isList = counts.every((count) => count === counts[0]);
  return Math.max(1, isList ? (tokens - 2700) / 16 : Math.sqrt(tokens / 3.6) - 4);
}
