import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { escapeHtml, lengthText, plural, quoteText } from "@/lib/base/mod.ts";
import { textOf } from "../compare_replies.ts";
import type { ExplorerFacts, ExplorerRow, ServedPrompt } from "./data.ts";
import { openRebuilder, pack, type PackedPrompts, packPrompts } from "./prompts.ts";
import { explorerFacts, type JoinedRow, joinReplies, lowestOf, openRows, type RebuiltRow } from "./rows.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

/** Options for {@linkcode openExplorer}. */
export interface ExplorerOptions {
  /** Number of samples to show, those with the lowest scores. Range: 1 up. Default: all. */
  readonly limit?: number;
  /** Characters of text on each side of a planted fact in a shortened prompt. Range: 0 up. Default: 160. */
  readonly characters?: number;
  /** Prompt tokens to rebuild in advance. Range: 0 up. Default: 20,000,000, or 250,000 for more than 10,000 samples. */
  readonly tokens?: number;
  /** Bytes of prompts in the page, compressed. Range: 0 up. Default: 1,600,000. */
  readonly promptBytes?: number;
  /** Whether a server makes prompts when the page asks for them, and sends rows; then the page holds none. Default: "no". */
  readonly served?: ExplorerFacts["served"];
  /** The names that commands open the runs by. Default: those in their manifests. */
  readonly names?: readonly string[];
  /** What an earlier explorer of the same runs knew, so that rows keep their places. */
  readonly memory?: ExplorerMemory;
}

/** The places of rows and what was rebuilt of them, by their keys. */
export interface ExplorerMemory {
  readonly places: Map<string, number>;
  readonly rebuilt: Map<string, RebuiltRow>;
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
  prompt(row: number): ServedPrompt;
}

/** The most runs with texts, and the most replies of a page. */
export const EXPLORER_LIMITS = { runs: 6, replies: 100_000 } as const;

/** Samples in the table that is shown without scripts. */
const MAX_PLAIN = 50;

/** Rows of a block, which is compressed and read as one. */
const BLOCK_ROWS = 2000;

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
  const { limit = Infinity, promptBytes = 1_600_000, served = "no", characters = 160 } = options;
  const { names = runs.map(({ manifest }) => manifest.name) } = options;
  const { places, rebuilt } = options.memory ?? { places: new Map(), rebuilt: new Map<string, RebuiltRow>() };
  const isPivotOnly = runs.length > EXPLORER_LIMITS.runs;
  const all = joinReplies(runs, places);
  checkReplies(runs, { isLive: served === "live" });
  const rows = lowestOf(all, limit);
  const rebuild = await openRebuilder(runs, { characters });
  const tokens = options.tokens ?? (rows.length > 10_000 ? 250_000 : 20_000_000);
  const limits = { tokens: isPivotOnly ? 0 : tokens, bytes: served === "no" ? promptBytes : 0 };
  const prompts = packPrompts(rows, { rebuild, rebuilt, limits });
  const facts = await explorerFacts(runs, rows, {
    ...{ names, rebuilt, served, isPivotOnly },
    hidden: all.length - rows.length,
  });
  const rowOf = openRows(facts, { count: rows.length, rebuilt });
  const files = await readFiles();
  const policy = policyOf(files, served);
  return {
    facts,
    policy,
    *rows(): Generator<ExplorerRow> {
      for (const row of rows) yield rowOf(row);
    },
    html: () => pagePieces(rows, { runs, facts, rowOf, prompts, policy, rebuilt, ...files }),
    prompt(at): ServedPrompt {
      const row = rows[at];
      if (row !== undefined) return rebuild(row);
      const wanted = `its row must be a whole number below ${rows.length}`;
      throw new RangeError(`Cannot rebuild a prompt as ${wanted}: current value is ${at}`);
    },
  };
}

function checkReplies(runs: readonly ScoredRun[], { isLive }: { readonly isLive: boolean }): void {
  if (runs.length === 0) throw new RangeError("Cannot explore runs as there must be at least one: current value is 0");
  const count = runs.reduce((sum, { replies }) => sum + replies.length, 0);
  const names = runs.map(({ manifest }) => manifest.name).join(", ");
  if (count === 0 && !isLive) {
    throw new RangeError(`Cannot explore runs as one must have a reply: current value is none (${names})`);
  }
  if (count <= EXPLORER_LIMITS.replies) return;
  const wanted = `a page holds at most ${EXPLORER_LIMITS.replies.toLocaleString("en-US")} replies`;
  throw new RangeError(`Cannot explore runs as ${wanted}: current value is ${count.toLocaleString("en-US")}`);
}

/** Files of the page: its style, its script, and the script that inflates that one. */
interface PageFiles {
  readonly style: string;
  readonly program: string;
}

async function readFiles(): Promise<PageFiles> {
  const readBeside = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), "utf8");
  return { style: await readBeside("explorer.css"), program: await readBeside("explorer.min.js") };
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
function policyOf({ program }: PageFiles, served: ExplorerFacts["served"]): string {
  const hashes = [STARTER, program].map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const server = served === "no" ? "" : " connect-src 'self';";
  const scripts = `script-src ${hashes.join(" ")}; style-src 'unsafe-inline';${server}`;
  return `default-src 'none'; ${scripts} base-uri 'none'; form-action 'none'`;
}

interface PageParts extends PageFiles {
  readonly runs: readonly ScoredRun[];
  readonly facts: ExplorerFacts;
  readonly rowOf: (row: JoinedRow) => ExplorerRow;
  readonly prompts: PackedPrompts;
  readonly rebuilt: ReadonlyMap<string, RebuiltRow>;
  readonly policy: string;
}

function* pagePieces(rows: readonly JoinedRow[], parts: PageParts): Generator<string> {
  const { facts, rowOf, prompts, style, program, policy } = parts;
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
<p>${escapeHtml(contentsText(rows, parts))}</p>
</header>
${plainTable(rows, facts)}
</main>
<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>
`;
  const data = (attributes: string, text: string): string =>
    `<script type="application/octet-stream" ${attributes}>${text}</script>\n`;
  const embedded = facts.served === "live" ? [] : rows;
  for (let from = 0; from < embedded.length; from += BLOCK_ROWS) {
    const block = embedded.slice(from, from + BLOCK_ROWS).map(rowOf);
    yield data('class="rows"', pack(block));
  }
  for (const { at, packed } of prompts.whole) yield data(`id="prompt-${at}"`, packed);
  for (const { rows, packed } of prompts.short) yield data(`class="prompts" data-rows="${rows.join(" ")}"`, packed);
  yield `${data('id="program"', pack(program))}<script>${STARTER}</script>
</body>
</html>
`;
}

/** Describes what a page holds and what it leaves out. */
function contentsText(rows: readonly JoinedRow[], { facts, prompts, rebuilt }: PageParts): string {
  const { hidden, served, isPivotOnly } = facts;
  const samples = `${rows.length.toLocaleString("en-US")} ${plural(rows.length, "sample")}`;
  const others = hidden === 0
    ? ""
    : `, those with the lowest scores; ${hidden.toLocaleString("en-US")} more are left out`;
  if (isPivotOnly) return `${samples}${others}. The page of so many runs has their scores alone.`;
  const failed = rows.filter(({ replies }) => replies.some((reply) => (reply?.value ?? 1) < 1));
  const classified = failed.filter(({ key }) => rebuilt.get(key)?.modes.some(({ length }) => length > 0)).length;
  const more = `${classified} of ${failed.length} failures are classified (more: --rebuild). `;
  const whole = prompts.whole.length;
  const short = prompts.short.reduce((sum, each) => sum + each.rows.length, 0);
  const shortened = short === 0 ? "" : `, and ${short} shortened around their facts`;
  const held = served === "no"
    ? `${whole} ${plural(whole, "prompt")} ${whole === 1 ? "is" : "are"} in this page${shortened}.`
    : "Prompts are made again when they are shown, while Fathom runs.";
  return `${samples}${others}. ${classified < failed.length ? more : ""}${held}`;
}

/** Returns the table that is shown without scripts: the first of the lowest scores. */
function plainTable(rows: readonly JoinedRow[], { runs }: ExplorerFacts): string {
  const shown = lowestOf(rows, MAX_PLAIN);
  const heads = runs.flatMap(({ label }) => ["Score", runs.length === 1 ? "Reply" : label]);
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("")}</tr>`;
  const lines = shown.map(({ first: { task, length, record: { index, references } }, replies }) =>
    cells("td", [
      quoteText(`${task} at ${lengthText(length)}, sample ${index}`, 300),
      quoteText(references.join(", "), 300),
      ...replies.flatMap((reply) => [
        typeof reply?.value === "number" ? String(Math.round(100 * reply.value)) : "–",
        reply === null ? "" : quoteText(textOf(reply).trim(), 300),
      ]),
    ])
  );
  return `<div id="plain">
<p>Scripts are off, or still loading. This page's own script adds charts, filters, search, prompts and the other samples. Lowest scores: ${shown.length} of ${rows.length}.</p>
<div class="wide"><table>${cells("th", ["Sample", "Wanted", ...heads])}
${lines.join("\n")}</table></div>
</div>`;
}
