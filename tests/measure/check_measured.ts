import { type MeasuredName, measuredRunName } from "@/lib/records/run_folders.ts";
import { type OpenedModel, openStudy } from "@/lib/studies/mod.ts";
import { asRunBegan } from "@/lib/asking/preflight.ts";
import { type ReadRunOptions, readScoredRun, type ScoredReply } from "@/lib/records/mod.ts";
import { DEFAULT_CONCURRENCY, type RunOptions, runStudy, type SampleName } from "@/lib/asking/mod.ts";
import { shuffle, stream } from "@/lib/random/mod.ts";
import { comparePairs, pairRecords } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode checkMeasured}. */
export interface CheckMeasuredOptions extends Pick<RunOptions, "stop" | "signal" | "onProgress">, ReadRunOptions {
  /** Who is asked again. */
  readonly model: OpenedModel;
  /** How many samples are asked again. */
  readonly samples: number;
  /** The same seed picks the same samples. */
  readonly seed: string;
}

/** A part of a measured run that was asked again. */
export interface MeasuredCheck {
  readonly name: string;
  /** Samples that have a score both then and now. */
  readonly n: number;
  /** Samples whose text is not the one that was asked then, by their ids. */
  readonly changed: readonly string[];
  /** Replies that are the same, word for word. */
  readonly same: number;
  /** The mean score then, in percent; `null` without scores. */
  readonly then: number | null;
  /** The mean score now. */
  readonly now: number | null;
  /** Now minus then, in points, with its 95% interval. */
  readonly difference: { readonly points: number; readonly low: number; readonly high: number } | null;
  /** Whether every text is the same and the interval of the difference has 0 in it. */
  readonly agrees: boolean;
}

/**
 * Asks a random part of a measured run again, and compares texts exactly and scores within their interval.
 *
 * @param folder Where the new replies are recorded.
 * @throws {RangeError} If there is no such measured run, or the model cannot be asked.
 */
export async function checkMeasured(
  of: MeasuredName,
  { model, samples, seed, folder, ...options }: CheckMeasuredOptions & { readonly folder: string },
): Promise<MeasuredCheck> {
  const { measured, benchmarks, ...asking } = options;
  const reading = { benchmarks, ...(measured === undefined ? {} : { measured }) };
  const name = measuredRunName(of);
  const { manifest, replies } = await readScoredRun(name, reading);
  const answered = replies.filter(({ failed }) => !failed);
  const picked = shuffle(stream("check", seed, name), answered).slice(0, samples);
  const wanted = picked.map(({ record: { task, length, index } }): SampleName => ({ task, length, index }));
  const again = await runStudy(manifest.study, {
    ...{ ...asking, model: asRunBegan(model, manifest), folder, name: `check-${of.model}-${of.benchmark}` },
    opened: await openStudy(manifest.study, reading),
    concurrency: model.concurrency ?? DEFAULT_CONCURRENCY,
    choose: (asked) => asked.length === 0 ? wanted : [],
  });
  return { name, ...compareReplies(picked, again.replies) };
}

/** Compares replies to the same samples, then and now. */
export function compareReplies(then: readonly ScoredReply[], now: readonly ScoredReply[]): Omit<MeasuredCheck, "name"> {
  const placeOf = ({ task, length, record: { index } }: ScoredReply): string => JSON.stringify([task, length, index]);
  const before = new Map(then.map((reply) => [placeOf(reply), reply]));
  const pairs = now.flatMap((reply): [ScoredReply, ScoredReply][] => {
    const old = before.get(placeOf(reply));
    return old === undefined ? [] : [[old, reply]];
  });
  const textOf = ({ record: { reply } }: ScoredReply): string | null => reply.kind === "answer" ? reply.text : null;
  const changed = pairs.filter(([old, reply]) => old.record.sha256 !== reply.record.sha256);
  // All samples as one task: there are too few of each to be compared by themselves.
  const asOne = (replies: readonly ScoredReply[]): ScoredReply[] =>
    replies.map((reply, index) => ({ ...reply, task: "all", length: 1, record: { ...reply.record, index } }));
  const matched = pairRecords(asOne(pairs.map(([old]) => old)), asOne(pairs.map(([, reply]) => reply)));
  const [row] = comparePairs([matched.pairs], { by: ["all"] }).rows[0]!;
  const difference = row === undefined ? null : { points: row.difference, low: row.low, high: row.high };
  return {
    n: row?.n ?? 0,
    changed: changed.map(([, { record }]) => record.sample),
    same: pairs.filter(([old, reply]) => textOf(old) === textOf(reply)).length,
    then: row?.baseline ?? null,
    now: row?.other ?? null,
    difference,
    agrees: changed.length === 0 && difference !== null && difference.low <= 0 && difference.high >= 0,
  };
}
