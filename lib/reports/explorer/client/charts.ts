/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerRow } from "../data.ts";
import type { App, Panel, State } from "./app.ts";
import { type Chart, drawChart, type Mark, markTable } from "./chart_view.ts";
import { type Dimension, writeValues } from "./filters.ts";
import {
  cellScores,
  countsText,
  differenceText,
  groupScores,
  groupsOf,
  meanOfCells,
  pairedDifferences,
  scoreText,
} from "./statistics.ts";
import { menu, visible } from "./pieces.ts";
import { grouped, lengthText, mean, percent, sum } from "@/lib/base/mod.ts";
import { statedInterval, type TaskGroup } from "@/lib/statistics/mod.ts";

/** Shows scores by length, maps of scores and failures. A click or a brush sets the filters; charts ignore those of their own axes. */
export const chartsPanel: Panel = (app) => {
  const { filters, facts: { runs } } = app;
  const run = shownRun(app);
  const [first, second] = runs.map(({ label }) => label);
  const what = run === "difference" ? `${second} less ${first} in points` : `score of ${runs[run]!.label} in percent`;
  const choices = [...(runs.length === 2 ? ["difference"] : []), ...runs.keys()].map((choice) => (
    { value: String(choice), text: runs[Number(choice)]?.label ?? "difference", isChosen: choice === run }
  ));
  const tools = runs.length > 1 ? menu("Shown", choices, (map) => app.go({ map })) : nothing;
  const maps = (["task", "depth"] as const).map((by) => filters.dimension(by)).filter((each) =>
    valuesDown(each).length > 1
  );
  const mapOf = ({ id, label }: Dimension): TemplateResult =>
    figure(app, { id: `by-${id}`, title: `${label} and length: ${what}`, tools, make: () => mapChart(app, id) });
  return html`<section class="charts" aria-label="Charts">
    ${figure(app, { id: "lines", title: "Score by length", tools: legend(app), make: () => lineChart(app) })}
    ${maps.map(mapOf)}
    ${figure(app, { id: "bars", title: "Failures by class", tools: nothing, make: () => barChart(app) })}
  </section>`;
};

/** Returns the run that maps show; of two runs of the same samples their difference, unless one is chosen. */
function shownRun({ facts: { runs }, rows, state }: App): number | "difference" {
  const chosen = Number(state.map ?? NaN);
  if (chosen in runs) return chosen;
  const isPair = runs.length === 2 && rows.some(({ answers }) => answers.every((answer) => answer !== null));
  return isPair || (runs.length === 2 && state.map === "difference") ? "difference" : 0;
}

interface FigureParts extends Readonly<Record<"id" | "title", string>> {
  readonly tools: unknown;
  make(): Chart;
}

function figure(app: App, { id, title, tools, make }: FigureParts): TemplateResult {
  const isTable = app.state.table === id;
  const chart = isTable
    ? markTable(make().marks, visible(title))
    : html`<div class="chart" ${drawChart(make, title)}></div>`;
  return html`<figure class=${id}><figcaption class="tools">${visible(title)} ${tools}
    <button type="button" aria-pressed=${isTable} @click=${() => app.go({ table: isTable ? "" : id })}>As table</button>
    </figcaption>${chart}</figure>`;
}

/** Draws the series of the first chart as buttons: one picks a run for the maps, or filters by the tasks of a group. */
function legend(app: App): readonly TemplateResult[] {
  const series = seriesOf(app);
  return series.map((each, at) => {
    const isPicked = each.isAmong && series.some(({ isAmong }) => !isAmong);
    const pick = (): void => {
      if (app.facts.runs.length > 1) app.go({ map: isPicked ? "" : String(each.run) });
      else app.go({ task: isPicked ? "" : writeValues(each.tasks) });
    };
    return html`
      <button type="button" class="swatch" style=${`--colour: var(--run${at})`} aria-pressed=${isPicked}
        @click=${pick}>${visible(each.name)}</button>
    `;
  });
}

/** A line of the chart of scores by length, of a run or a group of tasks. */
interface Series extends TaskGroup {
  readonly run: number;
  /** The run if it is named by its tasks, and its tasks if it is named by its run. */
  readonly of: string;
  /** Whether it is among those chosen; all are if none is. */
  readonly isAmong: boolean;
}

/** Returns a line for each run; or of one run for each group of tasks, and for the chosen tasks if they are no group. */
function seriesOf(app: App): readonly Series[] {
  const { facts, filters, state } = app;
  const chosen = filters.chosen(state, "task");
  const known = groupsOf(facts, app.filtered(["length", "task"]));
  const own = { name: chosen.length === 1 ? chosen[0]! : `${chosen.length} chosen tasks`, tasks: chosen };
  if (facts.runs.length > 1) {
    const { name: of, tasks } = chosen.length > 0 ? own : known[0] ?? own;
    return facts.runs.map(({ label: name }, run) => ({
      name,
      of,
      run,
      tasks,
      isAmong: Number(state.map ?? run) === run,
    }));
  }
  const isChosen = ({ tasks }: TaskGroup): boolean => new Set(tasks).symmetricDifference(new Set(chosen)).size === 0;
  const shown = chosen.length === 0 || known.some(isChosen) ? known : [...known.slice(0, 5), own];
  const isAmong = (group: TaskGroup): boolean => chosen.length === 0 || isChosen(group);
  const of = facts.runs[0]!.label;
  return shown.slice(0, 6).map((group) => ({ ...group, of, run: 0, isAmong: isAmong(group) }));
}

/**
 * Returns a mark that filters by its values.
 *
 * @param values By the ids of dimensions.
 * @param drawn Its row and column in the table, its value as it is shown, and what else Vega reads.
 * @param details Returns the lines of its tooltip below its place, the first of which is its value in the table.
 */
export function markOf<Drawn extends Readonly<Record<"row" | "column" | "text", string>>>(
  app: App,
  { values, drawn, details }: { readonly values: State; readonly drawn: Drawn; details(): readonly string[] },
): Mark & Drawn {
  const { filters, state } = app;
  const filtered = Object.entries(values).map(([id, value]) => ({ id, value, chosen: filters.chosen(state, id) }));
  const hasFilter = filtered.some(({ chosen }) => chosen.length > 0);
  const isIn = filtered.every(({ value, chosen }) => chosen.length === 0 || chosen.includes(value));
  const isOnly = filtered.every(({ value, chosen }) => chosen.length === 1 && chosen[0] === value);
  const place = `${drawn.row}, ${drawn.column}`;
  return {
    ...drawn,
    key: place,
    about: `${place}: ${drawn.text || "no score"}`,
    isChosen: hasFilter && isIn,
    isFaint: hasFilter && !isIn,
    tip: () => [place, ...details()],
    choose: (isAdded) => {
      const after = filtered.map(({ id, value, chosen }) => {
        const added = isAdded ? [...new Set([...chosen, value])] : [value];
        return [id, isOnly ? "" : writeValues(added)];
      });
      app.go(Object.fromEntries(after));
    },
  };
}

function lineChart(app: App): Chart {
  const { facts, filters, state } = app;
  const rows = app.filtered(facts.runs.length === 1 ? ["length", "task"] : ["length"]);
  const marks = seriesOf(app).flatMap(({ name: series, of, run, tasks, isAmong }) =>
    groupScores(facts, rows, { name: series, tasks, run }).map((mean) => {
      const { length, score } = mean;
      const text = scoreText(mean);
      const place = { row: lengthText(length), column: series, length, series };
      const drawn = { ...place, text, score, ...statedInterval(mean), isOther: !isAmong };
      return markOf(app, { values: { length: `${length}` }, drawn, details: () => [text, of, countsText(mean)] });
    })
  );
  return {
    kind: "lines",
    marks,
    signals: { threshold: Number(state.threshold ?? facts.threshold) || 0 },
    brushed: filters.chosen(state, "length").join(),
    brush: (lengths) => app.go({ length: writeValues(lengths.map(String)) }),
  };
}

/** Returns the values of a map's rows: samples without one place are in none. */
function valuesDown({ values }: Dimension): readonly string[] {
  return values.filter((value) => value !== "none");
}

/** Returns a map of lengths and another dimension. Its cells are means of tasks with equal weight; intervals are in the tooltips. */
function mapChart(app: App, by: string): Chart {
  const [across, down] = [app.filters.dimension("length"), app.filters.dimension(by)];
  const run = shownRun(app);
  const placeOf = (row: number, column: number): number => row * across.values.length + column;
  const found = Map.groupBy(app.filtered([by, "length"]), ({ at }) => placeOf(down.places[at]!, across.places[at]!));
  const cells = valuesDown(down).flatMap((value) =>
    across.values.map((length, column) => {
      const rows = found.get(placeOf(down.values.indexOf(value), column)) ?? [];
      return { value, length, rows, score: meanOfTasks(rows, run) };
    })
  );
  const reach = Math.max(1, ...cells.map(({ score }) => Math.abs(score ?? 0)));
  const marks = cells.map(({ value, length, rows, score }) => {
    const text = score === null ? "" : score.toFixed(0).replace("-", "−");
    const isDark = score !== null && (run === "difference" ? Math.abs(score) > 0.6 * reach : score < 60);
    const place = { row: down.text(value), column: across.text(length), length: Number(length) };
    return markOf(app, {
      values: { [by]: value, length },
      drawn: { ...place, score, text, isDark },
      details: () => cellDetails(app, rows, run),
    });
  });
  const [scheme, low, high] = run === "difference" ? ["purpleorange", -reach, reach] : ["viridis", 0, 100];
  return { kind: "map", marks, signals: { scheme, low, high } };
}

/** Returns the mean of tasks in percent, each with equal weight; `null` without a score. */
function meanOfTasks(rows: readonly ExplorerRow[], run: number | "difference"): number | null {
  const means = [...Map.groupBy(rows, ({ task }) => task).values()].flatMap((ofTask) => {
    const values = ofTask.flatMap((row) => valueOf(row, run) ?? []);
    return values.length === 0 ? [] : [mean(values)];
  });
  return means.length === 0 ? null : 100 * mean(means);
}

function valueOf({ answers }: ExplorerRow, run: number | "difference"): number | null {
  if (run !== "difference") return answers[run]?.value ?? null;
  const [baseline, other] = [answers[0]?.value ?? null, answers[1]?.value ?? null];
  return baseline === null || other === null ? null : other - baseline;
}

function cellDetails({ facts }: App, rows: readonly ExplorerRow[], run: number | "difference"): readonly string[] {
  if (run === "difference") return pairedDifferences(facts, rows, 0).map(({ row }) => differenceText(row));
  const mean = meanOfCells(cellScores(facts, rows, run));
  return [scoreText(mean), `${facts.runs[run]!.label}, ${countsText(mean)}`];
}

function barChart(app: App): Chart {
  const { facts: { runs }, filters } = app;
  const classes = runs.map((_, run) => filters.dimension(`class${run}`));
  const rows = app.filtered(classes.map(({ id }) => id));
  const found = classes.map(({ values, places }) => Map.groupBy(rows, ({ at }) => values[places[at]!]!));
  const countOf = (name: string, run: number): number => found[run]!.get(name)?.length ?? 0;
  const total = (name: string): number => sum(runs.keys(), (run) => countOf(name, run));
  const names = [...new Set(classes.flatMap(({ values }) => values))]
    .filter((name) => name !== "none" && name !== "not asked" && total(name) > 0)
    .sort((left, right) => total(right) - total(left));
  const marks = names.flatMap((name) =>
    runs.map(({ label }, run) => {
      const [count, asked] = [countOf(name, run), rows.length - countOf("not asked", run)];
      const text = `${grouped(count)} (${percent(count / Math.max(1, asked))})`;
      return markOf(app, {
        values: { [classes[run]!.id]: name },
        drawn: { row: name, column: label, series: label, text, count },
        details: () => [`${text} of ${grouped(asked)} samples`],
      });
    })
  );
  return { kind: "bars", marks };
}
