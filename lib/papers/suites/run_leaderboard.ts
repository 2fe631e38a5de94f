import { defined, lengthText, plural, rangeText, someOf } from "@/lib/base/mod.ts";
import { type BoardModel, type Leaderboard, rankModels, rankTable } from "@/lib/papers/evidence/rank_models.ts";
import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { RULER, RULER_GROUPS } from "@/lib/benchmarks/ruler/tasks.ts";
import {
  coloursOf,
  effectiveLengthTable,
  type Figure,
  scoreCurves,
  scoreTable,
  type Table,
} from "@/lib/figures/mod.ts";
import { drawnFromAll, nativeLengths, nativeLengthText, OWN_SHARE } from "@/lib/reports/mod.ts";
import { isBaseModel } from "@/lib/models/mod.ts";
import { bareSuite, differingSettings, modelName, nameRuns, type ScoredRun } from "@/lib/records/mod.ts";
import {
  type BoardRow,
  effectiveLengthBoard,
  lengthMeans,
  type ScoreRow,
  type ScoreThreshold,
  summarise,
  type TaskGroup,
} from "@/lib/statistics/mod.ts";
import type { TaskHeader } from "@/lib/studies/mod.ts";

/** Options for {@linkcode runLeaderboard}. */
export interface RunLeaderboardOptions {
  /** Published models with scores on RULER's 13 tasks, such as those of Table 3, to rank the runs among. */
  readonly published?: readonly BoardModel[];
  /** Lengths to average, in tokens; by default those of all rows. */
  readonly lengths?: readonly number[];
}

/** Runs ranked, by benchmark. */
export interface RunLeaderboard {
  /** Name of each run: its model, its run name, or both if neither is unique. */
  readonly names: readonly string[];
  /** One for each benchmark that all runs share. */
  readonly boards: readonly RunBoard[];
  /** Notes on omitted parts, and on differences between the runs. */
  readonly notes: readonly string[];
}

export interface RunBoard extends ModelMeans {
  readonly benchmark: string;
  readonly group: TaskGroup;
  readonly board: Leaderboard;
  /** The leaderboard in the form of RULER's Table 3. */
  readonly table: Table;
  readonly scores: Table;
}

/**
 * Ranks runs in the form of RULER's Table 3: claimed and effective length, scores by length, the average and both weighted averages
 * with intervals and ranks; optionally among published models.
 *
 * Averages cover, for each benchmark, the tasks that all runs have with the same knobs, and the lengths of all rows or those given.
 * All tasks of a benchmark use its threshold; other means use 85% of a model's own score at its shortest length.
 *
 * @throws {RangeError} If there is no run, the runs share no task or no length with a score on all of them, or a run lacks some of
 *   the 13 tasks of published rows.
 */
export function runLeaderboard(runs: readonly ScoredRun[], options: RunLeaderboardOptions = {}): RunLeaderboard {
  if (runs.length === 0) {
    throw new RangeError("Cannot rank runs as there must be at least one: current value is 0");
  }
  const names = nameRuns(runs);
  const shared = sharedTasks(runs);
  const listTasks = (): string =>
    runs.map(({ manifest }, at) => `${names[at]}: ${someOf(Object.keys(manifest.tasks))}`).join(" | ");
  if (shared.tasks.length === 0) {
    const why = shared.differing.length === 0 ? "" : `; asked with other knobs: ${someOf(shared.differing)}`;
    throw new RangeError(
      `Cannot rank runs as they must share a task, asked with the same knobs: current value is ${listTasks()}${why}`,
    );
  }
  const groups = groupsOf(runs, shared.tasks);
  if (options.published !== undefined && !groups.some(isWholeRuler)) {
    throw new RangeError(
      `Cannot rank runs among published models as each must have RULER's 13 tasks (--tasks all): current value is ${listTasks()}`,
    );
  }
  const ranked = groups.filter(({ group }) => runs.every((run) => hasScores(run, group)));
  if (ranked.length === 0) {
    throw new RangeError(
      `Cannot rank runs as each must have a length with a score on all shared tasks (${
        shared.tasks.join(", ")
      }): current value is none (${someOf(names)})`,
    );
  }
  return {
    names,
    boards: ranked.map((group) => makeBoard(runs, { ...options, ...group, names })),
    notes: [
      ...skippedNotes(runs, names, shared),
      ...groups.filter((group) => !ranked.includes(group)).map(({ group }) =>
        `${group.name}: no table, as a run has no length with a score on all of them`
      ),
      ...textNotes(runs, names),
      ...(options.published === undefined ? [] : baseModelNotes(runs, names)),
    ],
  };
}

/** The tasks of all runs: with the same knobs, and with different ones. */
interface SharedTasks {
  readonly tasks: readonly string[];
  readonly differing: readonly string[];
}

function sharedTasks(runs: readonly ScoredRun[]): SharedTasks {
  const [first, ...rest] = runs.map(({ manifest, replies }) => {
    const asked = new Set(replies.map(({ task }) => task));
    return new Map(Object.entries(manifest.tasks).filter(([task]) => asked.has(task)));
  });
  const isAlike = ([task, header]: [string, TaskHeader]): boolean =>
    rest.every((tasks) => isSameTask(header, tasks.get(task)!));
  const common = [...first!].filter(([task]) => rest.every((tasks) => tasks.has(task)));
  const { same = [], differing = [] } = Object.groupBy(common, (entry) => isAlike(entry) ? "same" : "differing");
  return { tasks: same.map(([task]) => task), differing: differing.map(([task]) => task) };
}

interface BenchmarkGroup {
  readonly benchmark: Pick<Benchmark, "name" | "title" | "groups" | "threshold">;
  readonly group: TaskGroup;
}

/** Returns the tasks to average for each benchmark: its first group if the runs have all of it, otherwise the shared tasks. */
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

function isWholeRuler({ benchmark, group }: BenchmarkGroup): boolean {
  return benchmark.name === RULER.name && group.name === RULER_GROUPS[0]!.name;
}

/** Whether all tasks of a group have a score at some length. */
function hasScores({ replies }: ScoredRun, group: TaskGroup): boolean {
  return lengthMeans(summarise(replies), { groups: [group] }).some(({ score }) => score !== null);
}

/** Returns the benchmark's threshold, which applies to the mean of all its tasks. */
function thresholdOf({ benchmark, group }: BenchmarkGroup): ScoreThreshold | undefined {
  return group.name === benchmark.groups?.[0]?.name ? benchmark.threshold : undefined;
}

function makeBoard(
  runs: readonly ScoredRun[],
  { published = [], lengths, names, ...of }: RunLeaderboardOptions & BenchmarkGroup & {
    readonly names: readonly string[];
  },
): RunBoard {
  const { benchmark: { name: benchmark, title }, group } = of;
  const threshold = thresholdOf(of);
  const others = isWholeRuler(of) ? published : [];
  const means = modelMeans(runs, {
    group,
    names,
    threshold,
    published: others.length === 0 ? undefined : {
      rows: others.flatMap(({ model, rows }) => rows.map((row) => ({ ...row, task: model, low: null, high: null }))),
      n: "500 samples a task",
    },
  });
  const { warning, origin } = drawnFromAll(runs, names);
  const own = runs.map(({ manifest }, at) => ({
    model: names[at]!,
    origin: manifest.origin,
    claimedWindow: manifest.claimedWindow ?? null,
    rows: means.rows.filter(({ task }) => task === names[at]),
  }));
  const board = rankModels([...own, ...others], {
    threshold: threshold?.score ?? { share: OWN_SHARE },
    ...defined({ lengths }),
  });
  return {
    benchmark,
    group,
    ...means,
    board,
    table: rankTable(board, {
      mean: group.name,
      threshold: threshold !== undefined
        ? `${threshold.score}, ${threshold.source}`
        : `${100 * OWN_SHARE}% of the model's own score at its shortest length`,
      warning,
      ...defined({ title: titleOf(board, names, title) }),
    }),
    scores: scoreTable(means.rows, { title: `Means of ${group.name}, model by model`, origin, warning, digits: 1 }),
  };
}

/** Returns the rank of the user's best model among published ones, or the ranks that its interval allows. */
function titleOf({ rows }: Leaderboard, names: readonly string[], title: string): string | undefined {
  const ranked = rows.filter(({ average }) => average !== null);
  const own = ranked.filter(({ model }) => names.includes(model));
  const [best] = own;
  if (ranked.length === own.length || best === undefined) return undefined;
  const [first, last] = best.average!.ranks;
  const range = first === last ? `${first}` : `${first} to ${last}`;
  const place = first === 1 && last > 1
    ? `is among the first ${last} of ${ranked.length} (${range})`
    : `is number ${range} of ${ranked.length}`;
  return `${best.model} ${place} by its average on ${title}, ${ranked.length - own.length} of them published`;
}

function skippedNotes(
  runs: readonly ScoredRun[],
  names: readonly string[],
  { tasks, differing }: SharedTasks,
): readonly string[] {
  const alone = runs.flatMap(({ replies }, at) => {
    const asked = [...new Set(replies.map(({ task }) => task))];
    const skipped = asked.filter((task) => !tasks.includes(task) && !differing.includes(task));
    return runs.length === 1 || skipped.length === 0
      ? []
      : [`${names[at]}: ${skipped.join(", ")} left out, as not all runs have them`];
  });
  const changed = `${differing.join(", ")} left out, as knobs or the version of the suite differ between the runs`;
  return [...alone, ...(differing.length === 0 ? [] : [changed])];
}

/** Notes runs whose samples have other texts in spite of the same tasks and lengths. */
function textNotes(runs: readonly ScoredRun[], names: readonly string[]): readonly string[] {
  const [first, ...rest] = runs.map(({ manifest }) => manifest);
  return rest.flatMap((manifest, at) => {
    const differing = differingSettings(first!, manifest).filter(({ name }) => /^(seed|material)/.test(name));
    if (differing.length === 0) return [];
    const settings = differing.map(({ name, before, now }) => `${name} ${before} and ${now}`).join(", ");
    return [`${names[0]} and ${names[at + 1]} were asked other texts: ${settings}`];
  });
}

function baseModelNotes(runs: readonly ScoredRun[], names: readonly string[]): readonly string[] {
  const base = names.filter((_, at) => isBaseModel(runs[at]!.manifest.settings));
  return base.map((name) =>
    `${name} is asked as a base model: the paper ranks these separately, in Table 12, with a threshold of 79.4`
  );
}

/** Models compared by the mean of a group of tasks. */
export interface ModelMeans {
  /** The mean of each model at each length, with the model as the task. */
  readonly rows: readonly ScoreRow[];
  /** Data of the effective lengths: for each model, at the benchmark's threshold and at a share of its own score. */
  readonly effective: readonly BoardRow[];
  readonly curves: Figure;
  /** Effective lengths, and the windows claimed by the models' authors. */
  readonly lengths: Table;
}

/**
 * Returns the mean of a group of tasks by length, as a line for each model, and effective lengths at two thresholds: the benchmark's,
 * which small models may never reach, and a share of the model's own score at its shortest length (NoLiMa, Modarressi et al. 2025).
 * Lengths at which a task of the group has no score are omitted.
 *
 * @throws {RangeError} If no model has a score on the whole group at any length.
 */
export function modelMeans(runs: readonly ScoredRun[], options: {
  readonly group: TaskGroup;
  /** Name of each run; by default its model. */
  readonly names?: readonly string[];
  /** Published scores for comparison, with the model as the task, and their number of samples. */
  readonly published?: { readonly rows: readonly ScoreRow[]; readonly n: string } | undefined;
  /** The benchmark's threshold, in addition to the share; none by default. */
  readonly threshold?: ScoreThreshold | undefined;
}): ModelMeans {
  const { group, published, threshold } = options;
  const means = runs.map(({ replies }) =>
    lengthMeans(summarise(replies), { groups: [group] }).filter(({ score }) => score !== null)
  );
  const models = options.names ?? runs.map(({ manifest }) => modelName(manifest));
  const rows = means.flatMap((ofModel, at) => ofModel.map((row) => ({ ...row, asked: row.task, task: models[at]! })));
  if (rows.length === 0) {
    throw new RangeError(
      `Cannot average ${group.name} as each of its tasks must have a score at some length: current value is none (${
        models.join(", ")
      })`,
    );
  }
  const n = samplesText(rows, group);
  const { origin, warning } = drawnFromAll(runs, models);
  const native = runs.map(({ replies }) => nativeLengths(replies));
  const entries = runs.flatMap(({ manifest: { claimedWindow } }, at) => {
    const name = claimedWindow === undefined ? models[at]! : `${models[at]}, ${lengthText(claimedWindow)} claimed`;
    return [
      ...(threshold === undefined
        ? []
        : [{ at, model: `${name}: ${threshold.score}`, rows: means[at]!, threshold: threshold.score }]),
      { at, model: `${name}: ${100 * OWN_SHARE}% of its own`, rows: means[at]!, threshold: { share: OWN_SHARE } },
    ];
  });
  const effective = effectiveLengthBoard(entries);
  return {
    rows,
    effective,
    curves: scoreCurves([...rows, ...published?.rows ?? []], {
      title: `${namesText(models)}: mean of ${group.name}${published === undefined ? "" : ", beside published models"}`,
      seriesTitle: "Model",
      palette: coloursOf(models, published?.rows.map(({ task }) => task)),
      n: published === undefined ? n : `${n}; published: ${published.n}`,
      ...drawnFromAll(runs, models, published?.rows.map(({ task }) => task)),
      threshold,
    }),
    lengths: effectiveLengthTable(effective, {
      title: `Effective lengths on ${group.name}${
        runs.some(({ manifest }) => manifest.claimedWindow !== undefined) ? ", beside the claimed windows" : ""
      }`,
      n,
      origin,
      warning,
      nativeLength: (length, { model }) =>
        nativeLengthText(native[entries.find((entry) => entry.model === model)!.at]!, length),
    }),
  };
}

const MAX_NAMED = 3;

/** Lists up to three names; more are counted. */
function namesText(names: readonly string[]): string {
  return names.length > MAX_NAMED ? `${names.length} models` : new Intl.ListFormat("en-GB").format(names);
}

/** Describes the number of samples per task, over all models and lengths. */
function samplesText(rows: readonly ScoreRow[], { tasks }: TaskGroup): string {
  const counts = rows.map(({ n }) => Number((n / tasks.length).toFixed(1)));
  const samples = `${rangeText(counts, String)} ${plural(Math.max(...counts), "sample")}`;
  return `${samples} of each of ${tasks.length} ${plural(tasks.length, "task")} at a length`;
}

/** Returns ranked runs as one object. */
export function leaderboardJson(runs: readonly ScoredRun[], { names, boards, notes }: RunLeaderboard): object {
  return {
    runs: runs.map(({ manifest: { name, model, origin } }, at) => ({ run: name, name: names[at], model, origin })),
    boards: boards.map(({ benchmark, group: { name, tasks }, board, effective }) => {
      const rows = board.rows.map(({ rows: scores, ...row }) => ({ ...row, scores }));
      return { benchmark, mean: name, tasks, lengths: board.lengths, rows, effective };
    }),
    notes,
  };
}

/**
 * Whether two tasks ask the same. A knob at its default can be left out of a manifest, so one that only one of them has was set.
 */
function isSameTask(one: TaskHeader, other: TaskHeader): boolean {
  const knobs = new Set([...Object.keys(one.options), ...Object.keys(other.options)]);
  return one.suite === other.suite && one.scoring === other.scoring &&
    [...knobs].every((knob) => one.options[knob] === other.options[knob]);
}
