import {
  CATEGORY_NAMES,
  type CategoryName,
  type PublishedBenchmark,
  type PublishedModel,
  type PublishedTask,
} from "./published_tables.ts";
import { type Column, type Table, table } from "@/lib/figures/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

/** Fathom's row in Table 1. */
const FATHOM: PublishedBenchmark = {
  benchmark: "Fathom",
  averageLength: "any",
  type: "synthetic",
  diverseTasks: true,
  minParametricKnowledge: true,
  controllableContext: true,
};

/**
 * Shows Table 1 of the RULER paper, a comparison of long-context benchmarks, with a last row for Fathom.
 *
 * @throws {RangeError} If there are no benchmarks.
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
      "knowledge: questions are about a generated world, and can be asked without any text as a control. Controllable: exact length, " +
      "depth, distractors and every knob of a task. Realistic only with your own texts (SQuAD, HotpotQA, essays).",
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
 * Shows Table 4 of the RULER paper: the models evaluated and analysed, with the profile of the simulated reader that imitates each.
 *
 * @throws {RangeError} If there are no models.
 */
export function modelTable(models: readonly PublishedModel[]): Table {
  const rows = models.map((row) => ({ ...row, simulated: profileOf(row) }));
  return table(rows, {
    title: `Table 4 of the RULER paper: ${models.length} models and series of models`,
    caption:
      "Aligned models are tuned to follow instructions; the others are base models. Context lengths are those that the models' " +
      "authors claim, as printed; the last column marks misprints.",
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
 * Shows Table 5 of the RULER paper: the settings of its 13 tasks, under the names of RULER's code.
 *
 * @throws {RangeError} If there are no tasks.
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
      "Keys, values for each key and keys asked for are those of RULER's code; the remark names the paper's if they differ. A haystack " +
      "of needles consists of other keys and values until the length is full. The last column names the similar task of earlier " +
      "work. A dash marks a setting that a task does not have.",
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
