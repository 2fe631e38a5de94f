/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerAnswer, ExplorerRow } from "../data.ts";
import type { App, Panel, State } from "./app.ts";
import { type Mark, markTable } from "./chart_view.ts";
import { taskNames, writeValues } from "./filters.ts";
import { menu } from "./pieces.ts";
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
export const pivotPanel: Panel = (app) => {
  const { state, facts } = app;
  const measures = Object.keys(MEASURES);
  const known = (text: string | undefined, values: readonly string[], byDefault: string): string =>
    values.find((value) => value === text) ?? byDefault;
  const rows = known(state.pivotRows, AXES, "run");
  const columns = known(state.pivotColumns, AXES, "length");
  const measure = known(state.pivotMeasure, measures, "mean score");
  const isOpen = state.pivot === "1" || facts.isPivotOnly;
  const toggle = ({ target }: Event): void => {
    const { open } = target as HTMLDetailsElement;
    if (open !== isOpen) app.go({ pivot: open ? "1" : "" });
  };
  const choose = (label: string, values: readonly string[], chosen: string): TemplateResult =>
    menu(
      label,
      values.map((value) => ({ value, text: value, isChosen: value === chosen })),
      (value) => app.go({ [`pivot${label}`]: value }),
    );
  const tools = [
    choose("Rows", AXES, rows),
    choose("Columns", AXES, columns),
    choose("Measure", measures, measure),
  ];
  const table = isOpen ? pivotTable(app, [rows, columns], measure) : nothing;
  return html`<details class="pivot" .open=${isOpen} @toggle=${toggle}><summary>Pivot of all runs</summary>
    <p class="tools">${tools}</p>${table}</details>`;
};

function pivotTable(app: App, axes: readonly [string, string], measure: string): TemplateResult {
  const { facts, filters } = app;
  const { cells, why, remedy } = pivotOf(app, axes);
  if (why !== "" && measure !== "n") {
    const take = remedy === null
      ? nothing
      : html`<button type="button" @click=${() => app.go(remedy)}>Take the common part</button>`;
    return html`<p role="status">${why} ${take}</p>`;
  }
  const textOf = (axis: string, value: string): string => {
    if (axis === "run") return facts.runs[Number(value)]!.label;
    return axis === "none" ? "all" : filters.dimension(axis).text(value);
  };
  const marks = cells.map(({ place, rows, runs }): Mark => {
    const scores = runs.flatMap((run) => cellScores(facts, rows, run));
    const answers = rows.flatMap((row) => runs.flatMap((run) => row.answers[run] ?? []));
    const [row, column] = place.map((value, at) => textOf(axes[at]!, value)) as [string, string];
    const chosen = axes.flatMap((axis, at) =>
      axis === "run" || axis === "none" ? [] : [[axis, writeValues([place[at]!])]]
    );
    return {
      key: `${row} ${column}`,
      row,
      column,
      isChosen: false,
      isFaint: false,
      tip: () => ["", rows.length === 0 ? "–" : MEASURES[measure]!(meanOfCells(scores), answers)],
      choose: () => app.go(Object.fromEntries(chosen)),
    };
  });
  const lines = [[...axes, measure], ...marks.map(({ row, column, tip }) => [row, column, tip()[1]!])];
  const copy = (): void => {
    void navigator.clipboard.writeText(lines.map((line) => `${csvFormatRow(line)}\n`).join(""));
  };
  return html`${markTable(marks)}<p><button type="button" @click=${copy}>Copy as CSV</button></p>`;
}

/**
 * Divides the filtered samples by two axes. Cells that mix runs, or whose tasks or lengths differ, have no mean that was chosen; the
 * remedy has runs in the rows, or filters by the tasks and lengths that all cells have.
 */
export function pivotOf(app: Pick<App, "facts" | "filters" | "filtered">, axes: readonly [string, string]): Pivot {
  const runs = [...app.facts.runs.keys()];
  const orders = axes.map((axis) =>
    ({ run: runs.map(String), none: [""] })[axis] ?? app.filters.dimension(axis).values
  ) as [readonly string[], readonly string[]];
  const valueOf = (axis: string, { at }: ExplorerRow, run: number): string => {
    if (axis === "run") return String(run);
    return axis === "none" ? "" : app.filters.dimension(axis).values[app.filters.dimension(axis).places[at]!]!;
  };
  const divided = axes.includes("run") ? runs.map((run) => [run]) : [runs];
  const found = new Map(divided.flatMap((ofCell) => {
    const asked = app.filtered().filter(({ answers }) => ofCell.some((run) => answers[run] !== null));
    const keyOf = (row: ExplorerRow): string => writeValues(axes.map((axis) => valueOf(axis, row, ofCell[0]!)));
    return [...Map.groupBy(asked, keyOf)].map(([key, rows]) => [key, { rows, runs: ofCell }] as const);
  }));
  const cells = orders[0].flatMap((row) =>
    orders[1].map((column): Cell => {
      const { rows, runs } = found.get(writeValues([row, column])) ?? { rows: [], runs: [] };
      return { place: [row, column], rows, runs };
    })
  );
  if (runs.length > 1 && !axes.includes("run")) {
    return { cells, why: `Each cell would mix ${runs.length} runs.`, remedy: { pivotRows: "run" } };
  }
  return { cells, ...commonPart(app, axes, cells.filter(({ rows }) => rows.length > 0)) };
}

/** Finds the tasks and lengths that all cells have, besides those of the axes. */
function commonPart(
  { facts, filters }: Pick<App, "facts" | "filters">,
  axes: readonly string[],
  cells: readonly Cell[],
): Omit<Pivot, "cells"> {
  const names = taskNames(facts);
  const [tasks, lengths] = ["task", "length"].map((id) => axes.includes(id) ? [""] : filters.dimension(id).values) as [
    readonly string[],
    readonly string[],
  ];
  const partOf = (task: string, length: string): string =>
    writeValues([axes.includes("task") ? "" : task, axes.includes("length") ? "" : length]);
  const parts = cells.map(({ rows }) => new Set(rows.map(({ task, length }) => partOf(names[task]!, String(length)))));
  const common = parts.reduce((left, right) => left.intersection(right), parts[0] ?? new Set());
  if (parts.every(({ size }) => size === common.size)) return { why: "", remedy: null };
  const shared = lengths.filter((length) => tasks.some((task) => common.has(partOf(task, length))));
  const whole = tasks.filter((task) => shared.length > 0 && shared.every((length) => common.has(partOf(task, length))));
  const all = parts.reduce((left, right) => left.union(right));
  const why = "Cells would be means over different tasks or lengths; " +
    `they have ${common.size} of ${all.size} in common.`;
  const changes = Object.entries({ task: writeValues(whole), length: writeValues(shared) });
  const remedy = Object.fromEntries(changes.filter(([id]) => !axes.includes(id)));
  return { why, remedy: whole.length === 0 ? null : remedy };
}
