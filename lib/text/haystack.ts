import { countMeeting, EMPTY, join, joinLazily, measure, type Measured } from "./measured.ts";
import { splitSentences } from "./sentences.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * Text to hide needles in: sentences in a circle, from which a run of any length can be cut at any start.
 *
 * A run longer than the text goes round again. Each sentence begins with what parts it from the one before.
 */
export interface Haystack {
  /** Its name in sample ids and records. */
  readonly name: string;
  /** The texts as they were given, line breaks included. */
  readonly texts: readonly string[];
  /** What the texts are called in messages, such as the paths of their files, in their order. */
  readonly textNames?: readonly string[];
  /** What parts two sentences: a space, or nothing in a language that needs none. */
  readonly separator: string;
  /** The number of different sentences. */
  readonly size: number;
  /** Returns `count` sentences from sentence `start` on, as one measured text. */
  run(start: number, count: number): Measured;
  /** Lists the sentences from the shortest to the longest in tokens, for closing a last gap. */
  readonly byLength: readonly {
    readonly sentence: number;
    readonly tokens: number;
  }[];
}

/**
 * Makes a haystack of texts.
 *
 * @param texts The texts, such as essays, in the order they are to stand; blank ones are left out.
 * @param options `name`, what to call it; `tokenizer`, whose tokens to count; `locale`, the language for sentence
 *   breaks, English by default; `textNames`, what messages call the texts.
 * @returns The haystack.
 * @throws {RangeError} If the texts hold no sentence.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openEncoding } from "@/lib/text/mod.ts";
 *
 * const tokenizer = await openEncoding("cl100k_base");
 * const haystack = makeHaystack(["Bread rises slowly. It cools fast."], { name: "bread", tokenizer });
 * equal(haystack.run(1, 2).text, " It cools fast. Bread rises slowly.");
 * ```
 */
export function makeHaystack(
  texts: readonly string[],
  options: {
    readonly name: string;
    readonly tokenizer: Tokenizer;
    readonly locale?: string;
    readonly textNames?: readonly string[];
  },
): Haystack {
  const { name, tokenizer, locale = "en", textNames } = options;
  const separator = /^(zh|ja)/.test(locale) ? "" : " ";
  const sentences = texts.flatMap((text) =>
    splitSentences(text, locale).map((sentence, index) => index === 0 ? separator + sentence : sentence)
  );
  const indexed = indexUnits(sentences, tokenizer);
  const size = indexed.size;
  if (size === 0) {
    throw new RangeError(
      `Cannot make haystack "${name}" as its texts must hold at least one sentence of two words: current value is 0`,
    );
  }
  return {
    name,
    texts,
    ...(textNames === undefined ? {} : { textNames }),
    separator,
    size,
    run: (start, count) => runAround(indexed, { start, count, tokenizer }),
    byLength: sortByLength(indexed, tokenizer),
  };
}

function runAround(
  indexed: Indexed,
  options: {
    readonly start: number;
    readonly count: number;
    readonly tokenizer: Tokenizer;
  },
): Measured {
  const { start, count, tokenizer } = options;
  const first = ((start % indexed.size) + indexed.size) % indexed.size;
  if (count <= 0) return EMPTY;
  if (first + count <= indexed.size) return indexed.slice(first, first + count);
  const parts: Measured[] = [indexed.slice(first, indexed.size)];
  let left = count - (indexed.size - first);
  for (; left > indexed.size; left -= indexed.size) {
    parts.push(indexed.slice(0, indexed.size));
  }
  parts.push(indexed.slice(0, left));
  return join(parts, tokenizer);
}

function sortByLength(
  indexed: Indexed,
  tokenizer: Tokenizer,
): Haystack["byLength"] {
  const lengths = Array.from({ length: indexed.size }, (_, sentence) => {
    const { head, inner, tail } = indexed.slice(sentence, sentence + 1);
    return {
      sentence,
      tokens: tokenizer.countAfterCut(head) + inner +
        tokenizer.countAfterCut(tail),
    };
  });
  return lengths.sort((left, right) => left.tokens - right.tokens);
}

/**
 * A text cut into units (sentences, lines, words), any run of which is measured without counting again.
 *
 * Built once for a text and a tokenizer, it answers "units 310 to 5,200, how many tokens?" in constant time.
 */
export interface Indexed {
  /** The number of units. */
  readonly size: number;
  /** Returns the units from `start` up to, not including, `end`, as one measured text. */
  slice(start: number, end: number): Measured;
}

/** Indexes a text by its units. */
export function indexUnits(units: readonly string[], tokenizer: Tokenizer): Indexed {
  const index = growIndex(tokenizer);
  let waiting = "";
  let last: Measured | undefined;
  // A unit is added once the one after it is known, as a last unit without a cut goes to the one before it.
  for (const unit of units) {
    const candidate = measure(waiting + unit, tokenizer);
    waiting = candidate.inner < 0 ? candidate.text : "";
    if (candidate.inner < 0) continue;
    if (last) index.push(last);
    last = candidate;
  }
  if (last) index.push(waiting === "" ? last : measure(last.text + waiting, tokenizer));
  return index;
}

/** An indexed text that units are added to. */
export interface GrowingIndex extends Indexed {
  /** Adds a unit at the end; it must have a safe cut of its own. */
  push(unit: Measured): void;
}

/**
 * Starts an indexed text without units.
 *
 * @param tokenizer The tokenizer that units are measured with.
 * @returns The empty index; a run of the units pushed to it is measured in constant time.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { measure, openEncoding } from "@/lib/text/mod.ts";
 *
 * const tokenizer = await openEncoding("cl100k_base");
 * const index = growIndex(tokenizer);
 * index.push(measure("Here we go.\n", tokenizer));
 * index.push(measure("There and back again.\n", tokenizer));
 * equal(index.slice(0, 2).text, "Here we go.\nThere and back again.\n");
 * ```
 */
export function growIndex(tokenizer: Tokenizer): GrowingIndex {
  const units: Measured[] = [];
  // innerUpTo[i] counts the insides of units 0 to i and the i places where they meet.
  const innerUpTo: number[] = [];
  return {
    get size(): number {
      return units.length;
    },
    push(unit): void {
      if (unit.inner < 0) {
        throw new RangeError(
          `Cannot add a unit as it must have a safe cut of its own: current value is "${unit.text}"`,
        );
      }
      const before = units.at(-1);
      const meeting = before ? countMeeting(before.tail + unit.head, tokenizer) : 0;
      innerUpTo.push((innerUpTo.at(-1) ?? 0) + meeting + unit.inner);
      units.push(unit);
    },
    slice(start, end): Measured {
      if (end <= start) return EMPTY;
      const inner = innerUpTo[end - 1]! - innerUpTo[start]! + units[start]!.inner;
      return joinLazily(() => units.slice(start, end), { head: units[start]!.head, tail: units[end - 1]!.tail, inner });
    },
  };
}
