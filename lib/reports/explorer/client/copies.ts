/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { App } from "./app.ts";
import { classOf } from "./filters.ts";
import { plural } from "@/lib/base/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

/** The forms in which samples are copied. */
export const FORMS = ["JSON", "CSV", "TypeScript", "pandas"] as const;

type Copied = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Writes samples with the replies of each run in one of the forms; TypeScript is a script that makes their prompts again. */
export function copyText(form: typeof FORMS[number], facts: ExplorerFacts, rows: readonly ExplorerRow[]): string {
  if (form === "TypeScript") return typeScriptText(facts, rows);
  const copied = rows.flatMap((row) => copyRow(facts, row));
  if (form === "JSON") return `${JSON.stringify(copied, null, 2)}\n`;
  if (form === "pandas") {
    const lines = copied.map((each) => `    ${pythonText(each)},\n`).join("");
    return `import pandas as pd\n\nreplies = pd.DataFrame([\n${lines}])\n`;
  }
  const cells = copied.map((each) => Object.values(each).map(cellText));
  return [Object.keys(copied[0] ?? {}), ...cells].map((line) => `${csvFormatRow(line)}\n`).join("");
}

function cellText(value: Copied[string]): string | number | null {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

/** Returns the replies to a sample: a record for each run. */
function copyRow({ runs, tasks }: ExplorerFacts, row: ExplorerRow): Copied[] {
  const { suite, name: task } = tasks[row.task]!;
  const { length, index, repeat, seed, id, depth, question, wanted } = row;
  return row.answers.flatMap((answer, run) => {
    if (answer === null) return [];
    const { text: reply, value: score, verdict, latency } = answer;
    const { name, model } = runs[run]!;
    const place = { run: name, model, suite, task, length, index, repeat, seed, sample: id, depth, question, wanted };
    return [Object.assign(place, { reply, score, verdict, failure: classOf(answer), latency_ms: latency })];
  });
}

/** Writes a record in Python, whose texts and numbers can be those of JSON. */
function pythonText(record: Copied): string {
  const fields = Object.entries(record).map(([key, value]) =>
    `"${key}": ${value === null ? "None" : JSON.stringify(value)}`
  );
  return `{${fields.join(", ")}}`;
}

function typeScriptText({ runs, tasks }: ExplorerFacts, rows: readonly ExplorerRow[]): string {
  const places = rows.map(({ task, length, index, repeat }) => (
    `  { task: ${JSON.stringify(tasks[task]!.name)}, length: ${length}, index: ${index}, repeat: ${repeat} },\n`
  ));
  return `import { closeUp, joinPrompt, openStudy, pickReply, readScoredRun } from "@/lib/mod.ts";

const places = [
${places.join("")}];
for (const name of ${JSON.stringify(runs.map(({ name }) => name))}) {
  const run = await readScoredRun(name);
  const opened = await openStudy(run.manifest.study, run);
  for (const place of places) {
    const { sample, lines } = await closeUp(run, pickReply(run.replies, place), { opened });
    console.log(joinPrompt(sample.prompt), lines);
  }
}
`;
}

/** Returns the commands that show a sample's prompt, and a page with every prompt. */
export function promptCommands({ runs, tasks }: ExplorerFacts, { task, length, index, repeat }: ExplorerRow): string {
  const place = Object.entries({ task: tasks[task]!.name, length, index, repeat });
  const names = runs.map(({ name }) => name);
  const flags = place.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const commands = [["fathom", "show", names[0]!, ...flags, "--prompt"], ["fathom", "view", ...names, "--serve"]];
  return commands.map((words) => words.map(shellWord).join(" ")).join("\n");
}

function shellWord(word: string): string {
  return /^[\w./,:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Draws buttons that copy samples in each of the forms, and what came of it. */
export function copyMenu({ facts }: App, rows: readonly ExplorerRow[]): TemplateResult {
  const buttons = FORMS.map((form) => {
    const copy = async ({ currentTarget }: Event): Promise<void> => {
      const group = (currentTarget as Element).closest(".copy")!;
      const isCopied = await toClipboard(copyText(form, facts, rows), group);
      const count = `${rows.length} ${plural(rows.length, "sample")} copied as ${form}`;
      group.querySelector("[role=status]")!.textContent = isCopied ? count : "The browser does not allow it";
    };
    return html`<button type="button" @click=${copy}>${form}</button>`;
  });
  return html`<p class="tools copy" role="group" aria-label="Copy as">Copy as ${buttons}
    <span class="quiet" role="status"></span></p>`;
}

/** Copies a text to the clipboard; a page of a file or in a frame may have only the old way. Returns whether it was copied. */
async function toClipboard(text: string, group: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    group.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
