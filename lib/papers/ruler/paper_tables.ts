import { leaderboardTable } from "./leaderboard_tables.ts";
import { leaderboard, type LeaderboardEntry } from "./leaderboard.ts";
import {
  CATEGORY_NAMES,
  type CategoryName,
  type PublishedBenchmark,
  type PublishedModel,
  type PublishedTask,
} from "./published_tables.ts";
import { type Edition, type PublishedRow, type RulerPublished, scoreAt } from "./published.ts";
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
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
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
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
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
 * Table 5 of the RULER paper: the settings of its 13 tasks, under the names of RULER's code.
 *
 * @throws {RangeError} If there are no tasks.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * const { tasks } = await openPublished();
 * match(taskSettingsTable(tasks).text, /^niah_multivalue +retrieval +MV-NIAH +essay +words +numbers +1 +4 +1/m);
 * ```
 */
export function taskSettingsTable(tasks: readonly PublishedTask[]): Table {
  const rows = tasks.map((row) => ({
    ...row,
    named: [row.paperName, row.subtask ?? []].flat().join(" "),
    other: row.other?.replaceAll(";", "; ").replaceAll(/ {2,}/g, " ") ?? null,
  }));
  return table(rows, {
    title: `Table 5 of the RULER paper: the settings of its ${tasks.length} tasks`,
    caption:
      "Keys, values for each key and keys asked for are as RULER's code has them; where the paper says otherwise, the remark does. " +
      "A haystack of needles is made of other keys and values until the length is full. The last column has the task of earlier " +
      "work that this one is like. Whatever a task does not have is a dash.",
    origin: "published",
    n: `${tasks.length} tasks`,
    columns: [
      { field: "task", label: "Task" },
      { field: "category", label: "Category", write: (value) => CATEGORY_NAMES[value as CategoryName] },
      { field: "named", label: "In the paper" },
      { field: "haystack", label: "Haystack" },
      { field: "keyType", label: "Keys are" },
      { field: "valueType", label: "Values are" },
      { field: "keys", label: "Keys", digits: 0 },
      { field: "values", label: "Values", digits: 0 },
      { field: "queries", label: "Asked", digits: 0 },
      { field: "other", label: "Other settings, remarks" },
      { field: "alias", label: "Also known as" },
    ],
  });
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
 * import { leaderboard } from "@/lib/papers/ruler/leaderboard.ts";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
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

/** Which table {@linkcode publishedTable} makes. */
export interface PublishedTableOptions {
  readonly edition: Edition;
  /**
   * Its number, one of 3 and 10 to 16; the repository's leaderboard continues Table 3.
   *
   * @default {3}
   */
  readonly table?: number;
}

/** What a printed table needs said beside its scores. */
const REMARKS: Readonly<Record<Edition, string | null>> = {
  v1: null,
  v3: null,
  repository:
    "Scores of models with a star are from reports of other authors: Jamba-1.5-large (arXiv 2408.12570), FILM-7B (2404.16811; YaRN " +
    "without further training beyond 32K, and no worked example in common words), Qwen2.5-1M (2501.15383), Qwen3 (2505.09388), EXAONE " +
    "4.0 (2507.11407). For the last three the repository leaves weighted averages and ranks open; here they are computed, so ranks are " +
    "among more models than there. A model without a score at a length has no average here and no rank.",
};

/**
 * A table of scores that RULER published, Llama2-7B's row at its head, with averages, ranks and effective lengths recomputed from
 * the scores.
 *
 * @throws {RangeError} If the edition has no such table.
 *
 * @example The longest list of models is the repository's
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * const { text } = publishedTable(await openPublished(), { edition: "repository" });
 * match(text, /^EXAONE-4\.0-1\.2B\* \(1\.2B\) +64K +16K +87\.0\+ .* –/m);
 * ```
 */
export function publishedTable(
  published: Pick<RulerPublished, "rows" | "thresholds">,
  { edition, table: number = 3 }: PublishedTableOptions,
): Table {
  const ofEdition = published.rows.filter((row) => row.edition === edition);
  const rows = ofEdition.filter(({ table }) => table === number);
  if (rows.length === 0) {
    const numbers = [...new Set(ofEdition.map(({ table }) => table))].join(", ");
    throw new RangeError(
      `Cannot show a published table as its number must be one of ${numbers} in ${edition}: current value is ${number}`,
    );
  }
  const lengths = [...new Set(rows.flatMap(({ scores }) => scores.map(({ length }) => length)))];
  const whole = rows.map((row) => ({
    ...row,
    scores: lengths.map((length) => ({ length, score: scoreAt(row, length) ?? null })),
  }));
  const remark = REMARKS[edition];
  return leaderboardTable(leaderboard([...thresholdEntries(rows, published), ...whole]), {
    title: `${titleOf(rows[0]!)}, every derived column recomputed`,
    origin: "published",
    n: edition === "repository" ? "500 samples a task and length unless starred" : "500 samples a task and length",
    ...(remark === null ? {} : { remark }),
  });
}

function titleOf({ edition, table, category }: PublishedRow): string {
  if (edition === "repository") return "The leaderboard of RULER's repository";
  const paper = edition === "v1" ? "the RULER paper" : "the RULER paper's third version";
  return table === 3 ? `Table 3 of ${paper}` : `Table ${table} of ${paper} (${category})`;
}
