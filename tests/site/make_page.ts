/// <reference lib="dom" />
import { html, nothing, render, type TemplateResult } from "lit-html";
import { grouped, percent, someOf } from "@/lib/base/mod.ts";
import { BENCHMARKS, findFamily } from "@/lib/benchmarks/registry.ts";
import { promptText } from "@/lib/generators/mod.ts";
import { markPrompt, type PromptPart } from "@/lib/reports/marked_prompt.ts";
import type { Score } from "@/lib/scorers/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";
import { DEFAULTS, knobsOf, type MadeSample, makeSample, openTask, type Settings } from "./samples.ts";

/** Characters of the longest prompt that is shown whole, and the most right answers that are listed. */
const [SHOWN_CHARS, LISTED] = [20_000, 20];

/** What the page shows; the note is why there is no sample, what was copied, or what is going on. */
interface Shown {
  readonly settings: Settings;
  readonly made: MadeSample & { readonly parts: readonly PromptPart[] } | null;
  readonly note: string;
  readonly reply: string;
}

let shown: Shown = { settings: DEFAULTS, made: null, note: "", reply: "" };

function show(changes: Partial<Shown>): void {
  shown = { ...shown, ...changes };
  render(pageOf(shown), document.querySelector<HTMLElement>("#page")!);
}

async function readText(name: string): Promise<string> {
  const { ok, status, body } = await fetch(new URL(`../texts/${name}.gz`, import.meta.url));
  if (ok) return await new Response(body!.pipeThrough(new DecompressionStream("gzip"))).text();
  throw new Error(`Cannot read ${name}.gz, a file of this site: its status is ${status}`);
}

/** Makes the sample of the address and shows it; a later address wins. */
async function update(): Promise<void> {
  const settings: Settings = { ...DEFAULTS, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) };
  show({ settings, made: null, note: "Making the sample …" });
  try {
    const made = await makeSample(settings, readText);
    const parts = markPrompt(made.sample);
    if (shown.settings === settings) show({ made: { ...made, parts }, note: "", reply: "" });
  } catch (error) {
    if (shown.settings === settings) show({ note: (error as Error).message });
  }
}

/** Puts a changed setting into the address, which makes the sample. Another task has its own knobs. */
function change(name: string, value: string): void {
  const kept = Object.entries(shown.settings).filter(([other]) => name !== "task" || !other.startsWith("set."));
  location.hash = String(new URLSearchParams([...new Map([...kept, [name, value]])]));
}

/** The command that prints the same sample. */
function commandOf(settings: Settings): string {
  const quote = (text: string): string => /^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const { task, length, seed, index, tokenizer } = settings;
  const knobs = knobsOf(settings).map((knob) => ` --set ${quote(knob.join("="))}`).join("");
  const place = `--lengths ${quote(length)} --seed ${quote(seed)} --first-sample ${quote(index)}`;
  return `fathom generate --tasks ${quote(task)}${knobs} ${place} --tokenizer ${quote(tokenizer)}`;
}

async function copy(what: string, text: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
  show({ note: isCopied ? `The ${what} is copied` : `The browser does not allow copying the ${what}` });
}

function pageOf(state: Shown): TemplateResult[] {
  const submit = (event: Event): void => event.preventDefault();
  return [
    html`<p role="status">${state.note}</p>`,
    html`<form @submit=${submit}>${fieldsOf(state.settings)}</form>`,
    html`<div>${state.made === null ? nothing : madeOf(state, state.made)}</div>`,
  ];
}

function fieldsOf(settings: Settings): TemplateResult[] {
  const { task, length, tokenizer, seed, index } = settings;
  const family = findFamily(task);
  const suite = BENCHMARKS.find(({ families }) => families.some((each) => each === family)) ?? BENCHMARKS[0]!;
  // The shell reads a name that a family shares with its suite as the suite's.
  const names = suite.families.flatMap(({ name, tasks }) => name === suite.name ? tasks : [...tasks, name]);
  const firstTasks = BENCHMARKS.map(({ title, tasks }) => ({ title, value: tasks[0]! }));
  const own = family === undefined ? {} : openTask({ ...DEFAULTS, task }).options;
  const knobs = Object.entries(family?.knobs ?? {}).map(([name, { choices, help, byDefault }]) => {
    const value = String(settings[`set.${name}`] || (own[name] ?? byDefault ?? ""));
    return html`${fieldOf(name, `set.${name}`, value, choices)}<p class="facts">${help}</p>`;
  });
  return [
    fieldOf("Suite", "task", suite.tasks[0]!, firstTasks),
    fieldOf("Task", "task", task, new Set([task, ...names])),
    fieldOf("Length in tokens", "length", length),
    fieldOf("Tokenizer", "tokenizer", tokenizer, ENCODING_NAMES),
    fieldOf("Seed", "seed", seed),
    fieldOf("Sample number, from 0", "index", index),
    html`<p class="facts">${family?.about}</p>`,
    html`<details><summary>Knobs</summary>${knobs}</details>`,
  ];
}

/** A labelled field for a setting; with choices, one of them. */
function fieldOf(label: string, name: string, value: string, choices?: Iterable<Choice>): TemplateResult {
  const read = ({ target }: Event): void => change(name, (target as HTMLInputElement).value);
  const input = html`<input .value=${value} autocomplete="off" @change=${read}>`;
  const options = Array.from(choices ?? [], (choice) => {
    const { value: own, title } = typeof choice === "object" ? choice : { value: String(choice), title: choice };
    return html`<option .value=${own} .selected=${own === value}>${title}</option>`;
  });
  return html`<label>${label}${
    choices === undefined ? input : html`<select @change=${read}>${options}</select>`
  }</label>`;
}

type Choice = string | number | { readonly value: string; readonly title: string };

function madeOf({ settings, reply }: Shown, { task, sample, parts }: NonNullable<Shown["made"]>): TemplateResult {
  const { prompt, question, references, promptTokens, answerRoom } = sample;
  const text = promptText(prompt);
  const isWhole = text.length <= SHOWN_CHARS;
  const kinds = new Set(parts.flatMap(({ marks }) => marks.map(([, , kind]) => kind)));
  const targets = sample.facts.flatMap(({ role, depth }) => role === "target" && depth !== null ? percent(depth) : []);
  const place = targets.length === 0 ? "" : `, with targets at ${someOf(targets, LISTED)} of the context`;
  const read = ({ target }: Event): void => show({ reply: (target as HTMLTextAreaElement).value });
  return html`<p>${grouped(promptTokens)} tokens${place}; ${grouped(answerRoom)} more for the answer.</p>
    <p><button @click=${() => copy("prompt", text)}>Copy the prompt</button>
      <button @click=${() => copy("command", commandOf(settings))}>Copy the command</button></p>
    <h2>Question</h2><pre tabindex="0">${question}</pre>
    <h2>Right answers</h2><ul>${references.slice(0, LISTED).map((each) => html`<li>${each}</li>`)}</ul>
    ${references.length > LISTED ? `and ${references.length - LISTED} more` : nothing}
    <h2>Score a reply</h2><label>A model's reply<textarea rows="4" .value=${reply} @input=${read}></textarea></label>
    <div aria-live="polite">${reply === "" ? nothing : scoreOf(task.scorer.grade(reply, sample).score)}</div>
    <p class="facts">${task.scorer.name}: ${task.scorer.about}</p>
    <h2>Prompt</h2><p>${Array.from(kinds, (kind) => [html`<mark class=${kind}>${kind}</mark>`, " "])}</p>
    ${parts.filter(({ kept }) => isWhole || kept.length > 0).map((part) => partOf(part, isWhole))}
    <p class="facts">Sample <code id="id">${sample.id}</code><br>SHA-256 <code id="sha256">${sample.sha256}</code></p>`;
}

function scoreOf({ value, answer, why }: Score): TemplateResult {
  const percents = value === null ? "nothing to score" : percent(value, 2);
  return html`
    <p>Score: <strong id="score">${percents}</strong><br>Answer: <span id="answer">${answer}</span></p>
    <p>Reason: <span id="why">${why}</span></p>
  `;
}

/** A part of the prompt with its marks, whole or only around them. */
function partOf({ role, text, marks, kept }: PromptPart, isWhole: boolean): TemplateResult {
  const pieces: (string | TemplateResult)[] = [];
  let end = 0;
  for (const [from, to] of isWhole ? [[0, text.length] as const] : [...kept, [text.length, text.length] as const]) {
    if (from > end) pieces.push(`\n… ${grouped(from - end)} characters …\n`);
    end = from;
    for (const [start, stop, kind] of marks.filter((mark) => mark[0] >= from && mark[1] <= to)) {
      pieces.push(text.slice(end, start), html`<mark class=${kind}>${text.slice(start, stop)}</mark>`);
      end = stop;
    }
    pieces.push(text.slice(end, to));
    end = to;
  }
  return html`
    <h3>${role}</h3>
    <pre tabindex="0" aria-label=${`Text of the ${role}`}>${pieces}</pre>
  `;
}

addEventListener("hashchange", update);
await update();
