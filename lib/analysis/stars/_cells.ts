import { type Draw, integer, shuffle } from "@/lib/random/mod.ts";
import type { Cells } from "./_wins.ts";

/** Shuffles each star's cells over the lengths. */
export function shuffleRows({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const shuffled = values.slice();
  for (let star = 0; star < stars; star++) {
    const row = star * lengths;
    for (let last = lengths - 1; last > 0; last--) {
      const other = Math.floor(draw() * (last + 1));
      const kept = shuffled[row + last]!;
      shuffled[row + last] = shuffled[row + other]!;
      shuffled[row + other] = kept;
    }
  }
  return { stars, lengths, values: shuffled };
}

/** Draws as many stars with replacement. */
export function resampleRows({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const drawn = new Float64Array(values.length);
  for (let star = 0; star < stars; star++) {
    const from = integer(draw, { low: 0, high: stars - 1 }) * lengths;
    drawn.set(values.subarray(from, from + lengths), star * lengths);
  }
  return { stars, lengths, values: drawn };
}

/** Puts the lengths in another order, each with all its stars. */
export function shuffleColumns({ stars, lengths, values }: Cells, draw: Draw): Cells {
  const order = shuffle(draw, Array.from({ length: lengths }, (_, length) => length));
  const moved = values.map((_, at) => values[at - at % lengths + order[at % lengths]!]!);
  return { stars, lengths, values: moved };
}
