/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerAnswer, ExplorerFacts, ExplorerRow } from "../data.ts";
import type { App, Panel, Reading, State } from "./app.ts";
import { classOf, taskNames, writeValues } from "./filters.ts";
import { percentText, visible } from "./text.ts";
import { grouped, lengthText, plural } from "@/lib/base/mod.ts";

/** Rows of a page of the list. */
export const PAGE_ROWS = 50;

/** An order of the list. */
export interface Sort {
  readonly id: string;
  readonly label: string;
  /** Returns what a row is sorted by; `null` is last in both directions. */
  of(row: ExplorerRow): number | null;
}

/** Returns the orders of the list: by place, by score, by disagreement (the spread of the scores) and by difference between runs. */
export function sortsOf({ runs }: ExplorerFacts, against = 0): readonly Sort[] {
  const named = (what: string, run: number): string => runs.length === 1 ? what : `${what}, ${runs[run]!.label}`;
  const differences = runs.flatMap(({ label }, run): Sort[] => {
    const text = runs.length === 2 ? "Difference" : `${label} − ${runs[against]!.label}`;
    return run === against
      ? []
      : [{ id: `difference${run}`, label: text, of: (row) => differenceOf(row, run, against) }];
  });
  return [
    { id: "", label: "Sample", of: ({ at }) => at },
    { id: "length", label: "Length", of: ({ length }) => length },
    { id: "depth", label: "Depth", of: ({ depth }) => depth },
    ...runs.map((_, run): Sort => (
      { id: `score${run}`, label: named("Score", run), of: ({ answers }) => answers[run]?.value ?? null }
    )),
    ...(runs.length < 2 ? [] : [{ id: "spread", label: "Disagreement", of: spreadOf }, ...differences]),
    ...runs.map((_, run): Sort => (
      { id: `latency${run}`, label: named("Time", run), of: ({ answers }) => answers[run]?.latency ?? null }
    )),
  ];
}

/** Returns the largest difference of the scores of a sample; `null` if it has fewer than two. */
export function spreadOf({ answers }: ExplorerRow): number | null {
  const values = answers.flatMap((answer) => answer?.value ?? []);
  return values.length < 2 ? null : Math.max(...values) - Math.min(...values);
}

function differenceOf({ answers }: ExplorerRow, run: number, against: number): number | null {
  const [value, other] = [answers[run]?.value ?? null, answers[against]?.value ?? null];
  return value === null || other === null ? null : value - other;
}

/** Sorts rows by an order such as `score0`, or `-score0` for falling; an unknown one is that of the samples. */
export function sortRows(rows: readonly ExplorerRow[], order: string, sorts: readonly Sort[]): readonly ExplorerRow[] {
  const { of } = sorts.find(({ id }) => id === order.replace("-", "")) ?? sorts[0]!;
  const sign = order.startsWith("-") ? -1 : 1;
  return rows.map((row) => ({ row, value: of(row) })).sort(({ value: left }, { value: right }) => {
    const isMissing = left === null || right === null;
    return isMissing ? Number(left === null) - Number(right === null) : sign * (left - right);
  }).map(({ row }) => row);
}

/** Draws the search, the menus, and the filters that are set, each with a button that removes it. */
export const filterForm: Panel = (app) => {
  const { filters, state, facts, go } = app;
  const menus = filters.menus(state).map(({ id, label, options }) => {
    const chosen = options.filter(({ isChosen }) => isChosen);
    const several = chosen.length > 1 ? html`<option value="" selected>${chosen.length} chosen</option>` : nothing;
    const change = ({ target }: Event): void => {
      const { value } = target as HTMLSelectElement;
      go({ [id]: value === "" ? "" : writeValues([value]) });
    };
    const select = html`<label>${visible(label)}<select @change=${change}>${several}
      <option value="" .selected=${chosen.length === 0}>any</option>
      ${
      options.map(({ value, text, count, isChosen }) =>
        html`
          <option value=${value}
            .selected=${isChosen && chosen.length === 1}>${visible(text)} (${grouped(count)})</option>
        `
      )
    }
    </select></label>`;
    return { select, isOfRun: facts.runs.length > 1 && /\d$/.test(id) };
  });
  const drawn = (isOfRun: boolean): readonly TemplateResult[] => (
    menus.filter((menu) => menu.isOfRun === isOfRun).map(({ select }) => select)
  );
  return html`<form class="filters" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <label>Search<input type="search" placeholder="reply, answer, question, id" @input=${openSearch(app)}></label>
    ${drawn(false)}
    ${
    facts.runs.length > 1
      ? html`
        <details>
          <summary>Filters by run</summary>
          <div>${drawn(true)}</div>
        </details>
      `
      : nothing
  }
    ${chips(app)}
  </form>`;
};

const chips: Panel = ({ filters, state, go }) => {
  const set = filters.dimensions.filter(({ id }) => (state[id] ?? "") !== "").map(({ id, label, text }) => {
    const values = filters.chosen(state, id).map(text);
    const shown = values.length > 3
      ? `${values.slice(0, 3).join(", ")} and ${values.length - 3} more`
      : values.join(", ");
    return html`<button type="button" @click=${() => go({ [id]: "" })} title="Remove this filter">
      ${visible(`${label}: ${shown}`)} <span aria-hidden="true">×</span></button>`;
  });
  const hasAny = set.length > 0 || (state.q ?? "") !== "";
  return html`<div class="chips" role="group" aria-label="Filters that are set">${set}
    ${hasAny ? html`<button type="button" @click=${() => go(filters.cleared())}>All samples</button>` : nothing}</div>`;
};

let waiting: ReturnType<typeof setTimeout> | undefined;

function openSearch({ go }: App): (event: Event) => void {
  return ({ target }) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => go({ q: (target as HTMLInputElement).value }), 200);
  };
}

/** Draws a score with its verdict. */
export function scoreBadge(answer: ExplorerAnswer | null): TemplateResult {
  if (answer === null) return html`<span class="quiet" title="not asked">·</span>`;
  const { verdict, value } = answer;
  return html`<span class=${`score ${verdict.replaceAll(" ", "-")}`} title=${verdict}>${percentText(value)}</span>`;
}

/** Draws the colour of a run, with its number if there are several. */
export function swatch(run: number): TemplateResult {
  return html`<span class="swatch" style=${`--colour: var(--run${run})`}>${run + 1}</span>`;
}

/** Draws the list of samples: one page of the rows that pass the filters, the open one marked. */
export function sampleList(app: Reading): TemplateResult {
  const { facts, state, listed, rows, href, go } = app;
  const sorts = sortsOf(facts, Number(state.against ?? 0));
  const pages = Math.max(1, Math.ceil(listed.length / PAGE_ROWS));
  const page = Math.min(pages, Math.max(1, Number(state.page ?? 1) || 1));
  const order = state.sort ?? "";
  const { runs: { length: runs } } = facts;
  const columns = sorts.filter(({ id }) => !/^(difference|latency[1-9])/.test(id) || (runs === 2 && /^diff/.test(id)));
  const heads = columns.map(({ id, label }) => {
    const isUsed = order.replace("-", "") === id;
    const next: State = { sort: isUsed && !order.startsWith("-") ? `-${id}` : id, page: "" };
    const direction = order.startsWith("-") ? "descending" : "ascending";
    const run = /^score(\d)$/.exec(id)?.[1];
    const text = run === undefined || runs === 1 ? label.replace(/,.*/s, "") : swatch(Number(run));
    return html`
      <th scope="col" class=${`column-${id.replace(/\d$/, "") || "sample"}`}
        aria-sort=${isUsed ? direction : nothing}><a href=${href(next)} title=${visible(label)} aria-label=${visible(
          label,
        )}>${text}</a></th>
    `;
  });
  const step = (label: string, to: number): TemplateResult | string =>
    to < 1 || to > pages ? label : html`<a href=${href({ page: to === 1 ? "" : String(to) })}>${label}</a>`;
  const sort = html`<label>Sort by <select @change=${({ target }: Event) =>
    go({ sort: (target as HTMLSelectElement).value })}>
    ${
    sorts.flatMap(({ id, label }) =>
      ["", "-"].map((sign) =>
        html`
          <option value=${sign + id}
            .selected=${order === sign + id}>${visible(label)} ${sign === "" ? "↑" : "↓"}</option>
        `
      )
    )
  }</select></label>`;
  const shown = listed.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  const names = taskNames(facts);
  return html`<section class="list" aria-label="Samples">
    <p class="tools"><span class="count" role="status">${grouped(listed.length)} of ${grouped(rows.length)}
      ${plural(rows.length, "sample")}</span>${sort}</p>
    <table class=${`runs-${runs}`}><thead><tr>${heads}<th scope="col" class="column-failure">Failure</th>
      <th scope="col" class="column-reply">Reply</th></tr></thead>
      <tbody>${shown.map((row) => listRow(app, row, { columns, name: names[row.task]! }))}</tbody></table>
    ${
    pages === 1 ? nothing : html`<nav aria-label="Pages">${step("Previous", page - 1)} page ${page} of ${pages}
      ${step("Next", page + 1)}</nav>`
  }
  </section>`;
}

function listRow(app: Reading, row: ExplorerRow, { columns, name }: {
  readonly columns: readonly Sort[];
  readonly name: string;
}): TemplateResult {
  const { answers } = row;
  const first = answers.find((answer) => answer !== null);
  const failures = new Set(answers.map(classOf).filter((each) => each !== "none" && each !== "not asked"));
  const open = (event: Event): void => {
    if (!(event.target as Element).closest("a")) app.go({ s: app.keyOf(row) });
  };
  const cell = ({ id, of }: Sort): TemplateResult => {
    const value = of(row);
    if (id === "") {
      const label = visible(`${name} ${row.index}${row.repeat > 0 ? `, repeat ${row.repeat}` : ""}`);
      return html`<td class="column-sample"><a href=${app.href({ s: app.keyOf(row) })}>${label}</a></td>`;
    }
    if (id.startsWith("score")) return html`<td class="column-score">${scoreBadge(answers[Number(id.slice(5))]!)}</td>`;
    return html`<td class=${`column-${id.replace(/\d$/, "")}`}>${value === null ? "–" : cellText(id, value)}</td>`;
  };
  return html`<tr aria-current=${app.open === row ? "true" : nothing} @click=${open}>${columns.map(cell)}
    <td class="column-failure">${[...failures].join(" | ")}</td>
    <td class="column-reply" dir="auto">${
    visible((first?.text ?? "").slice(0, 160).replace(/\s+/g, " ").trim())
  }</td></tr>`;
}

function cellText(id: string, value: number): string {
  if (id === "length") return lengthText(value);
  if (id === "depth") return `${Math.round(100 * value)}%`;
  if (id.startsWith("latency")) return `${(value / 1000).toFixed(1)} s`;
  const points = Math.round(100 * value);
  return id.startsWith("difference") && points > 0 ? `+${points}` : String(points).replace("-", "−");
}
