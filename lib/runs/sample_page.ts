import { modelName } from "./_run_names.ts";
import { type CloseUp, closeUp } from "./close_up.ts";
import { openStudy, rememberSamples } from "./open_study.ts";
import type { ScoredRun } from "./read_run.ts";
import { suiteText } from "./manifest.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { escapeHtml, lengthText, plural, quoteText } from "@/lib/text/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode samplePage}. */
export interface SamplePageOptions {
  /**
   * The most samples that the page holds; where there are more, those with the lowest scores. Range: 1 up.
   *
   * @default {1000}
   */
  readonly most?: number;
  /**
   * Characters of text on each side of a planted fact. Range: 0 up.
   *
   * @default {160}
   */
  readonly characters?: number;
  /** Called after each sample that was made again. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Makes a page on which the samples of a run can be browsed, or those of two runs side by side: filters by task, length, depth,
 * score and failure; each reply with what it found marked, its score and why, and the text around each planted fact.
 *
 * The page is one file, runs no script and asks no network: the filters are style rules. Samples are made again from their
 * recipes; one that is no longer the text that was asked says so.
 *
 * @param runs One run, or two of the same samples.
 * @throws {RangeError} If there are not one or two runs, they have no reply, or two runs share no sample.
 */
export async function samplePage(runs: readonly ScoredRun[], options: SamplePageOptions = {}): Promise<string> {
  const { most = 1000, characters = 160, onProgress } = options;
  const pairs = pairReplies(runs);
  const chosen = lowestOf(pairs, most);
  const opened = await Promise.all(
    runs.map(async (run) => rememberSamples(await openStudy(run.manifest.study, run))),
  );
  const shown: ShownSample[] = [];
  for (const replies of chosen) {
    const looks = await Promise.all(
      replies.map(async (reply, at) =>
        reply === undefined ? undefined : await closeUp(runs[at]!, reply, { opened: opened[at]!, characters })
      ),
    );
    shown.push({ replies, looks });
    onProgress?.(shown.length, chosen.length);
  }
  return await pageOf(shown, { runs, total: pairs.length });
}

/** The replies to one sample, by run; nothing where a run has none. */
type Replies = readonly (ScoredReply | undefined)[];

interface ShownSample {
  readonly replies: Replies;
  readonly looks: readonly (CloseUp | undefined)[];
}

function pairReplies(runs: readonly ScoredRun[]): readonly Replies[] {
  if (runs.length < 1 || runs.length > 2) {
    throw new RangeError(`Cannot show samples as there must be one or two runs: current value is ${runs.length}`);
  }
  const keyOf = ({ record }: ScoredReply): string => `${record.sample} ${record.repeat ?? 0}`;
  const [first, second] = runs.map(({ replies }) => new Map(replies.map((reply) => [keyOf(reply), reply])));
  const keys = [...first!.keys()].filter((key) => second === undefined || second.has(key));
  if (keys.length === 0) {
    const names = runs.map(({ manifest }) => manifest.name).join(", ");
    throw new RangeError(
      `Cannot show samples as ${
        second === undefined ? "the run must have a reply" : "both runs must have asked the same ones"
      }: current value is none (${names})`,
    );
  }
  return keys.map((key) => [first!.get(key), ...(second === undefined ? [] : [second.get(key)])]);
}

/** The samples with the lowest scores, in their order; a failed call counts as the lowest. */
function lowestOf(pairs: readonly Replies[], most: number): readonly Replies[] {
  if (pairs.length <= most) return pairs;
  const least = (replies: Replies): number => Math.min(...replies.map((reply) => reply?.value ?? -1));
  const kept = new Set(pairs.toSorted((left, right) => least(left) - least(right)).slice(0, most));
  return pairs.filter((replies) => kept.has(replies));
}

/** A way of choosing samples: a menu, and for each sample the entry it belongs to. */
interface Filter {
  readonly id: string;
  readonly label: string;
  readonly of: (sample: ShownSample) => string;
}

const ALWAYS: readonly Filter[] = [
  { id: "task", label: "Task", of: ({ replies }) => replies[0]!.task },
  { id: "length", label: "Length", of: ({ replies }) => lengthText(replies[0]!.length) },
  { id: "depth", label: "Target in", of: ({ looks }) => depthText(looks[0]!) },
];

function filtersOf(runs: readonly ScoredRun[]): readonly Filter[] {
  const named = (label: string, at: number): string =>
    runs.length === 1 ? label : `${label}, ${modelName(runs[at]!.manifest)}`;
  const own = runs.flatMap((_, at): Filter[] => [
    { id: `score${at}`, label: named("Score", at), of: ({ replies }) => scoreText(replies[at]) },
    { id: `failure${at}`, label: named("Failure", at), of: ({ looks }) => looks[at]?.modes[0]?.class ?? "none" },
  ]);
  const differ: Filter = {
    id: "differ",
    label: "Scores",
    of: ({ replies: [one, other] }) => one?.value === other?.value ? "alike" : "different",
  };
  return [...ALWAYS, ...own, ...(runs.length === 2 ? [differ] : [])];
}

function depthText({ facts }: CloseUp): string {
  const depth = facts.find(({ role }) => role === "target")?.depth ?? null;
  if (depth === null) return "no one place";
  return depth < 1 / 3 ? "first third" : depth <= 2 / 3 ? "middle third" : "last third";
}

function scoreText(reply: ScoredReply | undefined): string {
  if (reply === undefined || reply.failed) return "failed call";
  if (reply.value === null) return "nothing to score";
  return reply.value === 1 ? "right" : reply.value === 0 ? "wrong" : "in part";
}

async function pageOf(
  shown: readonly ShownSample[],
  { runs, total }: { readonly runs: readonly ScoredRun[]; readonly total: number },
): Promise<string> {
  const style = await Deno.readTextFile(new URL("sample_page.css", import.meta.url));
  const filters = filtersOf(runs).map((filter) => {
    const values = [...new Set(shown.map(filter.of))];
    return { ...filter, values };
  }).filter(({ values }) => values.length > 1);
  const rules = filters.flatMap(({ id, values }) =>
    values.map((_, at) =>
      `main:has(#${id} option[value="${at}"]:checked) article:not([data-${id}="${at}"]) { display: none; }`
    )
  );
  const menus = filters.map(({ id, label, values }) => {
    const entries = values.map((value, at) => `<option value="${at}">${escapeHtml(value)}</option>`);
    return `<label>${escapeHtml(label)} <select id="${id}"><option selected>any</option>${
      entries.join("")
    }</select></label>`;
  });
  const places = new Map(filters.map(({ id, values }) => [id, new Map(values.map((value, at) => [value, at]))]));
  const articles = shown.map((sample) => {
    const data = filters.map(({ id, of }) => ` data-${id}="${places.get(id)!.get(of(sample))}"`).join("");
    return `<article${data}>${articleOf(sample, runs)}</article>`;
  });
  const title = runs.map(({ manifest }) => manifest.name).join(" beside ");
  const left = total - shown.length;
  const about = runs.map(({ manifest }) =>
    `<p>${
      escapeHtml(`${manifest.name}: ${manifest.model}, ${originText(manifest.origin)}; ${suiteText(manifest)}`)
    }</p>`
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
${style}
${rules.join("\n")}
</style>
</head>
<body>
<main>
<header>
<h1>${escapeHtml(title)}</h1>
${about.join("\n")}
<p>${shown.length} ${plural(shown.length, "sample")}${
    left > 0 ? `, those with the lowest scores; ${left} more are not on this page` : ""
  }.</p>
<form class="filters">${menus.join("\n")} <button type="reset">All</button></form>
</header>
${articles.join("\n")}
<p class="count">shown</p>
</main>
</body>
</html>
`;
}

function articleOf({ replies, looks }: ShownSample, runs: readonly ScoredRun[]): string {
  const reply = replies[0]!;
  // What was said instead of an answer stands near the front of the facts.
  const look = looks.find((each) => each !== undefined && each.modes.length > 0) ?? looks[0]!;
  const { record } = reply;
  const badges = replies.map((each, at) =>
    `<span class="score ${scoreText(each).replaceAll(" ", "-")}"${
      runs.length > 1 ? ` title="${escapeHtml(modelName(runs[at]!.manifest))}"` : ""
    }>${each?.value === null || each === undefined ? "–" : Math.round(100 * each.value)}</span>`
  );
  const place = `${reply.task} at ${lengthText(reply.length)}, sample ${record.index}${
    (record.repeat ?? 0) > 0 ? `, repeat ${record.repeat}` : ""
  }`;
  const failure = looks.map((each) => each?.modes[0]?.class).filter((way) => way !== undefined).join(" | ");
  const columns = looks.map((each, at) =>
    each === undefined ? "" : replyOf(each, runs.length > 1 ? runs[at] : undefined)
  );
  const facts = look.facts.slice(0, MOST_FACTS).map(factOf);
  const more = look.facts.length - facts.length;
  return `<details><summary>${badges.join("")} <b>${escapeHtml(place)}</b> <i>${escapeHtml(failure)}</i> ${
    escapeHtml(quoteText(previewOf(reply), 90))
  }</summary>
<div class="replies">${columns.join("\n")}</div>
<h3>In the text</h3>
${facts.join("\n")}${more > 0 ? `\n<p class="quiet">and ${more} more planted facts</p>` : ""}
</details>`;
}

const MOST_FACTS = 8;
const MOST_CHARACTERS = 20_000;

function previewOf({ record: { reply } }: ScoredReply): string {
  return reply.kind === "failure" ? reply.message : reply.text.trim();
}

/** One reply: its text with what it found marked, what was wanted, its score and why. */
function replyOf({ reply, lines, modes }: CloseUp, run: ScoredRun | undefined): string {
  const { record } = reply;
  const text = record.reply.kind === "failure" ? "" : record.reply.text.slice(0, MOST_CHARACTERS);
  const has = (value: string): boolean => text.toLowerCase().includes(value.toLowerCase());
  const wanted = record.references.map((value) =>
    `<li class="${has(value) ? "found" : "missed"}">${has(value) ? "✓" : "✗"} ${escapeHtml(value)}</li>`
  );
  const instead = modes.flatMap(({ evidence }) => evidence.map(({ said }) => said));
  const told = lines.filter(({ what }) => !["Reply", "Wanted"].includes(what)).map(({ what, said }) =>
    `<tr><th scope="row">${escapeHtml(what)}</th><td>${escapeHtml(quoteText(said, 600))}</td></tr>`
  );
  return `<section>
${run === undefined ? "" : `<h2>${escapeHtml(modelName(run.manifest))}</h2>\n`}<h3>Wanted</h3>
<ul class="wanted">${wanted.join("")}</ul>
<h3>Reply</h3>
<pre>${text === "" ? `<span class="quiet">(empty)</span>` : markText(text, { found: record.references, instead })}</pre>
<table>${told.join("\n")}</table>
</section>`;
}

/** Marks the places of a text where something wanted stands, or something said instead of it; everything else is escaped. */
export function markText(
  text: string,
  { found, instead }: { readonly found: readonly string[]; readonly instead: readonly string[] },
): string {
  const lower = text.toLowerCase();
  // Texts whose letters change their number in lower case keep no places to mark.
  if (lower.length !== text.length) return escapeHtml(text);
  const kinds = new Map([
    ...instead.map((value) => [value.toLowerCase(), "instead"] as const),
    ...found.map((value) => [value.toLowerCase(), "found"] as const),
  ].filter(([value]) => value.trim() !== ""));
  if (kinds.size === 0) return escapeHtml(text);
  // Of those that start at one place, the longest.
  const values = [...kinds.keys()].toSorted((left, right) => right.length - left.length);
  let marked = "";
  let at = 0;
  for (const { 0: value, index } of lower.matchAll(new RegExp(values.map(RegExp.escape).join("|"), "g"))) {
    const end = index + value.length;
    marked += `${escapeHtml(text.slice(at, index))}<mark class="${kinds.get(value)}">${
      escapeHtml(text.slice(index, end))
    }</mark>`;
    at = end;
  }
  return marked + escapeHtml(text.slice(at));
}

function factOf({ role, key, depth, before, text, after }: CloseUp["facts"][number]): string {
  return `<p class="fact"><span class="quiet">${
    escapeHtml(`${role} "${quoteText(key, 80)}" at ${(100 * depth!).toFixed(1)}%`)
  }</span><br>…${escapeHtml(before)}<mark class="${role === "target" ? "found" : "instead"}">${
    escapeHtml(text)
  }</mark>${escapeHtml(after)}…</p>`;
}
