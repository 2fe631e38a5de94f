/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { App } from "./app.ts";
import { classOf } from "./filters.ts";
import { plural } from "@/lib/base/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

type Write = (facts: ExplorerFacts, rows: readonly ExplorerRow[]) => string;

/** The forms in which samples are copied, with the replies of each run. */
export const FORMS: Readonly<Record<string, Write>> = {
  JSON: (facts, rows) => `${JSON.stringify(recordsOf(facts, rows), null, 2)}\n`,
  CSV: (facts, rows) => {
    const records = recordsOf(facts, rows);
    const cells = records.map((record) =>
      Object.values(record).map((value) => Array.isArray(value) ? JSON.stringify(value) : value)
    );
    return [Object.keys(records[0] ?? {}), ...cells].map((line) => `${csvFormatRow(line)}\n`).join("");
  },
  TypeScript: typeScriptText,
  pandas: (facts, rows) => {
    const records = JSON.stringify(recordsOf(facts, rows), null, 4);
    return `import pandas as pd\n\nnull = None\nreplies = pd.DataFrame(${records})\n`;
  },
};

type Copied = Readonly<Record<string, string | number | null | string[]>>;

/** Returns a record for each sample and run. */
function recordsOf({ runs, tasks }: ExplorerFacts, rows: readonly ExplorerRow[]): readonly Copied[] {
  return rows.flatMap(({ at: _at, why: _why, task: place, answers, wanted, ...sample }) => {
    const { suite, name: task } = tasks[place]!;
    return answers.flatMap((answer, run) => {
      if (answer === null) return [];
      const { text: reply, value: score, verdict, latency: latencyMs, thinking } = answer;
      const verdicts = { score, verdict, failure: classOf(answer), latencyMs };
      const { name, model } = runs[run]!;
      return { run: name, model, suite, task, ...sample, wanted: [...wanted], reply, thinking, ...verdicts };
    });
  });
}

/** Writes a script that makes the prompts of samples again, and prints them with what is known of each reply. */
function typeScriptText({ runs, tasks }: ExplorerFacts, rows: readonly ExplorerRow[]): string {
  const places = rows.map(({ task, length, index, repeat }) => ({ task: tasks[task]!.name, length, index, repeat }));
  return `import { closeUp, joinPrompt, openStudy, pickReply, readScoredRun } from "@/lib/mod.ts";

const places = [
${places.map((place) => `  ${JSON.stringify(place)},\n`).join("")}];
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
  const names = runs.map(({ name }) => shellWord(name)).join(" ");
  const place = `--task ${shellWord(tasks[task]!.name)} --length ${length} --index ${index} --repeat ${repeat}`;
  return `fathom show ${shellWord(runs[0]!.name)} ${place} --prompt\nfathom view ${names} --serve`;
}

function shellWord(word: string): string {
  return /^[\w./,:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Draws buttons that copy samples in each of the forms, and what came of it. */
export function copyMenu({ facts }: App, rows: readonly ExplorerRow[]): TemplateResult {
  const buttons = Object.entries(FORMS).map(([name, write]) => {
    const copy = async ({ currentTarget }: Event): Promise<void> => {
      const group = (currentTarget as Element).closest(".copy")!;
      const isCopied = await toClipboard(write(facts, rows));
      const count = `${rows.length} ${plural(rows.length, "sample")} copied as ${name}`;
      group.querySelector("[role=status]")!.textContent = isCopied ? count : "The browser does not allow it";
    };
    return html`<button type="button" @click=${copy}>${name}</button>`;
  });
  return html`<span class="tools copy" role="group" aria-label="Copy as">Copy as ${buttons}
    <span class="quiet" role="status"></span></span>`;
}

/** Copies a text to the clipboard; a page of a file or in a frame may have only the old way. Returns whether it was copied. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const give = (event: ClipboardEvent): void => {
      event.clipboardData!.setData("text/plain", text);
      event.preventDefault();
    };
    document.addEventListener("copy", give, { once: true });
    return document.execCommand("copy");
  }
}
