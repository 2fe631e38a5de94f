/// <reference lib="dom" />
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerRow, LiveState } from "../data.ts";
import type { Reading, State } from "./app.ts";
import { copyMenu } from "./copies.ts";
import { type FoundPrompt, sampleDetail } from "./detail.ts";
import { type Filters, openFilters } from "./filters.ts";
import { filterForm, PAGE_ROWS, sampleList, sortRows, sortsOf, swatch } from "./list.ts";
import { findPrompt, listen, readFacts, readRows } from "./source.ts";
import { summaryPanel } from "./statistics.ts";
import { keysOf, readState, type RowKeys, writeState } from "./state.ts";
import { visible } from "./text.ts";
import { grouped, timeText } from "@/lib/base/mod.ts";

/** An explorer in its element: in a page of its own, or in a shadow root of a report. */
class Explorer implements Reading {
  facts: ExplorerFacts;
  rows: ExplorerRow[] = [];
  state: State = {};
  filters: Filters;
  listed: readonly ExplorerRow[] = [];
  open: ExplorerRow | undefined;
  readonly #main: HTMLElement;
  readonly #root: Document | ShadowRoot;
  readonly #view = document.createElement("div");
  #keys: RowKeys;
  #live: LiveState | undefined;
  #prompt: FoundPrompt | undefined;
  #isDue = false;
  /** What the list was made of. */
  #made: readonly unknown[] = [];
  /** Where the page was before a sample was opened. */
  #scrolled = 0;

  constructor(main: HTMLElement) {
    this.#main = main;
    this.#root = main.getRootNode() as Document | ShadowRoot;
    this.facts = readFacts(this.#root);
    this.filters = openFilters(this.facts, []);
    this.#keys = keysOf(this.facts, []);
  }

  async start(): Promise<void> {
    const isEmbedded = this.#root !== document;
    this.state = readState(location.hash || `#${this.#main.dataset.state ?? ""}`) ?? {};
    this.#main.querySelector("#plain")?.remove();
    this.#main.append(this.#view);
    render(html`${answers(this.facts)}<p class="quiet" role="status">Reading the samples …</p>`, this.#view);
    this.#take(await readRows(this.#root, this.facts));
    (isEmbedded ? this.#main : document).addEventListener("keydown", (event) => this.#onKey(event as KeyboardEvent));
    this.#main.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("hashchange", () => {
      const state = readState(location.hash);
      if (state === undefined || writeState(state) === writeState(this.state)) return;
      this.#set(state);
      if (isEmbedded) this.#main.scrollIntoView();
    });
    if (this.facts.served === "live") {
      listen(({ facts, rows, live }) => {
        this.facts = facts;
        this.#live = live;
        this.#take(rows);
      });
    }
    if (isEmbedded && Object.keys(this.state).length > 0 && location.hash.includes("=")) this.#main.scrollIntoView();
    this.#main.classList.add("is-ready");
  }

  readonly filtered = (ignored?: readonly string[]): readonly ExplorerRow[] =>
    this.filters.filtered(this.state, ignored);

  readonly keyOf = (row: ExplorerRow): string => this.#keys.keys.get(row)!;

  readonly href = (changes: State): string => writeState({ ...this.state, ...changes });

  readonly go = (changes: State): void => {
    const isFilter = Object.keys(changes).some((id) => id === "q" || id === "sort" || id in this.filters.cleared());
    this.#set(
      { ...this.state, ...(isFilter ? { page: "" } : {}), ...changes },
      "q" in changes || "threshold" in changes,
    );
  };

  /** Sets the state and writes it into the address, if the page has one of its own. */
  #set(state: State, isReplaced = false): void {
    const hash = writeState(state);
    this.state = readState(hash)!;
    try {
      if (hash === location.hash || isReplaced) history.replaceState(null, "", hash);
      else history.pushState(null, "", hash);
    } catch {
      // The page of an iframe has no address of its own; its state is here alone.
    }
    this.draw();
  }

  /** Adds rows, or replaces those of their places. */
  #take(rows: readonly ExplorerRow[]): void {
    for (const row of rows) this.rows[row.at] = row;
    this.filters = openFilters(this.facts, this.rows);
    this.#keys = keysOf(this.facts, this.rows);
    this.draw();
  }

  /** Draws the page in the next frame. */
  draw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { state } = this;
    const before = this.open;
    const focused = this.#root.activeElement;
    const wasInList = focused?.closest(".list") ?? null;
    this.#list();
    const { s } = state;
    this.open = s === undefined ? undefined : this.#keys.rows.get(s) ?? this.rows[Number(s)];
    const { open } = this;
    if (open !== before) this.#find(open);
    const at = open === undefined ? -1 : this.listed.indexOf(open);
    if (at >= 0 && state.page === undefined) this.state = { ...state, page: String(Math.floor(at / PAGE_ROWS) + 1) };
    if (open !== undefined && before === undefined) this.#scrolled = scrollY;
    this.#main.classList.toggle("has-sample", open !== undefined);
    render(this.#page(), this.#view);
    this.state = state;
    const search = this.#view.querySelector<HTMLInputElement>("input[type=search]");
    if (search !== null && search !== this.#root.activeElement) search.value = state.q ?? "";
    if (open !== before) this.#show(open === undefined ? before : open, wasInList !== null);
  }

  /** Makes the list again if its filters, its order or its rows have changed. */
  #list(): void {
    const { sort = "", against = "0" } = this.state;
    const made = [this.filtered(), sort, against];
    if (made.every((each, at) => each === this.#made[at])) return;
    this.#made = made;
    this.listed = sortRows(this.filtered(), sort, sortsOf(this.facts, Number(against)));
  }

  #page(): TemplateResult {
    const { open } = this;
    return html`
      ${answers(this.facts)}${progress(this.#live)}
            ${filterForm(this)}
            <div class="overview">${summaryPanel(this)}</div>
            <div class="panes">
        <div class="listed">${sampleList(this)}${copyMenu(this, this.listed)}</div>
        <section class="detail" aria-label="Sample" tabindex="-1">${open === undefined
          ? nothing
          : sampleDetail(this, open, this.#prompt)}</section>
      </div>
    `;
  }

  /** Finds the prompt of a sample and draws it if the sample is still open. */
  async #find(row: ExplorerRow | undefined): Promise<void> {
    this.#prompt = undefined;
    if (row === undefined) return;
    const prompt = await findPrompt(row, { root: this.#root, facts: this.facts });
    if (this.open !== row) return;
    this.#prompt = prompt;
    this.draw();
  }

  /** Moves page and focus to the sample that was opened, or back to that which was closed. */
  #show(row: ExplorerRow | undefined, wasInList: boolean): void {
    if (row === undefined) return;
    const href = this.href({ s: this.keyOf(row) });
    const link = [...this.#view.querySelectorAll<HTMLElement>(".list td a")].find((each) =>
      each.getAttribute("href") === href
    );
    if (this.open === undefined) {
      scrollTo({ top: this.#scrolled });
      link?.focus({ preventScroll: true });
      return;
    }
    link?.scrollIntoView({ block: "nearest" });
    const panes = this.#view.querySelector(".panes")!;
    const { top } = panes.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) panes.scrollIntoView();
    if (wasInList) link?.focus({ preventScroll: true });
    if (this.#root.activeElement?.closest(".list, .detail") === null) {
      this.#view.querySelector<HTMLElement>(".detail")!.focus({ preventScroll: true });
    }
  }

  /** Follows links of views in the page, as a page in an iframe cannot. */
  #onClick(event: MouseEvent): void {
    const hash = (event.target as Element).closest("a")?.getAttribute("href") ?? "";
    const state = hash.startsWith("#") ? readState(hash) : undefined;
    if (state === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#set(state);
  }

  #onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const target = event.composedPath()[0] as Element;
    if (ctrlKey || metaKey || altKey) return;
    if (key === "Escape" && this.state.s !== undefined) return this.go({ s: "" });
    if (target.closest?.("input, select, textarea")) return;
    const isInList = target.closest?.(".list") ?? null;
    if (key === "j" || (isInList && key === "ArrowDown")) this.#move(1);
    else if (key === "k" || (isInList && key === "ArrowUp")) this.#move(-1);
    else if (key === "/") this.#view.querySelector<HTMLElement>("input[type=search]")?.focus();
    else return;
    event.preventDefault();
  }

  /** Opens the next or the previous sample of the list. */
  #move(by: number): void {
    const { listed, open } = this;
    const at = open === undefined ? -1 : listed.indexOf(open);
    const row = listed[at < 0 ? 0 : Math.min(listed.length - 1, Math.max(0, at + by))];
    if (row !== undefined) this.go({ s: this.keyOf(row), page: "" });
  }
}

/** Draws the answer of each run; their heads are the legend of the runs. */
function answers({ runs }: ExplorerFacts): TemplateResult {
  const drawn = runs.map(({ label, answer }, run) =>
    html`<article><h2>${swatch(run)} ${visible(label)}</h2>${
      answer.map((line) => html`<p>${visible(line)}</p>`)
    }</article>`
  );
  return html`<section class="answers" aria-label="Answers">${drawn}</section>`;
}

/** Draws the progress of runs that go on. */
function progress(live: LiveState | undefined): TemplateResult | typeof nothing {
  if (live === undefined) return nothing;
  const { done, total, failed, cost, leftMs, decided, isOver } = live;
  const parts = [
    `${grouped(done)}${total === null ? "" : ` of ${grouped(total)}`} replies`,
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(cost === null ? [] : [`$${cost.toFixed(2)}`]),
    ...(isOver ? ["the run has ended"] : []),
    ...(isOver || leftMs === null ? [] : [`about ${timeText(leftMs)} left`]),
  ];
  return html`<section class="live" aria-label="Progress"><progress max=${total ?? nothing} value=${done}></progress>
    <p aria-live="polite">${parts.join(", ")}.</p>${decided.map((each) => html`<p>${visible(each)}</p>`)}</section>`;
}

const hosts = [...document.querySelectorAll(".explorer-host")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
for (const root of [document, ...hosts]) {
  for (const main of root.querySelectorAll<HTMLElement>("main.explorer")) await new Explorer(main).start();
}
