import { type IntervalOptions, wilsonInterval } from "../intervals.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type { Answer, Failure } from "@/lib/models/mod.ts";

/** A scored reply with the ways in which it failed. */
export interface ExplainedReply {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** The ways, the primary one first; empty where the reply is wholly right, and where it could not be explained. */
  readonly modes: readonly FailureMode[];
}

/** How often replies to one task at one length failed in one way. */
export interface FailureCount {
  /** The way. */
  readonly class: FailureClass;
  /** Replies whose primary way it is. */
  readonly count: number;
  /** Those replies among all that were asked, in percent. */
  readonly share: number;
  /** The low end of the 95% interval of the share (Wilson), in percent. */
  readonly low: number;
  /** The high end of that interval, in percent. */
  readonly high: number;
  /** Replies that show it, whether as their primary way or beside another. */
  readonly shown: number;
}

/** The failures of one task at one length. */
export interface FailureRow {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** Samples asked, failed calls included; those with nothing to score are not. */
  readonly n: number;
  /** Those that failed, wholly or in part. */
  readonly failures: number;
  /** Failures of which no way can be told, as the sample cannot be made again. */
  readonly unexplained: number;
  /** The ways that occur, in the order of `FAILURE_CLASSES`. */
  readonly classes: readonly FailureCount[];
}

/**
 * Counts the ways in which replies failed, for each task and length.
 *
 * Each failure is counted once in `count`, by its primary way, so that counts add up to `failures` less `unexplained`; a reply
 * that shows several ways is in the `shown` of each. A reply that gave part of what was asked for is a failure too.
 *
 * @param replies Replies with their ways of failing, right ones included.
 * @param options The level of the intervals.
 * @returns A row for each task and length: tasks in order of first appearance, lengths rising.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const right = { task: "vt", length: 4096, value: 1, failed: false, modes: [] };
 * const empty = { ...right, value: 0, modes: [{ class: "empty", why: "the reply is empty", evidence: [] }] } as const;
 * const [row] = failureRows([right, right, right, empty]);
 * equal(row?.failures, 1);
 * equal(row?.classes[0]?.share, 25);
 * ```
 */
export function failureRows(replies: readonly ExplainedReply[], options: IntervalOptions = {}): FailureRow[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, asked]): FailureRow => ({ task, length, ...countClasses(asked, options) }));
  });
}

function countClasses(
  asked: readonly ExplainedReply[],
  options: IntervalOptions,
): Pick<FailureRow, "n" | "failures" | "unexplained" | "classes"> {
  const scored = asked.filter(({ value, failed }) => failed || value !== null);
  const failures = scored.filter(({ value, failed }) => failed || value !== 1);
  const n = scored.length;
  const classes = FAILURE_CLASSES.flatMap((name): FailureCount[] => {
    const shown = failures.filter(({ modes }) => modes.some((mode) => mode.class === name)).length;
    if (shown === 0) return [];
    const count = failures.filter(({ modes }) => modes[0]?.class === name).length;
    const { low, high } = wilsonInterval(count, n, options);
    return [{ class: name, count, share: 100 * count / n, low: 100 * low, high: 100 * high, shown }];
  });
  const unexplained = failures.filter(({ modes }) => modes.length === 0).length;
  return { n, failures: failures.length, unexplained, classes };
}

/**
 * Ways in which a reply fails, in order of precedence: where a reply shows several, the first of them is its primary one.
 *
 * First comes what befell the call, then what befell the whole reply, then what was said in place of an answer (the most
 * telling first), and last what was merely left out. RULER, section 5, names most of them.
 */
export const FAILURE_CLASSES = [
  "failed call",
  "prompt cut",
  "empty",
  "refusal",
  "loop",
  "example copied",
  "context copied",
  "closed-book answer",
  "frequent words",
  "other chain",
  "distractor",
  "less frequent word",
  "not in context",
  "cut off",
  "partial value",
  "other text",
  "wrong format",
  "repeated answer",
  "chain lost",
  "incomplete list",
] as const;

/** A way in which a reply fails: one of {@linkcode FAILURE_CLASSES}. */
export type FailureClass = typeof FAILURE_CLASSES[number];

/** What each way of failing means, as a phrase for tables and captions. */
export const FAILURE_MEANINGS: Readonly<Record<FailureClass, string>> = {
  "failed call": "the call gave no reply; it is in no score",
  "prompt cut": "the server read clearly fewer tokens than it was sent",
  "empty": "nothing was said",
  "refusal": "it was said that there is no answer, or that none can be given",
  "loop": "one thing was said again and again",
  "example copied": "the answer of the worked example was given",
  "context copied": "a stretch of the prompt was repeated word for word",
  "closed-book answer": "the same was said as without any context",
  "frequent words": "words frequent in English were given, not words of the list",
  "other chain": "a variable of another chain was given",
  "distractor": "what belongs to something else in the context was given",
  "less frequent word": "a word of the list was given that is not among the most frequent",
  "not in context": "something was given that stands nowhere in the context",
  "cut off": "the output budget ended the reply before its answer was whole",
  "partial value": "only a part of a value was given",
  "other text": "something else from the prompt was given, which is no planted fact",
  "wrong format": "the answer was given in another form, or nothing of the form that was asked for",
  "repeated answer": "an item was given again in place of another",
  "chain lost": "the variables of the chain are missing from some hop on",
  "incomplete list": "fewer items were given than asked for",
};

/** What the classes of a failure are told from: the sample, remade from its record. */
export type FailedSample = Pick<
  Sample,
  "prompt" | "promptTokens" | "answerRoom" | "references" | "facts" | "distractors"
>;

/** What came back for a sample, as far as its failure is told from it. */
export interface FailedOutcome {
  /** The reply. */
  readonly reply:
    | Pick<Answer, "kind" | "text" | "finishReason" | "promptTokens" | "completionTokens">
    | Pick<Failure, "kind" | "failure" | "message">;
  /** The benchmark's own score of the reply, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** How the reply was compared with the references. */
  readonly scoring: string;
  /** What the model says to the same question without any context, where that was asked. */
  readonly closedBookAnswer?: string;
  /**
   * The share of the prompt's tokens that the server may count fewer before the prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

/** One wrong thing in a reply, and what it is. */
export interface FailureEvidence {
  /** What was said, as it is compared. */
  readonly said: string;
  /** The key of the fact that it belongs to: a needle's key, a variable or word, a document's title. */
  readonly key?: string;
  /** The chain that it belongs to, by the number at its beginning. */
  readonly chain?: string;
  /** How far from the nearest missing target its fact stands, as a difference of depths in [-1, 1]; below 0 is before it. */
  readonly away?: number;
  /** The share of the other distractors that stand nearer to that target, in [0, 1]; 0.5 on average where it was picked at random. */
  readonly nearer?: number;
  /** The share of the value that was given, in (0, 1). */
  readonly share?: number;
  /** How often the word stands in the context. */
  readonly count?: number;
  /** How often the item was said. */
  readonly times?: number;
  /** The depth of the stretch that was copied, in [0, 1]. */
  readonly depth?: number;
}

/** One way in which a reply failed, with its evidence. */
export interface FailureMode {
  /** The way. */
  readonly class: FailureClass;
  /** A sentence that says what tells it. */
  readonly why: string;
  /** The wrong things that were said; empty where the class is about what was not said. */
  readonly evidence: readonly FailureEvidence[];
  /** The first hop of the chain that is missing, from 0; with `chain lost` only. */
  readonly hop?: number;
}

/**
 * Says in a sentence how many replies failed and in which ways most of them did.
 *
 * @param rows Rows of any tasks and lengths.
 * @returns The sentence, without its full stop; fit for the title of a figure.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const cell = { task: "vt", length: 4096, n: 20, failures: 0, unexplained: 0, classes: [] };
 * equal(failureFinding([cell]), "None of 20 replies failed");
 * ```
 */
export function failureFinding(rows: readonly FailureRow[]): string {
  const sum = (part: (row: FailureRow) => number): number => rows.reduce((total, row) => total + part(row), 0);
  const [n, failures] = [sum((row) => row.n), sum((row) => row.failures)];
  if (failures === 0) return `None of ${n} replies failed`;
  const counts = new Map<FailureClass, number>();
  for (const { class: name, count } of rows.flatMap(({ classes }) => classes)) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const most = [...counts].filter(([, count]) => count > 0).sort(([, left], [, right]) => right - left).slice(0, 2);
  const ways = most.map(([name, count]) => `${name} (${count})`).join(" and ");
  return `${failures} of ${n} replies failed wholly or in part${ways === "" ? "" : `, most of them by ${ways}`}`;
}
