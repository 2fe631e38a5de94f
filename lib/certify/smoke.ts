import { type ArmChoice, type Certified, type CertifyOptions, checkArms, newName, openArm } from "./arms.ts";
import { certifyRuns, LEAST_SHARED } from "./certify_runs.ts";
import { CERTIFICATES_FOLDER } from "./design.ts";
import { differenceText } from "./judge.ts";
import { askRun, type CertifiedModel, limitTime, lookOf, NotEnoughData } from "./session.ts";
import { defined, percent } from "@/lib/base/mod.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { normalBelow, normalPoint } from "@/lib/statistics/mod.ts";
import { countedFor, type Plan } from "@/lib/studies/mod.ts";
import type { SampleName, StudyRun } from "@/lib/asking/mod.ts";

/** The tasks, the length and the samples of each task of a smoke test, and its time limit. */
export const SMOKE = {
  tasks: [
    ...["niah_single_1", "niah_single_2", "niah_single_3", "niah_multikey_1"],
    ...["niah_multivalue", "niah_multiquery", "fwe", "qa_1"],
  ],
  length: 1024,
  samples: 6,
  milliseconds: 170_000,
} as const;

/**
 * The loss of a KV cache in 4 bits (q4_0) against one in 16, as the mean and the standard deviation of the change of the answer's
 * probability, in points: Gemma 3 270M at 1K tokens, 96 pairs (data/measured/decisions).
 */
export const QUANTISED_LOSS = { points: 5.9, deviation: 6.5 } as const;

/** Returns the share of smoke tests of so many pairs that find the loss of a KV cache in 4 bits, in the normal approximation. */
function smokePower(pairs: number, errorChance = 0.025): number {
  const { points, deviation } = QUANTISED_LOSS;
  return normalBelow(Math.sqrt(pairs) * points / deviation - normalPoint(1 - errorChance));
}

/**
 * Looks for a loss in a few minutes: asks both servers the same samples for the probability of the right answer until the time is up,
 * which also ends the calls in flight, and flips the signs of the differences ({@linkcode signFlipTest}). A loss is found in at most
 * 2.5% of tests of a change without effect. That none is found proves nothing: the headline has the power.
 *
 * @throws {NotEnoughData} If the servers answered too few samples in time.
 */
export async function smokeTest(
  options: CertifyOptions & Readonly<Record<"base" | "change", ArmChoice>> & { readonly margin: number },
): Promise<Certified> {
  const { margin, plan, errorChance, benchmarks = BENCHMARKS } = options;
  const [base, change] = [await openArm(options.base, "base"), await openArm(options.change, "change")];
  checkArms(base, change, options.self === true);
  const { study: chosen, ...limits } = await plan!(base.model, SMOKE.length);
  const measure = "answer-probability";
  const study = { ...chosen, measure, samples: SMOKE.samples } as const;
  const path = `${CERTIFICATES_FOLDER}/${options.name ?? newName(base, change)}`;
  using limit = limitTime({ ...options, maxMs: options.maxMs ?? SMOKE.milliseconds });
  const asking = { ...options, ...limits, path, benchmarks, stop: limit.stop, signal: limit.stop, measure } as const;
  const ask = async (name: "base" | "change", { name: arm, model }: CertifiedModel): Promise<StudyRun> =>
    await askRun(countedFor(study, base.model), asking, arm, {
      name,
      model,
      choose: (asked, plan) => asked.length > 0 ? [] : inRounds(plan),
      countsOverflow: name === "change",
      onServer: lookOf(arm, options),
      onProgress: (progress) => options.onProgress?.(arm, progress),
    });
  const [before, after] = await Promise.all([ask("base", base), ask("change", change)]);
  const asked = Math.min(before.replies.length, after.replies.length);
  if (asked < LEAST_SHARED) {
    throw new NotEnoughData(
      `Not enough data: in time, both servers answered ${asked} samples; choose fewer --tasks or a shorter --lengths, or raise --max-time`,
    );
  }
  const aim = { names: [base.name, change.name], margin, method: "signs", measure } as const;
  const certificate = certifyRuns(before, after, { ...aim, ...defined({ errorChance }) });
  const { state, verdict, headline } = certificate;
  if (verdict !== "not enough data") return { certificate, path };
  const power = percent(Math.min(0.99, smokePower(state.pairs, errorChance)));
  const none = `No loss of ${change.name} against ${base.name} was found: ${
    differenceText(state)
  } on ${state.pairs} pairs. A loss of ${QUANTISED_LOSS.points} points, as of a KV cache in 4 bits, is found in ${power} of such tests`;
  return { certificate: { ...certificate, headline: state.rounds === 0 ? headline : none }, path };
}

/** Lists the samples in rounds of one of each task, so that tasks have as many when the time is up. */
function inRounds({ cells, samples }: Plan): readonly SampleName[] {
  const indices = Array.from({ length: samples }, (_, index) => index);
  return indices.flatMap((index) => cells.map(({ task, length }) => ({ task: task.name, length, index })));
}
