import type { PromptDependence } from "./prompt_dependence.ts";
import type { RecallModel } from "./published.ts";
import { RECALL_GRADES, RECALL_TESTS } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { barChart, type Figure, type FigureOptions, type Table, table, type Titled } from "@/lib/figures/mod.ts";

/**
 * Draws the sources of variance in grades except noise, the rest to 100%, which the caption states: its bar would dwarf the
 * others. Returns {@linkcode promptFactorTable} if all grades are the same.
 */
export function promptDependenceChart(dependence: PromptDependence, options: Titled): Figure | Table {
  const { factors, replies, repeats } = dependence;
  const noise = factors.find(({ source }) => source === "noise")!;
  if (noise.share === null) return promptFactorTable(dependence, options);
  const drawn = factors.flatMap(({ source, share, low, high }) =>
    source === "noise" || share === null ? [] : [{ source, share: Number(share.toFixed(1)), low, high }]
  );
  return barChart(drawn, {
    ...options,
    ...{ n: `${replies} replies, ${repeats} of each combination`, interval: "95%, noise drawn again" },
    caption: `Noise is the rest: ${noise.share.toFixed(1)}%. What it adds to a share by chance is taken off each; ` +
      "below 0 a share is 0.",
    ...{ category: "source", value: "share", low: "low", high: "high", horizontal: true, showValues: true } as const,
    ...{ categoryTitle: "", valueTitle: "Share of what grades differ by (%)" },
  });
}

/** Returns the sources of variance with share, interval and the recall at each level; the caption has the answer. */
export function promptFactorTable(dependence: PromptDependence, options: Titled): Table {
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
      `only together${repeats > 1 ? "" : ", not separable from noise if each combination is asked once"}.`,
    columns: [
      { field: "source", label: "Source" },
      { field: "share", label: "Share (%)", digits: 1, low: "low", high: "high" },
      { field: "recalls", label: "Recall of each level (%)" },
    ],
  });
}

/** Returns Table 1: the models and their context windows. */
export function recallModelTable(models: readonly RecallModel[], { title }: Pick<FigureOptions, "title">): Table {
  return table(models, {
    ...{ title, origin: "published", n: `${models.length} models` },
    caption: "Table 1 of the paper: the models, and their context windows as printed.",
    columns: [
      { field: "model", label: "Model" },
      { field: "window", label: "Context window (tokens)", write: (value) => Number(value).toLocaleString("en") },
    ],
  });
}

/** Returns Table 2: the needle and the question of each test, with the task that asks it. */
export function recallTestTable({ title }: Pick<FigureOptions, "title">): Table {
  const rows = Object.entries(RECALL_TESTS).map(([name, { needle, questions: [question] }]) => (
    { task: `recall_${name}`, needle, question }
  ));
  return table(rows, {
    ...{ title, origin: "published", n: `${rows.length} tests` },
    caption: "Table 2 of the paper: what is hidden and what is asked; all else of the prompts is the same.",
    columns: [
      { field: "task", label: "Task" },
      { field: "needle", label: "Needle" },
      { field: "question", label: "Question" },
    ],
  });
}

/** Returns Table 4: the meaning of each grade, which judge and rubric follow. */
export function recallGradeTable({ title }: Pick<FigureOptions, "title">): Table {
  const rows = RECALL_GRADES.map((meaning, at) => ({ grade: at + 1, meaning })).toReversed();
  return table(rows, {
    ...{ title, origin: "published", n: `${rows.length} grades` },
    caption: "Table 4 of the paper: the scale of grades. Recall is the sum of grades over 5 for each reply.",
    columns: [{ field: "grade", label: "Grade" }, { field: "meaning", label: "Meaning" }],
  });
}
