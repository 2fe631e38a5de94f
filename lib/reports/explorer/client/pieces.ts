/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";
import type { ExplorerAnswer } from "../data.ts";
import { grouped } from "@/lib/base/mod.ts";

/** Control characters and direction marks, which could change what a page shows. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns a text as it is shown: hidden characters are written out, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Draws the colour and the number of a run. */
export function swatch(run: number): TemplateResult {
  return html`<span class="swatch" style=${`--colour: var(--run${run})`}>${run + 1}</span>`;
}

/** Draws a score in percent, with its verdict. */
export function scoreBadge(answer: ExplorerAnswer | null): TemplateResult {
  const { verdict, value } = answer ?? { verdict: "not asked", value: null };
  const text = value === null ? "–" : Math.round(100 * value);
  return html`<span class=${`score ${verdict.replaceAll(" ", "-")}`} title=${verdict}>${text}</span>`;
}

/** A value of a menu. */
export type Choice = Readonly<Record<"value" | "text", string>> & { readonly isChosen: boolean };

/** Draws a menu, which calls back with the value that is chosen. */
export function menu(label: string, choices: readonly Choice[], choose: (value: string) => void): TemplateResult {
  const change = ({ target }: Event): void => choose((target as HTMLSelectElement).value);
  const options = choices.map(({ value, text, isChosen }) =>
    html`<option value=${value} .selected=${isChosen}>${visible(text)}</option>`
  );
  return html`<label>${visible(label)} <select aria-label=${
    visible(label)
  } @change=${change}>${options}</select></label>`;
}

/** Draws a table of numbers with its heads and lines, which scrolls sideways where it is wide. */
export function matrix(heads: readonly string[], lines: readonly TemplateResult[], label: string): TemplateResult {
  const head = html`<tr>${heads.map((text) => html`<th scope="col">${text}</th>`)}</tr>`;
  return html`
    <div class="wide">
      <table class="matrix" aria-label=${label}>${head}<tbody>${lines}</tbody></table>
    </div>
  `;
}

/** A stretch of a text, in UTF-16 code units, with the kind of its mark. */
export type Mark = readonly [from: number, to: number, kind: string];

/** Returns the parts of a text with its marks, which are in order; of a "gap", only its length. */
export function markText(text: string, marks: readonly Mark[]): readonly (string | TemplateResult)[] {
  let end = 0;
  const parts = marks.flatMap(([from, to, kind]) => {
    const before = visible(text.slice(end, from));
    end = to;
    if (kind === "gap") return [before, html`<span class="gap">… ${grouped(to - from)} characters …</span>`];
    return [before, html`<mark class=${kind} title=${kind}>${visible(text.slice(from, to))}</mark>`];
  });
  return [...parts, visible(text.slice(end))];
}

/** Finds values in a text, in any case; the longest at a place wins, and of equal ones that of the last kind. */
export function findValues(text: string, kinds: Readonly<Record<string, readonly string[]>>): Mark[] {
  const named = Object.entries(kinds).flatMap(([kind, values]) =>
    values.map((value) => ({ value: value.trim(), kind }))
  );
  const known = new Map(named.map(({ value, kind }) => [value.toLowerCase(), kind]));
  known.delete("");
  if (known.size === 0) return [];
  const values = [...known.keys()].sort((left, right) => right.length - left.length);
  const pattern = new RegExp(values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "giu");
  return [...text.matchAll(pattern)].map((
    { 0: found, index },
  ) => [index, index + found.length, known.get(found.toLowerCase()) ?? named[0]!.kind]);
}
