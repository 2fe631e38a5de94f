import { type RunSummary, startTally } from "./tally.ts";
import { isPending, type RunOptions, runPlan } from "./run_plan.ts";
import { listSamples, type Plan, type RunProgress } from "@/lib/studies/mod.ts";
import {
  isTruncated,
  type RunRecord,
  type RunStore,
  type ScoredReply,
  scoreRecords,
  type ScoringOptions,
} from "@/lib/records/mod.ts";
import { adaptiveSearch, scoreOf, type SearchAim, type SearchDesign, type SearchStep } from "@/lib/statistics/mod.ts";

/** The name of a sample in a plan. */
export type SampleName = Pick<RunRecord, "task" | "length" | "index" | "repeat">;

/** A sample that was asked, with its score and what is unknown about it. */
export interface AskedSample extends SampleName {
  /** In [0, 1]; `null` if the call failed or there was nothing to score. */
  readonly value: number | null;
  readonly cluster?: string | undefined;
  /** Whether the output budget ended the reply before its answer; it counts as it stands. */
  readonly isCut?: boolean;
  readonly text?: string;
}

/** Returns the score of a reply, with what is unknown about it. */
export function askedSample(reply: ScoredReply): AskedSample {
  const { task, length, cluster, replyValue, record: { index, reply: given } } = reply;
  // The probability of an answer does not depend on the reply.
  const isScore = replyValue === undefined && given.kind === "answer";
  const cut = isScore && isTruncated(reply) ? { isCut: true, text: given.text } : {};
  return { task, length, index, value: scoreOf(reply), cluster, ...cut };
}

/** Chooses the next samples from those asked so far; an empty list ends the run. It may wait, such as for another run. */
export type ChooseSamples = (
  asked: readonly AskedSample[],
  plan: Plan,
) => readonly SampleName[] | Promise<readonly SampleName[]>;

/**
 * Asks samples of a plan step by step, each step chosen by the scores of those before.
 *
 * Resuming needs only the records, as the same choices follow from them. A sample whose call failed in an earlier session counts as
 * not asked.
 */
export async function runChosen(
  plan: Plan,
  options: RunOptions & ScoringOptions & {
    readonly choose: ChooseSamples;
    /** The records that the run already has. */
    readonly records: readonly RunRecord[];
  },
): Promise<RunSummary> {
  const { choose, records, benchmarks, scored, measure, onProgress, ...asking } = options;
  const asked = new Map<string, AskedSample>();
  const note = (record: RunRecord): void => {
    asked.set(nameOf(record), askedSample(scoreRecords([record], { benchmarks, scored, measure })[0]!));
  };
  for (const record of records) if (record.reply.kind === "answer") note(record);
  const store: RunStore = {
    ...asking.store,
    append: async (record) => {
      await asking.store.append(record);
      note(record);
    },
  };
  const answered = listSamples(plan).filter((planned) => !isPending(planned, { store }));
  const tally = startTally(answered, (planned) => isPending(planned, { store }));
  let summary = tally.summary(false);
  while (!summary.isStopped) {
    const chosen = await choose([...asked.values()], plan);
    const names = chosen.filter((name) => !asked.has(nameOf(name)));
    if (names.length === 0) break;
    const step = pickSamples(plan, names);
    tally.expect(listSamples(step));
    const onStep = (progress: RunProgress): void => onProgress?.({ ...progress, isOver: false });
    summary = await runPlan(step, { ...asking, store, tally, onProgress: onStep });
    // Subtle: a sample that could not be made has no record and would be chosen forever.
    for (const name of names) if (!asked.has(nameOf(name))) asked.set(nameOf(name), { ...name, value: null });
  }
  onProgress?.(tally.progress(true));
  return summary;
}

/** Identifies a sample within its plan. */
export function nameOf({ task, length, index }: SampleName): string {
  return `${length}/${index}/${task}`;
}

/** Returns a plan that asks only the named samples, in that order. */
function pickSamples(plan: Plan, names: readonly SampleName[]): Plan {
  const { first, samples, cells } = plan;
  const picked = names.map(({ task, length, index }) => {
    const cell = cells.find((each) => each.task.name === task && each.length === length);
    if (cell !== undefined && index >= first && index < first + samples) return { task: cell.task, length, index };
    throw new RangeError(
      `Cannot pick the sample as it must be one of the plan: current value is ${task}, ${length} tokens, number ${index}`,
    );
  });
  return { ...plan, picked, questions: picked.length };
}

/**
 * Returns a chooser for `runStudy` that lets an adaptive search choose the samples.
 *
 * @throws {RangeError} When called with a plan that cannot be searched.
 */
export function chooseBySearch(aim: SearchAim): ChooseSamples {
  return (asked, plan) => adaptiveSearch(asked, searchPlan(plan, aim)).next;
}

/**
 * Returns the state of an adaptive search from the replies of a run.
 *
 * @throws {RangeError} If the plan cannot be searched, or the aim is outside its range.
 */
export function searchRun(
  run: { readonly plan: Plan; readonly replies: readonly ScoredReply[] },
  aim: SearchAim,
): SearchStep {
  return adaptiveSearch(
    run.replies.map((reply) => ({ ...reply, index: reply.record.index })),
    searchPlan(run.plan, aim),
  );
}

/**
 * Designs an adaptive search of a plan: its tasks, its lengths, and the limit of samples of each.
 *
 * Every task must fit every length, since a mean over fewer tasks is another quantity.
 */
function searchPlan(plan: Plan, aim: SearchAim): SearchDesign {
  const [misfit] = plan.tooShort;
  if (misfit !== undefined) {
    throw new RangeError(
      `Cannot search for the effective length as every task must fit every length, and ${misfit.task.name} needs ` +
        `${misfit.least} tokens: current value is ${misfit.length}`,
    );
  }
  const { cells, samples, first } = plan;
  const tasks = [...new Set(cells.map(({ task }) => task.name))];
  return { ...aim, tasks, lengths: cells.map(({ length }) => length), samples, first };
}
