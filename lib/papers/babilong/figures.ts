import { grouped } from "@/lib/base/mod.ts";
import { accuracyRows, type BabilongCounts, type BabilongScoring, lengthName, meanRows } from "./published.ts";
import { BABILONG } from "@/lib/benchmarks/babilong/babilong.ts";
import { BABILONG_FIXES } from "@/lib/benchmarks/babilong/scorer.ts";
import { type Figure, lineChart, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { sum } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode recordedCurves}. */
export interface RecordedCurvesOptions extends Pick<Titled, "title"> {
  readonly model: string;
  readonly prompt?: BabilongCounts["prompt"];
  readonly scoring?: BabilongScoring;
}

/** Draws the accuracy of a model's recorded replies by length: a line for each task and one for their mean, with 95% intervals. */
export function recordedCurves(counts: readonly BabilongCounts[], options: RecordedCurvesOptions): Figure {
  const rows = accuracyRows(counts, options);
  const { score, source } = BABILONG.threshold!;
  const sizes = rows.map(({ n }) => n);
  return lineChart([...rows, ...meanRows(rows)], {
    title: options.title,
    origin: "published",
    n: `${Math.min(...sizes)} to ${Math.max(...sizes)} replies a task and length`,
    caption:
      `The authors' recorded replies of ${options.model}. 0K is the story without a text. The level line is ${score}, ${source}.`,
    x: "length" as const,
    y: "score" as const,
    series: "task" as const,
    seriesTitle: "Task" as const,
    low: "low" as const,
    high: "high" as const,
    interval: "95% interval" as const,
    xTitle: "Context length (tokens)",
    yTitle: "Right answers (%)",
    yDomain: [0, 100] as const,
    xSpacing: "steps" as const,
    xLabel: lengthName,
    thresholds: [{ y: score, label: String(score) }] as const,
  });
}

/** Returns for each model and prompt how many recorded replies each correction of the score changes, and the mean by both scorers. */
export function faultTable(counts: readonly BabilongCounts[], { title }: Pick<Titled, "title">): Table {
  const groups = [
    ...Map.groupBy(counts, ({ model, prompt }) => `${model}, ${prompt === "full" ? "full prompt" : "no prompt"}`),
  ];
  const rows = groups.map(([name, ofGroup]) => {
    const add = (
      column: typeof BABILONG_FIXES[number] | "n" | "failed" | "gained" | "lost" | "original" | "corrected",
    ): number => sum(ofGroup.map((row) => row[column]));
    const columns = ["n", "failed", ...BABILONG_FIXES, "gained", "lost"] as const;
    const answered = add("n") - add("failed");
    return {
      name,
      ...Object.fromEntries(columns.map((column) => [column, add(column)])),
      original: 100 * add("original") / add("n"),
      corrected: 100 * add("corrected") / answered,
    };
  });
  const labels = {
    n: "Replies",
    failed: "Failed calls",
    question: "New question",
    answer: "“Answer:”",
    sentence: "Sentence",
    words: "Words",
    gained: "Gained",
    lost: "Lost",
  };
  return table(rows, {
    title,
    origin: "published",
    n: `${grouped(sum(counts.map(({ n }) => n)))} recorded replies`,
    caption:
      "Replies whose score changes by each correction alone, and that only the corrected (gained) or only the original score (lost) accepts.",
    columns: [
      { field: "name", label: "Model and prompt" },
      ...Object.entries(labels).map((
        [field, label],
      ) => ({ field: field as "name", label, digits: 0, align: "right" } as const)),
      { field: "original", label: "Original (%)", digits: 1 },
      { field: "corrected", label: "Corrected (%)", digits: 1 },
    ],
  });
}
