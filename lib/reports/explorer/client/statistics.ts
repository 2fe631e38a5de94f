/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";
import { until } from "lit-html/directives/until.js";
import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { App, Panel } from "./app.ts";
import { taskNames } from "./filters.ts";
import { visible } from "./pieces.ts";
import { grouped, plural, sum } from "@/lib/base/mod.ts";
import {
  comparePairs,
  lengthMeans,
  type PairedRow,
  pairRecords,
  type RunReply,
  type ScoreRow,
  statedInterval,
  summarise,
  type SummaryRow,
  unitsText,
} from "@/lib/statistics/mod.ts";

/** Returns the replies of a run to some samples, in the form that statistics take. */
export function repliesOf(facts: ExplorerFacts, rows: readonly ExplorerRow[], run: number): readonly RunReply[] {
  const names = taskNames(facts);
  return rows.flatMap(({ task, length, cluster, index, seed, repeat, answers }): RunReply[] => {
    const answer = answers[run] ?? null;
    if (answer === null) return [];
    const { value, verdict } = answer;
    return [{
      task: names[task]!,
      length,
      cluster: cluster ?? undefined,
      value,
      failed: verdict === "failed call",
      noAnswer: verdict === "no answer",
      least: facts.tasks[task]!.least,
      record: { index, seed, repeat },
    }];
  });
}

const known = new WeakMap<readonly ExplorerRow[], Map<number, readonly SummaryRow[]>>();

/** Returns a run's score of each task and length, computed once for a list of samples. */
export function cellScores(facts: ExplorerFacts, rows: readonly ExplorerRow[], run: number): readonly SummaryRow[] {
  const ofRuns = known.get(rows) ?? new Map<number, readonly SummaryRow[]>();
  known.set(rows, ofRuns);
  // Task by task, as only the samples of tasks with clusters must be averaged anew in a mean of tasks.
  const tasks = Map.groupBy(ofRuns.has(run) ? [] : repliesOf(facts, rows, run), ({ task }) => task);
  const scores = ofRuns.get(run) ?? [...tasks.values()].flatMap(summarise);
  ofRuns.set(run, scores);
  return scores;
}

/** Returns the mean of cells with equal weight, as `fathom compare` has it; cells without a score only count their calls. */
export function meanOfCells(cells: readonly SummaryRow[], name = "all"): SummaryRow {
  const named = cells.map((row) => ({ ...row, task: JSON.stringify([row.task, row.length]), length: 0 }));
  const scored = named.filter(({ score }) => score !== null);
  const [mean] = lengthMeans(scored, { groups: [{ name, tasks: scored.map(({ task }) => task) }] });
  const none = {
    score: null,
    low: null,
    high: null,
    effectiveSize: 0,
    unscored: 0,
    reason: "no score",
    length: 0,
    n: 0,
  };
  const count = (of: (row: SummaryRow) => number): number => sum(cells, of);
  return {
    ...(mean ?? none),
    task: name,
    failed: count(({ failed }) => failed),
    noAnswer: count(({ noAnswer }) => noAnswer),
  };
}

/** Compares runs with the run `against` on the samples that both have a score for: all samples, p-values corrected for the runs. */
export function pairedDifferences(
  facts: ExplorerFacts,
  rows: readonly ExplorerRow[],
  against: number,
): readonly { readonly run: number; readonly row: PairedRow | null }[] {
  const baseline = repliesOf(facts, rows, against);
  const others = [...facts.runs.keys()].filter((run) => run !== against);
  const pairs = others.map((run) => pairRecords(baseline, repliesOf(facts, rows, run)).pairs);
  const compared = comparePairs(pairs, { by: ["all"] });
  return others.map((run, at) => ({ run, row: compared.rows[at]![0] ?? null }));
}

/** Formats a score with its interval, such as `42.1 [39.0, 45.2]`; too few units have none. */
export function scoreText(row: Pick<ScoreRow, "score" | "low" | "high" | "n" | "units">): string {
  if (row.score === null) return "no score";
  return row.score.toFixed(1) + intervalText(row);
}

function intervalText(row: Parameters<typeof statedInterval>[0]): string {
  const { low, high } = statedInterval(row);
  return low === null || high === null ? ` (${unitsText([row])})` : ` [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

/** Formats the number of scored samples, of the units that they share, and of the calls that failed. */
export function countsText({ n, units = n, failed }: Pick<ScoreRow, "n" | "units" | "failed">): string {
  return [
    `n = ${grouped(n)}`,
    ...(units < n ? [`${grouped(units)} questions or texts`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed ${plural(failed, "call")} not in the score`] : []),
  ].join(", ");
}

/** Replies up to which statistics do not delay what the page shows first. */
const AT_ONCE = 4000;

/** Shows the scores of the samples that pass the filters: of each run, and the paired difference of runs. */
export const summaryPanel: Panel = (app) => {
  const rows = app.filtered();
  const { facts: { runs } } = app;
  const against = Math.min(Number(app.state.against ?? 0) || 0, runs.length - 1);
  const drawn = rows.length * runs.length <= AT_ONCE
    ? summaryLines(app, rows, against)
    : until(later(`${against}`, rows, () => summaryLines(app, rows, against)), html`<p class="quiet">…</p>`);
  return html`<section class="summary" aria-label="Scores of these samples" aria-live="polite">${drawn}</section>`;
};

/** What is computed once the page shows the rest, by the samples and the rest of what it depends on. */
const started = new WeakMap<readonly ExplorerRow[], Map<string, Promise<readonly TemplateResult[]>>>();

function later(
  key: string,
  rows: readonly ExplorerRow[],
  compute: () => readonly TemplateResult[],
): Promise<readonly TemplateResult[]> {
  const ofRows = started.get(rows) ?? new Map<string, Promise<readonly TemplateResult[]>>();
  started.set(rows, ofRows);
  const found = ofRows.get(key) ?? new Promise((resolve) => setTimeout(() => resolve(compute()), 50));
  ofRows.set(key, found);
  return found;
}

function summaryLines({ facts }: App, rows: readonly ExplorerRow[], against: number): readonly TemplateResult[] {
  const { runs } = facts;
  const scores = runs.map(({ label }, run) => {
    const mean = meanOfCells(cellScores(facts, rows, run));
    return html`<p><b>${visible(label)}</b> ${scoreText(mean)}, ${countsText(mean)}</p>`;
  });
  if (runs.length < 2) return scores;
  const differences = pairedDifferences(facts, rows, against).map(({ run, row }) => {
    const names = `${visible(runs[run]!.label)} less ${visible(runs[against]!.label)}`;
    return html`<p>${names}: ${row === null ? "no sample has a score of both" : differenceText(row)}</p>`;
  });
  return [...scores, ...differences];
}

/** Formats a paired difference with its interval, p-value and number of samples. */
export function differenceText(row: PairedRow): string {
  const { difference, adjusted, n, higher } = row;
  const p = adjusted < 0.001 ? "p < 0.001" : `p = ${adjusted.toFixed(3)}`;
  const shown = higher === null ? "no difference is shown" : "the difference is shown";
  const points = `${difference > 0 ? "+" : ""}${difference.toFixed(1)} points${intervalText(row)}`.replaceAll("-", "−");
  return `${points}, ${p} on ${grouped(n)} shared ${plural(n, "sample")}: ${shown}`;
}
