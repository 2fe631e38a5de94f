import { DEFAULT_CONCURRENCY } from "./pool.ts";
import { type RunSummary, startTally } from "./tally.ts";
import { type RunOptions, runPlan } from "./run_plan.ts";
import { listSamples, type Plan, type PlannedSample, type RunProgress } from "@/lib/studies/mod.ts";
import {
  type BoundedScore,
  boundedScore,
  type CertificateDesign,
  placeOf,
  type RunRecord,
  type RunStore,
  type ScoredReply,
  scoreRecords,
  type ScoringOptions,
} from "@/lib/records/mod.ts";
import {
  adaptiveSearch,
  type CertificatePair,
  type SearchAim,
  type SearchDesign,
  type SearchStep,
} from "@/lib/statistics/mod.ts";

/** The name of a sample in a plan. */
export type SampleName = Pick<RunRecord, "task" | "length" | "index" | "repeat">;

/** A sample that was asked, with its score: `null` too if the call failed in this session. */
export type AskedSample = SampleName & BoundedScore;

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
  const { choose, records, benchmarks, scored, onProgress, ...asking } = options;
  const asked = new Map<string, AskedSample>();
  const note = (record: RunRecord): void => {
    asked.set(nameOf(record), boundedScore(scoreRecords([record], { benchmarks, scored })[0]!));
  };
  for (const record of records) if (record.reply.kind === "answer") note(record);
  const store: RunStore = {
    ...asking.store,
    append: async (record) => {
      await asking.store.append(record);
      note(record);
    },
  };
  const isPending = (planned: PlannedSample): boolean => store.outcome(placeOf(planned)) !== "answer";
  const tally = startTally(listSamples(plan).filter((planned) => !isPending(planned)), isPending);
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
 * Returns a chooser for `runStudy` that asks fewer samples of some tasks, such as tasks whose texts take long to make. These tasks are
 * asked first. No task is asked more samples than the plan has.
 *
 * @param tasks Matches the names of these tasks.
 * @param samples Samples of each of them at each length, or their number by the length in tokens and the task. Range: 1 up.
 * @param others The same for the other tasks; by default all samples of the plan.
 */
export function chooseFewer(tasks: RegExp, samples: SampleCount, others: SampleCount = Infinity): ChooseSamples {
  return (_asked, plan) => {
    const isFew = plan.cells.map(({ task }) => tasks.test(task.name));
    const cells = [...plan.cells.filter((_, at) => isFew[at]), ...plan.cells.filter((_, at) => !isFew[at])];
    return cells.flatMap(({ task, length }) => {
      const wanted = tasks.test(task.name) ? samples : others;
      const count = Math.min(plan.samples, typeof wanted === "number" ? wanted : wanted(length, task.name));
      return Array.from({ length: count }, (_, at) => ({ task: task.name, length, index: plan.first + at }));
    });
  };
}

/** A number of samples, the same for all or by length and task. */
export type SampleCount = number | ((length: number, task: string) => number);

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
  const scores = run.replies.map(({ task, length, value, cluster, record }) => ({
    ...{ task, length, value, cluster },
    index: record.index,
  }));
  return adaptiveSearch(scores, searchPlan(run.plan, aim));
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

/** A step asks at least as many pairs, so that many calls can run at once, and 5% more rounds. */
const STEP = { pairs: 16, growth: 0.05 };

/** A run of a certificate that is asked with the others. */
export type Arm = "base" | "again" | "change";

/** Returns the samples of the next rounds for each arm; `null` at the end of the design. */
export function nextStep(
  { mix, firstPair, questions, again, samples }: CertificateDesign,
  { pairs, concurrency = DEFAULT_CONCURRENCY }: {
    readonly pairs: readonly CertificatePair[];
    readonly concurrency?: number | undefined;
  },
): Readonly<Record<Arm, readonly SampleName[]>> | null {
  const counts = Map.groupBy(pairs, ({ round }) => round);
  const most = Math.max(1, Math.floor(samples / (mix.length * questions)));
  let done = 0;
  while (counts.get(done)?.length === mix.length) done++;
  const step = Math.ceil(Math.max(STEP.pairs / (mix.length * questions), STEP.growth * done));
  const rounds = Array.from({ length: Math.min(step, most - done) }, (_, at) => done + at);
  if (rounds.length === 0) return null;
  const namesOf = (asked: readonly number[]): readonly SampleName[] => {
    const contexts = asked.flatMap((round) => mix.map(({ task, length }) => ({ task, length, round })));
    // The first question of some contexts is answered before their others are sent, so that the server has their prefix.
    const blocks = Array.from(
      { length: Math.ceil(contexts.length / concurrency) },
      (_, at) => contexts.slice(at * concurrency, (at + 1) * concurrency),
    );
    return blocks.flatMap((block) =>
      Array.from({ length: questions }, (_, question) => question).flatMap((question) =>
        block.map(({ task, length, round }) => ({ task, length, index: firstPair + round * questions + question }))
      )
    );
  };
  const names = namesOf(rounds);
  const every = again === 0 ? Infinity : Math.round(1 / again);
  return { base: names, change: names, again: namesOf(rounds.filter((round) => round % every === 0)) };
}

/** Pairs after which a certificate ends if most of them have no score. */
const HOPELESS_PAIRS = 24;

/** Whether most pairs have no score, as where prompts exceed the window of the change; more of them would decide nothing. */
export function isHopeless(pairs: readonly CertificatePair[]): boolean {
  const unscored = pairs.filter(({ base, change }) => base === null || change === null).length;
  return pairs.length >= HOPELESS_PAIRS && 2 * unscored > pairs.length;
}

/** Lets several runs go on step by step, each step when all of them have ended the one before. */
export interface Gate {
  chooserOf(arm: Arm): ChooseSamples;
  /** Ends all runs after their step, as one of them has ended. */
  leave(): void;
}

/** Opens a gate for runs that go on together; `decide` returns the samples of the next step, or `null` at the end. */
export function openGate(
  arms: readonly Arm[],
  decide: (asked: ReadonlyMap<Arm, readonly AskedSample[]>) => Readonly<Record<Arm, readonly SampleName[]>> | null,
): Gate {
  const asked = new Map<Arm, readonly AskedSample[]>();
  const waiting = new Map<Arm, (names: readonly SampleName[]) => void>();
  let isOver = false;
  const release = (arm: Arm, names: readonly SampleName[]): void => {
    waiting.get(arm)?.(names);
    waiting.delete(arm);
  };
  const endAll = (): void => {
    isOver = true;
    for (const arm of arms) release(arm, []);
  };
  const step = (): void => {
    // An arm that has its samples already waits for the next step.
    while (!isOver && waiting.size === arms.length) {
      const next = decide(asked);
      if (next === null) return endAll();
      const missing = arms.map((arm) => [arm, unasked(next[arm], asked.get(arm)!)] as const);
      if (missing.every(([, names]) => names.length === 0)) return endAll();
      for (const [arm, names] of missing) if (names.length > 0) release(arm, names);
    }
  };
  return {
    chooserOf: (arm) => async (known) => {
      if (isOver) return [];
      asked.set(arm, known);
      const { promise, resolve } = Promise.withResolvers<readonly SampleName[]>();
      waiting.set(arm, resolve);
      step();
      return await promise;
    },
    leave: endAll,
  };
}

function unasked(names: readonly SampleName[], asked: readonly AskedSample[]): readonly SampleName[] {
  const known = new Set(asked.map(nameOf));
  return names.filter((name) => !known.has(nameOf(name)));
}
