import { type RunCard, runCards } from "./report_facts.ts";
import type { Notebook } from "./notebook.ts";
import { defined, escapeHtml } from "@/lib/base/mod.ts";
import { readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";
import { type Explorer, openExplorer } from "@/lib/reports/mod.ts";

/** The replies of the runs that a notebook shows, in its report. */
export interface ReportReplies {
  /** The section with the explorer of the runs; empty if there are none. */
  readonly html: string;
  /** The sources of its scripts for a content security policy. */
  readonly scripts: string;
  /** Returns the address of a view in the report, from that of a mark; `undefined` if its replies are not there. */
  readonly hrefOf: (view: string) => string | undefined;
}

/** Those of a page without runs. */
export const NO_REPLIES: ReportReplies = { html: "", scripts: "", hrefOf: () => undefined };

/** The explorer of more runs shows no replies. */
const MOST_RUNS = 6;

/**
 * Opens the replies of the runs that a notebook shows, those with most marks first. A run that cannot be read, or is one too many, is
 * named with the reason.
 *
 * @param folder The folder of runs.
 */
export async function openReplies(notebook: Notebook, folder: string): Promise<ReportReplies> {
  const text = JSON.stringify(notebook.cells);
  const marksOf = (run: string): number => text.split(`"run=${encodeURIComponent(run)}&`).length;
  const cards = runCards(notebook).toSorted((one, other) => marksOf(other.run) - marksOf(one.run));
  const runs: ScoredRun[] = [];
  const left: string[] = [];
  for (const card of cards) {
    const found = runs.length === MOST_RUNS ? `a report holds ${MOST_RUNS} runs` : await readCard(card, folder);
    if (typeof found === "string") left.push(`${card.run} (${found})`);
    else runs.push(found);
  }
  if (cards.length === 0) return NO_REPLIES;
  const explorer = runs.length === 0 ? undefined : await openOnce(runs);
  const missing = `Not in this file: ${left.join("; ")}. fathom view NAME opens a run.`;
  const html = `<section class="replies" id="replies"><h2>The replies</h2>
<p class="facts">Marks of charts lead to the replies behind them. ${left.length === 0 ? "" : escapeHtml(missing)}</p>
${explorer === undefined ? "" : embed(explorer)}</section>`;
  if (explorer === undefined) return { ...NO_REPLIES, html };
  const scripts = explorer.policy.match(/'sha256-[^']+'/g)!.join(" ");
  return { html, scripts, hrefOf: (view) => hrefOf(new URLSearchParams(view), { runs, explorer }) };
}

/** Reads the run that a notebook shows, or returns why it cannot. */
async function readCard({ run, sha256, scored }: RunCard, folder: string): Promise<ScoredRun | string> {
  try {
    const read = await readScoredRun(run, { folder, ...defined({ scored }) });
    return read.manifest.samples.sha256 === sha256 ? read : "its samples are others now";
  } catch (error) {
    return (error as Error).message;
  }
}

/** The explorers of this process by their runs, as several notebooks show the same. */
const opened = new Map<string, Promise<Explorer>>();

function openOnce(runs: readonly ScoredRun[]): Promise<Explorer> {
  const key = JSON.stringify(runs.map(({ manifest: { name, scored, samples } }) => [name, scored, samples]));
  const explorer = opened.get(key) ?? openExplorer(runs, { promptBytes: 400_000 });
  opened.set(key, explorer);
  return explorer;
}

/** Puts the page of an explorer into a shadow root: style, content but its heading, and data; its scripts stay outside. */
function embed(explorer: Explorer): string {
  const parts =
    /<style>(.*?)<\/style>.*?<main class="explorer">.*?<\/header>(.*)(<script[^>]* id="program">.*)<\/body>/s;
  const [, style, content, scripts] = parts.exec([...explorer.html()].join(""))!;
  const shadow = `<template shadowrootmode="open"><style>${style}</style><main class="explorer">${content}</template>`;
  return `<div class="explorer-host">${shadow}</div>\n${scripts}`;
}

/** Returns the narrowest view of an explorer that has replies of the run and the place of a mark. */
function hrefOf(
  mark: URLSearchParams,
  { runs, explorer: { facts } }: { readonly runs: readonly ScoredRun[]; readonly explorer: Explorer },
): string | undefined {
  const at = runs.findIndex(({ manifest }) => manifest.name === mark.get("run"));
  if (at < 0) return undefined;
  const task = mark.get("asked") ?? mark.get("task") ?? "";
  const tasks = facts.groups.find(({ name }) => name === task)?.tasks ?? [task];
  const ofTask = runs[at]!.replies.filter((reply) => tasks.includes(reply.task));
  const length = Number(mark.get("length"));
  const isLength = (ofTask.length > 0 ? ofTask : runs[at]!.replies).some((reply) => reply.length === length);
  const [depth, kind] = [mark.get("depth"), mark.get("class") ?? ""];
  const state = Object.entries({
    task: ofTask.length > 0 ? tasks.join(",") : "",
    length: isLength ? String(length) : "",
    depth: depth === null ? "" : String(Math.min(4, Math.floor(Number(depth) / 20))),
    [`class${at}`]: Object.hasOwn(facts.meanings, kind) ? kind : "",
    sort: `score${at}`,
  });
  return `#${new URLSearchParams(state.filter(([, value]) => value !== ""))}`;
}
