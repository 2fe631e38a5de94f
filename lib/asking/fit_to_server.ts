import type { Sample } from "@/lib/generators/mod.ts";

/** A sample whose prompt fits a length in the server's own tokens. */
export interface FittedSample {
  /** The sample with the asked length, and with the server's count of its prompt. */
  readonly sample: Sample;
  /** The length that it is made at in the tokens of its materials: with it, it can be made again without the server. */
  readonly nominal: number;
}

/** Options for {@linkcode fitToServer}. */
export interface FitOptions {
  /** The token budget, in the server's own tokens. */
  readonly length: number;
  /** Makes the sample at a length in the tokens of its materials. */
  readonly make: (nominal: number) => Sample;
  /** Counts the whole prompt in the server's own tokens. */
  readonly count: (sample: Sample) => Promise<number>;
}

/** A prompt is filled once fewer tokens are missing than this share of its length, or than these few. */
const MISSING = { share: 0.01, tokens: 16 };

/** Counts by the server for one sample, at most. */
const MOST_COUNTS = 12;

/**
 * Makes a sample that fits a length in the server's own tokens: it is made at a length in the tokens of its materials, counted by
 * the server, and made again at a corrected length until it fits and is filled.
 *
 * The search begins at the length itself and keeps nothing from other samples, so one server always gives the same sample. A
 * sample that does not change with the length is taken as it is.
 *
 * @throws {RangeError} If no length at which the sample can be made fits.
 */
export async function fitToServer({ length, make, count }: FitOptions): Promise<FittedSample> {
  const spare = Math.max(MISSING.tokens, MISSING.share * length);
  let nominal = length;
  let [low, high] = [0, Infinity];
  let best: FittedSample | undefined;
  let last: FittedSample | undefined;
  // How much further to go where a sample stayed the same, as its units are larger than a step.
  let stride = 1;
  for (let step = 0; step < MOST_COUNTS && nominal > low && nominal < high; step++) {
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
    `Cannot fit the sample to the server's tokens as its length must be more than ${length}: it is over even where it is made at ${high} tokens of our own`,
  );
}

interface Bracket {
  /** The longest that fits, and the shortest that does not. */
  readonly low: number;
  readonly high: number;
  readonly change: number;
}

/** The next length to try: as many tokens more or fewer as are missing or over, strictly between what is known. */
function nextLength(nominal: number, { low, high, change }: Bracket): number {
  const guess = nominal + Math.floor(change);
  return guess > low && guess < high ? guess : Math.floor((low + high) / 2);
}
