import { compareModels, type CompareModelsOptions, RULER_GROUPS } from "@/lib/analysis/mod.ts";
import { comparisonTable, type Table, table } from "@/lib/charts/mod.ts";
import type { ModelRun } from "./ask_models.ts";

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
