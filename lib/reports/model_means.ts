import { lengthText, plural, rangeText } from "@/lib/base/mod.ts";
import { drawnFromAll, nativeLengths, nativeLengthText } from "./native_lengths.ts";
import { modelName, type ScoredRun } from "@/lib/records/mod.ts";
import { coloursOf, effectiveLengthTable, type Figure, scoreCurves, type Table } from "@/lib/figures/mod.ts";
import {
  type BoardRow,
  effectiveLengthBoard,
  lengthMeans,
  type ScoreRow,
  type ScoreThreshold,
  summarise,
  type TaskGroup,
} from "@/lib/statistics/mod.ts";

/** Models compared by the mean of a group of tasks. */
export interface ModelMeans {
  /** The mean of each model at each length, with the model as the task. */
  readonly rows: readonly ScoreRow[];
  /** Data of the effective lengths: for each model, at the benchmark's threshold and at a share of its own score. */
  readonly board: readonly BoardRow[];
  readonly curves: Figure;
  /** Effective lengths, and the windows claimed by the models' authors. */
  readonly lengths: Table;
}

/** The threshold as a share of a model's own score at its shortest length, where a benchmark has none. */
export const OWN_SHARE = 0.85;

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
  readonly published?: { readonly rows: readonly ScoreRow[]; readonly n: string };
  /** The benchmark's threshold, in addition to the share; none by default. */
  readonly threshold?: ScoreThreshold | undefined;
}): ModelMeans {
  const { group, published, threshold } = options;
  const means = runs.map(({ replies }) =>
    lengthMeans(summarise(replies), { groups: [group] }).filter(({ score }) => score !== null)
  );
  const models = options.names ?? runs.map(({ manifest }) => modelName(manifest));
  const rows = means.flatMap((ofModel, at) => ofModel.map((row) => ({ ...row, task: models[at]! })));
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
  const board = effectiveLengthBoard(entries);
  return {
    rows,
    board,
    curves: scoreCurves([...rows, ...published?.rows ?? []], {
      title: `${namesText(models)}: mean of ${group.name}${published === undefined ? "" : ", beside published models"}`,
      seriesTitle: "Model",
      palette: coloursOf(models, published?.rows.map(({ task }) => task)),
      n: published === undefined ? n : `${n}; published: ${published.n}`,
      ...drawnFromAll(runs, models, published?.rows.map(({ task }) => task)),
      threshold,
    }),
    lengths: effectiveLengthTable(board, {
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
  if (names.length > MAX_NAMED) return `${names.length} models`;
  return [names.slice(0, -1).join(", "), names.at(-1)!].filter((part) => part !== "").join(" and ");
}

/** Describes the number of samples per task, over all models and lengths. */
function samplesText(rows: readonly ScoreRow[], { tasks }: TaskGroup): string {
  const counts = rows.map(({ n }) => Number((n / tasks.length).toFixed(1)));
  const samples = `${rangeText(counts, String)} ${plural(Math.max(...counts), "sample")}`;
  return `${samples} of each of ${tasks.length} ${plural(tasks.length, "task")} at a length`;
}
