import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { lengthText, sum } from "@/lib/base/mod.ts";
import { type Flags, openBenchmarks } from "./flags.ts";
import { readPrices } from "./model_flags.ts";
import { searchRun } from "@/lib/asking/mod.ts";
import { type LocalServer, Refusal, serveLocal } from "@/lib/exchange/mod.ts";
import { priceOfRecords, readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";
import { type Explorer, type ExplorerOptions, type LiveState, openExplorer } from "@/lib/reports/mod.ts";
import { RULER_THRESHOLD } from "@/lib/statistics/mod.ts";
import { busySeconds, listSamples, openStudy, planStudy, priceOfModel } from "@/lib/studies/mod.ts";

/** Options for {@linkcode serveExplorer}. `isLive`: the run may begin later, and ends when the server is closed. */
export interface ServeOptions extends ExplorerOptions {
  readonly flags: Flags;
  readonly port?: number | true | undefined;
  readonly isLive?: boolean;
}

/** The least time between two looks at a run that goes on, in milliseconds. */
const POLL_MS = 500;

/** The page before the first reply: it is asked for again. */
const WAITING =
  '<!DOCTYPE html><meta http-equiv="refresh" content="1"><title>Waiting</title><p>No reply is recorded yet.';

/**
 * Serves a page of runs on 127.0.0.1: `GET /TOKEN/`, its prompts at `/TOKEN/prompt/ROW`, and the rows and the state of a run that goes
 * on as server-sent events at `/TOKEN/events`. Other users of the machine lack the token of its address, and pages of other sites are
 * refused. While a page is open, the run is read from its folder again and again; nothing is written.
 */
export async function serveExplorer(
  names: readonly string[],
  { flags, port = true, isLive = false, ...shown }: ServeOptions,
): Promise<LocalServer & AsyncDisposable> {
  const root = `/${randomUUID()}/`;
  const reading = { benchmarks: await openBenchmarks(flags), scored: flags.scored };
  const memory = { places: new Map<string, number>(), rebuilt: new Map() };
  const ended = new AbortController();
  const { signal } = ended;
  let explorer: Explorer | undefined;
  let live: LiveState | undefined;
  const read = async (): Promise<void> => {
    const runs = await Promise.all(names.map((name) => readScoredRun(name, reading)));
    const state = await stateOf(runs[0]!, flags);
    const goesOn = isLive || (runs.length === 1 && !state.isOver && runs[0]!.manifest.measured === undefined);
    explorer = await openExplorer(runs, { ...shown, names, served: goesOn ? "live" : "prompts", memory });
    live = { ...state, isOver: !goesOn || signal.aborted };
  };
  async function* events(): AsyncGenerator<string> {
    let sent: readonly string[] = [];
    for (let isEnd = false; !isEnd;) {
      const begin = performance.now();
      isEnd = signal.aborted;
      // Before the first record there is no run.
      await read().catch(() => {});
      isEnd ||= live?.isOver === true;
      const rows = Array.from(explorer?.rows() ?? [], (row) => JSON.stringify(row));
      const fresh = rows.filter((row, at) => row !== sent[at]);
      sent = rows;
      if (fresh.length > 0 || live?.isOver) {
        const about = `"facts":${JSON.stringify(explorer?.facts)},"live":${JSON.stringify(live)}`;
        yield `event: update\ndata: {${about},"rows":[${fresh.join()}]}\n\n`;
      }
      if (!isEnd) await delay(POLL_MS + 3 * (performance.now() - begin), undefined, { signal }).catch(() => {});
    }
  }
  if (!isLive) await read();
  const headers = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  const server = await serveLocal(async ({ method }, path) => {
    const [, row] = /^prompt\/(\d{1,9})$/.exec(path.slice(root.length)) ?? [];
    const isEvents = path === `${root}events`;
    if (method !== "GET" || !path.startsWith(root) || (path !== root && row === undefined && !isEvents)) {
      throw new Refusal(404, "unknown_path", "The address must be the one that Fathom printed");
    }
    if (isEvents) return { body: events(), headers: { ...headers, "content-type": "text/event-stream" } };
    if (row !== undefined) return { body: JSON.stringify(explorer?.prompt(Number(row)) ?? null), headers };
    if (explorer === undefined) await read().catch(() => {});
    const { html, policy } = explorer ?? { html: () => [WAITING], policy: "default-src 'none'" };
    const security = { "content-security-policy": `${policy}; frame-ancestors 'none'` };
    return { body: html(), headers: { ...headers, ...security, "content-type": "text/html; charset=utf-8" } };
  }, { port: port === true ? 0 : port });
  const close = (): Promise<void> => {
    ended.abort();
    return server.close();
  };
  return { url: server.url + root, close, [Symbol.asyncDispose]: close };
}

/** Returns the state of a run by its plan, which is made again. */
async function stateOf(run: ScoredRun, flags: Flags): Promise<LiveState> {
  const { manifest, replies } = run;
  const plan = await openStudy(manifest.study, run).then((opened) => planStudy(opened, manifest), () => null);
  // A search ends before all samples are asked.
  const total = plan === null || manifest.search !== undefined ? null : plan.questions;
  const records = replies.map(({ record }) => record);
  const prices = readPrices(flags, await priceOfModel(manifest.model, flags.models));
  const workOf = ({ length }: { readonly length: number }): number => length + 1000;
  const work = (plan === null ? 0 : sum([...listSamples(plan)], workOf)) / sum(replies, workOf) - 1;
  const seconds = busySeconds(records);
  const aim = manifest.search ?? { threshold: RULER_THRESHOLD, rule: "contiguous" };
  // A sequential test may be looked at as often as one likes; it needs every task at every length.
  const { lengths } = plan === null || plan.tooShort.length > 0 ? { lengths: [] } : searchRun({ plan, replies }, aim);
  return {
    done: replies.length,
    total,
    failed: replies.filter(({ failed }) => failed).length,
    cost: prices === undefined ? null : priceOfRecords(records, prices),
    leftMs: total === null || seconds === 0 ? null : 1000 * seconds * Math.max(0, work),
    decided: lengths.filter(({ isSettled }) => isSettled).map(({ length, passes, threshold }) =>
      `${lengthText(length)} ${passes ? "reaches" : "misses"} ${threshold?.toFixed(1) ?? "the threshold"}`
    ),
    isOver: total !== null && replies.length >= total,
  };
}
