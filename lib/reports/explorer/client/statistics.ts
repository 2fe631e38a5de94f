/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";
import { until } from "lit-html/directives/until.js";
import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { Panel } from "./app.ts";
import { taskNames } from "./filters.ts";
import { visible } from "./pieces.ts";
import { comparedRun } from "./state.ts";
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
  type TaskGroup,
  unitsText,
} from "@/lib/statistics/mod.ts";

/** Returns the replies of a run to some samples, in the form that statistics take. */
function repliesOf(facts: ExplorerFacts, rows: readonly ExplorerRow[], run: number): readonly RunReply[] {
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

const known = new WeakMap<readonly ExplorerRow[], Map<string, unknown>>();

/** Returns what a key was computed as for a list of samples, and computes it once. */
function remember<Result>(rows: readonly ExplorerRow[], key: string, compute: () => Result): Result {
  const ofRows = known.get(rows) ?? new Map<string, unknown>();
  known.set(rows, ofRows);
  if (!ofRows.has(key)) ofRows.set(key, compute());
  return ofRows.get(key) as Result;
}

/** Returns a run's score of each task and length, computed once for a list of samples. */
export function cellScores(facts: ExplorerFacts, rows: readonly ExplorerRow[], run: number): readonly SummaryRow[] {
  return remember(rows, `scores ${run}`, () => {
    // Task by task, as only the samples of tasks with clusters must be averaged anew in a mean of tasks.
    const tasks = Map.groupBy(repliesOf(facts, rows, run), ({ task }) => task);
    return [...tasks.values()].flatMap(summarise);
  });
}

/** Returns the groups of tasks that are whole at some length; if none is, each task alone, those of most lengths first. */
export function groupsOf(facts: ExplorerFacts, rows: readonly ExplorerRow[]): readonly TaskGroup[] {
  return remember(rows, "groups", () => {
    const names = taskNames(facts);
    const found = Map.groupBy(rows, ({ task }) => names[task]!);
    const lengths = new Map([...found].map(([name, ofTask]) => [name, new Set(ofTask.map(({ length }) => length))]));
    const whole = facts.groups.filter(({ tasks }) =>
      tasks.map((task) => lengths.get(task) ?? new Set<number>()).reduce((one, other) => one.intersection(other)).size >
        0
    );
    const single = [...lengths].sort(([, one], [, other]) => other.size - one.size);
    return whole.length > 0 ? whole : single.map(([name]) => ({ name, tasks: [name] }));
  });
}

/** Returns a run's mean of a group of tasks at each length; lengths at which a task has no score have none. */
export function groupScores(
  facts: ExplorerFacts,
  rows: readonly ExplorerRow[],
  { run, ...group }: TaskGroup & { readonly run: number },
): readonly SummaryRow[] {
  const groups = [group];
  return remember(rows, JSON.stringify([run, groups]), () => lengthMeans(cellScores(facts, rows, run), { groups }));
}

/** Returns the mean of cells with equal weight, as `fathom compare` has it; cells without a score only count their calls. */
export function meanOfCells(cells: readonly SummaryRow[]): SummaryRow | undefined {
  const named = cells.map((row) => ({ ...row, task: JSON.stringify([row.task, row.length]), length: 1 }));
  const scored = named.filter(({ score }) => score !== null);
  const tasks = (scored.length === 0 ? named : scored).map(({ task }) => task);
  const [mean] = lengthMeans(named, { groups: [{ name: "mean", tasks }] });
  const failed = sum(cells, (cell) => cell.failed);
  return mean && { ...mean, failed };
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
export function scoreText(row: ScoreRow | undefined): string {
  return row === undefined || row.score === null ? "no score" : row.score.toFixed(1) + intervalText(row);
}

function intervalText(row: Parameters<typeof statedInterval>[0]): string {
  const { low, high } = statedInterval(row);
  return low === null || high === null ? ` (${unitsText([row])})` : ` [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

/** Formats the number of scored samples, of the units that they share, and of the calls that failed. */
export function countsText({ n = 0, units = n, failed = 0 }: Partial<ScoreRow> = {}): string {
  const shared = units < n ? `, ${grouped(units)} questions or texts` : "";
  const lost = failed > 0 ? `, ${grouped(failed)} failed ${plural(failed, "call")} not in the score` : "";
  return `n = ${grouped(n)}${shared}${lost}`;
}

/** Replies up to which statistics do not delay what the page shows first. */
const AT_ONCE = 4000;

/** Shows the scores of the samples that pass the filters: of each run, and the paired difference of runs. */
export const summaryPanel: Panel = (app) => {
  const { facts } = app;
  const rows = app.filtered();
  const against = comparedRun(app);
  const scores = (): readonly TemplateResult[] =>
    facts.runs.map(({ label }, run) => {
      const mean = meanOfCells(cellScores(facts, rows, run));
      return html`<p><b>${visible(label)}</b> ${scoreText(mean)}, ${countsText(mean)}</p>`;
    });
  const differences = (): readonly TemplateResult[] =>
    pairedDifferences(facts, rows, against).map(({ run, row }) => {
      const names = `${visible(facts.runs[run]!.label)} less ${visible(facts.runs[against]!.label)}`;
      return html`<p>${names}: ${differenceText(row)}</p>`;
    });
  const isSmall = rows.length * facts.runs.length <= AT_ONCE;
  const shown = [scores, ...(facts.runs.length > 1 ? [differences] : [])].map((draw, at) => {
    if (isSmall) return draw();
    const later = remember(
      rows,
      `summary ${at} ${against}`,
      () => new Promise((resolve) => setTimeout(() => resolve(draw()), 50 + 300 * at)),
    );
    return until(later, html`<p class="quiet">…</p>`);
  });
  return html`<section class="summary" aria-label="Scores of these samples" aria-live="polite">${shown}</section>`;
};

/** Formats a paired difference with its interval, p-value and number of samples. */
export function differenceText(row: PairedRow | null): string {
  if (row === null) return "no sample has a score of both";
  const { difference, adjusted, n, higher } = row;
  const p = adjusted < 0.001 ? "p < 0.001" : `p = ${adjusted.toFixed(3)}`;
  const shown = higher === null ? "no difference is shown" : "the difference is shown";
  const points = `${difference > 0 ? "+" : ""}${difference.toFixed(1)} points${intervalText(row)}`.replaceAll("-", "−");
  return `${points}, ${p} on ${grouped(n)} shared ${plural(n, "sample")}: ${shown}`;
}
