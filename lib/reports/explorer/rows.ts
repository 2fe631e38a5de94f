import { defined } from "@/lib/base/mod.ts";
import { replyLines } from "../close_up.ts";
import { textOf } from "../compare_replies.ts";
import { groupsOf, runHeadline, thresholdOf } from "../run_report.ts";
import type { ExplorerAnswer, ExplorerFacts, ExplorerFailure, ExplorerRow, ExplorerTask, Verdict } from "./data.ts";
import { modelName, nameRuns, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import { originText, RULER_THRESHOLD, scoreOf, type TaskGroup } from "@/lib/statistics/mod.ts";
import { FAILURE_MEANINGS, type FailureMode, failureRows } from "@/lib/statistics/failures/mod.ts";
import { suiteText } from "@/lib/studies/mod.ts";

/** A sample with the replies of each run; `null` where a run lacks it. */
export interface JoinedRow {
  /** Its place among the rows, from 0. */
  readonly at: number;
  /** Identifies the sample and the times of its replies. */
  readonly key: string;
  /** The reply of the first run that has the sample. */
  readonly first: ScoredReply;
  readonly replies: readonly (ScoredReply | null)[];
  /** The lowest score of its replies, in [0, 1]; -1 for a failed call or nothing to score. */
  readonly least: number;
}

/** What only the rebuilt sample shows of a row. */
export interface RebuiltRow {
  /** Why the prompt cannot be made again; empty if it can. */
  readonly why: string;
  readonly question: string;
  readonly depth: number | null;
  /** The failures of each run's reply, shortened. */
  readonly modes: readonly (readonly ExplorerFailure[])[];
}

/**
 * Joins the replies of runs to the same text by sample id, hash and repeat.
 *
 * @param places Places of earlier rows; new rows get the next ones.
 */
export function joinReplies(runs: readonly ScoredRun[], places: Map<string, number> = new Map()): JoinedRow[] {
  const joined: { at: number; name: string; first: ScoredReply; replies: (ScoredReply | null)[] }[] = [];
  for (const [run, { replies }] of runs.entries()) {
    for (const reply of replies) {
      const { sample, sha256, repeat = 0 } = reply.record;
      const name = `${sample} ${sha256} ${repeat}`;
      const at = places.get(name) ?? places.size;
      places.set(name, at);
      joined[at] ??= { at, name, first: reply, replies: runs.map(() => null) };
      joined[at].replies[run] = reply;
    }
  }
  // Places of replies that are gone are empty.
  return joined.flatMap(({ name, ...row }) => {
    const key = [name, ...row.replies.map((reply) => reply?.record.time ?? "")].join(" ");
    return [{ ...row, key, least: Math.min(...row.replies.map((reply) => reply === null ? 1 : scoreOf(reply) ?? -1)) }];
  });
}

/** Returns the rows with the lowest scores, in their order, numbered from 0. */
export function lowestOf(rows: readonly JoinedRow[], limit: number): readonly JoinedRow[] {
  if (rows.length <= limit) return rows;
  const kept = new Set(rows.toSorted((left, right) => left.least - right.least).slice(0, limit));
  return rows.filter((row) => kept.has(row)).map((row, at) => ({ ...row, at }));
}

/** Returns the rows, failures first; among both, one of each task and length at a time, the lowest scores first. */
export function inTurns(rows: readonly JoinedRow[]): readonly JoinedRow[] {
  const cells = Map.groupBy(rows, ({ least, first: { task, length } }) => `${least < 1} ${task} ${length}`);
  const turns = [...cells.values()].flatMap((cell) =>
    cell.toSorted((left, right) => left.least - right.least).map((row, turn) => ({ row, turn }))
  );
  return turns.sort((left, right) =>
    Number(left.row.least === 1) - Number(right.row.least === 1) || left.turn - right.turn
  ).map(({ row }) => row);
}

/** Returns everything that a page of runs shows besides its rows. */
export async function explorerFacts(
  runs: readonly ScoredRun[],
  rows: readonly JoinedRow[],
  options: Pick<ExplorerFacts, "hidden" | "isPivotOnly" | "served"> & {
    readonly names: readonly string[];
    readonly rebuilt: ReadonlyMap<string, RebuiltRow>;
  },
): Promise<ExplorerFacts> {
  const { names, rebuilt, ...shown } = options;
  const labels = nameRuns(runs);
  const tasks = tasksOf(runs, rows);
  const about = await Promise.all(runs.map(async (run, at) => {
    const { manifest } = run;
    const place = `${suiteText(manifest)}, seed ${manifest.study.seed}, begun ${manifest.started.slice(0, 10)}`;
    return {
      name: names[at] ?? manifest.name,
      label: labels[at]!,
      model: modelName(manifest),
      origin: manifest.origin,
      about: `${originText(manifest.origin)}, ${place}`,
      answer: shown.isPivotOnly ? [] : await answerOf(run, { at, rows, rebuilt }),
    };
  }));
  return {
    runs: about,
    tasks,
    groups: groupsOfAll(runs),
    threshold: thresholdOf(runs[0]!)?.score ?? RULER_THRESHOLD,
    meanings: FAILURE_MEANINGS,
    ...shown,
  };
}

/** Returns the computed answer of a run. Its failures are those of the rebuilt rows, unless some were not rebuilt. */
async function answerOf(
  run: ScoredRun,
  { at, rows, rebuilt }: {
    readonly at: number;
    readonly rows: readonly JoinedRow[];
    readonly rebuilt: ReadonlyMap<string, RebuiltRow>;
  },
): Promise<readonly string[]> {
  const explained = rows.flatMap(({ key, replies }) => {
    const reply = replies[at];
    if (!reply) return [];
    const { task, length, value, failed, noAnswer } = reply;
    const modes = rebuilt.get(key)?.modes[at]?.map((mode): FailureMode => ({ ...mode, evidence: [] })) ?? [];
    return [{ task, length, value, failed, noAnswer, modes }];
  });
  const failures = explained.length < run.replies.length ? undefined : failureRows(explained);
  await 0;
  void failures;
  void defined;
  return [runHeadline(run)];
}

function tasksOf(runs: readonly ScoredRun[], rows: readonly JoinedRow[]): readonly ExplorerTask[] {
  const leasts = new Map<string, number>();
  for (const { first: { task }, replies } of rows) {
    for (const reply of replies) {
      if (reply !== null) leasts.set(task, Math.min(leasts.get(task) ?? 1, reply.least ?? 0));
    }
  }
  return Array.from(leasts, ([name, least]) => {
    const [suite = ""] = runs.flatMap(({ manifest }) => manifest.tasks[name]?.suite ?? []);
    return { name, suite, least };
  });
}

/** Returns the groups of the tasks that all runs have. */
function groupsOfAll(runs: readonly ScoredRun[]): readonly TaskGroup[] {
  const asked = runs.map(({ replies }) => new Set(replies.map(({ task }) => task)));
  const common = [...asked[0]!].filter((task) => asked.every((tasks) => tasks.has(task)));
  return groupsOf(runs[0]!, common.map((task) => ({ task })));
}

/** Characters of a reply: at most, and at least however many samples there are; and of all replies together. */
const REPLY_CHARS = { most: 20_000, least: 1000, all: 60_000_000 };

/** Returns a function that makes the row of a page from a sample and what its rebuilding showed. */
export function openRows(
  { tasks, isPivotOnly }: ExplorerFacts,
  { count, rebuilt }: { readonly count: number; readonly rebuilt: ReadonlyMap<string, RebuiltRow> },
): (row: JoinedRow) => ExplorerRow {
  const { most, least, all } = REPLY_CHARS;
  const characters = Math.max(least, Math.min(most, Math.floor(all / count)));
  const places = new Map(tasks.map(({ name }, place) => [name, place]));
  return ({ at, key, first: { task, length, cluster = null, record }, replies }) => {
    const { index, repeat = 0, seed, sample, references, targetDepth } = record;
    const { why = "", question = "", depth = null, modes = [] } = rebuilt.get(key) ?? {};
    const answers = replies.map((reply, run) => {
      if (reply === null) return null;
      return isPivotOnly ? bareAnswer(reply) : answerRow(reply, { modes: modes[run] ?? [], characters });
    });
    const place = { at, task: places.get(task)!, length, index, repeat, depth: targetDepth ?? depth, cluster, answers };
    if (isPivotOnly) return { ...place, seed: "", id: "", question: "", wanted: [], why: "" };
    const wanted = references.map((reference) => cutText(reference, characters));
    return { ...place, seed, id: sample, question: cutText(question, characters), wanted, why };
  };
}

function bareAnswer(reply: ScoredReply): ExplorerAnswer {
  const latency = reply.record.reply.latencyMs;
  return { value: scoreOf(reply), verdict: verdictOf(reply), latency, text: "", thinking: "", lines: [], modes: [] };
}

function answerRow(
  reply: ScoredReply,
  { modes, characters }: { readonly modes: readonly ExplorerFailure[]; readonly characters: number },
): ExplorerAnswer {
  const { kind, thinking = "" } = { thinking: undefined, ...reply.record.reply };
  const lines = replyLines(reply).filter(({ what }) => what !== "Reply");
  return {
    ...bareAnswer(reply),
    text: cutText(textOf(reply), characters),
    thinking: kind === "failure" ? "" : cutText(thinking, characters),
    lines: lines.map(({ what, text }) => [what, cutText(text, 600)]),
    modes,
  };
}

function verdictOf(reply: ScoredReply): Verdict {
  const value = scoreOf(reply);
  if (reply.failed) return "failed call";
  if (value === null) return "nothing to score";
  if (reply.noAnswer && value === 0) return "no answer";
  if (value === 1) return "right";
  return value === 0 ? "wrong" : "in part";
}

/** Shortens a failure for a page. */
export function shortFailure({ class: name, why, evidence }: FailureMode): ExplorerFailure {
  return { class: name, why: cutText(why, 600), given: evidence.slice(0, 100).map(({ given }) => cutText(given, 600)) };
}

/** Cuts the middle out of a long text. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text.toWellFormed();
  const half = Math.floor(characters / 2);
  const [start, end] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed());
  return `${start}… (${text.length - 2 * half} characters) …${end}`;
}
