import { type Certificate, endVerdict, judgeCertificate, type JudgedDesign } from "./judge.ts";
import { replyChanges } from "@/lib/asking/mod.ts";
import { defined, lengthText, sum } from "@/lib/base/mod.ts";
import { meanOfRepeats, scoreOf } from "@/lib/statistics/mod.ts";
import type { ScoredReply, ScoredRun } from "@/lib/records/mod.ts";
import { sharedSamples } from "@/lib/reports/mod.ts";

/**
 * Judges two recorded runs on the samples whose text is the same in both. Their design cannot have been registered, so every task at
 * every length that both asked is a cell.
 *
 * @throws {RangeError} If the runs share too few samples, or samples of the same number have another text.
 */
export function certifyRuns(
  base: ScoredRun,
  change: ScoredRun,
  options: Pick<JudgedDesign, "margin" | "method" | "errorChance" | "measure"> & {
    readonly names: readonly [base: string, change: string];
    /** A second run of the base on the same samples. */
    readonly again?: ScoredRun;
  },
): Certificate {
  const { names, margin, method = "fixed", errorChance, again, measure } = options;
  const { samples, changed, alone } = sharedSamples(base.replies, change.replies);
  const cells = Map.groupBy(samples, ({ task, length }) => JSON.stringify([task, length]));
  if (changed > samples.length || samples.length < LEAST_SHARED) {
    throw new RangeError(
      `Cannot certify the change as the runs must share at least ${LEAST_SHARED} samples with the same text, and most: current value is ${samples.length} shared, ${changed} with another text, ${alone} in one run alone; the same --seed, --template-tokens and tokenizer give the same texts`,
    );
  }
  const mix = [...cells.values()].map((ofCell) => {
    const [{ task, length }] = ofCell as [typeof samples[number]];
    const scores = ofCell.flatMap(({ baseline }) => scoreOf(baseline[0]) ?? []);
    return { task, length, weight: 1, score: 100 * sum(scores) / Math.max(1, scores.length), n: scores.length };
  });
  // A round has a sample of each cell.
  const used = cells.size * Math.min(...[...cells.values()].map(({ length }) => length));
  const design: JudgedDesign = {
    margin,
    method,
    ...defined({ errorChance, measure }),
    samples: used,
    mix,
    firstPair: 0,
    questions: 1,
    base: { name: names[0], model: base.manifest.model },
    change: { name: names[1], model: change.manifest.model },
    itself: null,
    dropped: [],
  };
  // Rounds are numbered within each cell, as one of the runs may lack samples.
  const renumbered = (of: "baseline" | "other"): ScoredReply[] =>
    [...cells.values()].flatMap((ofCell) =>
      ofCell.map((sample, index) => {
        const [reply] = meanOfRepeats(sample[of]) as [ScoredReply];
        return { ...reply, record: { ...reply.record, index } };
      })
    );
  const runs = {
    base: { ...base, replies: renumbered("baseline") },
    change: { ...change, replies: renumbered("other") },
    ...defined({ twice: again && { first: base.replies, second: again.replies } }),
  };
  const judged = judgeCertificate(design, runs);
  const notes = [
    `Recorded runs: ${samples.length} samples with the same text, ${changed} with another, ${alone} in one run alone; the mix was not registered before the change was asked`,
    ...used === samples.length ? [] : [
      `${samples.length - used} pairs are left out, as every task at every length counts as many samples as the least`,
    ],
    ...floored(mix),
  ];
  const changes = [base, change].flatMap(({ replies }, at) =>
    replyChanges(names[at]!, replies.map(({ record }) => record))
  );
  return endVerdict({ ...judged, notes: [...notes, ...judged.notes] }, changes);
}

/** Samples that two recorded runs must share. */
export const LEAST_SHARED = 10;

/** Below this score of the base, in percent, there is little to lose. */
const FLOOR = 5;

function floored(mix: JudgedDesign["mix"]): readonly string[] {
  const lowest = mix.filter(({ score }) => score < FLOOR).map(({ task, length }) => `${task} at ${lengthText(length)}`);
  if (lowest.length === 0) return [];
  return [`At the floor, where no loss can show: ${lowest.slice(0, 6).join(", ")}${lowest.length > 6 ? " …" : ""}`];
}
