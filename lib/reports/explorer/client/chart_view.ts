/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import { AsyncDirective } from "lit-html/async-directive.js";
import { directive, type ElementPart } from "lit-html/directive.js";
import { View } from "vega-view";
import { transforms } from "vega-dataflow";
import { expressionInterpreter } from "vega-interpreter";
import * as basic from "vega-transforms";
import * as encoders from "vega-encode";
import * as views from "vega-view-transforms";
import { matrix, visible } from "./pieces.ts";

Object.assign(transforms, basic, encoders, views);

/** What is used of Vega's view, which has no types. */
interface ChartView {
  data(name: string, rows: readonly object[]): this;
  signal(name: string): unknown;
  signal(name: string, value: unknown): this;
  width(pixels: number): this;
  description(text: string): this;
  runAsync(): Promise<this>;
  finalize(): void;
  addSignalListener(name: string, listen: (name: string, value: unknown) => void): void;
  addEventListener(type: string, listen: (event: PointerEvent, item: { datum?: Partial<Mark> } | null) => void): void;
}

/** The charts of tests/explorer/charts.ts, compiled when the script is built. */
declare const CHARTS: Readonly<Record<"lines" | "map" | "bars", unknown>>;

/** A mark of a chart, which is also a cell of its table. */
export interface Mark {
  readonly key: string;
  /** Its row and column in the table. */
  readonly row: string;
  readonly column: string;
  readonly isChosen: boolean;
  readonly isFaint: boolean;
  /** What its tooltip shows, a line each; the second line is its value. */
  tip(): readonly string[];
  /** Sets its filter instead of the former, or adds it; the only filter of its axes is removed. */
  choose(isAdded: boolean): void;
}

/** A chart of tests/explorer/charts.ts with its marks. */
export interface Chart {
  readonly kind: keyof typeof CHARTS;
  readonly marks: readonly Mark[];
  readonly signals?: Readonly<Record<string, unknown>>;
  /** The lengths of the filter, as a text. */
  readonly brushed?: string;
  /** Handles a brush over lengths. */
  brush?(lengths: readonly number[]): void;
}

/** Shows marks as a table whose cells set the filter, for keyboards and screen readers. */
export function markTable(marks: readonly Mark[], label: string): TemplateResult {
  const columns = [...new Set(marks.map(({ column }) => column))];
  const cell = (mark: Mark): TemplateResult =>
    html`
      <button type="button" class="cell" aria-pressed=${mark.isChosen}
        @click=${({ shiftKey }: MouseEvent) => mark.choose(shiftKey)}>${visible(mark.tip()[1]!)}</button>
    `;
  const lines = [...Map.groupBy(marks, ({ row }) => row)].map(([row, ofRow]) => {
    const cells = columns.map((name) => html`<td>${ofRow.filter(({ column }) => column === name).map(cell)}</td>`);
    return html`<tr><th scope="row">${visible(row)}</th>${cells}</tr>`;
  });
  return matrix(["", ...columns.map(visible)], lines, label);
}

/** Returns the fields of a mark, with its texts as they are shown. */
function shownFields({ key, ...fields }: Mark): object {
  const show = (value: unknown): unknown => typeof value === "string" ? visible(value) : value;
  return { ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, show(value)])), key };
}

/** Draws a chart in an element by one view, so that selections and focus persist while its data change. */
class ChartDirective extends AsyncDirective {
  #make: () => Chart = () => ({ kind: "lines", marks: [] });
  #title = "";
  #host: HTMLElement | undefined;
  #chart: Chart | undefined;
  #view: ChartView | undefined;
  #drawn = "";
  #isDue = false;
  #shiftKey = false;
  /** The lengths of the brush, as a text. */
  #brushed = "";
  readonly #tip = document.createElement("div");
  readonly #resized = new ResizeObserver(() => this.#layOut());

  override render(_make: () => Chart, _title: string): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [make, title]: [() => Chart, string]): typeof nothing {
    this.#make = make;
    this.#title = visible(title);
    this.#host = part.element as HTMLElement;
    // The list is shown before the charts are computed.
    if (!this.#isDue) setTimeout(() => this.#apply(), 30);
    this.#isDue = true;
    return nothing;
  }

  override disconnected(): void {
    this.#resized.disconnect();
    this.#view?.finalize();
    this.#view = undefined;
    this.#drawn = "";
  }

  #apply(): void {
    this.#isDue = false;
    if (!this.isConnected) return;
    this.#chart = this.#make();
    const { kind, marks, signals = {}, brushed } = this.#chart;
    const drawn = JSON.stringify([marks, signals, this.#title]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const view = this.#view ?? this.#open(kind);
    if (this.#brushed !== "" && this.#brushed !== brushed) {
      view.data("brush_store", []).signal("brush_x", []);
      this.#brushed = "";
    }
    for (const [name, value] of Object.entries(signals)) view.signal(name, value);
    view.description(this.#title).data("marks", marks.map(shownFields));
    this.#layOut();
  }

  #open(kind: Chart["kind"]): ChartView {
    const host = this.#host!;
    const view: ChartView = new View(CHARTS[kind], { expr: expressionInterpreter, renderer: "svg", container: host });
    this.#tip.className = "tip";
    host.after(this.#tip);
    host.addEventListener("click", ({ shiftKey }) => this.#shiftKey = shiftKey, true);
    host.addEventListener("pointerleave", () => this.#tip.hidden = true);
    view.addEventListener("pointermove", (event, item) => this.#showTip(event, item?.datum));
    let isPicked = false;
    view.addSignalListener("pick_tuple", (_, tuple) => {
      const mark = this.#findMark((tuple as { readonly values: readonly string[] } | null)?.values[0]);
      isPicked = mark !== undefined;
      mark?.choose(this.#shiftKey);
    });
    host.addEventListener("pointerdown", () => {
      isPicked = false;
      // A click comes after the end of a brush, and picks a mark instead.
      addEventListener("pointerup", () => setTimeout(() => isPicked || this.#endBrush()), { once: true });
    });
    this.#view = view;
    this.#resized.observe(host);
    return view;
  }

  #findMark(wanted: string | undefined): Mark | undefined {
    return this.#chart!.marks.find(({ key }) => key === wanted);
  }

  #endBrush(): void {
    if (this.#chart!.brush === undefined) return;
    const lengths = (this.#view?.signal("brush_length") ?? []) as readonly number[];
    const brushed = lengths.join();
    if (brushed === this.#brushed) return;
    this.#brushed = brushed;
    this.#chart!.brush(lengths);
  }

  #showTip({ clientX, clientY }: PointerEvent, datum: Partial<Mark> | undefined): void {
    const mark = this.#findMark(datum?.key);
    this.#tip.hidden = mark === undefined;
    if (mark === undefined) return;
    this.#tip.textContent = mark.tip().map(visible).join("\n");
    const left = Math.max(8, Math.min(clientX + 14, innerWidth - this.#tip.offsetWidth - 8));
    this.#tip.style.cssText = `left: ${left}px; top: ${clientY + 16}px`;
  }

  /** Fits the chart to the width of its element. */
  #layOut(): void {
    const [view, width] = [this.#view, this.#host!.clientWidth];
    if (view === undefined || width === 0) return;
    const { kind, marks } = this.#chart!;
    const room = Math.round(Math.min(170, 0.38 * width));
    if (kind === "lines") view.width(width);
    else view.signal("labelRoom", room);
    if (kind === "bars") view.width(Math.max(60, width - room - 100));
    const columns = new Set(marks.map(({ column }) => column)).size;
    if (kind === "map") view.signal("x_step", Math.min(64, Math.max(22, (width - room - 24) / columns)));
    view.runAsync();
  }
}

/** Draws a chart in the element that it is in: `<div ${drawChart(make, title)}>`. The chart is made after the page is shown. */
export const drawChart = directive(ChartDirective);
