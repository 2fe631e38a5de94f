import { hashOf, type RunManifest, type TaskHeader } from "@/lib/studies/mod.ts";
import { bareSuite, differingSettings, isSameTask, nameRuns, type ScoredRun } from "@/lib/records/mod.ts";
import { modelMeans } from "./model_means.ts";
import { drawnFromAll } from "./native_lengths.ts";
import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import {
  publishedModels,
  type PublishedRow,
  type RulerLeaderboard,
  rulerLeaderboard,
  rulerLeaderboardTable,
} from "@/lib/papers/ruler/mod.ts";
import { RULER, RULER_GROUPS } from "@/lib/benchmarks/ruler/mod.ts";
import { type Figure, scoreTable, type Table } from "@/lib/figures/mod.ts";
import { isBaseModel } from "@/lib/models/mod.ts";
import { type BoardRow, lengthMeans, type ScoreThreshold, summarise, type TaskGroup } from "@/lib/statistics/mod.ts";
import { someOf } from "@/lib/text/mod.ts";

/** Options for {@linkcode runLeaderboard}. */
export interface RunLeaderboardOptions {
  /** Rows of one published table of RULER's 13 tasks, such as Table 3, among which the runs stand. */
  readonly published?: readonly PublishedRow[];
  /** Rows of other tables of the same edition, whose categories make the intervals of published rows narrower. */
  readonly beside?: readonly PublishedRow[];
  /** The lengths that averages are taken over, in tokens; by default those that all rows have. */
  readonly lengths?: readonly number[];
}

/** Runs ranked, by benchmark. */
export interface RunLeaderboard {
  /** What each run is called here: its model, its name, or both, whichever tells the runs apart. */
  readonly names: readonly string[];
  /** One for each benchmark that all runs were asked. */
  readonly boards: readonly RunBoard[];
  /** What was left out, and what makes the runs less alike than they look. */
  readonly notes: readonly string[];
}

/** The leaderboard of one benchmark. */
export interface RunBoard {
  /** The benchmark's name. */
  readonly benchmark: string;
  /** The tasks whose mean is compared. */
  readonly group: TaskGroup;
  /** The ranked means. */
  readonly board: RulerLeaderboard;
  /** The numbers behind the effective lengths of the runs. */
  readonly effective: readonly BoardRow[];
  /** The leaderboard in the form of RULER's Table 3. */
  readonly table: Table;
  /** The means of the runs with their intervals. */
  readonly scores: Table;
  /** The effective lengths of the runs and how sure they are, beside the windows claimed. */
  readonly lengths: Table;
  /** A line for each model. */
  readonly curves: Figure;
}

/**
 * Ranks runs in the form of RULER's Table 3: claimed and effective length, scores by length, the average and both weighted
 * averages with intervals and ranks; on request among published models.
 *
 * Only what is alike is averaged: the tasks that all runs were asked with the same knobs, benchmark by benchmark, and the lengths
 * that all rows have, or those given. RULER's threshold is used for its 13 tasks; other means are held against 85% of their own
 * score at the shortest length.
 *
 * @throws {RangeError} If there is no run, the runs share no task or no length with a score on all of them, or published rows are
 *   wanted where a run lacks some of RULER's 13 tasks.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openMeasured } from "@/lib/records/mod.ts";
 *
 * const [ruler] = runLeaderboard(await openMeasured({ benchmark: "ruler" })).boards;
 * deepEqual(ruler?.board.lengths, [1024, 2048, 4096]);
 * deepEqual(ruler?.board.rows.map(({ model, average }) => [model, average?.rank]), [["gemma-3-270m", 1], ["smollm2-135m-instruct", 2]]);
 * ```
 */
export function runLeaderboard(runs: readonly ScoredRun[], options: RunLeaderboardOptions = {}): RunLeaderboard {
  if (runs.length === 0) {
    throw new RangeError("Cannot rank runs as there must be at least one: current value is 0");
  }
  const names = nameRuns(runs);
  const shared = sharedTasks(runs);
  if (shared.tasks.length === 0) throw nothingShared(runs, names, shared.differing);
  const groups = groupsOf(runs, shared.tasks);
  if (options.published !== undefined && !groups.some(isRulerWhole)) {
    throw new RangeError(
      `Cannot rank runs among published models as each must have RULER's 13 tasks (--tasks all): current value is ${
        tasksText(runs, names)
      }`,
    );
  }
  const ranked = groups.filter(({ group }) => runs.every((run) => lengthsOf(run, group).length > 0));
  if (ranked.length === 0) {
    throw new RangeError(
      `Cannot rank runs as each must have a length with a score on all shared tasks (${
        shared.tasks.join(", ")
      }): current value is none (${someOf(names)})`,
    );
  }
  return {
    names,
    boards: ranked.map((group) => boardOf(runs, { ...options, ...group, names })),
    notes: [
      ...leftOutNotes(runs, names, shared),
      ...groups.filter((group) => !ranked.includes(group)).map(({ group }) =>
        `${group.name}: no table, as a run has no length with a score on all of them`
      ),
      ...textNotes(runs, names),
      ...(options.published === undefined ? [] : baseNotes(runs, names)),
    ],
  };
}

/** A model on a leaderboard as a flat row; its scores are in percent, those by length named `score4096`, `low4096`, …. */
export interface LeaderboardRow extends Readonly<Record<string, string | number | null>> {
  readonly benchmark: string;
  /** What the scores are the mean of. */
  readonly mean: string;
  /** From 1; `null` where it has no average. */
  readonly rank: number | null;
  readonly model: string;
  /** `published`, `measured`, `simulated` or `unknown`. */
  readonly origin: string;
  /** The mean over the lengths of `averageLengths`, in percent; `null` where it lacks one of them. */
  readonly average: number | null;
}

/**
 * Lays out a leaderboard as flat rows, for a spreadsheet or a data frame: a row for each benchmark and model, in the order of rank.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openMeasured } from "@/lib/records/mod.ts";
 *
 * const rows = leaderboardRows(runLeaderboard(await openMeasured({ benchmark: "ruler" })));
 * deepEqual(rows.map(({ rank, model }) => [rank, model]), [[1, "gemma-3-270m"], [2, "smollm2-135m-instruct"]]);
 * ```
 */
export function leaderboardRows({ boards }: Pick<RunLeaderboard, "boards">): LeaderboardRow[] {
  const lengths = [...new Set(boards.flatMap(({ board }) => board.rows.flatMap(({ rows }) => rows.map(lengthOf))))]
    .sort((left, right) => left - right);
  return boards.flatMap(({ benchmark, group, board }) =>
    board.rows.map((row) => {
      const { model, origin, claimedWindow, effectiveLength, average, weightedIncreasing, weightedDecreasing } = row;
      const byLength = lengths.flatMap((length): [string, number | null][] => {
        const at = row.rows.find((each) => each.length === length);
        return [
          [`score${length}`, at?.score ?? null],
          [`low${length}`, at?.low ?? null],
          [`high${length}`, at?.high ?? null],
          [`n${length}`, at?.n ?? null],
        ];
      });
      return {
        benchmark,
        mean: group.name,
        rank: average?.rank ?? null,
        bestRank: average?.ranks[0] ?? null,
        worstRank: average?.ranks[1] ?? null,
        ...{ model, origin, claimedWindow, effectiveLength },
        average: average?.score ?? null,
        averageLow: average?.low ?? null,
        averageHigh: average?.high ?? null,
        weightedIncreasing: weightedIncreasing?.score ?? null,
        weightedDecreasing: weightedDecreasing?.score ?? null,
        averageLengths: board.lengths.join(" "),
        ...Object.fromEntries(byLength),
      };
    })
  );
}

function lengthOf({ length }: { readonly length: number }): number {
  return length;
}

/** The tasks that all runs were asked with the same knobs, and those that they were asked with others. */
interface SharedTasks {
  readonly tasks: readonly string[];
  readonly differing: readonly string[];
}

function sharedTasks(runs: readonly ScoredRun[]): SharedTasks {
  const [first, ...rest] = runs.map(({ manifest, replies }) => {
    const asked = new Set(replies.map(({ task }) => task));
    return new Map(Object.entries(manifest.tasks).filter(([task]) => asked.has(task)));
  });
  const common = [...first!].filter(([task]) => rest.every((tasks) => tasks.has(task)));
  const isAlike = ([task, header]: [string, TaskHeader]): boolean =>
    rest.every((tasks) => isSameTask(header, tasks.get(task)!));
  return {
    tasks: common.filter(isAlike).map(([task]) => task),
    differing: common.filter((entry) => !isAlike(entry)).map(([task]) => task),
  };
}

interface BenchmarkGroup {
  readonly benchmark: Pick<Benchmark, "name" | "title" | "groups" | "threshold">;
  readonly group: TaskGroup;
}

/** The mean of each benchmark: its first group where that was asked whole, otherwise of the tasks that are shared. */
function groupsOf(runs: readonly ScoredRun[], tasks: readonly string[]): readonly BenchmarkGroup[] {
  const { benchmarks = BENCHMARKS, manifest } = runs[0]!;
  return benchmarks.flatMap((benchmark): BenchmarkGroup[] => {
    const suites = new Set(benchmark.families.map(({ suite }) => bareSuite(suite)));
    const own = tasks.filter((task) => suites.has(bareSuite(manifest.tasks[task]!.suite)));
    if (own.length === 0) return [];
    const [whole] = benchmark.groups ?? [];
    if (whole?.tasks.every((task) => own.includes(task))) return [{ benchmark, group: whole }];
    const name = own.length === 1 ? own[0]! : `${own.length} tasks of ${benchmark.title}`;
    return [{ benchmark, group: { name, tasks: own } }];
  });
}

function isRulerWhole({ benchmark, group }: BenchmarkGroup): boolean {
  return benchmark.name === RULER.name && group.name === RULER_GROUPS[0]!.name;
}

/** The benchmark's threshold, which holds for the mean of all its tasks. */
function thresholdOf({ benchmark, group }: BenchmarkGroup): ScoreThreshold | undefined {
  return group.name === benchmark.groups?.[0]?.name ? benchmark.threshold : undefined;
}

/** The lengths at which all tasks of a group have a score. */
function lengthsOf({ replies }: ScoredRun, group: TaskGroup): readonly number[] {
  return lengthMeans(summarise(replies), { groups: [group] }).filter(({ score }) => score !== null)
    .map(({ length }) => length);
}

const OWN_SHARE = 0.85;

function boardOf(
  runs: readonly ScoredRun[],
  { published = [], beside = [], lengths, names, ...of }: RunLeaderboardOptions & BenchmarkGroup & {
    readonly names: readonly string[];
  },
): RunBoard {
  const { benchmark: { name: benchmark, title }, group } = of;
  const threshold = thresholdOf(of);
  const others = isRulerWhole(of) ? publishedModels(published, beside) : [];
  const means = modelMeans(runs, {
    ...{ group, names, share: OWN_SHARE, threshold },
    ...(others.length === 0 ? {} : {
      published: {
        rows: others.flatMap(({ model, rows }) => rows.map((row) => ({ ...row, task: model, low: null, high: null }))),
        n: "500 samples a task",
      },
    }),
  });
  const { warning, origin } = drawnFromAll(runs, names);
  const own = runs.map(({ manifest }, at) => ({
    model: names[at]!,
    origin: manifest.origin,
    claimedWindow: manifest.claimedWindow ?? null,
    rows: means.rows.filter(({ task }) => task === names[at]),
  }));
  const board = rulerLeaderboard([...own, ...others], {
    threshold: threshold?.score ?? { share: OWN_SHARE },
    ...(lengths === undefined ? {} : { lengths }),
  });
  return {
    ...{ benchmark, group, board, effective: means.board, lengths: means.lengths, curves: means.curves },
    table: rulerLeaderboardTable(board, {
      mean: group.name,
      threshold: threshold !== undefined
        ? `${threshold.score}, ${threshold.source}`
        : `${100 * OWN_SHARE}% of the model's own score at its shortest length`,
      warning,
      ...titleOf(board, names, title),
    }),
    scores: scoreTable(means.rows, { title: `Means of ${group.name}, model by model`, origin, warning, digits: 1 }),
  };
}

/** With published rows the finding is the rank of the best of one's own models, or the ranks that the intervals leave open. */
function titleOf({ rows }: RulerLeaderboard, names: readonly string[], title: string): { readonly title?: string } {
  const ranked = rows.filter(({ average }) => average !== null);
  const own = ranked.filter(({ model }) => names.includes(model));
  const [best] = own;
  if (ranked.length === own.length || best === undefined) return {};
  const [first, last] = best.average!.ranks;
  const place = first === last
    ? `is number ${first} of ${ranked.length}`
    : first === 1
    ? `is among the first ${last} of ${ranked.length} (1 to ${last})`
    : `is number ${first} to ${last} of ${ranked.length}`;
  return {
    title: `${best.model} ${place} by its average on ${title}, ${ranked.length - own.length} of them published`,
  };
}

function nothingShared(
  runs: readonly ScoredRun[],
  names: readonly string[],
  differing: readonly string[],
): RangeError {
  const why = differing.length === 0 ? "" : `; asked with other knobs: ${someOf(differing)}`;
  return new RangeError(
    `Cannot rank runs as they must share a task, asked with the same knobs: current value is ${
      tasksText(runs, names)
    }${why}`,
  );
}

/** The tasks of each run, in words. */
function tasksText(runs: readonly ScoredRun[], names: readonly string[]): string {
  return runs.map(({ manifest }, at) => {
    return `${names[at]}: ${someOf(Object.keys(manifest.tasks))}`;
  }).join(" | ");
}

/** What a run has that is in no mean. */
function leftOutNotes(
  runs: readonly ScoredRun[],
  names: readonly string[],
  { tasks, differing }: SharedTasks,
): readonly string[] {
  const alone = runs.flatMap(({ replies }, at) => {
    const asked = [...new Set(replies.map(({ task }) => task))];
    const left = asked.filter((task) => !tasks.includes(task) && !differing.includes(task));
    return runs.length === 1 || left.length === 0
      ? []
      : [`${names[at]}: ${left.join(", ")} left out, as not all runs have them`];
  });
  const apart = differing.length === 0
    ? []
    : [`${differing.join(", ")} left out, as the runs were asked with other knobs or another version of the suite`];
  return [...alone, ...apart];
}

/** What makes texts differ where tasks and lengths are the same. */
function textNotes(runs: readonly ScoredRun[], names: readonly string[]): readonly string[] {
  const [first, ...rest] = runs.map(({ manifest }) => manifest);
  return rest.flatMap((manifest, at) => {
    const differing = differingSettings(first!, manifest).filter(({ name }) => /^(seed|material)/.test(name));
    if (differing.length === 0) return [];
    const said = differing.map(({ name, before, now }) => `${name} ${before} and ${now}`).join(", ");
    return [`${names[0]} and ${names[at + 1]} were asked other texts: ${said}`];
  });
}

/** The paper ranks base models by themselves. */
function baseNotes(runs: readonly ScoredRun[], names: readonly string[]): readonly string[] {
  const base = names.filter((_, at) => isBaseModel(runs[at]!.manifest.settings));
  return base.map((name) =>
    `${name} is asked as a base model: the paper ranks these by themselves, in Table 12, with a threshold of 79.4`
  );
}

/** The longest name of an output: file systems take 255 bytes, endings and folders of figures included. */
const LONGEST_NAME = 100;

/** Shortens a name of ASCII characters that is longer than 100 of them: its beginning, and a hash of what it stands for. */
export function shortName(name: string, of = name): string {
  if (name.length <= LONGEST_NAME) return name;
  const hash = hashOf([of]).slice(0, 12);
  return `${name.slice(0, LONGEST_NAME - hash.length - 1)}-${hash}`;
}

/**
 * A short name for files about several runs, such as `first+second`: letters, digits, `.`, `_`, `-` and `+`, at most 100 characters.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(jointName([{ name: "measured/gemma/ruler" }, { name: "first" }]), "measured-gemma-ruler+first");
 * ```
 */
export function jointName(manifests: readonly Pick<RunManifest, "name">[]): string {
  return shortName(manifests.map(({ name }) => name.replaceAll(/[^A-Za-z0-9._-]+/g, "-")).join("+"));
}
