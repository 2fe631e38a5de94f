import type { Sample } from "@/lib/generators/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { type Plan, type PlannedSample, UNKNOWN_PROMPT } from "@/lib/studies/mod.ts";

/** Makes a sample, or returns the error if it does not fit its length, which is rare. */
export function makeSample(plan: Plan, { task, length, index }: PlannedSample): Sample | RangeError {
  const { seed, template, materials } = plan;
  try {
    const sample = task.sample({ length, index, seed, template, materials });
    // A scorer that returns no score is known before a reply is paid for.
    task.scorer.grade("", sample);
    if (sample.sha256 !== UNKNOWN_PROMPT) return sample;
    return new RangeError(
      `Cannot ask ${task.name} at ${length} tokens, sample ${index}, as its file must hold the prompt: current value is none`,
    );
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

/** Makes a sample that fits its length in the server's own tokens; `undefined` if the run ended meanwhile. */
export async function fitSample(
  planned: PlannedSample,
  { plan, model, ends }: { readonly plan: Plan; readonly model: Model; readonly ends: AbortSignal },
): Promise<FittedSample | RangeError | undefined> {
  const make = (length: number): Sample => {
    const made = makeSample(plan, { ...planned, length });
    if (made instanceof RangeError) throw made;
    return made;
  };
  const count = async (sample: Sample): Promise<number> => {
    const tokens = await model.countTokens?.(sample, ends);
    if (tokens !== undefined) return tokens;
    // Not about one sample, so not a RangeError, which leaves a sample out.
    throw new Error(
      `Cannot count tokens by the server of model "${model.name}" as it must answer /tokenize, as llama.cpp, vLLM and SGLang do, or /v1/encode, as LMDeploy does: it does not. Give the model's .gguf or tokenizer.json as the tokenizer instead`,
    );
  };
  try {
    return await fitToServer({ length: planned.length, make, count });
  } catch (error) {
    if (ends.aborted) return undefined;
    if (error instanceof RangeError) return error;
    throw error;
  }
}

/** A sample whose prompt fits a length in the server's own tokens. */
interface FittedSample {
  /** The sample with the asked length, and with the server's count of its prompt. */
  readonly sample: Sample;
  /** The length that it is made at in the tokens of its materials, by which it can be made again without the server. */
  readonly nominal: number;
}

/** A prompt is filled once fewer tokens are missing than this share of its length, or than this number. */
const MISSING = { share: 0.01, tokens: 16 };

const MAX_COUNTS = 12;

/**
 * Makes a sample that fits a length in the server's own tokens: it is made at a length in the tokens of its materials, counted by
 * the server, and made again at a corrected length until it fits and is filled.
 *
 * The search begins at the length itself and uses no other sample, so one server always gives the same sample. A sample that does
 * not change with the length is returned as it is.
 *
 * @throws {RangeError} If no length at which the sample can be made fits.
 */
export async function fitToServer({ length, make, count }: {
  /** The token budget, in the server's own tokens. */
  readonly length: number;
  /** Makes the sample at a length in the tokens of its materials. */
  readonly make: (nominal: number) => Sample;
  /** Counts the whole prompt in the server's own tokens. */
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
    const guess = nominal + Math.floor(stride * (length - total) * nominal / total);
    nominal = guess > low && guess < high ? guess : Math.floor((low + high) / 2);
  }
  if (best !== undefined) return best;
  throw new RangeError(
    `Cannot fit the sample to the server's tokens as its length must be more than ${length}: it exceeds the length even if made at ${high} local tokens`,
  );
}
