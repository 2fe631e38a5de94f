import WORDING from "./wording.json" with { type: "json" };
import type { ThreadingKind, ThreadingSettings } from "./knobs.ts";
import { type FactRole, type Filler, jsonList, type Part, type PartFact, placeInGrid } from "@/lib/generators/mod.ts";
import { type Draw, integer, spread, strata } from "@/lib/random/mod.ts";
import { measure, type Tokenizer } from "@/lib/text/mod.ts";

/** The planted pairs of a haystack, and the question about them. */
interface Planted {
  /** In any order; pairs of equal depth stay in this one. */
  readonly pairs: readonly PlacedPair[];
  readonly keys: readonly string[];
  readonly references: readonly string[];
  /** Only of a single needle. */
  readonly depth?: number;
  /** The values of each thread; the last is the reference. */
  readonly paths?: readonly (readonly string[])[];
}

interface PlantingSource {
  /** Shared by all samples of the same task, length and seed. */
  readonly path: readonly (string | number)[];
  readonly index: number;
  readonly draw: Draw;
  readonly newUuid: () => string;
}

/** Characters that no UUID has, for the keys that several questions ask for. */
export const MARKS: readonly string[] = [..."*&#@%$+=!?"];

/** Returns the mark in the keys of a question: the given one for the first, then others. */
export function markOf({ character }: Pick<ThreadingSettings, "character">, question: number): string {
  return [character, ...MARKS.filter((mark) => mark !== character)][question] ?? character;
}

export function plantPairs(settings: ThreadingSettings, source: PlantingSource): Planted {
  return settings.kind.endsWith("thread") ? plantThreads(settings, source) : plantNeedles(settings, source);
}

function plantNeedles(settings: ThreadingSettings, source: PlantingSource): Planted {
  const { newUuid, draw } = source;
  const isConditional = settings.kind === "conditional_needle";
  const newKey = (): string => isConditional ? mark(newUuid(), settings.character, draw) : newUuid();
  const newPair = (depth: number): PlacedPair => ({ key: newKey(), value: newUuid(), role: "target", depth });
  const pairs = needleDepths(settings, source).map(newPair);
  // Marked keys are not named, so their values are wanted in the order of the haystack.
  const asked = isConditional ? pairs.toSorted((left, right) => left.depth - right.depth) : pairs;
  return {
    pairs,
    keys: asked.map(({ key }) => key),
    references: asked.map(({ value }) => value),
    ...(settings.kind === "single_needle" ? { depth: pairs[0]!.depth } : {}),
  };
}

function mark(key: string, character: string, draw: Draw): string {
  const at = integer(draw, { low: 0, high: key.length - 1 });
  return key.slice(0, at) + character + key.slice(at + 1);
}

/** Depths of the paper's grid: 0, 0.1, … 1. */
const DEPTHS = 11;

function needleDepths(settings: ThreadingSettings, { path, index }: PlantingSource): readonly number[] {
  const { kind, needles, placement, depth } = settings;
  if (kind === "single_needle") return [depth ?? placeInGrid(index, DEPTHS).place / (DEPTHS - 1)];
  if (placement === "random") return strata(path, { index, dimensions: needles });
  const [shared] = spread(path, { index, dimensions: 1 }) as [number];
  return Array<number>(needles).fill(shared);
}

function plantThreads(settings: ThreadingSettings, source: PlantingSource): Planted {
  const { path, index } = source;
  const size = pairsOfThread(settings);
  const depths = strata(path, { index, dimensions: settings.threads * size });
  const depthsOf = (thread: number): readonly number[] => depths.slice(thread * size, (thread + 1) * size);
  const threads = Array.from({ length: settings.threads }, (_, at) => makeThread(depthsOf(at), settings, source));
  return {
    pairs: threads.flatMap(({ pairs }) => pairs),
    keys: threads.map(({ pairs }) => pairs[0]!.key),
    references: threads.map(({ values }) => values.at(-1)!),
    paths: threads.map(({ values }) => values),
  };
}

/** A pair with its place: the share of the haystack before it. */
interface PlacedPair extends Pair, Pick<PartFact, "answers"> {
  readonly role: "target" | "distractor";
  readonly depth: number;
}
export function pairsOfThread({ steps, branching }: { readonly steps: number; readonly branching: number }): number {
  return steps + Math.max(0, steps - 2) * (branching - 1);
}

/**
 * Makes a thread: the value of each pair is the key of the next.
 *
 * At each step except the first and the last, `branching` pairs share a key, and one of their values continues the thread. The
 * last step has no branches, as they would be as long as the thread.
 */
function makeThread(
  depths: readonly number[],
  { steps, branching, direction }: ThreadingSettings,
  { newUuid, draw }: PlantingSource,
): Pick<Planted, "pairs"> & { readonly values: readonly string[] } {
  const places = orderPlaces(depths, direction);
  const pairs: PlacedPair[] = [];
  const values: string[] = [];
  let key = newUuid();
  for (let step = 0; step < steps; step++) {
    const width = step === 0 || step === steps - 1 ? 1 : branching;
    const continuing = integer(draw, { low: 0, high: width - 1 });
    const value = newUuid();
    for (let branch = 0; branch < width; branch++) {
      const depth = places[pairs.length]!;
      const isTarget = branch === continuing;
      pairs.push({ key, value: isTarget ? value : newUuid(), role: isTarget ? "target" : "distractor", depth });
    }
    values.push(value);
    key = value;
  }
  return { pairs, values };
}

function orderPlaces(depths: readonly number[], direction: ThreadingSettings["direction"]): readonly number[] {
  if (direction === "random") return depths;
  const rising = depths.toSorted((left, right) => left - right);
  return direction === "forward" ? rising : rising.reverse();
}

type Pair = Readonly<Record<"key" | "value", string>>;

const TWO_DIGITS = Array.from({ length: 0x100 }, (_, value) => value.toString(16).padStart(2, "0"));

function fourDigits(value: number): string {
  const whole = Math.floor(value);
  return TWO_DIGITS[whole >> 8]! + TWO_DIGITS[whole & 0xff]!;
}

/** Draws 128 random bits in the form of a UUID, without the six version bits of RFC 9562. */
function drawUuid(draw: Draw): string {
  const [a, b, c] = threeGroups(draw);
  const [d, e, f] = threeGroups(draw);
  const [g, h] = threeGroups(draw);
  return `${a}${b}-${c}-${d}-${e}-${f}${g}${h}`;
}

/** Twelve hexadecimal digits from one draw, which has 52 bits. */
function threeGroups(draw: Draw): readonly [string, string, string] {
  const high = draw() * 0x10000;
  const middle = (high % 1) * 0x10000;
  const low = (middle % 1) * 0x10000;
  return [fourDigits(high), fourDigits(middle), fourDigits(low)];
}

export function differentUuids(draw: Draw): () => string {
  const used = new Set<string>();
  return () => {
    for (;;) {
      const uuid = drawUuid(draw);
      if (used.has(uuid)) continue;
      used.add(uuid);
      return uuid;
    }
  };
}

/** The first pair has no space before it, the last no comma after it. */
interface PairPlace {
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
}

export function pairPart(
  pair: Pair,
  options: PairPlace & { readonly role: FactRole; readonly tokenizer: Tokenizer },
): Part {
  const { role, tokenizer, isFirst = false, isLast = false } = options;
  const text = `"${pair.key}": "${pair.value}"`;
  // Subtle: with the space before it, a pair's tokens can be counted without its neighbours.
  const [head, tail] = [isFirst ? '"' : ' "', isLast ? '"' : '",'];
  const whole = head + text.slice(1, -1) + tail;
  const isCutInside = tokenizer.ascii !== undefined && WRITTEN.test(pair.key);
  const measured = isCutInside
    ? { text: whole, head, tail, inner: countInside(pair, tokenizer) }
    : measure(whole, tokenizer);
  return { measured, fact: { role, text, ...pair } };
}

/** A key that shares no token with a quotation mark. */
const WRITTEN = /^[\da-f].*[\da-f]$/;

/** Counts the tokens between the outer quotation marks of a pair, for tokenizers that separate marks from letters and digits. */
function countInside({ key, value }: Pair, tokenizer: Tokenizer): number {
  return tokenizer.countAfterCut(key) + tokenizer.countAfterCut('": "') + tokenizer.countAfterCut(value);
}

/**
 * Plants pairs among `size` pairs of a filler, as the inside of one JSON object.
 *
 * Depths must rise. With m pairs in all, one of depth d is number `round(d (m - 1))`, or near it if others are planted too.
 */
export function interleavePairs(
  planted: readonly PlacedPair[],
  options: { readonly size: number; readonly filler: Filler; readonly tokenizer: Tokenizer },
): Part[] {
  const { size, filler, tokenizer } = options;
  const parts: Part[] = [];
  let filled = 0;
  const fillOne = (place: PairPlace): void => {
    const { fact } = filler.run(filled, filled + 1)[0]!.parts![0]!;
    parts.push(pairPart(fact!, { ...place, role: fact!.role, tokenizer }));
    filled++;
  };
  const fillTo = (end: number): void => {
    if (end > filled) parts.push(...filler.run(filled, end));
    filled = Math.max(filled, end);
  };
  planted.forEach(({ depth, answers, ...pair }, number) => {
    const at = Math.round(depth * size);
    if (at > 0 && parts.length === 0) fillOne({ isFirst: true });
    fillTo(at);
    const isLast = number === planted.length - 1 && at === size;
    const part = pairPart(pair, { role: pair.role, tokenizer, isFirst: parts.length === 0, isLast });
    parts.push(answers === undefined ? part : { ...part, fact: { ...part.fact!, answers } });
  });
  if (filled < size) {
    fillTo(size - 1);
    fillOne({ isLast: true });
  }
  return parts;
}

/** The limits of needles, threads and steps in a worked example, and its number of other pairs. */
const EXAMPLE = { needles: 3, threads: 2, steps: 3, branching: 2, others: 2 };

/**
 * Writes worked examples: each a small object, the same question about it, and the answer. No key or value is in two of them, or
 * in the sample's own object.
 */
export function exampleParts(
  settings: ThreadingSettings,
  { path, tokenizer, ...source }: PlantingSource & { readonly tokenizer: Tokenizer },
): Part[] {
  const examples = [...Array(settings.examples).keys()];
  return examples.flatMap((number) =>
    exampleOf(settings, { path: [...path, "example", number], ...source }, tokenizer)
  );
}

function exampleOf(settings: ThreadingSettings, source: PlantingSource, tokenizer: Tokenizer): Part[] {
  const { kind, character, needles, threads, steps, branching } = settings;
  const { draw, newUuid } = source;
  const small = {
    ...settings,
    needles: Math.min(needles, EXAMPLE.needles),
    threads: Math.min(threads, EXAMPLE.threads),
    steps: Math.min(steps, EXAMPLE.steps),
    branching: Math.min(branching, EXAMPLE.branching),
    depth: draw(),
  };
  const { pairs, keys, references } = plantPairs(small, source);
  const others = Array.from({ length: EXAMPLE.others }, () => ({ key: newUuid(), value: newUuid(), depth: draw() }));
  const inOrder = [...pairs, ...others].toSorted((left, right) => left.depth - right.depth);
  const parts = inOrder.map(({ key, value }, at) =>
    pairPart({ key, value }, { role: "example", tokenizer, isFirst: at === 0, isLast: at === inOrder.length - 1 })
  );
  const isList = kind === "multi_needle" || kind === "conditional_needle" || kind === "multi_thread";
  const answer = isList ? jsonList(references) : references[0]!;
  const question = threadingQuestion(kind, keys, character).trimEnd();
  return [
    { measured: measure("{", tokenizer) },
    ...parts,
    { measured: measure(`}\n${question} ${answer}\n\n`, tokenizer) },
  ];
}

/**
 * Writes the question of a task. That of `single_needle` is the paper's (README of its repository). The others are not public;
 * Fathom's have the same style.
 */
export function threadingQuestion(kind: ThreadingKind, keys: readonly string[], character: string): string {
  const quoted = keys.map((each) => `"${each}"`);
  return WORDING.questions[kind].replace("{key}", () => quoted[0]!)
    .replace("{keys}", () => `[${quoted.join(", ")}]`).replace("{character}", () => character);
}
