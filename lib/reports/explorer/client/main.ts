/// <reference lib="dom" />
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerPrompt, ExplorerRow, LiveState } from "../data.ts";
import type { Reading, State } from "./app.ts";
import { chartsPanel } from "./charts.ts";
import { sampleDetail } from "./detail.ts";
import { type Filters, openFilters } from "./filters.ts";
import { filterForm, sampleList, sortRows, sortsOf } from "./list.ts";
import { swatch, visible } from "./pieces.ts";
import { pivotPanel } from "./pivot.ts";
import { findPrompt, listen, readFacts, readRows } from "./source.ts";
import { comparedRun, readState, writeState } from "./state.ts";
import { summaryPanel } from "./statistics.ts";
import { thresholdPanel } from "./threshold.ts";
import { grouped, timeText } from "@/lib/base/mod.ts";

/** An explorer in its element: in a page of its own, or in a shadow root of a report. */
class Explorer implements Reading {
  facts: ExplorerFacts;
  rows: ExplorerRow[] = [];
  state: State;
  filters: Filters;
  listed: readonly ExplorerRow[] = [];
  open: ExplorerRow | undefined;
  prompt: ExplorerPrompt | undefined;
  readonly #main: HTMLElement;
  readonly #root: Document | ShadowRoot;
  #live: LiveState | undefined;
  #frame = 0;
  /** What the list was made of. */
  #made: readonly unknown[] = [];

  constructor(main: HTMLElement) {
    this.#main = main;
    this.#root = main.getRootNode() as Document | ShadowRoot;
    this.facts = readFacts(this.#root);
    this.filters = openFilters(this.facts, []);
    this.state = readState(location.hash || `#${main.dataset.state ?? ""}`) ?? {};
  }

  async start(): Promise<void> {
    const main = this.#main;
    const isEmbedded = this.#root !== document;
    main.querySelector("#plain")?.remove();
    render(html`${answers(this.facts)}<p class="quiet" role="status">Reading the samples …</p>`, main);
    this.#take(await readRows(this.#root));
    (isEmbedded ? main : document).addEventListener("keydown", (event) => this.#onKey(event as KeyboardEvent));
    main.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("hashchange", () => {
      const state = readState(location.hash);
      if (state === undefined) return;
      this.#set(state, true);
      if (isEmbedded) main.scrollIntoView();
    });
    if (isEmbedded && location.hash.includes("=")) main.scrollIntoView();
    if (this.facts.served !== "live") return;
    listen(({ facts, rows, live }) => {
      this.facts = facts;
      this.#live = live;
      this.#take(rows);
    });
  }

  readonly filtered = (ignored?: readonly string[]): readonly ExplorerRow[] =>
    this.filters.filtered(this.state, ignored);

  readonly href = (changes: State): string => writeState({ ...this.state, ...changes });

  readonly go = (changes: State): void =>
    this.#set({ ...this.state, ...changes }, "q" in changes || "threshold" in changes);

  /** Sets the state and writes it into the address, in the place of the last one if that is passing. */
  #set(state: State, isPassing = false): void {
    const hash = writeState(state);
    this.state = readState(hash)!;
    try {
      history[isPassing ? "replaceState" : "pushState"](null, "", hash);
    } catch {
      // The page of a frame has no address of its own: its state is here alone.
    }
    this.draw();
  }

  /** Adds rows, or replaces those of their places. */
  #take(rows: readonly ExplorerRow[]): void {
    for (const row of rows) this.rows[row.at] = row;
    this.filters = openFilters(this.facts, this.rows);
    this.draw();
  }

  /** Draws the page in the next frame, once. */
  draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const { state, open: before } = this;
    const wasInList = (this.#root.activeElement?.closest(".list") ?? null) !== null;
    const made = [this.filtered(), state.sort, comparedRun(this)];
    if (made.some((each, at) => each !== this.#made[at])) {
      this.listed = sortRows(this.filtered(), state.sort ?? "", sortsOf(this.facts, comparedRun(this)));
    }
    this.#made = made;
    this.open = this.facts.isPivotOnly ? undefined : this.rows[Number(state.s || NaN)];
    const isOther = this.open?.at !== before?.at;
    if (isOther) this.#find();
    this.#main.classList.toggle("has-sample", this.open !== undefined);
    render(this.facts.isPivotOnly ? html`${filterForm(this)}${pivotPanel(this)}` : this.#page(), this.#main);
    this.#main.classList.add("is-ready");
    const search = this.#main.querySelector<HTMLInputElement>("input[type=search]");
    if (search && search !== this.#root.activeElement) search.value = state.q ?? "";
    if (isOther) this.#show(this.open ?? before!, wasInList);
  }

  #page(): TemplateResult {
    const progress = this.#live && drawProgress(this.#live);
    const sample = this.open && sampleDetail(this, this.open);
    return html`
      ${answers(this.facts)}${progress ?? nothing}${filterForm(this)}
            <div class="overview">${summaryPanel(this)}${chartsPanel(this)}</div>
            <div class="panes">
        <div class="listed">${sampleList(this)}</div>
        <section class="detail" aria-label="Sample" tabindex="-1">${sample ?? nothing}</section>
      </div>
            <div class="more">${thresholdPanel(this)}${pivotPanel(this)}</div>
    `;
  }

  /** Finds the prompt of the open sample, and draws it if that is still open. */
  async #find(): Promise<void> {
    const { open } = this;
    this.prompt = undefined;
    if (open === undefined) return;
    const prompt = await findPrompt(open, { root: this.#root, facts: this.facts });
    if (this.open?.at !== open.at) return;
    this.prompt = prompt;
    this.draw();
  }

  /** Moves page and focus to the sample that was opened, or back to that which was closed. */
  #show(row: ExplorerRow, wasInList: boolean): void {
    const isClosed = this.open === undefined;
    const link = this.#main.querySelector<HTMLElement>(`.list [data-at="${row.at}"] a`);
    const detail = this.#main.querySelector<HTMLElement>(".detail")!;
    link?.scrollIntoView({ block: "nearest" });
    if (!isClosed) detail.parentElement!.scrollIntoView();
    const target = link?.checkVisibility() && (isClosed || wasInList) ? link : detail;
    if (!target.contains(this.#root.activeElement)) target.focus({ preventScroll: true });
  }

  /** Follows the links to views of this page: that of a frame has no address. */
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
    if (key === "Escape") return this.go(this.open === undefined ? this.filters.cleared() : { s: "" });
    if (target.closest("input, select, textarea") !== null) return;
    const isInList = target.closest(".list") !== null;
    if (key === "j" || (isInList && key === "ArrowDown")) this.#move(1);
    else if (key === "k" || (isInList && key === "ArrowUp")) this.#move(-1);
    else if (key === "/") this.#main.querySelector<HTMLElement>("input[type=search]")?.focus();
    else return;
    event.preventDefault();
  }

  /** Opens the next or the previous sample of the list; the first one if none is open. */
  #move(by: number): void {
    const { listed, open } = this;
    const to = open === undefined ? 0 : Math.max(0, listed.indexOf(open) + by);
    const row = listed[to] ?? listed.at(-1);
    if (row !== undefined) this.go({ s: `${row.at}`, page: "" });
  }
}

/** Draws the answer of each run; their heads are the legend of the runs. */
function answers({ runs }: ExplorerFacts): TemplateResult {
  const drawn = runs.map(({ label, answer }, run) => {
    const head = runs.length === 1 ? "Answer" : html`${swatch(run)} ${visible(label)}`;
    return html`<article><h2>${head}</h2>${answer.map((line) => html`<p>${visible(line)}</p>`)}</article>`;
  });
  return html`<section class="answers" aria-label="Answers">${drawn}</section>`;
}

/** Draws the progress of runs that go on; a screen reader hears what is decided, and the end. */
function drawProgress({ done, total, failed, cost, leftMs, decided, isOver }: LiveState): TemplateResult {
  const parts = [
    `${grouped(done)} of ${total === null ? "an unknown number" : grouped(total)} replies`,
    failed > 0 && `${grouped(failed)} failed`,
    cost !== null && `$${cost.toFixed(2)}`,
    leftMs !== null && !isOver && `about ${timeText(leftMs)} left`,
  ].filter((part) => part !== false);
  const news = [...decided, ...(isOver ? ["The run has ended."] : [])].map((each) => html`<p>${visible(each)}</p>`);
  return html`<section class="live" aria-label="Progress"><progress max=${total ?? nothing} value=${done}></progress>
    ${parts.join(", ")}<div aria-live="polite">${news}</div></section>`;
}

const hosts = [...document.querySelectorAll(".explorer-host")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
for (const root of [document, ...hosts]) {
  for (const main of root.querySelectorAll<HTMLElement>("main.explorer")) void new Explorer(main).start();
}
