import type { Sample } from "@/lib/generators/mod.ts";

/** A sample whose prompt fits a length in the server's own tokens. */
export interface FittedSample {
  /** The sample with the asked length, and with the server's count of its prompt. */
  readonly sample: Sample;
  /** The length that it is made at in the tokens of its materials, by which it can be made again without the server. */
  readonly nominal: number;
}

/** A prompt is filled once fewer tokens are missing than this share of its length, or than this number. */
const MISSING = { share: 0.01, tokens: 16 };

/** Maximum number of the server's counts for one sample. */
const MAX_COUNTS = 12;

/**
 * Makes a sample that fits a length in the server's own tokens: it is made at a length in the tokens of its materials, counted by
 * the server, and made again at a corrected length until it fits and is filled.
 *
 * The search begins at the length itself and uses no other sample, so one server always gives the same sample. A sample that does
 * not change with the length is returned as it is.
 *
 * @param options.length The token budget, in the server's own tokens.
 * @param options.make Makes the sample at a length in the tokens of its materials.
 * @param options.count Counts the whole prompt in the server's own tokens.
 * @throws {RangeError} If no length at which the sample can be made fits.
 */
export async function fitToServer({ length, make, count }: {
  readonly length: number;
  readonly make: (nominal: number) => Sample;
  readonly count: (sample: Sample) => Promise<number>;
}): Promise<FittedSample> {
  const spare = Math.max(MISSING.tokens, MISSING.share * length);
  let nominal = length;
  let [low, high] = [0, Infinity];
  let best: FittedSample | undefined;
  let last: FittedSample | undefined;
  // Grows while the sample stays the same, as its units are larger than a step.
  let stride = 1;
  for (let step = 0; step < MAX_COUNTS && nominal > low && nominal < high; step++) {
    const made = make(nominal);
    const isUnchanged: boolean = made.sha256 === last?.sample.sha256;
    if (isUnchanged && nominal <= length / 2 && high < Infinity && best === undefined) return last!;
    const promptTokens: number = isUnchanged ? last!.sample.promptTokens : await count(made);
    const total = promptTokens + made.answerRoom;
    last = { sample: { ...made, length, promptTokens }, nominal };
    if (total <= length) [low, best] = [nominal, last];
    else high = nominal;
    if (total <= length && length - total < spare) break;
    stride = isUnchanged ? 2 * stride : 1;
    nominal = nextLength(nominal, { low, high, change: stride * (length - total) * nominal / total });
  }
  if (best !== undefined) return best;
  throw new RangeError(
    `Cannot fit the sample to the server's tokens as its length must be more than ${length}: it exceeds the length even if made at ${high} local tokens`,
  );
}

interface Bracket {
  /** The longest length that fits, and the shortest that does not. */
  readonly low: number;
  readonly high: number;
  readonly change: number;
}

/** Returns the next length to try, changed by the missing or excess tokens, strictly inside the bracket. */
function nextLength(nominal: number, { low, high, change }: Bracket): number {
  const guess = nominal + Math.floor(change);
  return guess > low && guess < high ? guess : Math.floor((low + high) / 2);
}
