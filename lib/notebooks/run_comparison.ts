import {
  compareModels,
  type ComparisonRow,
  type ModelsCompared,
  type Origin,
  type ScoredRun,
  type SharedReplies,
  sharedReplies,
} from "@/lib/analysis/mod.ts";
import { comparisonTable, type Table } from "@/lib/charts/mod.ts";

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
 * import { simulatedModel } from "@/lib/models/mod.ts";
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
