/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { App, Panel } from "./app.ts";
import { matrix, menu, visible } from "./pieces.ts";
import { groupScores, groupsOf, scoreText } from "./statistics.ts";
import { lengthText } from "@/lib/base/mod.ts";
import { effectiveLengthBoard, RULER_THRESHOLD, type ScoreRow } from "@/lib/statistics/mod.ts";

/** A model's score at a length, published or measured, such as a row of a notebook. */
export interface EvidenceRow extends Pick<ScoreRow, "length" | "low" | "high" | "units"> {
  readonly model: string;
  /** In percent. */
  readonly score: number;
  /** Samples scored; `null` if unknown. */
  readonly n: number | null;
}

/** The scores of a model by length. */
interface Scores {
  readonly name: string;
  readonly rows: readonly ScoreRow[];
}

/** The share of the score at the shortest length that NoLiMa asks for, in percent. */
const OWN_SHARE = 85;

/** Draws details that are computed while they are open, as a key of the state says. */
export function openDetails(app: App, key: string, summary: string, draw: () => TemplateResult): TemplateResult {
  const isOpen = app.state[key] === "1";
  const toggle = ({ target }: Event): void => {
    const { open } = target as HTMLDetailsElement;
    if (open !== isOpen) app.go({ [key]: open ? "1" : "" });
  };
  return html`<details class=${key} .open=${isOpen} @toggle=${toggle}><summary>${summary}</summary>
    ${isOpen ? draw() : nothing}</details>`;
}

/** Shows the effective lengths of each run and group of tasks, by a threshold that can be moved. Filters do not change them. */
export const thresholdPanel: Panel = (app) =>
  openDetails(app, "lengths", "Effective lengths by another threshold", () => {
    const { facts, filters } = app;
    const rows = app.filtered([...filters.dimensions.map(({ id }) => id), "q"]);
    const nameOf = (run: number, name: string): string =>
      facts.runs.length === 1 ? name : `${facts.runs[run]!.label}, ${name}`;
    const scores = [...facts.runs.keys()].flatMap((run) =>
      groupsOf(facts, rows).map(({ name, tasks }): Scores => (
        { name: nameOf(run, name), rows: groupScores(facts, rows, { run, name, tasks }) }
      ))
    );
    return board(scores, app, facts.threshold);
  });

/** Shows the effective lengths of models by a threshold that can be moved, from rows alone. */
export function evidencePanel(rows: readonly EvidenceRow[], page: Pick<App, "state" | "go">): TemplateResult {
  const scores = [...Map.groupBy(rows, ({ model }) => model)].map(([name, ofModel]): Scores => (
    { name, rows: ofModel.map((row) => ({ ...row, n: row.n ?? 0, task: name, failed: 0, noAnswer: 0 })) }
  ));
  return html`<section class="lengths">${board(scores, page, RULER_THRESHOLD)}</section>`;
}

/** Draws the slider with the effective lengths; a threshold such as `own85` is a share of a model's score at its shortest length. */
function board(all: readonly Scores[], { state, go }: Pick<App, "state" | "go">, byDefault: number): TemplateResult {
  const { threshold: text = "" } = state;
  const kind = text.startsWith("own") ? "own" : "";
  const value = Math.min(100, Math.max(1, Number(text.replace("own", "")) || byDefault));
  const threshold = kind === "own" ? { share: value / 100 } : value;
  // A score without an interval excludes no length.
  const scores = all.filter(({ rows }) => rows.every(({ score, low }) => score === null || low !== null));
  const found = effectiveLengthBoard(scores.map(({ name, rows }) => ({ model: name, rows, threshold })));
  const lengths = [...new Set(scores.flatMap(({ rows }) => rows.map(({ length }) => length)))].sort((a, b) => a - b);
  const lines = found.map(({ model, found, range, threshold }, at) => {
    const cells = lengths.map((length) => {
      const row = scores[at]!.rows.find((each) => each.length === length);
      const score = row?.score ?? null;
      const shown = score?.toFixed(1) ?? "–";
      const isReached = score !== null && threshold !== null && score >= threshold;
      return html`<td title=${scoreText(row)}>${isReached ? html`<b>${shown}</b>` : shown}</td>`;
    });
    return html`<tr><th scope="row">${visible(model)}</th><td>${found}</td><td>${range}</td>${cells}</tr>`;
  });
  const kinds = [["", "in percent"], ["own", "% of its own score at the shortest length"]] as const;
  const choices = kinds.map(([value, text]) => ({ value, text, isChosen: value === kind }));
  const choose = (chosen: string): void => go({ threshold: chosen === "" ? "" : `own${OWN_SHARE}` });
  const move = ({ target }: Event): void => go({ threshold: `${kind}${(target as HTMLInputElement).value}` });
  const decided = found.filter(({ isSettled }) => isSettled).length;
  const certain = `${decided} of ${found.length} decided with 95% confidence; scores in bold reach the threshold.`;
  const label = "Effective lengths";
  const table = matrix(["Scores", label, "Not excluded", ...lengths.map(lengthText)], lines, label);
  const slider = html`<input type="range" min="1" max="100" step="0.1" .value=${String(value)} @input=${move}>`;
  return html`
    <p class="tools">${menu("Threshold", choices, choose)} <label>${value.toFixed(1)}% ${slider}</label>
        <button type="button" @click=${() => go({ threshold: "" })}>${byDefault}%</button></p>
    <p class="quiet" role="status">${certain}</p>
    ${table}
  `;
}
