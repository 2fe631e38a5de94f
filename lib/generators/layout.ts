import type { Filler, Part } from "./fillers.ts";
import type { Materials } from "./sample.ts";
import { countTokens, join, measure, type Measured, type Meetings, startJoin, type Tokenizer } from "@/lib/text/mod.ts";

/** The parts of a user message, in order. */
export interface Layout {
  /** Instructions and examples. */
  readonly before: readonly Part[];
  /** The filler and the facts in it; depth is measured here. */
  readonly context: readonly Part[];
  /** The question. */
  readonly after: readonly Part[];
}

/** Counts the tokens of a layout. */
export function countLayout(layout: Layout, tokenizer: Tokenizer): number {
  return layoutCounter(tokenizer)(layout);
}

/** Makes a counter for layouts of a sample: what stands before and after their contexts is mostly the same, and joined once. */
export function layoutCounter(tokenizer: Tokenizer): (layout: Layout) => number {
  const joinParts = (parts: readonly Part[]): Measured => join(parts.map(({ measured }) => measured), tokenizer);
  const [joinBefore, joinAfter] = [rememberLast(joinParts), rememberLast(joinParts)];
  const meetings: Meetings = { opens: [], heads: [], tokens: [] };
  return ({ before, context, after }) => {
    const joining = startJoin(tokenizer, meetings);
    joining.add(joinBefore(before));
    for (const { measured } of context) joining.add(measured);
    joining.add(joinAfter(after));
    return joining.tokens();
  };
}

/** Makes a function that does not work twice where it is called with the same object as the time before. */
export function rememberLast<Given extends object, Made>(make: (given: Given) => Made): (given: Given) => Made {
  let last: { readonly given: Given; readonly made: Made } | undefined;
  return (given) => {
    if (last?.given !== given) last = { given, made: make(given) };
    return last.made;
  };
}

/** Writes the text of a layout. */
export function writeLayout(layout: Layout): string {
  return partsOf(layout).map(({ measured }) => measured.text).join("");
}

function partsOf({ before, context, after }: Layout): Part[] {
  return [...before, ...context, ...after];
}

/** Measures a text that many samples share, once. */
export function measureOnce(
  text: string,
  { tokenizer, remember }: Pick<Materials, "tokenizer" | "remember">,
): Measured {
  return remember(`measured/${text}`, () => measure(text, tokenizer));
}

/**
 * Finds the greatest size whose cost is within a budget, for a cost that grows with size.
 *
 * The cost of a prompt grows almost in proportion to its size, so each guess follows the straight line through the two ends
 * of the bracket. That takes a handful of layouts, where RULER tries every size.
 */
export function largestFit(
  budget: number,
  costOf: (size: number) => number,
  { least, most, guess }: {
    readonly least: number;
    readonly most: number;
    readonly guess?: (tokens: number) => number;
  },
): number {
  let low = least;
  let lowCost = costOf(low);
  const start = guess === undefined ? 2 * least : Math.max(least, guess(budget - lowCost));
  if (guess !== undefined && start > least && start < most) {
    const cost = costOf(start);
    if (cost <= budget) [low, lowCost] = [start, cost];
  }
  let high = Math.min(most, start + 1);
  let highCost = costOf(high);
  while (highCost <= budget) {
    if (high === most) return most;
    const slope = Math.max((highCost - lowCost) / (high - low), 1e-9);
    const guess = Math.ceil(high + 1.02 * (budget - highCost) / slope) + 1;
    [low, lowCost] = [high, highCost];
    high = Math.min(most, Math.max(guess, high + 1));
    highCost = costOf(high);
  }
  for (let step = 0; high - low > 1; step++) {
    const share = (budget - lowCost) / (highCost - lowCost);
    // Every third step halves the bracket, so that a nonlinear cost cannot slow the search.
    const guess = step % 3 === 2 ? (low + high) >> 1 : Math.floor(low + share * (high - low));
    const middle = Math.min(high - 1, Math.max(low + 1, guess));
    const cost = costOf(middle);
    if (cost <= budget) [low, lowCost] = [middle, cost];
    else [high, highCost] = [middle, cost];
  }
  return low;
}

/** A part to plant in filler. */
export interface Planted {
  /** How many units of filler stand before it. */
  readonly at: number;
  /** Makes the part; `isFirst` says whether nothing comes before it in the context. */
  part(isFirst: boolean): Part;
}

/**
 * Fills a context with `size` units of filler and the planted parts between them, given in order. With `breaksLines`, filler
 * after a part that ends in a line break begins a line, without its leading space.
 */
export function plantFacts(
  planted: readonly Planted[],
  options: { readonly filler: Filler; readonly size: number; readonly breaksLines?: boolean },
): Part[] {
  const { filler, size, breaksLines = false } = options;
  const parts: Part[] = [];
  let filled = 0;
  let isLineStart = true;
  const fillTo = (at: number): void => {
    if (at <= filled) return;
    parts.push(...filler.run(filled, at, isLineStart));
    [filled, isLineStart] = [at, false];
  };
  for (const { at, part } of planted) {
    fillTo(at);
    const made = part(parts.length === 0);
    parts.push(made);
    isLineStart = breaksLines && made.measured.text.endsWith("\n");
  }
  fillTo(size);
  return parts;
}

/**
 * Finds the break between units of filler at a share of its tokens: 0 is before the first unit, 1 after the last.
 *
 * `toward` says whether to take the nearest break or the last one before the share, as the Needle In A Haystack test does.
 */
export function breakAt(
  share: number,
  options: {
    readonly filler: Filler;
    readonly size: number;
    readonly tokenizer: Tokenizer;
    readonly toward?: "nearest" | "back";
  },
): number {
  const { filler, size, tokenizer, toward = "nearest" } = options;
  const tokensOf = (units: number): number =>
    countTokens(join(filler.run(0, units).map(({ measured }) => measured), tokenizer), tokenizer);
  const wanted = share * tokensOf(size);
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensOf(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  if (toward === "back" || low === size) return low;
  return tokensOf(low + 1) - wanted < wanted - tokensOf(low) ? low + 1 : low;
}
