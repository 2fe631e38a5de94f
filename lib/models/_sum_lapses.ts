import { type Draw, integer, shuffle } from "@/lib/random/mod.ts";
import type { Lapse } from "./lapse.ts";
import type { Habits } from "./profile.ts";
import type { Reading } from "./reading.ts";

/** A list with a sum that need not be its own. */
export interface SlippedSum {
  readonly said: readonly string[];
  readonly total: number;
  readonly lapses: readonly Lapse[];
}

/** At most this share of what was found is added up and left out of the list. */
const UNLISTED_SHARE = 0.25;
/** How far a sum that was added up wrongly is from the right one, at most. */
const MOST_OFF = 9;

/**
 * Adds up what was found, and then loses some of it before it is listed, or adds it up wrongly.
 *
 * @param found What was found, in order.
 * @param options `reading`, the prompt; `sums`, the chances of both; `draw`, the randomness.
 */
export function slipSum(
  found: readonly string[],
  options: { readonly reading: Reading; readonly sums: NonNullable<Habits["sums"]>; readonly draw: Draw },
): SlippedSum {
  const { reading, sums, draw } = options;
  const isForgetful = draw() < sums.unlisted && found.length > 0;
  const most = Math.max(1, Math.floor(found.length * UNLISTED_SHARE));
  const places = found.map((_, place) => place);
  const lost = new Set(isForgetful ? shuffle(draw, places).slice(0, integer(draw, { low: 1, high: most })) : []);
  const said = found.filter((_, place) => !lost.has(place));
  const unlisted = [...lost].toSorted((left, right) => left - right).map((place): Lapse => {
    const fact = reading.wanted.find(({ value }) => value === found[place]);
    return { kind: "unlisted", fact: fact?.key ?? null, wanted: found[place]!, said: null };
  });
  const total = addUp(found);
  if (draw() >= sums.misadded) return { said, total, lapses: unlisted };
  const right = addUp(reading.wanted.map(({ value }) => value));
  const offs = Array.from({ length: MOST_OFF }, (_, at) => [total - at - 1, total + at + 1]).flat();
  // A wrong sum that came out right, or as that of the list, would be no lapse, or another one.
  const [wrong = total + MOST_OFF] = shuffle(draw, offs).filter((sum) => sum !== right && sum !== addUp(said));
  const misadded: Lapse = { kind: "misadded", fact: null, wanted: String(total), said: String(wrong) };
  return { said, total: wrong, lapses: [...unlisted, misadded] };
}

function addUp(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + (Number(value) || 0), 0);
}
