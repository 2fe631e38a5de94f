import { readFile } from "node:fs/promises";
import { modelName, type ScoredRun } from "@/lib/records/mod.ts";
import { type CloseUp, closeUp } from "./close_up.ts";
import { openExplainer } from "./failures.ts";
import { openStudy, rememberLast, suiteText } from "@/lib/studies/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { escapeHtml, lengthText, plural, quoteText } from "@/lib/text/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode samplePages}. */
export interface SamplePagesOptions {
  /** Number of samples to show, those with the lowest scores. Range: 1 up. Default: 1000. */
  readonly limit?: number;
  /** Characters of text on each side of a planted fact. Range: 0 up. Default: 160. */
  readonly characters?: number;
  /** File name of the first page; the others are `view-2.html` and so on. Default: `view.html`. */
  readonly file?: string;
}

/** The size of a page: it ends at the first of both limits. */
const MAX_PAGE = { samples: 1000, characters: 8_000_000 };

/**
 * Yields HTML pages to browse the samples of a run, or those of two runs side by side: filters by task, length, depth, score and
 * failure; each reply with its matches marked, its score and reason, and the text around each planted fact.
 *
 * Pages are made one at a time, with up to 1,000 samples each and links to the neighbours. They need no script and no network: the
 * filters are style rules. Samples are rebuilt from their recipes; a page marks those that differ from the recorded text.
 *
 * @param runs One run, or two of the same samples.
 * @throws {RangeError} If there are not one or two runs, they have no reply, or two runs share no sample.
 */
export async function* samplePages(
  runs: readonly ScoredRun[],
  options: SamplePagesOptions = {},
): AsyncGenerator<{ readonly file: string; readonly html: string }> {
  const { limit = 1000, characters = 160, file = "view.html" } = options;
  const pairs = pairReplies(runs);
  const chosen = lowestOf(pairs, limit);
  const filters = filtersOf(runs);
  const looking = await Promise.all(runs.map(async (run) => {
    const opened = rememberLast(await openStudy(run.manifest.study, run));
    return { opened, characters, explain: openExplainer(run, { opened }).explain };
  }));
  const style = await readFile(new URL("sample_page.css", import.meta.url), "utf8");
  const parts = { runs, filters, style, count: chosen.length, hidden: pairs.length - chosen.length };
  const fileOf = (number: number): string => number === 1 ? file : file.replace(/(\.[^.]*)?$/, `-${number}$1`);
  let shown: ShownSample[] = [];
  let [size, number] = [0, 1];
  for (const [at, replies] of chosen.entries()) {
    const looks = await Promise.all(
      replies.map((reply, run) => reply === undefined ? undefined : closeUp(runs[run]!, reply, looking[run]!)),
    );
    const article = articleOf(replies, looks, runs);
    shown.push({ article, values: filters.map(({ of }) => of(replies, looks)) });
    size += article.length;
    const isLast = at === chosen.length - 1;
    if (!isLast && shown.length < MAX_PAGE.samples && size < MAX_PAGE.characters) continue;
    const links = [
      ...(number === 1 ? [] : [{ text: "Previous page", file: fileOf(number - 1) }]),
      ...(isLast ? [] : [{ text: "Next page", file: fileOf(number + 1) }]),
    ];
    yield { file: fileOf(number), html: pageOf(shown, { ...parts, number, links }) };
    [shown, size, number] = [[], 0, number + 1];
  }
}

/** The replies to one sample, by run. */
type Replies = readonly (ScoredReply | undefined)[];

type CloseUps = readonly (CloseUp | undefined)[];

interface ShownSample {
  readonly article: string;
  /** Its value of each filter. */
  readonly values: readonly string[];
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

/** Returns the samples with the lowest scores, in their order; failed calls are the lowest. */
function lowestOf(pairs: readonly Replies[], limit: number): readonly Replies[] {
  if (pairs.length <= limit) return pairs;
  const least = (replies: Replies): number => Math.min(...replies.map((reply) => reply?.value ?? -1));
  const kept = new Set(pairs.toSorted((left, right) => least(left) - least(right)).slice(0, limit));
  return pairs.filter((replies) => kept.has(replies));
}

/** A menu that filters samples by a value. */
interface Filter {
  readonly id: string;
  readonly label: string;
  readonly of: (replies: Replies, looks: CloseUps) => string;
}

const ALWAYS: readonly Filter[] = [
  { id: "task", label: "Task", of: ([reply]) => reply!.task },
  { id: "length", label: "Length", of: ([reply]) => lengthText(reply!.length) },
  { id: "depth", label: "Target in", of: (_, [look]) => depthText(look!) },
];

function filtersOf(runs: readonly ScoredRun[]): readonly Filter[] {
  const named = (label: string, at: number): string =>
    runs.length === 1 ? label : `${label}, ${modelName(runs[at]!.manifest)}`;
  const own = runs.flatMap((_, at): Filter[] => [
    { id: `score${at}`, label: named("Score", at), of: (replies) => scoreText(replies[at]) },
    { id: `failure${at}`, label: named("Failure", at), of: (_, looks) => looks[at]?.modes[0]?.class ?? "none" },
  ]);
  const differ: Filter = {
    id: "differ",
    label: "Scores",
    of: ([one, other]) => one?.value === other?.value ? "same" : "different",
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

/** Returns the page, whose policy allows only its own styles. */
function pageOf(
  shown: readonly ShownSample[],
  { runs, filters, style, count, hidden, number, links }: {
    readonly runs: readonly ScoredRun[];
    readonly filters: readonly Filter[];
    readonly style: string;
    /** Number of samples on all pages. */
    readonly count: number;
    /** Number of samples that are not shown. */
    readonly hidden: number;
    /** From 1. */
    readonly number: number;
    readonly links: readonly { readonly text: string; readonly file: string }[];
  },
): string {
  const menus = filters.map(({ id, label }, number) => {
    const values = [...new Set(shown.map((sample) => sample.values[number]!))];
    return { id, label, values, number };
  }).filter(({ values }) => values.length > 1);
  const rules = menus.flatMap(({ id, values }) =>
    values.map((_, at) =>
      `main:has(#${id} option[value="${at}"]:checked) article:not([data-${id}="${at}"]) { display: none; }`
    )
  );
  const selects = menus.map(({ id, label, values }) => {
    const entries = values.map((value, at) => `<option value="${at}">${escapeHtml(value)}</option>`);
    return `<label>${escapeHtml(label)} <select id="${id}"><option selected>any</option>${
      entries.join("")
    }</select></label>`;
  });
  const articles = shown.map(({ article, values }) => {
    const data = menus.map((menu) => ` data-${menu.id}="${menu.values.indexOf(values[menu.number]!)}"`);
    return `<article${data.join("")}>${article}</article>`;
  });
  const title = escapeHtml(runs.map(({ manifest }) => manifest.name).join(" beside "));
  const about = runs.map(({ manifest }) =>
    `<p>${
      escapeHtml(`${manifest.name}: ${manifest.model}, ${originText(manifest.origin)}; ${suiteText(manifest)}`)
    }</p>`
  );
  const rest = hidden > 0 ? `, those with the lowest scores; ${hidden} more are not shown` : "";
  const ofPage = links.length > 0 ? ` Page ${number} has ${shown.length} of them.` : "";
  const navigation = links.map(({ text, file }) => `<a href="${escapeHtml(encodeURIComponent(file))}">${text}</a>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
${style}
${rules.join("\n")}
</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
${about.join("\n")}
<p>${count} ${plural(count, "sample")}${rest}.${ofPage} ${navigation.join(" · ")}</p>
<form class="filters">${selects.join("\n")} <button type="reset">All</button></form>
</header>
${articles.join("\n")}
<p class="count">shown</p>
<p>${navigation.join(" · ")}</p>
</main>
</body>
</html>
`;
}

function articleOf(replies: Replies, looks: CloseUps, runs: readonly ScoredRun[]): string {
  const reply = replies[0]!;
  // The close-up of a failed reply lists the facts answered instead near the front.
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
  const facts = look.facts.slice(0, MAX_FACTS).map(factOf);
  const more = look.facts.length - facts.length;
  return `<details><summary>${badges.join("")} <b>${escapeHtml(place)}</b> <i>${escapeHtml(failure)}</i> ${
    escapeHtml(quoteText(previewOf(reply), 90))
  }</summary>
<div class="replies">${columns.join("\n")}</div>
<h3>In the text</h3>
${facts.join("\n")}${more > 0 ? `\n<p class="quiet">and ${more} more planted facts</p>` : ""}
</details>`;
}

const MAX_FACTS = 8;
const MAX_REPLY_CHARS = 20_000;

function previewOf({ record: { reply } }: ScoredReply): string {
  return reply.kind === "failure" ? reply.message : reply.text.trim();
}

/** Returns a reply: its text with matches marked, the references, score and reason. */
function replyOf({ reply, lines, modes }: CloseUp, run: ScoredRun | undefined): string {
  const { record } = reply;
  const text = record.reply.kind === "failure" ? "" : record.reply.text.slice(0, MAX_REPLY_CHARS);
  const lower = text.toLowerCase();
  const has = (value: string): boolean => lower.includes(value.toLowerCase());
  const wanted = record.references.map((value) =>
    `<li class="${has(value) ? "found" : "missed"}">${has(value) ? "✓" : "✗"} ${escapeHtml(value)}</li>`
  );
  const instead = modes.flatMap(({ evidence }) => evidence.map(({ given }) => given));
  const rows = lines.filter(({ what }) => !["Reply", "Wanted"].includes(what)).map(({ what, text }) =>
    `<tr><th scope="row">${escapeHtml(what)}</th><td>${escapeHtml(quoteText(text, 600))}</td></tr>`
  );
  return `<section>
${run === undefined ? "" : `<h2>${escapeHtml(modelName(run.manifest))}</h2>\n`}<h3>Wanted</h3>
<ul class="wanted">${wanted.join("")}</ul>
<h3>Reply</h3>
<pre>${text === "" ? `<span class="quiet">(empty)</span>` : markText(text, { found: record.references, instead })}</pre>
<table>${rows.join("\n")}</table>
</section>`;
}

/** Marks references, and values answered instead, in a text; everything else is escaped. */
export function markText(
  text: string,
  { found, instead }: { readonly found: readonly string[]; readonly instead: readonly string[] },
): string {
  const lower = text.toLowerCase();
  // Lower case can change the number of letters, and so the places to mark.
  if (lower.length !== text.length) return escapeHtml(text);
  const kinds = new Map([
    ...instead.map((value) => [value.toLowerCase(), "instead"] as const),
    ...found.map((value) => [value.toLowerCase(), "found"] as const),
  ].filter(([value]) => value.trim() !== ""));
  if (kinds.size === 0) return escapeHtml(text);
  // The longest value at a place wins.
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
