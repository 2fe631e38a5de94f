import { sum } from "@/lib/base/mod.ts";
import { NEVER_STOPS } from "./claims.ts";
import { type CopyRun, groupByBin, measureReplies, shareOf } from "./runs.ts";
import type { CopyFailure, CopyMeasures } from "@/lib/benchmarks/repeated_words/scorer.ts";
import { type Figure, lineChart, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { INTERVALS, MODELS_BY_LENGTH } from "@/lib/papers/evidence/evidence.ts";
import { type Evidence, mean } from "@/lib/statistics/mod.ts";

/** Draws edit scores by length, published ones and those of runs. The line is the score of a copy that never stops. */
export function copyCurves(rows: readonly Evidence[], options: Pick<Titled, "title" | "runs">): Figure {
  const isPublished = rows.every(({ origin }) => origin === "published");
  return lineChart(rows, {
    ...options,
    caption:
      "Published points are the means of all prompts in a bin of lengths, refusals left out, digitised from the authors' " +
      `picture. At ${NEVER_STOPS}% ends a model that goes on until the output limit of twice the prompt.`,
    n: isPublished ? "unknown number of prompts" : "unknown number of prompts, or those of the run",
    origin: isPublished ? "published" : Object.fromEntries(rows.map(({ model, origin }) => [model, origin])),
    ...MODELS_BY_LENGTH,
    ...(isPublished ? {} : INTERVALS),
    xTitle: "Text (tokens)",
    yTitle: "Mean edit score (%)",
    thresholds: [{ y: NEVER_STOPS, label: `never stops: ${NEVER_STOPS}` }],
  });
}

/** The failures of a table, several kinds in a column. */
const COLUMNS = {
  "Not attempted": ["empty", "not attempted"],
  "Other words": ["other words"],
  "Too long": ["too long"],
  "Stopped early": ["stopped early"],
  "Word lost": ["word lost"],
  "Word misplaced": ["word repeated", "word moved"],
  "Spacing": ["spacing"],
} as const satisfies Readonly<Record<string, readonly CopyFailure[]>>;

/** Tabulates the measures of models' copies by length, and how many fail in which way. */
export function copyTable(runs: readonly CopyRun[], options: Titled): Table {
  const rows = runs.flatMap(({ model, replies }) =>
    groupByBin(measureReplies(replies)).map(([tokens, ofBin]) => {
      const percent = (of: (measures: CopyMeasures) => number | boolean): number =>
        shareOf(ofBin, ({ measures }) => of(measures)).score;
      const failures = Object.entries(COLUMNS).map(([label, kinds]) => [
        label,
        ofBin.filter(({ measures: { failure } }) => kinds.some((kind) => kind === failure)).length,
      ]);
      return {
        model,
        tokens,
        n: ofBin.length,
        edits: percent(({ edits }) => edits),
        exact: percent(({ isExact }) => isExact),
        word: percent(({ isPresent }) => isPresent),
        place: percent(({ isInPlace }) => isInPlace),
        missing: mean(ofBin.map(({ measures }) => measures.missingWords)),
        ...Object.fromEntries(failures) as Record<keyof typeof COLUMNS, number>,
      };
    })
  );
  return table(rows, {
    ...options,
    caption:
      "Mean edit score, exact copies, copies with the modified word and with it in its place, in percent; words missing on " +
      "average, below 0 where replies are too long; then the replies by the first of their failures.",
    n: `${sum(rows, ({ n }) => n)} replies`,
    columns: [
      { field: "model", label: "Model" },
      { field: "tokens", label: "Prompt (about, tokens)" },
      { field: "n", label: "n" },
      { field: "edits", label: "Edits", digits: 1 },
      { field: "exact", label: "Exact", digits: 1 },
      { field: "word", label: "Word", digits: 1 },
      { field: "place", label: "Place", digits: 1 },
      { field: "missing", label: "Words missing", digits: 1 },
      ...(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((field) => ({ field, label: field })),
    ],
  });
}
