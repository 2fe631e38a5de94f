import { countMeeting, measure, type Measured } from "./measured.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * A text cut into units (sentences, lines, words), any run of which is measured without counting again.
 *
 * Built once for a text and a tokenizer, it answers "units 310 to 5,200, how many tokens?" in constant time.
 */
export interface Indexed {
  /** The number of units. */
  readonly size: number;
  /** Gives the units from `start` up to, not including, `end`, as one measured text. */
  slice(start: number, end: number): Measured;
}

/**
 * Indexes a text by its units.
 *
 * @param units The units in order, separators included; together they are the whole text. A unit without a safe cut of its
 *   own (a single word) is put together with the one after it.
 * @param tokenizer Whose tokens to count.
 * @returns The indexed text; `size` is at most the number of units given.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openEncoding } from "@/lib/text/mod.ts";
 *
 * const tokenizer = await openEncoding("cl100k_base");
 * const indexed = indexUnits(["The sky is blue.", " The sun is yellow.", " Here we go."], tokenizer);
 * equal(indexed.slice(1, 3).text, " The sun is yellow. Here we go.");
 * ```
 */
export function indexUnits(
  units: readonly string[],
  tokenizer: Tokenizer,
): Indexed {
  const measured = measureUnits(units, tokenizer);
  const text = measured.map((unit) => unit.text).join("");
  const size = measured.length;
  const starts = new Int32Array(size + 1);
  // innerUpTo[i] counts the insides of units 0 to i-1 and the i-1 places where they meet.
  const innerUpTo = new Int32Array(size + 1);
  const meetingAfter = new Int32Array(size + 1);
  measured.forEach((unit, index) => {
    const next = measured[index + 1];
    starts[index + 1] = starts[index]! + unit.text.length;
    meetingAfter[index] = next ? countMeeting(unit.tail + next.head, tokenizer) : 0;
    innerUpTo[index + 1] = innerUpTo[index]! + unit.inner +
      meetingAfter[index]!;
  });
  return {
    size,
    slice(start, end): Measured {
      if (end <= start) return { text: "", head: "", tail: "", inner: -1 };
      return {
        text: text.slice(starts[start], starts[end]),
        head: measured[start]!.head,
        tail: measured[end - 1]!.tail,
        inner: innerUpTo[end]! - innerUpTo[start]! - meetingAfter[end - 1]!,
      };
    },
  };
}

function measureUnits(
  units: readonly string[],
  tokenizer: Tokenizer,
): Measured[] {
  const measured: Measured[] = [];
  let waiting = "";
  for (const unit of units) {
    const candidate = measure(waiting + unit, tokenizer);
    if (candidate.inner < 0) {
      waiting = candidate.text;
      continue;
    }
    measured.push(candidate);
    waiting = "";
  }
  if (waiting !== "") {
    measured.push(measure((measured.pop()?.text ?? "") + waiting, tokenizer));
  }
  return measured.filter((unit) => unit.inner >= 0);
}
