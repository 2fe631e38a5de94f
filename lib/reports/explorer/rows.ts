import { replyLines } from "../close_up.ts";
import { textOf } from "../failures.ts";
import type { ExplorerAnswer, ExplorerFacts, ExplorerRow, RebuiltRow, Verdict } from "./data.ts";
import type { ScoredReply, ScoredRun } from "@/lib/records/mod.ts";
import { scoreOf } from "@/lib/statistics/mod.ts";
import { UNKNOWN_PROMPT } from "@/lib/studies/mod.ts";

/** A sample with the replies of each run; `null` where a run lacks it. */
export interface JoinedRow {
  /** Its place among the rows, from 0. */
  readonly at: number;
  /** The reply of the first run that has the sample. */
  readonly first: ScoredReply;
  readonly replies: readonly (ScoredReply | null)[];
  /** The lowest score of its replies, in [0, 1]; -1 for a failed call or nothing to score. */
  readonly least: number;
}

/**
 * Joins the replies of runs to the same text of a task, length and number.
 *
 * @param places Places of earlier rows; new rows get the next ones.
 */
export function joinReplies(runs: readonly ScoredRun[], places: Map<string, number>): JoinedRow[] {
  const joined: { at: number; first: ScoredReply; replies: (ScoredReply | null)[] }[] = [];
  for (const [run, { replies }] of runs.entries()) {
    for (const reply of replies) {
      const { suite, task, length, index, sha256, repeat = 0 } = reply.record;
      // Nothing shows that texts that are not known are the same.
      const text = sha256 === UNKNOWN_PROMPT ? `${run}` : sha256;
      const name = [suite, task, length, index, repeat, text].join(" ");
      const at = places.get(name) ?? places.size;
      places.set(name, at);
      joined[at] ??= { at, first: reply, replies: runs.map(() => null) };
      joined[at].replies[run] = reply;
    }
  }
  // Places of replies that are gone are empty, and skipped.
  return joined.flatMap((row) => {
    const least = row.replies.map((reply) => reply === null ? 1 : scoreOf(reply) ?? -1);
    return [Object.assign(row, { least: Math.min(...least) })];
  });
}

/** Returns the key of what was rebuilt of a row: its place and the times of its replies. */
export function keyOf({ at, replies }: JoinedRow): string {
  return [at, ...replies.map((reply) => reply?.record.time)].join(" ");
}

/** Returns the rows, failures first; among both, one of each task and length at a time, the lowest scores first. */
export function inTurns(rows: readonly JoinedRow[]): readonly JoinedRow[] {
  const cells = Map.groupBy(rows, ({ least, first: { task, length } }) => `${least < 1} ${task} ${length}`);
  const isRight = ({ row: { least } }: { row: JoinedRow }): number => Number(least === 1);
  const turns = [...cells.values()].flatMap((cell) =>
    cell.toSorted((left, right) => left.least - right.least).map((row, turn) => ({ row, turn }))
  );
  return turns.sort((left, right) => isRight(left) - isRight(right) || left.turn - right.turn).map(({ row }) => row);
}

/** Characters of a reply: at most, and at least however many samples there are; and of all replies together. */
const REPLY_CHARS = { most: 20_000, least: 1000, all: 60_000_000 };

/** Returns a function that makes the row of a page from a sample and what its rebuilding showed. */
export function openRows(
  { tasks, isPivotOnly }: ExplorerFacts,
  { count, rebuilt }: { readonly count: number; readonly rebuilt: ReadonlyMap<string, RebuiltRow> },
): (row: JoinedRow) => ExplorerRow {
  const { most, least, all } = REPLY_CHARS;
  const characters = isPivotOnly ? 0 : Math.max(least, Math.min(most, Math.floor(all / count)));
  const places = new Map(tasks.map(({ name }, place) => [name, place]));
  const answerOf = (reply: ScoredReply, modes: ExplorerAnswer["modes"]): ExplorerAnswer => {
    const given = reply.record.reply;
    const lines = replyLines(reply).filter(({ what }) => what !== "Reply" && !isPivotOnly);
    return {
      value: scoreOf(reply),
      verdict: verdictOf(reply),
      latency: given.latencyMs,
      text: cutText(textOf(reply), characters),
      thinking: cutText(given.kind === "answer" ? given.thinking ?? "" : "", characters),
      lines: lines.map(({ what, text }) => [what, cutText(text, 600)]),
      modes,
    };
  };
  return (row) => {
    const { at, first: { task, length, cluster = null, record }, replies } = row;
    const { index, repeat = 0, seed, sample: id, references, targetDepth } = record;
    const { why = "", question, depth = null, modes } = rebuilt.get(keyOf(row)) ?? {};
    return {
      at,
      task: places.get(task)!,
      length,
      index,
      repeat,
      seed,
      id,
      depth: targetDepth ?? depth,
      cluster,
      question: cutText(question || record.question || "", characters),
      wanted: references.map((reference) => cutText(reference, characters)),
      why,
      answers: replies.map((reply, run) => reply === null ? null : answerOf(reply, modes?.[run] ?? [])),
    };
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

/** Cuts the middle out of a long text. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters || characters === 0) return text.slice(0, characters).toWellFormed();
  const half = Math.floor(characters / 2);
  const [start, end] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed());
  return `${start}… (${text.length - 2 * half} characters) …${end}`;
}
