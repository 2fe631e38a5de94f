import type { ModelRun } from "./ask_models.ts";
import { RULER_GROUPS } from "@/lib/benchmarks/ruler/mod.ts";
import { comparisonTable, type Table, table } from "@/lib/figures/mod.ts";
import { type ScoredRun, type SharedReplies, sharedReplies } from "@/lib/runs/mod.ts";
import {
  compareModels,
  type CompareModelsOptions,
  type ComparisonRow,
  type ModelsCompared,
  type Origin,
} from "@/lib/statistics/mod.ts";

/** What {@linkcode compareRuns} needs of a run. */
export type ComparedRun = Pick<ModelRun, "model" | "replies"> & {
  /** Where its replies come from. */
  readonly manifest: Pick<ModelRun["manifest"], "origin">;
};

/**
 * Compares the first two models that were asked, sample by sample, corrected for the number of comparisons.
 *
 * @param runs The runs, from `askModels`; one alone gives a table that says what is missing.
 * @param options Which rows, and how they are compared.
 * @returns The table; its title counts the differences shown.
 * @throws {RangeError} If there is no run, or an option is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const one = { model: "one", replies: [], manifest: { origin: "measured" } } as const;
 * equal(compareRuns([one]).title, "There is nothing to compare one with");
 * ```
 */
export function compareRuns(runs: readonly ComparedRun[], options: CompareModelsOptions = {}): Table {
  const [first, second] = runs;
  if (first === undefined) {
    throw new RangeError("Cannot compare the models as there must be at least one run: current value is 0");
  }
  if (second === undefined || first.replies.length === 0) return nothingTable(first);
  const compared = compareModels(first.replies, second.replies, { groups: RULER_GROUPS, ...options });
  const shown = compared.rows.filter(({ higher }) => higher !== null).length;
  return comparisonTable(compared, {
    title: `${first.model} and ${second.model}: ${shown} of ${compared.comparisons} differences are shown`,
    models: [first.model, second.model],
    origin: originOf(first, second),
  });
}

function originOf(first: ComparedRun, second: ComparedRun): Parameters<typeof comparisonTable>[1]["origin"] {
  const [one, other] = [first.manifest.origin, second.manifest.origin];
  return one === other ? one : { [first.model]: one, [second.model]: other };
}

function nothingTable({ model, manifest: { origin }, replies }: ComparedRun): Table {
  return table([{ model, missing: "a second model, named after the first and parted by a comma" }], {
    title: `There is nothing to compare ${model} with`,
    caption: "A comparison takes two models that were asked the same samples.",
    origin,
    n: `${replies.length} replies`,
    columns: [{ field: "model", label: "Asked" }, { field: "missing", label: "What is missing" }],
  });
}

/** Two runs compared on the samples they share, for a notebook to show. */
export interface RunComparison {
  /** A row for the mean of the tasks at each length, then for each task and length; `null` where the runs share no sample. */
  readonly table: Table | null;
  /** The comparison itself. */
  readonly compared: ModelsCompared;
  /** What the two runs are called. */
  readonly models: readonly [first: string, second: string];
  /** Where the scores come from; by run where they come from different places. */
  readonly origin: Origin | Readonly<Record<string, Origin>>;
  /** The replies that were compared. */
  readonly shared: SharedReplies;
  /** How many samples are the same text, how many are not, and how many only one run was asked. */
  readonly note: string;
}

/**
 * Compares two runs pair by pair on the samples whose text is the same in both, corrected for the number of comparisons.
 *
 * @param first One run.
 * @param second The other.
 * @returns The table, and what was left out.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 8 });
 * const run = (profile: string) => runStudy(study, { name: profile, model: simulatedModel(profile), folder });
 * const { compared, note } = runComparison(await run("ideal"), await run("mute"));
 * equal(compared.rows[0]?.higher, "first");
 * equal(note, "8 samples are the same text in both runs, 0 are not, and 0 were asked of one alone.");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function runComparison(first: ScoredRun, second: ScoredRun): RunComparison {
  const shared = sharedReplies(first.replies, second.replies);
  const tasks = [...new Set(shared.first.map(({ task }) => task))];
  const groups = [{ name: `mean of ${tasks.length} tasks`, tasks }];
  const { rows, ...rest } = compareModels(shared.first, shared.second, { groups });
  // The means first, as a long table scrolls.
  const isMean = ({ task }: ComparisonRow): boolean => !tasks.includes(task);
  const compared = { ...rest, rows: [...rows.filter(isMean), ...rows.filter((row) => !isMean(row))] };
  const models = nameRuns(first, second);
  const origins = [first.manifest.origin, second.manifest.origin] as const;
  const origin = origins[0] === origins[1] ? origins[0] : { [models[0]]: origins[0], [models[1]]: origins[1] };
  const title = titleOf(compared, models);
  return {
    table: compared.rows.length === 0 ? null : comparisonTable(compared, { title, models, origin }),
    ...{ compared, models, origin, shared },
    note:
      `${shared.first.length} samples are the same text in both runs, ${shared.changed} are not, and ${shared.alone} ` +
      "were asked of one alone.",
  };
}

/** By model, and by run as well where it is the same model twice. */
function nameRuns(first: ScoredRun, second: ScoredRun): readonly [string, string] {
  const [one, other] = [first.manifest, second.manifest];
  if (one.model !== other.model) return [one.model, other.model];
  return [`${one.model}, run ${one.name}`, `${other.model}, run ${other.name}`];
}

function titleOf({ rows, comparisons }: ModelsCompared, [first, second]: readonly [string, string]): string {
  const count = (which: "first" | "second"): number => rows.filter(({ higher }) => higher === which).length;
  if (rows.every(({ higher }) => higher === null)) return `No difference is shown in ${comparisons} comparisons`;
  return `Of ${comparisons} comparisons ${first} is shown to be higher in ${count("first")}, ${second} in ${
    count("second")
  }`;
}
