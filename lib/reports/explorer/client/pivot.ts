/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerAnswer, ExplorerRow } from "../data.ts";
import type { App, Panel, State } from "./app.ts";
import { markTable } from "./chart_view.ts";
import { markOf } from "./charts.ts";
import { taskNames, writeValues } from "./filters.ts";
import { menu } from "./pieces.ts";
import { openDetails } from "./threshold.ts";
import { cellScores, countsText, meanOfCells, scoreText } from "./statistics.ts";
import { grouped, percent } from "@/lib/base/mod.ts";
import { csvFormatRow, median, type ScoreRow } from "@/lib/statistics/mod.ts";

/** A cell of a pivot: some samples with the replies of some runs. */
interface Cell {
  /** The values of its row and column, as in a filter. */
  readonly place: readonly [row: string, column: string];
  readonly rows: readonly ExplorerRow[];
  readonly runs: readonly number[];
}

/** A pivot, or why it would mislead. */
export interface Pivot {
  readonly cells: readonly Cell[];
  /** Why a mean would be over what was not chosen; empty if it would not. */
  readonly why: string;
  /** The change of the state that compares like with like; `null` if there is none. */
  readonly remedy: State | null;
}

/** What rows and columns can be. */
const AXES = ["run", "task", "length", "depth", "none"];

/** What cells show, from the mean score of a cell and its answers. */
const MEASURES: Readonly<Record<string, (row: ScoreRow | undefined, answers: readonly ExplorerAnswer[]) => string>> = {
  "mean score": (row) => `${scoreText(row)}, ${countsText(row)}`,
  n: (row) => grouped(row?.n ?? 0),
  "failed calls": (_, answers) => shareText(answers, "failed call"),
  "no answer": (_, answers) => shareText(answers, "no answer"),
  "median time": (_, answers) => {
    const times = answers.flatMap(({ latency }) => latency ?? []);
    return times.length === 0 ? "not timed" : `${(median(times) / 1000).toFixed(2)} s`;
  },
};

function shareText(answers: readonly ExplorerAnswer[], wanted: string): string {
  const count = answers.filter(({ verdict }) => verdict === wanted).length;
  return `${percent(count / Math.max(1, answers.length), 1)} (${grouped(count)} of ${grouped(answers.length)})`;
}

/** Shows a measure of the filtered samples of all runs by two properties; refuses means over what was not chosen. */
export const pivotPanel: Panel = (app) =>
  app.facts.isPivotOnly ? pivotForm(app) : openDetails(app, "pivot", "Pivot of all runs", () => pivotForm(app));

const pivotForm: Panel = (app) => {
  const menus = [["Rows", AXES, "run"], ["Columns", AXES, app.facts.isPivotOnly ? "task" : "length"], [
    "Measure",
    Object.keys(MEASURES),
    "mean score",
  ]] as const;
  const chosen = menus.map(([label, values, byDefault]) =>
    values.find((value) => value === app.state[`pivot${label}`]) ?? byDefault
  ) as [string, string, string];
  const drawn = menus.map(([label, values], at) => {
    const choices = values.map((value) => ({ value, text: value, isChosen: value === chosen[at] }));
    return menu(label, choices, (value) => app.go({ [`pivot${label}`]: value }));
  });
  return html`<p class="tools">${drawn}</p>${pivotTable(app, chosen)}`;
};

function pivotTable(app: App, [rows, columns, measure]: readonly [string, string, string]): TemplateResult {
  const axes = [rows, columns] as const;
  const { cells, why, remedy } = pivotOf(app, axes);
  if (why !== "" && measure !== "n") {
    const take = html`<button type="button" @click=${() => app.go(remedy ?? {})}>Compare like with like</button>`;
    return html`<p role="status">${why} ${remedy === null ? nothing : take}</p>`;
  }
  const textOf = (axis: string, value: string): string => {
    if (axis === "run") return app.facts.runs[Number(value)]!.label;
    return axis === "none" ? "all" : app.filters.dimension(axis).text(value);
  };
  const marks = cells.map(({ place, rows, runs }) => {
    const scores = runs.flatMap((run) => cellScores(app.facts, rows, run));
    const answers = rows.flatMap((row) => runs.flatMap((run) => row.answers[run] ?? []));
    const text = rows.length === 0 ? "–" : MEASURES[measure]!(meanOfCells(scores), answers);
    const values = axes.map((axis, at) => [axis, place[at]!]).filter(([axis]) => axis !== "run" && axis !== "none");
    const drawn = { row: textOf(axes[0], place[0]), column: textOf(axes[1], place[1]), text };
    const mark = markOf(app, { values: Object.fromEntries(values), drawn, details: () => [text] });
    // All cells pass the filters.
    return { ...mark, isChosen: false };
  });
  const lines = [[...axes, measure], ...marks.map(({ row, column, text }) => [row, column, text])];
  const copy = (): void => {
    void navigator.clipboard.writeText(lines.map((line) => `${csvFormatRow(line)}\n`).join(""));
  };
  return html`${markTable(marks, `Pivot: ${measure}`)}<p><button type="button" @click=${copy}>Copy as CSV</button></p>`;
}

/** What a pivot reads of the page. */
type Source = Pick<App, "facts" | "filters" | "filtered">;

/**
 * Divides the filtered samples by two axes. Cells that mix runs, or whose tasks or lengths differ, have no mean that was chosen; the
 * remedy has runs in the rows, or filters by the tasks and lengths that all cells have.
 */
export function pivotOf(app: Source, axes: readonly [string, string]): Pivot {
  const runs = [...app.facts.runs.keys()];
  const axisOf = (axis: string): { order: readonly string[]; of(row: ExplorerRow, run: number): string } => {
    if (axis === "run") return { order: runs.map(String), of: (_, run) => String(run) };
    if (axis === "none") return { order: [""], of: () => "" };
    const { values, places } = app.filters.dimension(axis);
    return { order: values, of: ({ at }) => values[places[at]!]! };
  };
  const [down, across] = [axisOf(axes[0]), axisOf(axes[1])];
  const hasRuns = axes.includes("run");
  const found = new Map((hasRuns ? runs.map((run) => [run]) : [runs]).flatMap((ofCell) => {
    const asked = app.filtered().filter(({ answers }) => ofCell.some((run) => answers[run] !== null));
    const keyOf = (row: ExplorerRow): string => writeValues([down, across].map((axis) => axis.of(row, ofCell[0]!)));
    return [...Map.groupBy(asked, keyOf)].map(([key, rows]) => [key, { rows, runs: ofCell }] as const);
  }));
  const has = (row: string, column: string): boolean => found.has(writeValues([row, column]));
  const rows = down.order.filter((row) => across.order.some((column) => has(row, column)));
  const columns = across.order.filter((column) => rows.some((row) => has(row, column)));
  const cells = rows.flatMap((row) =>
    columns.map((column): Cell => (
      { place: [row, column], ...(found.get(writeValues([row, column])) ?? { rows: [], runs: [] }) }
    ))
  );
  if (hasRuns || runs.length === 1) return { cells, ...commonPart(app, axes, [...found.values()]) };
  return { cells, why: `Each cell would mix ${runs.length} runs.`, remedy: { pivotRows: "run" } };
}

/** Finds the tasks and lengths that all cells have, besides those of the axes. */
function commonPart(
  { facts, filters }: Source,
  axes: readonly string[],
  cells: readonly Pick<Cell, "rows">[],
): Omit<Pivot, "cells"> {
  const names = taskNames(facts);
  const partOf = (task: string, length: string): string =>
    writeValues([axes.includes("task") ? "" : task, axes.includes("length") ? "" : length]);
  const parts = cells.map(({ rows }) => new Set(rows.map(({ task, length }) => partOf(names[task]!, String(length)))));
  const common = parts.reduce((left, right) => left.intersection(right), parts[0] ?? new Set());
  if (parts.every(({ size }) => size === common.size)) return { why: "", remedy: null };
  const [tasks, lengths] = [filters.dimension("task").values, filters.dimension("length").values];
  const shared = lengths.filter((length) => tasks.some((task) => common.has(partOf(task, length))));
  const whole = tasks.filter((task) => shared.length > 0 && shared.every((length) => common.has(partOf(task, length))));
  const all = parts.reduce((left, right) => left.union(right));
  const way = whole.length === 0 ? " Tasks or lengths as rows or columns have no such means." : "";
  const why = `Cells would be means over different tasks or lengths; they share ${common.size} of ${all.size}.${way}`;
  const changes = Object.entries({ task: writeValues(whole), length: writeValues(shared) });
  const remedy = Object.fromEntries(changes.filter(([id]) => !axes.includes(id)));
  return { why, remedy: whole.length === 0 ? null : remedy };
}
