import { sum } from "@/lib/base/mod.ts";
import { NEVER_STOPS } from "./claims.ts";
import { copiesByBin, type CopyRun, shareOf } from "./runs.ts";
import type { CopyFailure } from "@/lib/benchmarks/repeated_words/scorer.ts";
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
  const rows = copiesByBin(runs).map(({ model, length, copies }) => {
    const failures = Object.entries(COLUMNS).map(([label, kinds]) => [
      label,
      copies.filter(({ measures: { failure } }) => kinds.some((kind) => kind === failure)).length,
    ]);
    return {
      model,
      tokens: length,
      n: copies.length,
      edits: shareOf(copies, ({ edits }) => edits).score,
      exact: shareOf(copies, ({ isExact }) => isExact).score,
      word: shareOf(copies, ({ isPresent }) => isPresent).score,
      place: shareOf(copies, ({ isInPlace }) => isInPlace).score,
      missing: mean(copies.map(({ measures }) => measures.missingWords)),
      ...Object.fromEntries(failures) as Record<keyof typeof COLUMNS, number>,
    };
  });
  return table(rows, {
    ...options,
    caption:
      "Mean edit score, exact copies, copies with the modified word and with it in its place, in percent; words missing on " +
      "average, below 0 where replies are too long; then the replies by the first of their failures.",
    n: `${sum(rows, ({ n }) => n)} replies`,
    columns: {
      model: "Model",
      tokens: "Prompt (about, tokens)",
      n: "n",
      edits: { label: "Edits", digits: 1 },
      exact: { label: "Exact", digits: 1 },
      word: { label: "Word", digits: 1 },
      place: { label: "Place", digits: 1 },
      missing: { label: "Words missing", digits: 1 },
      ...Object.fromEntries(Object.keys(COLUMNS).map((label) => [label, label])),
    },
  });
}
