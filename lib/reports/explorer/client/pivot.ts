/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerRow } from "../data.ts";
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
  readonly row: string;
  readonly column: string;
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
const AXES = ["run", "task", "length", "depth", "none"] as const;

/** What cells show, from the score of the one run of a cell, and its answers. */
const MEASURES: Readonly<Record<string, (row: ScoreRow, answers: ExplorerRow["answers"]) => string>> = {
  "mean score": (row) => `${scoreText(row)}, ${countsText(row)}`,
  n: ({ n }) => grouped(n),
  "failed calls": (_, answers) => shareText(answers, "failed call"),
  "no answer": (_, answers) => shareText(answers, "no answer"),
  "median time": (_, answers) => {
    const times = answers.flatMap((answer) => answer?.latency ?? []);
    return times.length === 0 ? "–" : `${(median(times) / 1000).toFixed(2)} s`;
  },
};

function shareText(answers: ExplorerRow["answers"], verdict: string): string {
  const count = answers.filter((answer) => answer?.verdict === verdict).length;
  return `${percent(count / answers.length, 1)} (${grouped(count)} of ${grouped(answers.length)})`;
}

/** Shows a measure of the filtered samples of all runs by two properties; refuses means over what was not chosen. */
export const pivotPanel: Panel = (app) => {
  const { state, facts } = app;
  const [rows, columns] = axesOf(app);
  const measure = (state.pivotMeasure ?? "") in MEASURES ? state.pivotMeasure! : "mean score";
  const choose = (key: string, values: readonly string[], chosen: string): TemplateResult =>
    menu(
      key,
      values.map((value) => ({ value, text: value, isChosen: value === chosen })),
      (value) => app.go({ [`pivot${key}`]: value }),
    );
  const isOpen = state.pivot === "1" || facts.isPivotOnly;
  const toggle = ({ target }: Event): void => {
    const { open } = target as HTMLDetailsElement;
    if (open !== isOpen) app.go({ pivot: open ? "1" : "" });
  };
  const tools = html`<p class="tools">${choose("Rows", AXES, rows)} ${choose("Columns", AXES, columns)}
    ${choose("Measure", Object.keys(MEASURES), measure)}</p>`;
  return html`<details class="pivot" .open=${isOpen} @toggle=${toggle}><summary>Pivot of all runs</summary>
    ${isOpen ? html`${tools}${pivotTable(app, measure)}` : nothing}</details>`;
};

function axesOf({ state }: App): readonly [rows: string, columns: string] {
  const axis = (text: string | undefined, otherwise: string): string => AXES.find((each) => each === text) ?? otherwise;
  return [axis(state.pivotRows, "run"), axis(state.pivotColumns, "length")];
}

function pivotTable(app: App, measure: string): TemplateResult {
  const { facts, filters } = app;
  const axes = axesOf(app);
  const { cells, why, remedy } = pivotOf(app, axes);
  if (why !== "" && measure !== "n") {
    return html`<p role="status">${why} ${
      remedy === null
        ? nothing
        : html`<button type="button" @click=${() => app.go(remedy)}>${
          remedy.pivotRows === undefined ? "Take the common part" : "Put runs into the rows"
        }</button>`
    }</p>`;
  }
  const textOf = (axis: string, value: string): string => {
    if (axis === "run") return facts.runs[Number(value)]!.label;
    return axis === "none" ? "all" : filters.dimension(axis).text(value);
  };
  const marks = cells.map(({ row, column, rows, runs }): Mark => {
    const scores = runs.flatMap((run) => cellScores(facts, rows, run));
    const answers = rows.flatMap((each) => runs.map((run) => each.answers[run] ?? null)).filter(Boolean);
    const text = MEASURES[measure]!(meanOfCells(scores), answers);
    const chosen = [[axes[0], row], [axes[1], column]].filter(([axis]) => axis !== "run" && axis !== "none");
    return {
      key: `${row} ${column}`,
      row: textOf(axes[0], row),
      column: textOf(axes[1], column),
      isChosen: false,
      isFaint: false,
      tip: () => ["", text],
      choose: () => app.go(Object.fromEntries(chosen.map(([axis, value]) => [axis, writeValues([value!])]))),
    };
  });
  const copy = (): void => {
    const lines = marks.map(({ row, column, tip }) => [row, column, tip()[1]!]);
    void navigator.clipboard.writeText(
      [[...axes, measure], ...lines].map((line) => `${csvFormatRow(line)}\n`).join(""),
    );
  };
  return html`${markTable(marks)}<p class="tools"><button type="button" @click=${copy}>Copy as CSV</button></p>`;
}

/**
 * Divides the filtered samples by two axes. Cells that mix runs, or whose tasks or lengths differ, have no mean that was chosen; the
 * remedy has runs in the rows, or filters by the tasks and lengths that all cells have.
 */
export function pivotOf(app: Pick<App, "facts" | "filters" | "filtered">, axes: readonly [string, string]): Pivot {
  const runs = [...app.facts.runs.keys()];
  const rows = app.filtered();
  const valueOf = (axis: string, { at }: ExplorerRow, run: number): string => {
    if (axis === "run") return String(run);
    return axis === "none" ? "" : app.filters.dimension(axis).values[app.filters.places(axis)[at]!]!;
  };
  const divided = axes.includes("run") ? runs.map((run) => [run]) : [runs];
  const groups = new Map(divided.flatMap((ofCell) => {
    const asked = rows.filter(({ answers }) => ofCell.some((run) => (answers[run] ?? null) !== null));
    const keyOf = (row: ExplorerRow): string => JSON.stringify(axes.map((axis) => valueOf(axis, row, ofCell[0]!)));
    return [...Map.groupBy(asked, keyOf)].map(([key, rows]) => [key, { rows, runs: ofCell }] as const);
  }));
  const [down, across] = axes.map((axis, at) => {
    const found = new Set([...groups.keys()].map((key): string => JSON.parse(key)[at]));
    const all = { run: runs.map(String), none: [""] }[axis] ?? app.filters.dimension(axis).values;
    return all.filter((value) => found.has(value));
  }) as [string[], string[]];
  const cells = down.flatMap((row) =>
    across.map((column): Cell => {
      const { rows, runs } = groups.get(JSON.stringify([row, column])) ?? { rows: [], runs: [] };
      return { row, column, rows, runs };
    })
  );
  if (runs.length > 1 && !axes.includes("run")) {
    const why = `Each cell would mix ${runs.length} runs.`;
    return { cells, why, remedy: { pivotRows: "run" } };
  }
  return { cells, ...commonPart(app, axes, cells.filter(({ rows }) => rows.length > 0)) };
}

/** Finds the tasks and lengths that all cells have, besides those of the axes. */
function commonPart(
  { facts, filters }: Pick<App, "facts" | "filters">,
  axes: readonly string[],
  cells: readonly Cell[],
): Omit<Pivot, "cells"> {
  const names = axes.includes("task") ? [] : taskNames(facts);
  const placesOf = ({ rows }: Cell): ReadonlySet<string> =>
    new Set(
      rows.map(({ task, length }) => writeValues([names[task] ?? "", axes.includes("length") ? "" : `${length}`])),
    );
  const places = cells.map(placesOf);
  const common = places.reduce((left, right) => left.intersection(right), places[0] ?? new Set());
  if (places.every(({ size }) => size === common.size)) return { why: "", remedy: null };
  const has = (task: string, length: string): boolean => common.has(writeValues([task, length]));
  const valuesOf = (id: string): readonly string[] => axes.includes(id) ? [""] : filters.dimension(id).values;
  const lengths = valuesOf("length").filter((length) => valuesOf("task").some((task) => has(task, length)));
  const tasks = valuesOf("task").filter((task) => lengths.length > 0 && lengths.every((length) => has(task, length)));
  const why = `Cells would be means over different tasks or lengths; all have ${common.size} of ${
    places.reduce((left, right) => left.union(right)).size
  } in common.`;
  const remedy = { task: writeValues(tasks), length: writeValues(lengths) };
  return {
    why,
    remedy: tasks.length === 0 ? null : Object.fromEntries(Object.entries(remedy).filter(([id]) => !axes.includes(id))),
  };
}
