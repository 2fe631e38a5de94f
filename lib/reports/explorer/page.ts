import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { escapeHtml, grouped, lengthText, plural, quoteText } from "@/lib/base/mod.ts";
import { textOf } from "../failures.ts";
import type { ExplorerFacts, ExplorerRow, RebuiltRow } from "./data.ts";
import { explorerFacts } from "./facts.ts";
import { keepPrompts, openRebuilder, type RebuiltPrompt } from "./prompts.ts";
import { type JoinedRow, joinReplies, openRows } from "./rows.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

/** Returns the script that draws effective lengths by a threshold in elements of the class `thresholds`, from their `data-rows`. */
export function thresholdScript(): Promise<string> {
  return readFile(new URL("thresholds.min.js", import.meta.url), "utf8");
}

/** Options for {@linkcode openExplorer}. */
export interface ExplorerOptions {
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
  readonly policy: string;
  /** Rebuilds the prompt of a sample by its row in the page; refuses other rows by a `RangeError`. */
  prompt(row: number): RebuiltPrompt;
}

/** The most runs with texts, and the most replies of a page. */
const LIMITS = { runs: 6, replies: 100_000 };

/** Rows, and prompts, of a block, which is compressed and read as one. */
const BLOCK = { rows: 400, prompts: 40 };

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

/**
 * Opens a page to explore runs: the answer of each, charts whose marks filter the samples, and each reply with its question, score and
 * prompt. A page of more than six runs has no texts, and only compares their scores.
 *
 * The page needs no network: rows and prompts are compressed in it. Prompts are made again from their recipes and checked against the
 * recorded hashes; those of the lowest scores come first, whole and then shortened, up to a limit.
 *
 * @throws {RangeError} If the runs have no reply, or more than 100,000.
 */
export async function openExplorer(runs: readonly ScoredRun[], options: ExplorerOptions = {}): Promise<Explorer> {
  const { promptBytes = 1_600_000, served = "no", names = runs.map(({ manifest }) => manifest.name) } = options;
  const { places, rebuilt } = options.memory ?? { places: new Map(), rebuilt: new Map() };
  const count = runs.reduce((sum, { replies }) => sum + replies.length, 0);
  if (count < 1 || count > LIMITS.replies) {
    throw new RangeError(
      `Cannot explore the runs as they must have from 1 to ${grouped(LIMITS.replies)} replies: current value is ` +
        `${grouped(count)}. Tables of any size: fathom export ${names.join(" ")} --out replies.csv && duckdb -c ` +
        `"select model, task, length, avg(score), count(*) from 'replies.csv' group by all"`,
    );
  }
  const isPivotOnly = runs.length > LIMITS.runs;
  const rows = joinReplies(runs, places);
  const rebuild = await openRebuilder(runs);
  const { tokens = rows.length > 10_000 ? 250_000 : 20_000_000 } = options;
  const limits = { tokens: isPivotOnly ? 0 : tokens, bytes: served === "no" ? promptBytes : 0 };
  const prompts = [...keepPrompts(rows, { rebuild, rebuilt, ...limits })];
  const facts = await explorerFacts(runs, { names, rows, rebuilt, isPivotOnly, served });
  const rowOf = openRows(facts, { count: rows.length, rebuilt });
  const readBeside = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), "utf8");
  const [style, program] = [await readBeside("explorer.css"), await readBeside("explorer.min.js")];
  // It allows the page's own scripts, by their hashes, and its server if it has one.
  const hashes = [STARTER, program].map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const policy = `default-src 'none'; script-src ${hashes.join(" ")}; style-src 'unsafe-inline';${
    served === "no" ? "" : " connect-src 'self';"
  } base-uri 'none'; form-action 'none'`;
  return {
    facts,
    policy,
    rows: () => Iterator.from(rows).map(rowOf),
    *html(): Generator<string> {
      yield pageHead(rows, { facts, style, policy, prompts: prompts.length });
      for (let from = 0; served !== "live" && from < rows.length; from += BLOCK.rows) {
        yield dataBlock('class="rows"', rows.slice(from, from + BLOCK.rows).map(rowOf));
      }
      for (let from = 0; from < prompts.length; from += BLOCK.prompts) {
        const block = prompts.slice(from, from + BLOCK.prompts);
        const places = block.map(([at]) => at).join(" ");
        yield dataBlock(`class="prompts" data-rows="${places}"`, Object.fromEntries(block));
      }
      yield `${dataBlock('id="program"', program)}<script>${STARTER}</script>\n</body>\n</html>\n`;
    },
    prompt(at): RebuiltPrompt {
      const row = rows[at];
      if (row !== undefined) return rebuild(row);
      const wanted = `its row must be a whole number below ${rows.length}`;
      throw new RangeError(`Cannot rebuild a prompt as ${wanted}: current value is ${at}`);
    },
  };
}

function dataBlock(attributes: string, value: unknown): string {
  const packed = deflateRawSync(JSON.stringify(value), { level: 4 }).toString("base64");
  return `<script type="application/octet-stream" ${attributes}>${packed}</script>\n`;
}

/** Returns the page up to its compressed data; without scripts it shows some of the lowest scores. */
function pageHead(
  rows: readonly JoinedRow[],
  { facts, policy, style, prompts }: Pick<Explorer, "facts" | "policy"> & {
    readonly style: string;
    readonly prompts: number;
  },
): string {
  const shown = (text: string): string => escapeHtml(quoteText(text, 400));
  const names = facts.runs.map(({ name }) => name);
  const title = shown(facts.isPivotOnly ? `${names.length} runs` : names.join(" beside "));
  const about = facts.runs.map(({ name, model, about }) => `<p>${shown(`${name}: ${model}, ${about}`)}</p>`);
  const counted = (count: number): string => `${grouped(count)} ${plural(count, "sample")}`;
  const made = facts.served === "no"
    ? `${counted(rows.length)}; the prompts of ${counted(prompts)} are in this page.`
    : "Prompts are made again when they are shown.";
  const held = facts.isPivotOnly ? `${counted(rows.length)}, of which this page has scores alone.` : made;
  const lowest = rows.toSorted((left, right) => left.least - right.least).slice(0, 50);
  const lines = lowest.map(({ first: { task, length, record }, least, replies }) => {
    const texts = replies.map((reply) => reply === null ? "–" : quoteText(textOf(reply).trim(), 300));
    const [score, wanted] = [Math.round(100 * Math.max(0, least)), quoteText(record.references.join(", "), 300)];
    const cells = [`${task} at ${lengthText(length)}, sample ${record.index}`, `${score}`, wanted, ...texts];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
  });
  return `<!DOCTYPE html>
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
${about.join("\n")}
<p>${held}</p>
</header>
<div id="plain">
<p>Scripts are off, or still loading: charts, prompts and other samples need this page's own. The lowest scores, what was wanted, and replies:</p>
<div class="wide"><table>${lines.join("\n")}</table></div>
</div>
</main>
<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>
`;
}
