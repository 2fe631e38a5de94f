import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { escapeHtml, lengthText, plural, quoteText } from "@/lib/base/mod.ts";
import { replyLines } from "./close_up.ts";
import { openExplainer, textOf } from "./failures.ts";
import { markPrompt, type PromptPart } from "./marked_prompt.ts";
import { modelName, type ScoredReply, type ScoredRun, targetDepth } from "@/lib/records/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";
import { FAILURE_MEANINGS, type FailureClass, type FailureMode } from "@/lib/statistics/failures/mod.ts";
import { openStudy, remakeSample, rememberLast, suiteText } from "@/lib/studies/mod.ts";

/** Options for {@linkcode openSamplePage}. */
export interface SamplePageOptions {
  /** Number of samples to show, those with the lowest scores. Range: 1 up. Default: all. */
  readonly limit?: number;
  /** Characters of text on each side of a planted fact in a shortened prompt. Range: 0 up. Default: 160. */
  readonly characters?: number;
  /** Prompt tokens to rebuild in advance. Range: 0 up. Default: 20,000,000, or 250,000 for more than 10,000 samples. */
  readonly tokens?: number;
  /** Bytes of prompts in the page, compressed. Range: 0 up. Default: 8,000,000. */
  readonly promptBytes?: number;
  /** Whether a server makes prompts when the page asks for them; then the page holds none. Default: false. */
  readonly isServed?: boolean;
  /** The names that commands open the runs by. Default: those in their manifests. */
  readonly names?: readonly string[];
}

/** A page to browse the samples of a run, or those of two runs side by side. */
export interface SamplePage {
  /** Writes the page, complete in one file, in pieces: that of a long run is not held in memory. */
  html(): Iterable<string>;
  /** Its content security policy. */
  readonly policy: string;
  /** Rebuilds the prompt of a sample by its row in the page; refuses other rows by a `RangeError`. */
  prompt(row: number): RebuiltPrompt;
}

/** A prompt that was made again from its recipe, with the failures of its replies. */
export interface RebuiltPrompt {
  /** The marked prompt; `null` if it is not the recorded one. */
  readonly parts: readonly PromptPart[] | null;
  /** Why there is no prompt; empty if there is one. */
  readonly why: string;
  /** The failures of each run's reply, the primary one first. */
  readonly modes: readonly (readonly ShortMode[])[];
  /** The depth of the only target, in [0, 1]; `null` if there is not one place. */
  readonly depth: number | null;
}

/** A failure with its reason and the wrong answers given, shortened. */
export type ShortMode = readonly [name: FailureClass, why: string, given: readonly string[]];

/** Samples in the table that is shown without scripts. */
const MAX_PLAIN = 50;

/** Characters of a reply: at most, and at least however many samples there are; and of all replies together. */
const REPLY_CHARS = { most: 20_000, least: 1000, all: 60_000_000 };

/** Rows of a block, which is compressed and read as one. */
const BLOCK_ROWS = 2000;

/**
 * Opens a page to browse the samples of a run, or those of two runs side by side: a searchable, sorted list, scores by length and
 * depth, each reply with its matches marked, and the whole prompt with its facts marked.
 *
 * The page needs no network: its replies are compressed in it. Prompts are made again from their recipes and checked against the
 * recorded hashes. Those of the lowest scores are put into the page up to a limit, one of each task and length at a time; with
 * `isServed` the page asks its server for each. A page of a run whose prompts cannot be made again shows why.
 *
 * @param runs One run, or two of the same samples.
 * @throws {RangeError} If there are not one or two runs, they have no reply, or two runs share no sample.
 */
export async function openSamplePage(
  runs: readonly ScoredRun[],
  options: SamplePageOptions = {},
): Promise<SamplePage> {
  const { limit = Infinity, promptBytes = 8_000_000, isServed = false } = options;
  const all = pairReplies(runs);
  const pairs = lowestOf(all, limit);
  const rebuilders = await Promise.all(runs.map((run) => openRebuilder(run, options)));
  const prompt = (row: number): RebuiltPrompt => {
    const replies = pairs[row];
    if (replies === undefined) {
      throw new RangeError(
        `Cannot rebuild a prompt as its row must be a whole number below ${pairs.length}: current value is ${row}`,
      );
    }
    return joinRebuilt(replies.map((reply, run) => rebuilders[run]!(reply)));
  };
  const embedded: { row: number; packed: string }[] = [];
  const rebuilt = new Map<number, Omit<RebuiltPrompt, "parts">>();
  let tokensLeft = options.tokens ?? (pairs.length > 10_000 ? 250_000 : 20_000_000);
  let bytesLeft = isServed ? 0 : promptBytes;
  for (const row of inTurns(pairs)) {
    const isFailure = leastOf(pairs[row]!) < 1;
    tokensLeft -= pairs[row]![0].record.promptTokens;
    if (tokensLeft < 0 || (!isFailure && bytesLeft <= 0)) break;
    const { parts, ...about } = prompt(row);
    rebuilt.set(row, about);
    const packed = parts === null || bytesLeft <= 0 ? "" : pack(parts);
    bytesLeft -= packed.length;
    if (packed !== "" && bytesLeft >= 0) embedded.push({ row, packed });
  }
  const readBeside = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), "utf8");
  const [style, script] = [await readBeside("sample_page.css"), await readBeside("sample_page.js")];
  const policy = policyOf(script, isServed);
  const parts = { runs, options, rebuilt, embedded, style, script, policy, hidden: all.length - pairs.length };
  return { html: () => pagePieces(pairs, parts), policy, prompt };
}

/** The replies to one sample, by run. */
type Replies = readonly [ScoredReply, ...ScoredReply[]];

function pairReplies(runs: readonly ScoredRun[]): readonly Replies[] {
  if (runs.length < 1 || runs.length > 2) {
    throw new RangeError(`Cannot show samples as there must be one or two runs: current value is ${runs.length}`);
  }
  const keyOf = ({ record }: ScoredReply): string => `${record.sample} ${record.repeat ?? 0}`;
  const others = runs.slice(1).map(({ replies }) => new Map(replies.map((reply) => [keyOf(reply), reply])));
  const pairs = runs[0]!.replies.flatMap((reply): Replies[] => {
    const found = others.map((other) => other.get(keyOf(reply)));
    return found.every((each) => each !== undefined) ? [[reply, ...found]] : [];
  });
  if (pairs.length > 0) return pairs;
  const wanted = runs.length === 1 ? "the run must have a reply" : "both runs must have asked the same ones";
  const names = runs.map(({ manifest }) => manifest.name).join(", ");
  throw new RangeError(`Cannot show samples as ${wanted}: current value is none (${names})`);
}

/** Returns the lowest score of the replies to a sample; that of a failed call is the lowest. */
function leastOf(replies: Replies): number {
  return Math.min(...replies.map(({ value }) => value ?? -1));
}

/** Returns the samples with the lowest scores, in their order. */
function lowestOf(pairs: readonly Replies[], limit: number): readonly Replies[] {
  if (pairs.length <= limit) return pairs;
  const kept = new Set(pairs.toSorted((left, right) => leastOf(left) - leastOf(right)).slice(0, limit));
  return pairs.filter((replies) => kept.has(replies));
}

/** Returns the rows, failures first; among both, one of each task and length at a time, the lowest scores first. */
function inTurns(pairs: readonly Replies[]): readonly number[] {
  const rows = pairs.map((replies, row) => ({ row, least: leastOf(replies), replies }));
  const cells = Map.groupBy(rows, ({ least, replies: [{ task, length }] }) => `${least < 1} ${task} ${length}`);
  const turns = [...cells.values()].flatMap((cell) =>
    cell.toSorted((left, right) => left.least - right.least).map((each, turn) => ({ ...each, turn }))
  );
  return turns.sort((left, right) => Number(left.least === 1) - Number(right.least === 1) || left.turn - right.turn)
    .map(({ row }) => row);
}

type Rebuilder = (reply: ScoredReply) => Omit<RebuiltPrompt, "modes"> & { readonly modes: readonly FailureMode[] };

/** Opens what is needed to rebuild the prompts of a run; of one that cannot be opened, each has the reason. */
async function openRebuilder(run: ScoredRun, { characters = 160 }: SamplePageOptions): Promise<Rebuilder> {
  const { template, study } = run.manifest;
  const without = (why: string, modes: readonly FailureMode[] = []): ReturnType<Rebuilder> => (
    { parts: null, why, modes, depth: null }
  );
  try {
    const opened = rememberLast(await openStudy(study, run));
    const { explain } = openExplainer(run, { opened });
    return (reply) => {
      try {
        const { modes } = explain(reply);
        const { sample, isSame, why } = remakeSample(reply.record, { ...opened, template });
        if (!isSame) return without(why, modes);
        const depth = targetDepth(sample);
        const parts = markPrompt(sample, { template, modes, characters });
        return { parts, why: "", modes, depth: typeof depth === "number" ? depth : null };
      } catch (error) {
        return without((error as Error).message);
      }
    };
  } catch (error) {
    return () => without((error as Error).message);
  }
}

/** Joins what two runs' rebuilders return: the prompt of the run that failed, whose wrong answers it marks. */
function joinRebuilt(rebuilt: readonly ReturnType<Rebuilder>[]): RebuiltPrompt {
  const ofFailed = rebuilt.find(({ parts, modes }) => parts !== null && modes.length > 0);
  const { parts, why, depth } = ofFailed ?? rebuilt.find((each) => each.parts !== null) ?? rebuilt[0]!;
  return { parts, why, depth, modes: rebuilt.map(({ modes }) => modes.map(shortMode)) };
}

function shortMode({ class: name, why, evidence }: FailureMode): ShortMode {
  return [name, cutText(why, 600), evidence.slice(0, 100).map(({ given }) => cutText(given, 600))];
}

function pack(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 4 }).toString("base64");
}

/** Returns a policy that allows the page's own script, by its hash, and its server if it has one. */
function policyOf(script: string, isServed: boolean): string {
  const hash = createHash("sha256").update(script).digest("base64");
  const server = isServed ? " connect-src 'self';" : "";
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline';${server} base-uri 'none'; form-action 'none'`;
}

interface PageParts {
  readonly runs: readonly ScoredRun[];
  readonly options: SamplePageOptions;
  readonly rebuilt: ReadonlyMap<number, Omit<RebuiltPrompt, "parts">>;
  readonly embedded: readonly { readonly row: number; readonly packed: string }[];
  readonly style: string;
  readonly script: string;
  readonly policy: string;
  /** Number of samples that are not shown. */
  readonly hidden: number;
}

function* pagePieces(pairs: readonly Replies[], parts: PageParts): Generator<string> {
  const { runs, rebuilt, embedded, options, style, script, policy } = parts;
  const { isServed = false, names = runs.map(({ manifest }) => manifest.name) } = options;
  const shown = (text: string): string => escapeHtml(quoteText(text, 400));
  const title = shown(runs.map(({ manifest }) => manifest.name).join(" beside "));
  const about = runs.map(({ manifest }) => {
    const { name, model, origin } = manifest;
    return `<p>${shown(`${name}: ${model}, ${originText(origin)}; ${suiteText(manifest)}`)}</p>`;
  });
  const tasks = [...new Set(pairs.map(([{ task }]) => task))];
  const reasons = ["", ...new Set([...rebuilt.values()].map(({ why }) => why).filter((why) => why !== ""))];
  const facts = {
    tasks,
    reasons,
    names,
    isServed,
    meanings: FAILURE_MEANINGS,
    verdicts: VERDICTS,
    models: runs.map(({ manifest }) => modelName(manifest)),
  };
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
<main>
<header>
<h1>${title}</h1>
${about.join("\n")}
<p>${escapeHtml(contentsText(pairs, parts))}</p>
</header>
${plainTable(pairs, runs)}
</main>
<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>
`;
  const data = (kind: string, text: string): string =>
    `<script type="application/octet-stream" ${kind}>${text}</script>\n`;
  const rowOf = openRows(pairs.length, { tasks, reasons, rebuilt });
  for (let from = 0; from < pairs.length; from += BLOCK_ROWS) {
    yield data('class="rows"', pack(pairs.slice(from, from + BLOCK_ROWS).map((pair, row) => rowOf(pair, from + row))));
  }
  for (const { row, packed } of embedded) yield data(`id="prompt-${row}"`, packed);
  yield `<script>${script}</script>
</body>
</html>
`;
}

/** Describes what a page holds and what it leaves out. */
function contentsText(pairs: readonly Replies[], { hidden, embedded, rebuilt, options }: PageParts): string {
  const failed = pairs.flatMap((replies, row) => replies.some(({ value }) => value !== null && value < 1) ? [row] : []);
  const classified = failed.filter((row) => rebuilt.get(row)?.modes.some(({ length }) => length > 0)).length;
  return [
    `${pairs.length} ${plural(pairs.length, "sample")}${
      hidden > 0 ? `, those with the lowest scores; ${hidden} more are left out` : ""
    }.`,
    ...(classified < failed.length
      ? [`${classified} of ${failed.length} failures are classified (more: --rebuild).`]
      : []),
    options.isServed
      ? "Prompts are made again when they are shown, while `fathom view` runs."
      : `The prompts of ${embedded.length} ${plural(embedded.length, "sample")} are in this page.`,
  ].join(" ");
}

const VERDICTS = ["right", "in part", "wrong", "no answer", "failed call", "nothing to score"] as const;

function verdictOf({ failed, value, noAnswer }: ScoredReply): typeof VERDICTS[number] {
  if (failed) return "failed call";
  if (value === null) return "nothing to score";
  if (noAnswer && value === 0) return "no answer";
  if (value === 1) return "right";
  return value === 0 ? "wrong" : "in part";
}

/** Returns a function that writes a sample as a row of the page's data, which sample_page.js reads. */
function openRows(
  count: number,
  { tasks, reasons, rebuilt }: Pick<PageParts, "rebuilt"> & Record<"tasks" | "reasons", readonly string[]>,
): (replies: Replies, row: number) => unknown {
  const { most, least, all } = REPLY_CHARS;
  const characters = Math.max(least, Math.min(most, Math.floor(all / count)));
  const places = new Map(tasks.map((task, place) => [task, place]));
  return (replies, row) => {
    const [{ task, length, record: { index, repeat = 0, targetDepth, sample, references } }] = replies;
    const about = rebuilt.get(row);
    const depth = targetDepth ?? about?.depth ?? null;
    const answers = replies.map((reply, run) => {
      const { record, value } = reply;
      const thinking = record.reply.kind === "failure" ? "" : record.reply.thinking ?? "";
      const lines = replyLines(reply).filter(({ what }) => what !== "Reply")
        .map(({ what, text }) => [what, cutText(text, 600)]);
      return [
        ...[
          value,
          VERDICTS.indexOf(verdictOf(reply)),
          record.reply.latencyMs,
          cutText(textOf(reply), characters),
          lines,
        ],
        ...[about?.modes[run] ?? [], cutText(thinking, characters)],
      ];
    });
    const wanted = references.map((reference) => cutText(reference, characters));
    const reason = reasons.indexOf(about?.why ?? "");
    return [places.get(task), length, index, repeat, depth, sample, wanted, answers, reason];
  };
}

/** Cuts the middle out of a long text. */
function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text.toWellFormed();
  const half = Math.floor(characters / 2);
  const [start, end] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed());
  return `${start}… (${text.length - 2 * half} characters) …${end}`;
}

/** Returns the table that is shown without scripts: the first of the lowest scores. */
function plainTable(pairs: readonly Replies[], runs: readonly ScoredRun[]): string {
  const shown = lowestOf(pairs, MAX_PLAIN);
  const heads = runs.flatMap(({ manifest }) => ["Score", runs.length === 1 ? "Reply" : modelName(manifest)]);
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("")}</tr>`;
  const rows = shown.map((replies) => {
    const [{ task, length, record: { index, references } }] = replies;
    const answers = replies.flatMap((reply) => [
      reply.value === null ? "–" : String(Math.round(100 * reply.value)),
      quoteText(textOf(reply).trim(), 300),
    ]);
    return cells("td", [
      `${task} at ${lengthText(length)}, sample ${index}`,
      quoteText(references.join(", "), 300),
      ...answers,
    ]);
  });
  return `<div id="plain">
<p>Scripts are off, or still loading. This page's own script adds filters, search, prompts and the other samples. Lowest scores: ${shown.length} of ${pairs.length}.</p>
<div class="wide"><table>${cells("th", ["Sample", "Wanted", ...heads])}
${rows.join("\n")}</table></div>
</div>`;
}
