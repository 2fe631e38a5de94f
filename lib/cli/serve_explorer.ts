import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { lengthText, sum } from "@/lib/base/mod.ts";
import { type Flags, openBenchmarks } from "./flags.ts";
import { readPrices } from "./model_flags.ts";
import { searchRun } from "@/lib/asking/mod.ts";
import { type LocalServer, Refusal, type ServedBody, serveLocal } from "@/lib/exchange/mod.ts";
import { priceOfRecords, readScoredRun, runFolder, type ScoredRun } from "@/lib/records/mod.ts";
import { type Explorer, type ExplorerOptions, type LiveState, openExplorer, storeRow } from "@/lib/reports/mod.ts";
import { RULER_THRESHOLD } from "@/lib/statistics/mod.ts";
import { busySeconds, listSamples, openStudy, type Plan, planStudy, priceOfModel } from "@/lib/studies/mod.ts";

/** Options for {@linkcode serveExplorer}. */
export interface ServeOptions extends ExplorerOptions {
  readonly flags: Flags;
  readonly port: number;
  /** Whether the run may begin later and ends when the server is closed. Default: runs go on until no sample is missing. */
  readonly isLive?: boolean;
}

/** Runs as they are at a time. */
interface OpenedRuns {
  readonly explorer: Explorer;
  readonly live: LiveState;
}

/** The least time between two looks at the files of runs that go on, in milliseconds. */
const POLL_MS = 500;

/** The page before the first reply: it is asked for again. */
const WAITING =
  '<!DOCTYPE html><meta http-equiv="refresh" content="1"><title>Waiting</title><p>No reply is recorded yet.';

/**
 * Serves a page of runs on 127.0.0.1: `GET /TOKEN/`, its prompts at `/TOKEN/prompt/ROW`, and the rows and the state of runs that go on
 * as server-sent events at `/TOKEN/events`. Other users of the machine lack the token of its address, and pages of other sites are
 * refused. Runs are read again when their files change, and nothing is written.
 */
export async function serveExplorer(names: readonly string[], options: ServeOptions): Promise<LocalServer> {
  const { flags, port, isLive = false, ...shown } = options;
  const root = `/${randomUUID()}/`;
  const reading = { benchmarks: await openBenchmarks(flags), scored: flags.scored };
  const memory = { places: new Map<string, number>(), rebuilt: new Map() };
  const ended = new AbortController();
  const stateOf = openStates(flags);
  const open = async (): Promise<OpenedRuns> => {
    const runs = await Promise.all(names.map((name) => readScoredRun(name, reading)));
    const states = await Promise.all(runs.map(stateOf));
    const isOver = ended.signal.aborted || (!isLive && states.every((state) => state.isOver));
    const served = isOver && !isLive ? "prompts" : "live";
    return {
      explorer: await openExplorer(runs, { ...shown, names, served, memory }),
      live: joinStates(states, isOver),
    };
  };
  let opened = isLive ? await open().catch(() => undefined) : await open();
  const feed = openFeed();
  if (opened !== undefined) feed.take(opened);
  const refresh = async (): Promise<void> => {
    opened = await open().catch(() => opened);
    if (opened !== undefined) feed.take(opened);
  };
  const server = await serveLocal(({ method }, path) => {
    const [, row] = /^prompt\/(\d{1,9})$/.exec(path.slice(root.length)) ?? [];
    const isEvents = path === `${root}events`;
    if (method !== "GET" || !path.startsWith(root) || (path !== root && row === undefined && !isEvents)) {
      throw new Refusal(404, "unknown_path", "The address must be the one that Fathom printed");
    }
    const headers = {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    };
    const body = ((): ServedBody => {
      if (isEvents) return { body: feed.events(), headers: { ...headers, "content-type": "text/event-stream" } };
      if (row !== undefined) return { body: JSON.stringify(opened?.explorer.prompt(Number(row))), headers };
      const [html, policy] = opened === undefined
        ? [[WAITING], "default-src 'none'"]
        : [opened.explorer.html(), opened.explorer.policy];
      const page = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `${policy}; frame-ancestors 'none'`,
      };
      return { body: html, headers: { ...headers, ...page } };
    })();
    return Promise.resolve(body);
  }, { port });
  const following = follow();
  return {
    url: server.url + root,
    async close(): Promise<void> {
      ended.abort();
      await following;
      if (opened === undefined || opened.explorer.facts.served === "live") await refresh();
      feed.end();
      await server.close();
    },
  };

  async function follow(): Promise<void> {
    let before = await sizesOf(names);
    while (!ended.signal.aborted && !opened?.live.isOver) {
      const begin = performance.now();
      const sizes = await sizesOf(names);
      if (sizes !== before) await refresh();
      before = sizes;
      // A long run is read less often.
      await delay(POLL_MS + 4 * (performance.now() - begin), undefined, { signal: ended.signal }).catch(() => {});
    }
  }
}

/** Returns the sizes of the records of runs as a text that changes with them. */
async function sizesOf(names: readonly string[]): Promise<string> {
  const sizes = names.map(async (name) => {
    const folder = runFolder(name);
    const files = (await readdir(folder).catch(() => [])).filter((file) => file.startsWith("records"));
    const found = await Promise.all(files.map((file) => stat(`${folder}/${file}`).catch(() => undefined)));
    return files.map((file, at) => `${file} ${found[at]?.size}`).join();
  });
  return (await Promise.all(sizes)).join();
}

/** The updates of a page: the rows that are new or changed for each of its readers. */
function openFeed(): { take(opened: OpenedRuns): void; events(): AsyncGenerator<string>; end(): void } {
  const rows = new Map<number, { readonly text: string; readonly version: number }>();
  let current: OpenedRuns | undefined;
  let [version, isEnded] = [0, false];
  let next = Promise.withResolvers<void>();
  const wake = (): void => {
    next.resolve();
    next = Promise.withResolvers();
  };
  return {
    take(opened): void {
      version++;
      for (const row of opened.explorer.rows()) {
        const text = JSON.stringify(storeRow(row));
        if (rows.get(row.at)?.text !== text) rows.set(row.at, { text, version });
      }
      current = opened;
      wake();
    },
    async *events(): AsyncGenerator<string> {
      let seen = 0;
      while (true) {
        const waiting = next.promise;
        if (current !== undefined && version > seen) {
          const since = seen;
          const { explorer: { facts }, live } = current;
          const fresh = [...rows.values()].filter((row) => row.version > since).map(({ text }) => text);
          seen = version;
          yield `event: update\ndata: {"facts":${JSON.stringify(facts)},"rows":[${fresh.join()}],"live":${
            JSON.stringify(live)
          }}\n\n`;
          if (live.isOver) return;
        } else if (isEnded) return;
        else await waiting;
      }
    },
    end(): void {
      isEnded = true;
      wake();
    },
  };
}

/** Returns a function that computes the state of a run; it makes the plan of each once. */
function openStates(flags: Flags): (run: ScoredRun) => Promise<LiveState> {
  const plans = new Map<string, Plan | null>();
  return async (run) => {
    const { manifest, replies } = run;
    const key = JSON.stringify(manifest.study);
    if (!plans.has(key)) {
      const plan = openStudy(manifest.study, run).then((opened) => planStudy(opened, manifest), () => null);
      plans.set(key, await plan);
    }
    const plan = plans.get(key)!;
    // A search ends before all samples are asked.
    const total = plan === null || manifest.search !== undefined ? null : plan.questions;
    const records = replies.map(({ record }) => record);
    const prices = readPrices(flags, await priceOfModel(manifest.model, flags.models));
    const workOf = ({ length }: { readonly length: number }): number => length + 1000;
    const [work, asked] = [total === null ? 0 : sum([...listSamples(plan!)], workOf), sum(replies, workOf)];
    const seconds = busySeconds(records);
    const isPaced = total !== null && seconds > 0;
    return {
      done: replies.length,
      total,
      failed: replies.filter(({ failed }) => failed).length,
      cost: prices === undefined ? null : priceOfRecords(records, prices),
      leftMs: isPaced ? 1000 * seconds * Math.max(0, work / asked - 1) : null,
      decided: plan === null ? [] : decidedTexts(run, plan),
      isOver: total !== null && replies.length >= total,
    };
  };
}

/** Returns what the replies so far decide, by a sequential test that may be looked at as often as one likes. */
function decidedTexts({ manifest, replies }: ScoredRun, plan: Plan): readonly string[] {
  const aim = manifest.search ?? { threshold: RULER_THRESHOLD, rule: "contiguous" };
  const { lengths } = searchRun({ plan, replies }, aim);
  return lengths.filter(({ isSettled }) => isSettled).map(({ length, passes, threshold }) =>
    `${lengthText(length)} ${passes ? "reaches" : "misses"} ${threshold?.toFixed(1) ?? "the threshold"}`
  );
}

function joinStates(states: readonly LiveState[], isOver: boolean): LiveState {
  const [first] = states;
  if (states.length === 1) return { ...first!, isOver };
  const all = <Name extends "total" | "cost" | "leftMs">(name: Name): number | null =>
    states.some((state) => state[name] === null) ? null : sum(states, (state) => state[name]!);
  return {
    done: sum(states, ({ done }) => done),
    total: all("total"),
    failed: sum(states, ({ failed }) => failed),
    cost: all("cost"),
    leftMs: all("leftMs"),
    decided: [],
    isOver,
  };
}
