import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { escapeHtml, grouped, lengthText, plural, quoteText } from "@/lib/base/mod.ts";
import { textOf } from "../failures.ts";
import type { StoredPart } from "./codec.ts";
import type { ExplorerFacts, ExplorerRow, RebuiltRow } from "./data.ts";
import { explorerFacts } from "./facts.ts";
import { keepPrompts, openRebuilder, type RebuiltPrompt } from "./prompts.ts";
import { type JoinedRow, joinReplies, lowestOf, openRows } from "./rows.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

/** Options for {@linkcode openExplorer}. */
export interface ExplorerOptions {
  /** Number of samples to show, those with the lowest scores. Range: 1 up. Default: all. */
  readonly limit?: number;
  /** Prompt tokens to rebuild in advance. Range: 0 up. Default: 20,000,000, or 250,000 for more than 10,000 samples. */
  readonly tokens?: number;
  /** Bytes of prompts in the page, compressed, about. Range: 0 up. Default: 1,600,000. */
  readonly promptBytes?: number;
  /** Whether a server makes prompts when the page asks for them, or also sends the rows; then the page lacks both. Default: "no". */
  readonly served?: ExplorerFacts["served"];
  /** The names that commands open the runs by. Default: those in their manifests. */
  readonly names?: readonly string[];
  /** The places of rows and what was rebuilt of them, of an earlier explorer of a run that goes on. */
  readonly memory?: { readonly places: Map<string, number>; readonly rebuilt: Map<string, RebuiltRow> };
}

/** A page to explore one or several runs. */
export interface Explorer {
  readonly facts: ExplorerFacts;
  /** Makes the rows one by one. */
  rows(): Iterable<ExplorerRow>;
  /** Writes the page, complete in one file, in pieces: that of a long run is not held in memory. */
  html(): Iterable<string>;
  /** Its content security policy. */
  readonly policy: string;
  /** Rebuilds the prompt of a sample by its row in the page; refuses other rows by a `RangeError`. */
  prompt(row: number): RebuiltPrompt;
}

/** The most runs with texts, and the most replies of a page. */
export const EXPLORER_LIMITS = { runs: 6, replies: 100_000 } as const;

/** Rows, and prompts, of a block, which is compressed and read as one. */
const BLOCK = { rows: 2000, prompts: 40 };

/**
 * Opens a page to explore runs: the answer of each, charts whose marks filter the samples, and each reply with its question, score and
 * prompt. A page of more than six runs has no texts, and only compares their scores.
 *
 * The page needs no network: rows and prompts are compressed in it. Prompts are made again from their recipes and checked against the
 * recorded hashes; those of the lowest scores come first, whole and then shortened, up to a limit.
 *
 * @throws {RangeError} If there is no run, no run has a reply, or there are more than 100,000 replies.
 */
export async function openExplorer(runs: readonly ScoredRun[], options: ExplorerOptions = {}): Promise<Explorer> {
  const { limit = Infinity, promptBytes = 1_600_000, served = "no" } = options;
  const { names = runs.map(({ manifest }) => manifest.name) } = options;
  const { places, rebuilt } = options.memory ?? { places: new Map(), rebuilt: new Map() };
  const count = runs.reduce((sum, { replies }) => sum + replies.length, 0);
  if (count < 1 || count > EXPLORER_LIMITS.replies) {
    const wanted = `they must have from 1 to ${grouped(EXPLORER_LIMITS.replies)} replies`;
    throw new RangeError(
      `Cannot explore the runs as ${wanted}: current value is ${grouped(count)} (${names.join(", ")})`,
    );
  }
  const isPivotOnly = runs.length > EXPLORER_LIMITS.runs;
  const all = joinReplies(runs, places);
  const rows = lowestOf(all, limit);
  const rebuild = await openRebuilder(runs);
  const tokens = options.tokens ?? (rows.length > 10_000 ? 250_000 : 20_000_000);
  const bytes = served === "no" ? promptBytes : 0;
  const prompts = keepPrompts(rows, { rebuild, rebuilt, tokens: isPivotOnly ? 0 : tokens, bytes });
  const hidden = all.length - rows.length;
  const facts = await explorerFacts(runs, { names, rows: all, rebuilt, hidden, isPivotOnly, served });
  const rowOf = openRows(facts, { count: rows.length, rebuilt });
  const [style, program] = await Promise.all(
    ["explorer.css", "explorer.min.js"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
  ) as [string, string];
  const policy = policyOf(program, served);
  return {
    facts,
    policy,
    rows: () => Iterator.from(rows).map(rowOf),
    html: () => pagePieces(rows, { facts, rowOf, prompts, policy, rebuilt, style, program }),
    prompt(at): RebuiltPrompt {
      const row = rows[at];
      if (row !== undefined) return rebuild(row);
      const wanted = `its row must be a whole number below ${rows.length}`;
      throw new RangeError(`Cannot rebuild a prompt as ${wanted}: current value is ${at}`);
    },
  };
}

/** Inflates the page's script, which the policy allows by its hash, and runs it. */
const STARTER = `(async () => {
  const packed = document.getElementById("program");
  const bytes = Uint8Array.from(atob(packed.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await new Response(stream).json();
  packed.replaceWith(script);
})();`;

/** Returns a policy that allows the page's own scripts, by their hashes, and its server if it has one. */
function policyOf(program: string, served: ExplorerFacts["served"]): string {
  const hashes = [STARTER, program].map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const server = served === "no" ? "" : " connect-src 'self';";
  const scripts = `script-src ${hashes.join(" ")}; style-src 'unsafe-inline';${server}`;
  return `default-src 'none'; ${scripts} base-uri 'none'; form-action 'none'`;
}

interface PageParts {
  readonly facts: ExplorerFacts;
  readonly rowOf: (row: JoinedRow) => ExplorerRow;
  readonly prompts: ReadonlyMap<number, readonly StoredPart[]>;
  readonly rebuilt: ReadonlyMap<string, RebuiltRow>;
  readonly policy: string;
  readonly style: string;
  readonly program: string;
}

function* pagePieces(rows: readonly JoinedRow[], parts: PageParts): Generator<string> {
  const { facts, rowOf, prompts, policy, style, program } = parts;
  const shown = (text: string): string => escapeHtml(quoteText(text, 400));
  const title = shown(facts.runs.map(({ name }) => name).join(" beside "));
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>
${style}</style>
</head>
<body>
<main class="explorer">
<header>
<h1>${title}</h1>
${facts.runs.map(({ name, model, about }) => `<p>${shown(`${name}: ${model}, ${about}`)}</p>`).join("\n")}
<p>${contentsText(rows, parts)}</p>
</header>
${plainTable(rows)}
</main>
<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>
`;
  const data = (attributes: string, value: unknown): string => {
    const packed = deflateRawSync(JSON.stringify(value), { level: 4 }).toString("base64");
    return `<script type="application/octet-stream" ${attributes}>${packed}</script>\n`;
  };
  const embedded = facts.served === "live" ? [] : rows;
  for (let from = 0; from < embedded.length; from += BLOCK.rows) {
    yield data('class="rows"', embedded.slice(from, from + BLOCK.rows).map(rowOf));
  }
  const kept = [...prompts];
  for (let from = 0; from < kept.length; from += BLOCK.prompts) {
    const block = kept.slice(from, from + BLOCK.prompts);
    yield data(`class="prompts" data-rows="${block.map(([at]) => at).join(" ")}"`, Object.fromEntries(block));
  }
  yield `${data('id="program"', program)}<script>${STARTER}</script>
</body>
</html>
`;
}

/** Describes what a page holds and what it leaves out. */
function contentsText(rows: readonly JoinedRow[], { facts, prompts, rebuilt }: PageParts): string {
  const { hidden, served, isPivotOnly } = facts;
  const counted = `${grouped(rows.length)} ${plural(rows.length, "sample")}`;
  const samples = hidden === 0
    ? counted
    : `${counted}, those with the lowest scores; ${grouped(hidden)} more are left out`;
  if (isPivotOnly) return `${samples}. The page of so many runs has their scores alone.`;
  const failed = rows.filter(({ replies }) => replies.some((reply) => (reply?.value ?? 1) < 1));
  const classified = failed.filter(({ key }) => rebuilt.get(key)?.modes.some(({ length }) => length > 0)).length;
  const part = `${grouped(classified)} of ${grouped(failed.length)} failures are classified (more: --rebuild). `;
  const held = served === "no"
    ? `The prompts of ${grouped(prompts.size)} ${plural(prompts.size, "sample")} are in this page.`
    : "Prompts are made again when they are shown, while Fathom runs.";
  return `${samples}. ${classified < failed.length ? part : ""}${held}`;
}

/** Returns the table that is shown without scripts: some of the lowest scores. */
function plainTable(rows: readonly JoinedRow[]): string {
  const shown = lowestOf(rows, 50).map(({ first: { task, length, record }, replies }) => {
    const scores = replies.map((reply) => typeof reply?.value === "number" ? Math.round(100 * reply.value) : "–");
    const texts = replies.map((reply) => reply === null ? "–" : quoteText(textOf(reply).trim(), 300));
    const wanted = quoteText(record.references.join(", "), 300);
    return [`${task} at ${lengthText(length)}, sample ${record.index}`, scores.join(" | "), wanted, texts.join(" | ")];
  });
  const lines = [["Sample", "Score", "Wanted", "Reply"], ...shown].map((cells) =>
    `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`
  );
  return `<div id="plain">
<p>Scripts are off, or still loading. This page's own script adds charts, filters, prompts and the other samples. Lowest scores: ${shown.length} of ${rows.length}.</p>
<div class="wide"><table>${lines.join("\n")}</table></div>
</div>`;
}
