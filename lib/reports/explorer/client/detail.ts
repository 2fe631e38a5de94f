/// <reference lib="dom" />
import { type ChangeObject, diffChars, diffWordsWithSpace } from "diff";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerRow } from "../data.ts";
import type { Reading } from "./app.ts";
import { copyMenu } from "./copies.ts";
import { taskNames } from "./filters.ts";
import { findValues, markText, menu, scoreBadge, swatch, visible } from "./pieces.ts";
import { promptView } from "./prompt_view.ts";
import { comparedRun, writeState } from "./state.ts";
import { lengthText } from "@/lib/base/mod.ts";

/** The most characters of a value; longer replies are texts. */
const MAX_VALUE_CHARS = 40;

/** Draws a sample: its question, each reply with its score and the reason, their differences, and the prompt. */
export function sampleDetail(app: Reading, row: ExplorerRow): TemplateResult {
  const { facts, listed, prompt, href } = app;
  const at = listed.indexOf(row);
  const step = (label: string, other: ExplorerRow | undefined): TemplateResult | string =>
    other === undefined ? label : html`<a href=${href({ s: `${other.at}` })}>${label}</a>`;
  const question = prompt?.question || row.question || "It is not known, as the prompt was not made again.";
  const place = `${taskNames(facts)[row.task]} at ${lengthText(row.length)}, sample ${row.index}`;
  const replies = row.answers.map((_, run) => reply(app, row, run));
  return html`<nav aria-label="Sample"><a href=${href({ s: "" })}>Close</a>
      ${step("Previous", at < 0 ? undefined : listed[at - 1])} ${step("Next", listed[at + 1])}
      <a href=${writeState({ s: `${row.at}` })}>Link to this sample</a></nav>
    <h2>${visible(row.repeat > 0 ? `${place}, repeat ${row.repeat}` : place)}</h2>
    <h3>Question</h3><pre class="question" dir="auto" tabindex="0">${visible(question)}</pre>
    <div class="replies">${replies}</div>
    ${facts.runs.length > 1 ? differences(app, row) : nothing}
    ${copyMenu(app, [row])}<p class="quiet">${visible(row.id)}</p>
    ${promptView(app, row)}`;
}

/** Draws the reply of a run: score, text with marks, right answers, reasons, and thinking. */
function reply({ facts: { runs, meanings }, prompt }: Reading, row: ExplorerRow, run: number): TemplateResult {
  const answer = row.answers[run] ?? null;
  if (answer === null) return html``;
  const { text, thinking, lines, verdict, value } = answer;
  const head = runs.length === 1 ? "Reply" : html`${swatch(run)} ${visible(runs[run]!.label)}`;
  const modes = prompt?.modes?.[run] ?? answer.modes;
  const lower = text.toLowerCase();
  const marks = findValues(text, { given: modes.flatMap(({ given }) => given), answer: row.wanted });
  const wanted = row.wanted.map((each) =>
    lower.includes(each.toLowerCase())
      ? html`<li class="found" dir="auto">✓ ${visible(each)}</li>`
      : html`<li class="missed" dir="auto">✗ ${visible(each)}</li>`
  );
  const failures = modes.map(({ class: name, why }) => ["Failure", `${name} (${meanings[name]}): ${why}`] as const);
  const reasons = [...lines.filter(([what]) => what !== "Wanted"), ...failures].map(([what, said]) =>
    html`<p dir="auto"><span class="quiet">${what}:</span> ${visible(said)}</p>`
  );
  const folded = html`
    <details>
      <summary>Thinking</summary>
      <pre dir="auto">${visible(thinking)}</pre>
    </details>
  `;
  return html`<section>
    <h3>${head} ${scoreBadge(answer)} <span class="quiet">${value === null ? "" : "of 100,"} ${verdict}</span></h3>
    <pre dir="auto" tabindex="0">${text === "" ? html`<i>(empty)</i>` : markText(text, marks)}</pre>
    <h4>Wanted</h4><ul class="wanted">${wanted}</ul>
    ${reasons}${thinking === "" ? nothing : folded}</section>`;
}

/** Draws how the replies of other runs differ from that of the first, or of the one that is chosen. */
function differences(app: Reading, { answers }: ExplorerRow): TemplateResult {
  const { facts: { runs }, go } = app;
  const against = comparedRun(app);
  const first = answers[against];
  const choices = runs.map(({ label }, run) => ({ value: String(run), text: label, isChosen: run === against }));
  const drawn = answers.map((other, run) => {
    if (run === against || !first || other === null) return nothing;
    const names = [runs[against]!.label, runs[run]!.label].map(visible);
    return html`
      <p>
        <del>${names[0]}</del>
        <ins>${names[1]}</ins>
      </p>${difference(first.text, other.text)}
    `;
  });
  return html`<section><h3>Differences of replies</h3>
    ${runs.length > 2 ? menu("Compared with", choices, (run) => go({ against: run })) : nothing}${drawn}</section>`;
}

function difference(first: string, second: string): TemplateResult {
  if (first === second) return html`<p class="quiet">The replies are the same.</p>`;
  const parts = diffTexts(first, second)?.map(({ value, added, removed }) => {
    if (removed) return html`<del>${visible(value)}</del>`;
    return added ? html`<ins>${visible(value)}</ins>` : visible(value);
  });
  const tooLong = html`<p class="quiet">The replies are too long for a comparison word by word.</p>`;
  return parts === undefined ? tooLong : html`<pre dir="auto" tabindex="0">${parts}</pre>`;
}

/** Compares texts by words, or values such as numbers by characters if they share at least half; `undefined` if too much differs. */
export function diffTexts(first: string, second: string): readonly ChangeObject<string>[] | undefined {
  const longest = Math.max(first.length, second.length);
  const byCharacter = longest > MAX_VALUE_CHARS ? [] : diffChars(first, second);
  const shared = byCharacter.filter(({ added, removed }) => !added && !removed).map(({ value }) => value).join("");
  return 2 * shared.length >= longest ? byCharacter : diffWordsWithSpace(first, second, { maxEditLength: 1000 });
}
