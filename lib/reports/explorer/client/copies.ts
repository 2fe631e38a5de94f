/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";
import type { ExplorerFacts, ExplorerRow } from "../data.ts";
import type { App } from "./app.ts";
import { classOf } from "./filters.ts";
import { plural } from "@/lib/base/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

/** A reply with its sample, as it is copied. */
export type CopiedReply = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Returns the replies of each run to some samples: a record for each sample and run. */
export function copyRows({ facts }: { readonly facts: ExplorerFacts }, rows: readonly ExplorerRow[]): CopiedReply[] {
  return rows.flatMap((row) =>
    facts.runs.flatMap(({ name, model }, run): CopiedReply[] => {
      const answer = row.answers[run] ?? null;
      if (answer === null) return [];
      return [{
        run: name,
        model,
        suite: facts.tasks[row.task]!.suite,
        task: facts.tasks[row.task]!.name,
        length: row.length,
        index: row.index,
        repeat: row.repeat,
        seed: row.seed,
        sample: row.id,
        depth: row.depth,
        question: row.question,
        wanted: row.wanted,
        reply: answer.text,
        score: answer.value,
        verdict: answer.verdict,
        failure: classOf(answer),
        latency_ms: answer.latency,
      }];
    })
  );
}

/** The forms in which samples are copied. */
export const FORMS = ["JSON", "CSV", "TypeScript", "pandas"] as const;

/** Writes samples with the replies of each run in one of the forms. */
export function copyText(form: typeof FORMS[number], facts: ExplorerFacts, rows: readonly ExplorerRow[]): string {
  const copied = copyRows({ facts }, rows);
  if (form === "JSON") return `${JSON.stringify(copied, null, 2)}\n`;
  if (form === "pandas") {
    return `import pandas as pd\n\nreplies = pd.DataFrame([\n${
      copied.map((each) => `    ${pythonText(each)},\n`).join("")
    }])\n`;
  }
  if (form === "TypeScript") return typeScriptText(facts, rows);
  const names = Object.keys(copied[0] ?? {});
  const cells = copied.map((each) => names.map((name) => cellOf(each[name]!)));
  return [names, ...cells].map((line) => `${csvFormatRow(line)}\n`).join("");
}

function cellOf(value: CopiedReply[string]): string | number | null {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

/** Writes plain data in Python, whose strings can be those of JSON. */
function pythonText(value: unknown): string {
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${pythonText(each)}`).join(", ")}}`;
}

/** Writes a script that rebuilds the samples from their recipes and prints prompt, reply, score and failure of each. */
function typeScriptText(facts: ExplorerFacts, rows: readonly ExplorerRow[]): string {
  const places = rows.map(({ task, length, index, repeat }) => (
    `  { task: ${JSON.stringify(facts.tasks[task]!.name)}, length: ${length}, index: ${index}, repeat: ${repeat} },`
  ));
  return `import { closeUp, joinPrompt, openStudy, pickReply, readScoredRun } from "@/lib/mod.ts";

const places = [
${places.join("\n")}
];
for (const name of ${JSON.stringify(facts.runs.map(({ name }) => name))}) {
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
export function runCommand({ runs, tasks }: ExplorerFacts, { task, length, index, repeat }: ExplorerRow): string {
  const place = Object.entries({ task: tasks[task]!.name, length, index, repeat });
  const names = runs.map(({ name }) => name);
  const commands = [
    ["fathom", "show", names[0]!, ...place.flatMap(([name, value]) => [`--${name}`, String(value)]), "--prompt"],
    ["fathom", "view", ...names, "--serve"],
  ];
  return commands.map((words) => words.map(shellWord).join(" ")).join("\n");
}

function shellWord(word: string): string {
  return /^[\w./,:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Draws buttons that copy some samples in each of the forms, and what came of it. */
export function copyMenu({ facts }: Pick<App, "facts">, rows: readonly ExplorerRow[]): TemplateResult {
  const copy = async (form: typeof FORMS[number], button: HTMLElement): Promise<void> => {
    const group = button.closest(".copy")!;
    const isCopied = await toClipboard(copyText(form, facts, rows), group);
    const text = isCopied
      ? `${rows.length} ${plural(rows.length, "sample")} copied as ${form}`
      : "The browser did not allow it";
    group.querySelector("[role=status]")!.textContent = text;
  };
  return html`<span class="copy" role="group" aria-label="Copy as">Copy as ${
    FORMS.map((form) =>
      html`
        <button type="button"
          @click=${({ currentTarget }: Event) => copy(form, currentTarget as HTMLElement)}>${form}</button>
      `
    )
  }
    <span class="quiet" role="status"></span></span>`;
}

/** Copies a text to the clipboard; a page of a file may have only the old way. Returns whether it was copied. */
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
