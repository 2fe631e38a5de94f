/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { Panel, Reading } from "./app.ts";
import { copyMenu } from "./copies.ts";
import { classOf, taskNames, writeValues } from "./filters.ts";
import { menu, scoreBadge, swatch, visible } from "./pieces.ts";
import { comparedRun } from "./state.ts";
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

/** Returns the orders of the list: by place, by score, by disagreement (the spread of scores) and by difference of runs. */
export function sortsOf({ runs }: ExplorerFacts, against = 0): readonly Sort[] {
  const scores = runs.map(({ label }, run): Sort => {
    const of = ({ answers }: ExplorerRow): number | null => answers[run]?.value ?? null;
    return { id: `score${run}`, label: runs.length > 1 ? `Score ${run + 1}, ${label}` : "Score", of };
  });
  const differences = runs.map(({ label }, run): Sort => {
    const text = `Difference, ${label} − ${runs[against]!.label}`;
    return { id: `difference${run}`, label: text, of: (row) => differenceOf(row, run, against) };
  });
  const spread: Sort = { id: "spread", label: "Disagreement", of: spreadOf };
  const time: Sort = { id: "latency", label: "Time", of: ({ answers: [answer] }) => answer?.latency ?? null };
  return [
    { id: "", label: "Sample", of: ({ at }) => at },
    { id: "length", label: "Length", of: ({ length }) => length },
    { id: "depth", label: "Depth", of: ({ depth }) => depth },
    ...scores,
    ...(runs.length > 1 ? [spread, ...differences.toSpliced(against, 1)] : [time]),
  ];
}

function valueText(id: string, value: number): string {
  if (id === "length") return lengthText(value);
  if (id === "latency") return `${(value / 1000).toFixed(1)} s`;
  const points = String(Math.round(100 * value)).replace("-", "−");
  return id === "depth" ? `${points}%` : points;
}

/** Returns the largest difference of the scores of a sample; `null` if it has fewer than two. */
function spreadOf({ answers }: ExplorerRow): number | null {
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
  const keyed = rows.map((row) => ({ row, key: sign * (of(row) ?? sign * Infinity) }));
  return keyed.sort((left, right) => left.key - right.key).map(({ row }) => row);
}

/** Draws the search and the menus; those of one run of several only if a mark has set them. */
export const filterForm: Panel = ({ filters, state, facts, go }) => {
  const menus = filters.menus(state).map(({ id, label, options }) => {
    const chosen = options.filter(({ isChosen }) => isChosen);
    if (facts.runs.length > 1 && /\d$/.test(id) && chosen.length === 0) return nothing;
    const any = {
      value: "",
      text: chosen.length > 1 ? `${chosen.length} chosen` : "any",
      isChosen: chosen.length !== 1,
    };
    const others = options.map(({ value, text, count, isChosen }) => (
      { value, text: `${text} (${grouped(count)})`, isChosen: isChosen && chosen.length === 1 }
    ));
    const choose = (value: string): void => go({ [id]: value === "" ? "" : writeValues([value]), page: "" });
    return menu(label, [any, ...others], choose);
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const search = ({ target }: Event): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => go({ q: (target as HTMLInputElement).value, page: "" }), 200);
  };
  return html`<form class="filters" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <label>Search<input type="search" placeholder="reply, answer, question, id" @input=${search}></label>
    ${menus}
    <button type="button" @click=${() => go(filters.cleared())}>All samples</button>
  </form>`;
};

/** Draws the list of samples: one page of the rows that pass the filters, the open one marked. */
export function sampleList(app: Reading): TemplateResult {
  const { facts, state, listed, rows, open, href, go } = app;
  const sorts = sortsOf(facts, comparedRun(app));
  const left = facts.runs.length > 2 ? "difference" : "spread";
  const columns = sorts.filter(({ id }) => !id.startsWith(left));
  const pages = Math.max(1, Math.ceil(listed.length / PAGE_ROWS));
  const pageOfOpen = Math.floor(Math.max(0, listed.indexOf(open!)) / PAGE_ROWS) + 1;
  const page = Math.min(pages, Math.max(1, Math.floor(Number(state.page)) || pageOfOpen));
  const shown = listed.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  const step = (label: string, to: number): TemplateResult | string =>
    to < 1 || to > pages ? label : html`<a href=${href({ page: String(to) })}>${label}</a>`;
  const [previous, next] = [step("Previous", page - 1), step("Next", page + 1)];
  const orders = sorts.flatMap(({ id, label }) => [
    { value: id, text: `${label} ↑`, isChosen: (state.sort ?? "") === id },
    { value: `-${id}`, text: `${label} ↓`, isChosen: state.sort === `-${id}` },
  ]);
  const count = `${grouped(listed.length)} of ${grouped(rows.length)} ${plural(rows.length, "sample")}`;
  const names = taskNames(facts);
  return html`<section class="list" aria-label="Samples">
    <div class="tools"><span class="quiet" role="status">${count}</span>
      ${menu("Sort by", orders, (sort) => go({ sort, page: "" }))}</div>
    <table><thead><tr>${columns.map((sort) => heading(app, sort))}
      <th scope="col" class="failure">Failure</th><th scope="col" class="reply">Reply</th></tr></thead>
      <tbody>${shown.map((row) => listRow(app, row, { columns, name: names[row.task]! }))}</tbody></table>
    ${pages > 1 ? html`<nav aria-label="Pages">${previous} page ${page} of ${pages} ${next}</nav>` : nothing}
    ${copyMenu(app, listed)}</section>`;
}

/** Draws the heading of a column, which sorts by it, and the other way round if it does already. */
function heading({ facts, state: { sort = "" }, href }: Reading, { id, label }: Sort): TemplateResult {
  const order = { [id]: "ascending", [`-${id}`]: "descending" }[sort] ?? nothing;
  const link = href({ sort: sort === id ? `-${id}` : id, page: "" });
  const isOfRun = id.startsWith("score") && facts.runs.length > 1;
  const text = isOfRun ? swatch(Number(id.slice(5))) : label.replace(/,.*/s, "");
  return html`<th scope="col" class=${classOfColumn(id)} aria-sort=${order}>
    <a href=${link} title=${visible(label)} aria-label=${visible(label)}>${text}</a></th>`;
}

function classOfColumn(id: string): string {
  return id.replace(/\d/, "") || "sample";
}

function listRow(app: Reading, row: ExplorerRow, { columns, name }: {
  readonly columns: readonly Sort[];
  readonly name: string;
}): TemplateResult {
  const { answers, index, repeat } = row;
  const s = `${row.at}`;
  const open = ({ target }: Event): void => {
    if ((target as Element).closest("a") === null) app.go({ s });
  };
  const label = visible(`${name} ${index}${repeat > 0 ? `, repeat ${repeat}` : ""}`);
  const cells = columns.map(({ id, of }) => {
    const value = of(row);
    const shown = value === null ? "–" : valueText(id, value);
    const link = html`<a href=${app.href({ s })}>${label}</a>`;
    const content = id.startsWith("score") ? scoreBadge(answers[Number(id.slice(5))]!) : shown;
    return html`<td class=${classOfColumn(id)}>${id === "" ? link : content}</td>`;
  });
  const failures = new Set(answers.map(classOf).filter((each) => each !== "none" && each !== "not asked"));
  const reply = answers.find((answer) => answer !== null)?.text.slice(0, 160) ?? "";
  return html`<tr data-at=${row.at} aria-current=${app.open === row ? "true" : nothing} @click=${open}>${cells}
    <td class="failure">${[...failures].join(" | ")}</td>
    <td class="reply" dir="auto">${visible(reply.replace(/\s+/g, " ").trim())}</td></tr>`;
}
