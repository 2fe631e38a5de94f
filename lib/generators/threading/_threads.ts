import { type Draw, integer } from "@/lib/random/mod.ts";
import type { Pair } from "./_uuid_pairs.ts";

/** Whether the pairs of a thread stand in its order, in the opposite order, or in any. */
export type ThreadDirection = "forward" | "backward" | "random";

/** A pair with its place: the share of the haystack before it. */
export interface PlacedPair extends Pair {
  readonly role: "target" | "distractor";
  readonly depth: number;
}

/** A thread: every pair of it, and the values from the first to the last. */
export interface Thread {
  readonly pairs: readonly PlacedPair[];
  readonly values: readonly string[];
}

/** How many pairs a thread has, its branches included. */
export function pairsOfThread({ steps, branching }: { readonly steps: number; readonly branching: number }): number {
  return steps + Math.max(0, steps - 2) * (branching - 1);
}

/**
 * Makes a thread: the value of each pair is the key of the next.
 *
 * At each step but the first and the last, `branching` pairs have the same key, and the value of one of them alone goes on.
 * The last step has no branches, as they would be as long as the thread itself.
 *
 * @param depths A place for each pair, as many as {@linkcode pairsOfThread} says.
 * @param options `steps` and `branching`, how many pairs there are; `direction`, their order; `newUuid`, keys and values.
 */
export function makeThread(
  depths: readonly number[],
  options: {
    readonly steps: number;
    readonly branching: number;
    readonly direction: ThreadDirection;
    readonly newUuid: () => string;
    readonly draw: Draw;
  },
): Thread {
  const { steps, branching, direction, newUuid, draw } = options;
  const places = orderPlaces(depths, direction);
  const pairs: PlacedPair[] = [];
  const values: string[] = [];
  let key = newUuid();
  for (let step = 0; step < steps; step++) {
    const width = step === 0 || step === steps - 1 ? 1 : branching;
    const goesOn = integer(draw, { low: 0, high: width - 1 });
    const value = newUuid();
    for (let branch = 0; branch < width; branch++) {
      const depth = places[pairs.length]!;
      const isTarget = branch === goesOn;
      pairs.push({ key, value: isTarget ? value : newUuid(), role: isTarget ? "target" : "distractor", depth });
    }
    values.push(value);
    key = value;
  }
  return { pairs, values };
}

function orderPlaces(depths: readonly number[], direction: ThreadDirection): readonly number[] {
  if (direction === "random") return depths;
  const rising = depths.toSorted((left, right) => left - right);
  return direction === "forward" ? rising : rising.reverse();
}
