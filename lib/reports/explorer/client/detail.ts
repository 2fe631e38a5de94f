/// <reference lib="dom" />
import { html, nothing, type TemplateResult } from "lit-html";
import type { ExplorerAnswer, ExplorerFacts, ExplorerRow, ServedPrompt } from "../data.ts";
import type { Reading } from "./app.ts";
import { copyMenu } from "./copies.ts";
import { diffTexts } from "./diff.ts";
import { taskNames } from "./filters.ts";
import { scoreBadge, swatch } from "./list.ts";
import { promptView } from "./prompt_view.ts";
import { findValues, markText, visible } from "./text.ts";
import { lengthText } from "@/lib/base/mod.ts";

/** A prompt of a page or of its server, which also knows more of its row. */
export type FoundPrompt = Pick<ServedPrompt, "parts" | "why" | "isWhole"> & Partial<ServedPrompt>;

/** Draws a sample: its question, each reply with its score and the reason, their differences, and the prompt. */
export function sampleDetail(app: Reading, row: ExplorerRow, prompt: FoundPrompt | undefined): TemplateResult {
  const { facts, listed, href, keyOf } = app;
  const at = listed.indexOf(row);
  const step = (label: string, other: ExplorerRow | undefined): TemplateResult | string =>
    other === undefined ? label : html`<a href=${href({ s: keyOf(other) })}>${label}</a>`;
  const question = prompt?.question || row.question;
  const repeat = row.repeat > 0 ? `, repeat ${row.repeat}` : "";
  return html`<nav aria-label="Sample"><a href=${href({ s: "" })}>Close</a> ${
    step("Previous", at < 0 ? undefined : listed[at - 1])
  }
      ${step("Next", listed[at + 1])} <a href=${href({ ...cleared(app), s: keyOf(row) })}>Link to this sample</a>
      ${copyMenu(app, [row])}</nav>
    <h2>${visible(`${taskNames(facts)[row.task]} at ${lengthText(row.length)}, sample ${row.index}${repeat}`)}</h2>
    <p class="quiet id">${visible(row.id)}</p>
    ${
    question === "" ? nothing : html`
      <h3>Question</h3>
      <pre class="question" dir="auto" tabindex="0">${visible(question)}</pre>
    `
  }
    <div class="replies">${row.answers.map((answer, run) => reply(facts, row, { answer, run, prompt }))}</div>
    ${facts.runs.length > 1 ? differences(app, row) : nothing}
    ${promptView(app, row, prompt)}`;
}

/** Returns the change of the state that leaves out all of it. */
function cleared({ state }: Reading): Record<string, string> {
  return Object.fromEntries(Object.keys(state).map((id) => [id, ""]));
}

function reply(facts: ExplorerFacts, row: ExplorerRow, { answer, run, prompt }: {
  readonly answer: ExplorerAnswer | null;
  readonly run: number;
  readonly prompt: FoundPrompt | undefined;
}): TemplateResult {
  const { runs, meanings } = facts;
  const head = runs.length === 1 ? html`Reply` : html`${swatch(run)} ${visible(runs[run]!.label)}`;
  if (answer === null) {
    return html`
      <section>
        <h3>${head}</h3>
        <p class="quiet">This run does not have the sample.</p>
      </section>
    `;
  }
  const { text, thinking, lines, verdict, value } = answer;
  const modes = prompt?.modes?.[run] ?? answer.modes;
  const lower = text.toLowerCase();
  const marks = findValues(text, [["given", modes.flatMap(({ given }) => given)], ["answer", row.wanted]]);
  const wanted = row.wanted.map((each) => {
    const isFound = lower.includes(each.toLowerCase());
    return html`<li class=${isFound ? "found" : "missed"} dir="auto">${isFound ? "✓" : "✗"}
      <span class="hidden">${isFound ? "in the reply:" : "not in the reply:"}</span> ${visible(each)}</li>`;
  });
  const reasons = [
    ...lines.filter(([what]) => what !== "Wanted"),
    ...modes.map(({ class: name, why }) => ["Failure", `${name} (${meanings[name]}): ${why}`] as const),
  ];
  return html`<section><h3>${head} ${scoreBadge(answer)} <span class="quiet">${
    value === null ? "" : "of 100, "
  }${verdict}</span></h3>
    <pre dir="auto" tabindex="0">${text === "" ? html`<i>(empty)</i>` : markText(text, marks)}</pre>
    <h4>Wanted</h4><ul class="wanted">${wanted}</ul>
    <table class="lines">${
    reasons.map(([what, said]) =>
      html`
        <tr>
          <th scope="row">${what}</th>
          <td dir="auto">${visible(said)}</td>
        </tr>
      `
    )
  }</table>
    ${
    thinking === "" ? nothing : html`
      <details>
        <summary>Thinking</summary>
        <pre dir="auto">${visible(thinking)}</pre>
      </details>
    `
  }
  </section>`;
}

/** Draws how the replies of other runs differ from that of the first, or of the one that is chosen. */
function differences({ facts: { runs }, state, go }: Reading, { answers }: ExplorerRow): TemplateResult {
  const against = Number(state.against ?? 0);
  const first = answers[against];
  const choose = html`<label>Compared with <select @change=${({ target }: Event) =>
    go({ against: (target as HTMLSelectElement).value })}>${
    runs.map(({ label }, run) =>
      html`<option value=${run === 0 ? "" : run} .selected=${run === against}>${visible(label)}</option>`
    )
  }</select></label>`;
  const drawn = answers.map((other, run) => {
    if (run === against || !first || other === null) return nothing;
    return html`
      <h4>
        <del>${visible(runs[against]!.label)}</del>
        <ins>${visible(runs[run]!.label)}</ins>
      </h4>
            ${difference(first.text, other.text)}
    `;
  });
  return html`<section class="diff"><h3>Differences of replies</h3>${
    runs.length > 2 ? choose : nothing
  }${drawn}</section>`;
}

function difference(first: string, second: string): TemplateResult {
  if (first === second) return html`<p class="quiet">The replies are the same.</p>`;
  const parts = diffTexts(first, second);
  if (parts === undefined) return html`<p class="quiet">The replies are too long for a comparison word by word.</p>`;
  return html`<pre dir="auto" tabindex="0">${
    parts.map(({ where, text }) => {
      if (where === "both") return visible(text);
      return where === "first" ? html`<del>${visible(text)}</del>` : html`<ins>${visible(text)}</ins>`;
    })
  }</pre>`;
}
