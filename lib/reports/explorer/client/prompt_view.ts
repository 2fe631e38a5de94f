/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerRow } from "../data.ts";
import type { PromptPart, Stretch } from "../../marked_prompt.ts";
import type { Reading } from "./app.ts";
import { promptCommands } from "./copies.ts";
import { type Mark, markText, visible } from "./pieces.ts";
import { grouped } from "@/lib/base/mod.ts";

const KINDS: Readonly<Record<string, string>> = { answer: "wanted answer", given: "answer given", target: "fact" };

/** Draws the prompt of a sample, shortened around its marks or whole, or how to see it if it is not in the page. */
export function promptView(app: Reading, row: ExplorerRow): TemplateResult {
  const { prompt } = app;
  if (prompt === undefined) return html`<p class="quiet" role="status">Making the prompt …</p>`;
  const { parts, why } = prompt;
  const commands = html`
    <p>To see the whole prompt, or a page with every prompt:</p>
    <pre>${visible(promptCommands(app.facts, row))}</pre>
  `;
  if (parts === null) {
    const failed = html`<p>It cannot be shown: ${visible(why)}.</p>`;
    return html`<section class="prompt"><h3>Prompt</h3>${why === "" ? commands : failed}</section>`;
  }
  const isWhole = prompt.isWhole && app.state.prompt === "whole";
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  const kinds = new Set(parts.flatMap(({ marks }) => marks.map(([, , kind]) => kind)));
  const legend = [...kinds].map((kind) => html`<mark class=${kind}>${KINDS[kind] ?? kind}</mark>`);
  const change = (): void => app.go({ prompt: isWhole ? "" : "whole" });
  const toggle = html`<button type="button" aria-pressed=${isWhole} @click=${change}>Whole prompt</button>`;
  return html`<section class="prompt"><h3>Prompt, ${grouped(characters)} characters</h3>
    <p class="tools">${prompt.isWhole ? toggle : nothing}
      <button type="button" @click=${showNext}>Next fact</button>${legend}</p>
    ${drawParts(parts, isWhole)}${prompt.isWhole ? nothing : commands}</section>`;
}

function drawParts(parts: readonly PromptPart[], isWhole: boolean): readonly TemplateResult[] {
  const shown: TemplateResult[] = [];
  let skipped = 0;
  const endGap = (): void => {
    if (skipped > 0) shown.push(html`<p class="gap">… ${grouped(skipped)} characters in between …</p>`);
    skipped = 0;
  };
  for (const part of parts) {
    const { role, text, kept } = part;
    const stretches: readonly Stretch[] = isWhole ? [[0, text.length]] : kept;
    if (stretches.length === 0) {
      skipped += text.length;
      continue;
    }
    endGap();
    if (role !== "template") shown.push(html`<h4>${role}, ${grouped(text.length)} characters</h4>`);
    shown.push(
      html`<pre class=${role.replace(" ", "-")} dir="auto" tabindex="0">${drawStretches(part, stretches)}</pre>`,
    );
  }
  endGap();
  return shown;
}

/** Draws the stretches of a part with their marks, and how much is left out between them. */
function drawStretches({ text, marks }: PromptPart, stretches: readonly Stretch[]): readonly unknown[] {
  const shown = marks.filter((mark) => stretches.some(([from, to]) => from <= mark[0] && mark[1] <= to));
  const starts = [0, ...stretches.map(([, to]) => to)];
  const gaps = starts.map((start, at): Mark => [start, stretches[at]?.[0] ?? text.length, "gap"]);
  const all = [...shown, ...gaps.filter(([from, to]) => from < to)];
  return markText(text, all.sort(([left], [right]) => left - right));
}

/** Scrolls to the next fact or answer of the prompt; after the last one, to the first. */
function showNext({ currentTarget }: Event): void {
  const button = currentTarget as HTMLElement;
  const marks = button.closest(".prompt")!.querySelectorAll("pre :is(mark.target, mark.answer, mark.given)");
  const next = Number(button.dataset.next ?? 0) % Math.max(1, marks.length);
  button.dataset.next = String(next + 1);
  marks[next]?.scrollIntoView({ block: "center" });
}
