import { comparisonTable, type Table, table } from "@/lib/figures/mod.ts";
import { type ScoredRun, type SharedReplies, sharedReplies } from "@/lib/runs/mod.ts";
import {
  compareModels,
  type CompareModelsOptions,
  type ComparisonRow,
  type ModelsCompared,
  type Origin,
} from "@/lib/statistics/mod.ts";

/** Two runs compared on the samples they share, for a notebook to show. */
export interface RunComparison {
  /** A row for each mean of tasks and each task, at each length; or what is missing for a comparison. */
  readonly table: Table;
  /** The comparison itself. */
  readonly compared: ModelsCompared;
  /** The replies that were compared. */
  readonly shared: SharedReplies;
  /** How many samples are the same text, how many are not, and how many only one run was asked. */
  readonly note: string;
}

/**
 * Compares the first two runs in pairs, on the samples whose text is the same in both, corrected for the number of comparisons.
 * One run alone gives a table that says what is missing. By default the mean of all shared tasks is the one group.
 *
 * @throws {RangeError} If there is no run, or an option is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 8 });
 * const run = (profile: string) => runStudy(study, { name: profile, model: simulatedModel(profile), folder });
 * const { compared } = compareRuns([await run("ideal"), await run("mute")]);
 * equal(compared.rows[0]?.higher, "first");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function compareRuns(runs: readonly ScoredRun[], options: CompareModelsOptions = {}): RunComparison {
  const [first, second] = runs;
  if (first === undefined) {
    throw new RangeError("Cannot compare the models as there must be at least one run: current value is 0");
  }
  const shared = sharedReplies(first.replies, second?.replies ?? []);
  const tasks = [...new Set(shared.first.map(({ task }) => task))];
  const groups = [{ name: `mean of ${tasks.length} tasks`, tasks }];
  const { rows, ...rest } = compareModels(shared.first, shared.second, { groups, ...options });
  // The means come first, as a long table scrolls.
  const isMean = ({ task }: ComparisonRow): boolean => !tasks.includes(task);
  const compared = { ...rest, rows: [...rows.filter(isMean), ...rows.filter((row) => !isMean(row))] };
  return {
    table: second === undefined || compared.rows.length === 0
      ? missingTable(first, second)
      : tableOf(compared, first, second),
    compared,
    shared,
    note:
      `${shared.first.length} samples are the same text in both runs, ${shared.changed} are not, and ${shared.alone} ` +
      "were asked of one alone.",
  };
}

function tableOf(compared: ModelsCompared, first: ScoredRun, second: ScoredRun): Table {
  const models = nameRuns(first, second);
  const [one, other] = [first.manifest.origin, second.manifest.origin];
  const origin: Origin | Readonly<Record<string, Origin>> = one === other
    ? one
    : { [models[0]]: one, [models[1]]: other };
  return comparisonTable(compared, { title: titleOf(compared, models), models, origin });
}

/** Names runs by model, and also by run where it is the same model twice. */
function nameRuns({ manifest: one }: ScoredRun, { manifest: other }: ScoredRun): readonly [string, string] {
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

function missingTable({ manifest: { model, origin }, replies }: ScoredRun, second: ScoredRun | undefined): Table {
  const missing = second === undefined
    ? "a second model or run, named after the first, comma-separated"
    : `samples that ${second.manifest.model} was asked as well, text for text`;
  return table([{ model, missing }], {
    title: `There is nothing to compare ${model} with`,
    caption: "A comparison takes two runs that were asked the same samples.",
    origin,
    n: `${replies.length} replies`,
    columns: [{ field: "model", label: "Asked" }, { field: "missing", label: "What is missing" }],
  });
}
