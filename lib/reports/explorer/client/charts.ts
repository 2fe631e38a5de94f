/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerRow } from "../data.ts";
import type { App, Panel, State } from "./app.ts";
import { type Chart, drawChart, markTable } from "./chart_view.ts";
import { type Dimension, writeValues } from "./filters.ts";
import { cellScores, countsText, differenceText, meanOfCells, pairedDifferences, scoreText } from "./statistics.ts";
import { menu, visible } from "./pieces.ts";
import { grouped, lengthText, mean, percent, sum } from "@/lib/base/mod.ts";
import { lengthMeans, statedInterval, type TaskGroup } from "@/lib/statistics/mod.ts";

/** Shows scores by length, maps of scores and failures. A click or a brush sets the filters; charts ignore those of their own axes. */
export const chartsPanel: Panel = (app) => {
  const { filters, facts: { runs } } = app;
  const run = shownRun(app);
  const [first, second] = runs.map(({ label }) => label);
  const what = run === "difference" ? `${second} less ${first} in points` : `score of ${runs[run]!.label} in percent`;
  const choices = [...(runs.length === 2 ? ["difference"] : []), ...runs.keys()].map((choice) => (
    { value: String(choice), text: runs[Number(choice)]?.label ?? "difference", isChosen: choice === run }
  ));
  const runMenu = runs.length > 1 ? menu("Shown", choices, (map) => app.go({ map })) : nothing;
  const maps = (["task", "depth"] as const).filter((by) => valuesDown(filters.dimension(by)).length > 1).map((by) =>
    figure(
      app,
      { id: `by-${by}`, title: `${filters.dimension(by).label} and length: ${what}`, tools: runMenu },
      () => mapChart(app, by),
    )
  );
  return html`<section class="charts" aria-label="Charts">
    ${figure(app, { id: "lines", title: "Score by length", tools: legend(app) }, () => lineChart(app))}
    ${maps}
    ${figure(app, { id: "bars", title: "Failures by class", tools: nothing }, () => barChart(app))}
  </section>`;
};

/** Returns the run that maps show; of two runs their difference, unless one is chosen. */
function shownRun({ facts: { runs }, state }: App): number | "difference" {
  const chosen = Number(state.map ?? NaN);
  if (chosen in runs) return chosen;
  return runs.length === 2 ? "difference" : 0;
}

function figure(
  app: App,
  { id, title, tools }: Readonly<Record<"id" | "title", string> & Record<"tools", unknown>>,
  make: () => Chart,
): TemplateResult {
  const isTable = app.state.table === id;
  const drawn = isTable ? markTable(make().marks) : html`<div class="chart" ${drawChart(make, visible(title))}></div>`;
  return html`<figure class=${id}><figcaption class="tools">${visible(title)} ${tools}
    <button type="button" aria-pressed=${isTable} @click=${() => app.go({ table: isTable ? "" : id })}>As table</button>
    </figcaption>${drawn}</figure>`;
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
        @click=${pick}>${visible(each.label)}</button>
    `;
  });
}

/** A line of the chart of scores by length. */
interface Series {
  readonly label: string;
  readonly run: number;
  readonly tasks: readonly string[];
  /** Whether it is among those chosen; all are if none is. */
  readonly isAmong: boolean;
}

/** Returns a line for each run; or of one run for each group of tasks, and for the chosen tasks if they are no group. */
function seriesOf({ facts: { runs, groups }, filters, state }: App): readonly Series[] {
  const chosen = filters.chosen(state, "task");
  const all = filters.dimension("task").values;
  if (runs.length > 1) {
    const tasks = chosen.length > 0 ? chosen : groups[0]?.tasks ?? all;
    return runs.map(({ label }, run) => ({ label, run, tasks, isAmong: Number(state.map ?? run) === run }));
  }
  const known = groups.length > 0 ? groups : all.map((name): TaskGroup => ({ name, tasks: [name] }));
  const isChosen = ({ tasks }: TaskGroup): boolean => new Set(tasks).symmetricDifference(new Set(chosen)).size === 0;
  const own = { name: chosen.length === 1 ? chosen[0]! : `${chosen.length} chosen tasks`, tasks: chosen };
  const shown = chosen.length === 0 || known.some(isChosen) ? known : [own, ...known];
  return shown.slice(0, 6).map((group) => (
    { label: group.name, run: 0, tasks: group.tasks, isAmong: chosen.length === 0 || isChosen(group) }
  ));
}

function lineChart(app: App): Chart {
  const { facts, filters, state } = app;
  const rows = app.filtered(facts.runs.length === 1 ? ["length", "task"] : ["length"]);
  const lengths = filters.chosen(state, "length");
  const marks = seriesOf(app).flatMap(({ label, run, tasks, isAmong }) =>
    lengthMeans(cellScores(facts, rows, run), { groups: [{ name: label, tasks }] }).map((row) => {
      const [length, place] = [String(row.length), `${label}, ${lengthText(row.length)}`];
      const isIn = lengths.length === 0 || lengths.includes(length);
      return {
        key: place,
        row: lengthText(row.length),
        column: label,
        length: row.length,
        series: label,
        score: row.score,
        ...statedInterval(row),
        isOther: !isAmong,
        isChosen: lengths.includes(length),
        isFaint: !isAmong || !isIn,
        about: `${place}: ${scoreText(row)}`,
        tip: () => [place, scoreText(row), countsText(row)],
        choose: (isAdded: boolean) => choose(app, { length }, isAdded),
      };
    })
  );
  return {
    kind: "lines",
    marks,
    signals: { threshold: Number(state.threshold ?? facts.threshold) || 0 },
    brushed: lengths.join(),
    brush: (brushed) => app.go({ length: writeValues(brushed.map(String)) }),
  };
}

/** Filters by the values of a mark alone, adds them, or removes the filters if they were the only ones. */
function choose(app: App, values: State, isAdded: boolean): void {
  const { filters, state } = app;
  const before = Object.entries(values).map(([id, value]) => ({ id, value, chosen: filters.chosen(state, id) }));
  const isOnly = before.every(({ value, chosen }) => chosen.length === 1 && chosen[0] === value);
  const after = before.map(({ id, value, chosen }) => {
    if (isOnly) return [id, ""];
    return [id, writeValues(isAdded ? [...new Set([...chosen, value])] : [value])];
  });
  app.go(Object.fromEntries(after));
}

/** Returns the values of a map's rows: samples without one place are in none. */
function valuesDown({ values }: Dimension): readonly string[] {
  return values.filter((value) => value !== "none");
}

/** Returns a map of lengths and another dimension. Its cells are means of tasks with equal weight; intervals are in the tooltips. */
function mapChart(app: App, by: "task" | "depth"): Chart {
  const { filters, state, facts } = app;
  const [across, down] = [filters.dimension("length"), filters.dimension(by)];
  const [lengthPlaces, downPlaces] = [filters.places("length"), filters.places(by)];
  const cellOf = ({ at }: ExplorerRow): number => downPlaces[at]! * across.values.length + lengthPlaces[at]!;
  const rows = app.filtered([by, "length"]);
  const run = shownRun(app);
  const cells = down.values.length * across.values.length;
  const means = meansOf(rows, { cells, tasks: facts.tasks.length, cellOf, run });
  const reach = Math.max(1, ...means.map((mean) => Math.abs(mean ?? 0)));
  const [lengths, chosen] = [filters.chosen(state, "length"), filters.chosen(state, by)];
  const hasFilter = lengths.length + chosen.length > 0;
  const marks = valuesDown(down).flatMap((value) =>
    across.values.map((length, column) => {
      const cell = down.values.indexOf(value) * across.values.length + column;
      const score = means[cell]!;
      const isIn = [[chosen, value], [lengths, length]].every(([list, own]) =>
        list!.length === 0 || list!.includes(own as string)
      );
      const place = `${down.text(value)}, ${across.text(length)}`;
      const text = score === null ? "" : score.toFixed(0).replace("-", "−");
      const isEnd = score !== null && (run === "difference" ? Math.abs(score) > 0.6 * reach : score < 60);
      return {
        key: place,
        row: down.text(value),
        column: across.text(length),
        length: Number(length),
        score,
        text,
        about: `${place}: ${text || "no score"}`,
        isDark: isEnd,
        isChosen: hasFilter && isIn,
        isFaint: hasFilter && !isIn,
        tip: () => [place, ...cellTip(app, rows.filter((row) => cellOf(row) === cell), run)],
        choose: (isAdded: boolean) => choose(app, { [by]: value, length }, isAdded),
      };
    })
  );
  const [scheme, low, high] = run === "difference" ? ["purpleorange", -reach, reach] : ["viridis", 0, 100];
  return { kind: "map", marks, signals: { scheme, low, high } };
}

/** Returns the mean of each cell in percent, of tasks with equal weight; `null` without a score. */
function meansOf(rows: readonly ExplorerRow[], { cells, tasks, cellOf, run }: {
  readonly cells: number;
  readonly tasks: number;
  cellOf(row: ExplorerRow): number;
  readonly run: number | "difference";
}): readonly (number | null)[] {
  const [sums, counts] = [new Float64Array(cells * tasks), new Uint32Array(cells * tasks)];
  for (const row of rows) {
    const value = valueOf(row, run);
    if (value === null) continue;
    const place = cellOf(row) * tasks + row.task;
    sums[place]! += value;
    counts[place]! += 1;
  }
  return Array.from({ length: cells }, (_, cell) => {
    const places = Array.from({ length: tasks }, (_, task) => cell * tasks + task).filter((place) =>
      counts[place]! > 0
    );
    return places.length === 0 ? null : 100 * mean(places, (place) => sums[place]! / counts[place]!);
  });
}

function valueOf({ answers }: ExplorerRow, run: number | "difference"): number | null {
  if (run !== "difference") return answers[run]?.value ?? null;
  const [baseline, other] = [answers[0]?.value ?? null, answers[1]?.value ?? null];
  return baseline === null || other === null ? null : other - baseline;
}

function cellTip({ facts }: App, rows: readonly ExplorerRow[], run: number | "difference"): readonly string[] {
  if (run === "difference") {
    const [compared] = pairedDifferences(facts, rows, 0);
    return [compared!.row === null ? "no sample has a score of both" : differenceText(compared!.row)];
  }
  const row = meanOfCells(cellScores(facts, rows, run));
  return [scoreText(row), `${facts.runs[run]!.label}, ${countsText(row)}`];
}

function barChart(app: App): Chart {
  const { facts: { runs }, filters, state } = app;
  const ids = runs.map((_, run) => `class${run}`);
  const rows = app.filtered(ids);
  const counts = ids.map((id) => {
    const { values } = filters.dimension(id);
    const places = filters.places(id);
    const found = Map.groupBy(rows, ({ at }) => values[places[at]!]!);
    return (name: string): number => found.get(name)?.length ?? 0;
  });
  const total = (name: string): number => sum(counts, (count) => count(name));
  const names = [...new Set(ids.flatMap((id) => filters.dimension(id).values))]
    .filter((name) => name !== "none" && name !== "not asked" && total(name) > 0)
    .sort((left, right) => total(right) - total(left));
  const marks = names.flatMap((name) =>
    runs.map(({ label }, run) => {
      const [count, asked] = [counts[run]!(name), rows.length - counts[run]!("not asked")];
      const [id, place] = [ids[run]!, `${name}, ${label}`];
      const chosen = filters.chosen(state, id);
      const text = `${grouped(count)} (${percent(count / Math.max(1, asked))})`;
      return {
        key: place,
        row: name,
        column: label,
        series: label,
        count,
        text,
        about: `${place}: ${text}`,
        isChosen: chosen.includes(name),
        isFaint: chosen.length > 0 && !chosen.includes(name),
        tip: () => [place, `${text} of ${grouped(asked)} samples`],
        choose: (isAdded: boolean) => choose(app, { [id]: name }, isAdded),
      };
    })
  );
  return { kind: "bars", marks };
}
