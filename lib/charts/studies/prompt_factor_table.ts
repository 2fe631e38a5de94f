import type { Origin, PromptDependence } from "@/lib/analysis/mod.ts";
import { type Table, table } from "../table.ts";

/** What a table or chart of a model's dependence on its prompt says of itself. */
export interface PromptDependenceOptions {
  /** The finding. */
  readonly title: string;
  /** Where the replies come from. */
  readonly origin: Origin;
}

/**
 * Sets the sources of differences in recall as a table: share, interval, and the recall of each level.
 *
 * @param dependence From `promptDependence`.
 * @param options The title and the origin.
 * @returns The table; the answer in one sentence stands under it.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { promptDependence } from "@/lib/analysis/mod.ts";
 *
 * const tasks = { near: { options: { asking: "published" } }, far: { options: { asking: "distant" } } };
 * const replies = ["near", "far"].flatMap((task) =>
 *   [1000, 2000].map((length) => ({ task, length, value: task === "near" ? 1 : 0.2, record: {} }))
 * );
 * const dependence = promptDependence(replies, { tasks, seed: "1" });
 * match(promptFactorTable(dependence, { title: "By wording", origin: "measured" }).text, /wording +100\.0 .*published 100\.0; distant 20\.0/);
 * ```
 */
export function promptFactorTable(dependence: PromptDependence, options: PromptDependenceOptions): Table {
  const { factors, groups, replies, repeats, missing, answer } = dependence;
  const grouped = groups.filter(({ share }) => share !== null).map((group) => ({ ...group, levels: [] }));
  const rows = [...factors, ...grouped].map((row) => ({
    ...row,
    recalls: row.levels.map(({ level, recall }) => `${level} ${recall?.toFixed(1) ?? "–"}`).join("; "),
  }));
  return table(rows, {
    ...options,
    n: `${replies} replies, ${repeats} of each combination${missing === 0 ? "" : `, ${missing} missing`} · ` +
      "95% interval in brackets",
    caption:
      `${answer} Noise is what replies to one combination differ by, in other text; interactions are what things do ` +
      `only together${repeats > 1 ? "" : ", not told from noise where each combination is asked once"}.`,
    columns: [
      { field: "source", label: "Source" },
      { field: "share", label: "Share (%)", digits: 1, low: "low", high: "high" },
      { field: "recalls", label: "Recall of each level (%)" },
    ],
  });
}
