import type { LeaderboardEntry } from "./leaderboard.ts";
import type { PublishedBenchmark, PublishedModel } from "./published_tables.ts";
import type { PublishedRow, RulerPublished } from "./published.ts";
import { type Column, type Table, table } from "@/lib/figures/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

/** Where Fathom stands in Table 1. */
const FATHOM: PublishedBenchmark = {
  benchmark: "Fathom",
  averageLength: "any",
  type: "synthetic",
  diverseTasks: true,
  minParametricKnowledge: true,
  controllableContext: true,
};

/**
 * Table 1 of the RULER paper, long-context benchmarks compared, with a row for Fathom at its end.
 *
 * @throws {RangeError} If there are no benchmarks.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const { benchmarks } = await openPublished();
 * match(benchmarkTable(benchmarks).text, /^RULER +any +synthetic +✓ +✓ +✓$/m);
 * ```
 */
export function benchmarkTable(benchmarks: readonly PublishedBenchmark[]): Table {
  const rows = [...benchmarks, FATHOM];
  const marked = (field: "diverseTasks" | "minParametricKnowledge" | "controllableContext", label: string): Column<
    PublishedBenchmark
  > => ({ field, label, align: "center", write: (value) => value === true ? "✓" : "✗" });
  return table(rows, {
    title: "Table 1 of the RULER paper, and what Fathom does",
    caption:
      "“Realistic” is annotated by people, “synthetic” generated, in the paper's words. The last row is ours. Diverse: retrieval, " +
      "chains, aggregation and questions as in RULER; counted stars; threads; one needle in other words, and in Chinese. Parametric " +
      "knowledge: questions are about a generated world, and can be asked without any text to see what is known anyway. " +
      "Controllable: exact length, depth, distractors and every knob of a task. Realistic only with texts of your own (SQuAD, HotpotQA, essays).",
    origin: "published",
    n: `${benchmarks.length} benchmarks of 2023 and 2024`,
    columns: [
      { field: "benchmark", label: "Benchmark & task" },
      { field: "averageLength", label: "Avg len", align: "right" },
      { field: "type", label: "Type" },
      marked("diverseTasks", "Diverse tasks"),
      marked("minParametricKnowledge", "Min. parametric knowledge"),
      marked("controllableContext", "Controllable context"),
    ],
  });
}

/**
 * Table 4 of the RULER paper: the models evaluated and analysed, with the profile of the simulated reader that imitates each.
 *
 * @throws {RangeError} If there are no models.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const { models } = await openPublished();
 * match(modelTable(models).text, /^Yi +✓ +34B +200K +01-ai\/Yi-34B-200K +sim:yi-34b/m);
 * ```
 */
export function modelTable(models: readonly PublishedModel[]): Table {
  const rows = models.map((row) => ({ ...row, simulated: profileOf(row) }));
  return table(rows, {
    title: `Table 4 of the RULER paper: ${models.length} models and series of models`,
    caption:
      "Aligned models are tuned to follow instructions; the others are base models. Context lengths are those that the models' " +
      "authors claim, as printed; where that is a misprint, the last column says so.",
    origin: "published",
    n: `${models.length} rows`,
    columns: [
      { field: "model", label: "Model" },
      { field: "aligned", label: "Aligned", align: "center", write: (value) => value === true ? "✓" : "✗" },
      { field: "size", label: "Size", align: "right" },
      { field: "contextLength", label: "Context length", align: "right" },
      { field: "id", label: "Hugging Face, or API" },
      { field: "simulated", label: "Simulated as" },
      { field: "note", label: "Remark" },
    ],
  });
}

function profileOf({ model }: PublishedModel): string | null {
  const bare = (name: string): string => name.replace(/-7B|\(|\)/g, "").replace(/\s+/g, " ").trim();
  const profile = PUBLISHED_PROFILES.find((each) => bare(each.model) === bare(model));
  return profile === undefined ? null : `sim:${profile.name}`;
}

/**
 * The rows of Llama2-7B at the head of Tables 3 and 12 to 16: its score at 4K, the longest that it takes, is the threshold of the
 * others. They have no averages and no rank.
 *
 * @param rows Those of one printed table: the row of the chat model belongs to aligned models, that of the base model to others.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { leaderboard, openPublished } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const published = await openPublished();
 * const table3 = published.rows.filter(({ edition, table }) => edition === "v1" && table === 3);
 * const [row] = leaderboard(thresholdEntries(table3, published));
 * deepEqual([row?.model, row?.scores[0]?.score, row?.average], ["Llama2-7B (chat)", 85.6, null]);
 * ```
 */
export function thresholdEntries(
  rows: readonly PublishedRow[],
  { thresholds }: Pick<RulerPublished, "thresholds">,
): readonly (LeaderboardEntry & { readonly claimedLength: string })[] {
  const lengths = [...new Set(rows.flatMap(({ scores }) => scores.map(({ length }) => length)))];
  const groups = new Set(rows.map(({ group }) => group));
  return thresholds
    .filter(({ category, aligned }) =>
      rows.some((row) => row.category === category) && groups.has(aligned ? "aligned" : "base")
    )
    .map(({ model, length: at, threshold }) => ({
      model,
      group: "threshold",
      claimedLength: "4k",
      threshold: null,
      scores: lengths.map((length) => ({ length, score: length === at ? threshold : null })),
    }));
}
