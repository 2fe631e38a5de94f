import { CATEGORY_NAMES, type CategoryName, type PublishedModel, type RulerPublished } from "./published.ts";
import { zeta } from "@/lib/benchmarks/ruler/mod.ts";
import { type Figure, lineChart, panels, type Table, table } from "@/lib/figures/mod.ts";
import { PUBLISHED_PROFILES } from "@/lib/models/mod.ts";

type PublishedBenchmark = RulerPublished["benchmarks"][number];

/** Fathom's row in Table 1. */
const FATHOM: PublishedBenchmark = {
  benchmark: "Fathom",
  averageLength: "any",
  type: "synthetic",
  diverseTasks: true,
  minParametricKnowledge: true,
  controllableContext: true,
};

/** Shows Table 1 of the RULER paper, a comparison of long-context benchmarks, with a last row for Fathom. */
export function benchmarkTable(benchmarks: RulerPublished["benchmarks"]): Table {
  const marked = <Field extends keyof PublishedBenchmark>(field: Field, label: string) =>
    ({ field, label, align: "center", write: mark }) as const;
  return table([...benchmarks, FATHOM], {
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

/** Returns the sign of a yes or no. */
function mark(value: unknown): string {
  return value === true ? "✓" : "✗";
}

/** Shows Table 4 of the RULER paper: the models evaluated and analysed, with the profile of the simulated reader of each. */
export function modelTable(models: readonly PublishedModel[]): Table {
  return table(models.map((row) => ({ ...row, simulated: profileOf(row) })), {
    title: `Table 4 of the RULER paper: ${models.length} models and series of models`,
    caption:
      "Aligned models are tuned to follow instructions; the others are base models. Context lengths are those that the models' " +
      "authors claim, as printed; the last column marks misprints.",
    origin: "published",
    n: `${models.length} rows`,
    columns: [
      { field: "model", label: "Model" },
      { field: "aligned", label: "Aligned", align: "center", write: mark },
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

/** Shows Table 5 of the RULER paper: the settings of its 13 tasks, under the names of RULER's code. */
export function taskSettingsTable(tasks: RulerPublished["tasks"]): Table {
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

/** The ranks that the second panel shows. */
const RANKS = 100;

/**
 * Draws Figure 1 of the RULER paper from its formulas: the occurrences of words in the two aggregation tasks, by rank.
 *
 * @param options The uncommon words of the first panel; the number of words N and the exponents, each above 1, of the second.
 */
export function frequencyFigure(
  { uncommon, words, alphas }: {
    readonly uncommon: number;
    readonly words: number;
    readonly alphas: readonly number[];
  },
): Figure {
  const shared = {
    x: "rank",
    y: "frequency",
    xTitle: "Rank of the word",
    yTitle: "Occurrences",
    origin: "published",
    caption: "Occurrences by rank.",
    height: 220,
  } as const;
  const common = lineChart(listRanks(10 + uncommon, (rank) => rank <= 10 ? 30 : 3), {
    ...shared,
    xSpacing: "linear",
    title: "Common words extraction",
    n: `10 common and ${uncommon} other words`,
  });
  const byAlpha = alphas.flatMap((alpha) => {
    const scale = words / zeta(alpha);
    return listRanks(RANKS, (rank) => rank ** -alpha * scale).map((row) => ({ ...row, alpha: `α = ${alpha}` }));
  });
  const frequent = lineChart(byAlpha, {
    ...shared,
    xSpacing: "log",
    ySpacing: "log",
    series: "alpha",
    seriesTitle: "Exponent",
    palette: "ordered",
    title: "Frequent words extraction",
    n: `N = ${words.toLocaleString("en-US")} words, before rounding down`,
  });
  return panels([common, frequent], {
    title: "Word frequencies of the two aggregation tasks, by rank",
    caption:
      "Figure 1 of the paper, from its formulas (section 3.3). Left: common words appear 30 times, all others 3 times. Right: rank k appears k^-α N/ζ(α) times; rank 1 is the noise, which is not asked for.",
  });
}

function listRanks(
  count: number,
  frequencyOf: (rank: number) => number,
): readonly { readonly rank: number; readonly frequency: number }[] {
  return Array.from({ length: count }, (_, place) => ({ rank: place + 1, frequency: frequencyOf(place + 1) }));
}
