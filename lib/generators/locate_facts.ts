import type { Part, SeeFact } from "./fillers.ts";
import type { Layout } from "./layout.ts";
import type { Fact, FactRole, Sample } from "./task.ts";
import { type Joining, startJoin, type Tokenizer } from "@/lib/text/mod.ts";

/** Lists the facts of a layout with their depth and token offset. */
export function locateFacts(layout: Layout, tokenizer: Tokenizer): Fact[] {
  const joining = startJoin(tokenizer);
  const facts: Fact[] = [];
  const ends: number[] = [];
  const see: SeeFact = ({ role, text, key, value }, from, to) => {
    facts.push({ role, text, key, value, depth: null, tokenOffset: from });
    ends.push(to);
  };
  locate(layout.before, { joining, tokenizer, see });
  const [first, start] = [facts.length, joining.tokens()];
  locate(layout.context, { joining, tokenizer, see });
  const contextTokens = joining.tokens() - start;
  for (let place = first; place < ends.length; place++) {
    const fact: Mutable<Fact> = facts[place]!;
    const from = fact.tokenOffset!;
    const others = contextTokens - (ends[place]! - from);
    fact.depth = others > 0 ? Math.min(1, Math.max(0, (from - start) / others)) : 0;
  }
  locate(layout.after, { joining, tokenizer, see });
  return facts;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Counts the tokens before the first fact of a role, and looks no further; `null` if there is none. */
export function offsetOfFirst(layout: Layout, tokenizer: Tokenizer, wanted: FactRole): number | null {
  const joining = startJoin(tokenizer);
  let offset: number | null = null;
  const see: SeeFact = ({ role }, from) => {
    if (role === wanted) offset ??= from;
  };
  const isDone = (): boolean => offset !== null;
  for (const parts of [layout.before, layout.context, layout.after]) {
    locate(parts, { joining, tokenizer, wanted, see, isDone });
  }
  return offset;
}

interface Locating {
  readonly joining: Joining;
  readonly tokenizer: Tokenizer;
  /** The only role of facts that is looked for; all by default. */
  readonly wanted?: FactRole;
  readonly see: SeeFact;
  /** Says that enough was seen. */
  readonly isDone?: () => boolean;
}

/** Adds parts to a join and shows the facts among them. */
function locate(parts: readonly Part[], place: Locating): void {
  const { joining, tokenizer, wanted, see, isDone } = place;
  for (const { measured, fact, parts: smaller, seeFacts, role } of parts) {
    if (isDone?.()) return;
    const isOther = wanted !== undefined && role !== undefined && role !== wanted;
    if (smaller && !isOther) {
      locate(smaller, place);
      continue;
    }
    const isWanted = fact !== undefined && (wanted === undefined || fact.role === wanted);
    const start = isWanted ? joining.tokens() : 0;
    joining.add(measured);
    if (isWanted) see(fact, start, joining.tokens());
    if (!seeFacts || isOther) continue;
    const cut = joining.tokens() - measured.inner - tokenizer.countAfterCut(measured.tail);
    seeFacts((placed, from, to) => see(placed, cut + from, cut + to), wanted);
  }
}

/** How the facts of a sample are found. */
export interface FactSource {
  /** Lists all of them. */
  list(): readonly Fact[];
  /** Counts the tokens before the first that is asked for; `null` if it has no single place. */
  firstTarget(): number | null;
}

/**
 * Adds the facts of a sample, which are located when they are first read: there are thousands in some, and most samples are asked
 * without anybody looking at them.
 */
export function addFacts<T extends object>(sample: T, { list, firstTarget }: FactSource): T & WithFacts {
  let facts: readonly Fact[] | undefined;
  const source: FactSource = { list: () => facts ??= list(), firstTarget };
  Object.defineProperty(sample, SOURCE, { value: source });
  return Object.defineProperty(sample, "facts", FACTS) as T & WithFacts;
}

interface WithFacts {
  readonly facts: readonly Fact[];
}

const SOURCE = Symbol("facts");

// Subtle: samples share one getter. V8 keeps objects with getters of their own, and all that these reach, until it next collects
// everything.
const FACTS: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [SOURCE]: FactSource }): readonly Fact[] {
    return this[SOURCE].list();
  },
};

/**
 * Counts the tokens of a whole prompt before the first fact that is asked for, in a fraction of the time that all facts take;
 * `null` if no such fact has a single place, as the count of a word has not.
 */
export function firstTargetOffset(sample: Sample): number | null {
  const { [SOURCE]: source } = sample as { readonly [SOURCE]?: FactSource };
  if (source !== undefined) return source.firstTarget();
  return sample.facts.find(({ role }) => role === "target")?.tokenOffset ?? null;
}
