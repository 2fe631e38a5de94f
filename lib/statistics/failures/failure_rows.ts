import { wilsonInterval } from "../intervals.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type { Answer, Failure, PromptCut } from "@/lib/models/mod.ts";
import type { AnswerRule } from "@/lib/scorers/mod.ts";

/** A scored reply with its failures. */
export interface ExplainedReply {
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** The failures, the primary one first; empty for a right reply, or if it could not be explained. */
  readonly modes: readonly FailureMode[];
}

/** How often replies to one task at one length failed in one way. */
export interface FailureCount {
  /** The way. */
  readonly class: FailureClass;
  /** Replies whose primary failure it is. */
  readonly count: number;
  /** Those replies in percent of all asked. */
  readonly share: number;
  /** The low end of the 95% interval of the share (Wilson). */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** Replies that show it, as primary failure or beside another. */
  readonly shown: number;
}

/** The failures of one task at one length. */
export interface FailureRow {
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** Samples asked, failed calls included, without those with nothing to score. */
  readonly n: number;
  /** Those that failed, wholly or in part. */
  readonly failures: number;
  /** Failures not classified, as the sample cannot be rebuilt. */
  readonly unexplained: number;
  /** The failure classes that occur, in the order of `FAILURE_CLASSES`. */
  readonly classes: readonly FailureCount[];
}

/**
 * Counts failures by class, for each task and length.
 *
 * Each failure is counted once in `count`, by its primary class, so counts add up to `failures` minus `unexplained`; a reply
 * with several classes is in the `shown` of each. A partly right reply is a failure too.
 *
 * @param replies Classified replies, right ones included.
 * @returns Tasks in order of first appearance, lengths rising.
 */
export function failureRows(replies: readonly ExplainedReply[]): FailureRow[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, asked]): FailureRow => ({ task, length, ...countClasses(asked) }));
  });
}

function countClasses(
  asked: readonly ExplainedReply[],
): Pick<FailureRow, "n" | "failures" | "unexplained" | "classes"> {
  const scored = asked.filter(({ value, failed }) => failed || value !== null);
  const failures = scored.filter(({ value, failed }) => failed || value !== 1);
  const n = scored.length;
  const classes = FAILURE_CLASSES.flatMap((name): FailureCount[] => {
    const shown = failures.filter(({ modes }) => modes.some((mode) => mode.class === name)).length;
    if (shown === 0) return [];
    const count = failures.filter(({ modes }) => modes[0]?.class === name).length;
    const { low, high } = wilsonInterval(count, n);
    return [{ class: name, count, share: 100 * count / n, low: 100 * low, high: 100 * high, shown }];
  });
  const unexplained = failures.filter(({ modes }) => modes.length === 0).length;
  return { n, failures: failures.length, unexplained, classes };
}

/**
 * The failure classes in order of precedence: the first class of a reply is its primary one.
 *
 * First come failures of the call, then of the whole reply, then what was said in place of an answer, and last what was
 * left out. RULER, section 5, names most of them.
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
  "wrong result",
  "near miss",
  "not in context",
  "cut off",
  "partial value",
  "other text",
  "wrong format",
  "rambling",
  "repeated answer",
  "chain lost",
  "incomplete list",
] as const;

/** One of {@linkcode FAILURE_CLASSES}. */
export type FailureClass = typeof FAILURE_CLASSES[number];

/** What each failure class means, as a phrase for tables and captions. */
export const FAILURE_MEANINGS: Readonly<Record<FailureClass, string>> = {
  "failed call": "the call gave no reply; it counts in no score",
  "prompt cut": "the server read clearly fewer tokens than were sent",
  "empty": "the reply is empty",
  "refusal": "the reply says there is no answer, or declines to give one",
  "loop": "the reply repeats itself over and over",
  "example copied": "the worked example's answer was given",
  "context copied": "a stretch of the prompt was repeated word for word",
  "closed-book answer": "the same answer was given as without any context",
  "frequent words": "common English words were given, not words of the list",
  "other chain": "a variable of another chain was given",
  "distractor": "the value of another fact in the context was given",
  "less frequent word": "a less frequent word of the list was given",
  "wrong result": "a number that had to be computed is wrong",
  "near miss": "a wanted value was given with a slip: some of its characters are wrong",
  "not in context": "the answer given is nowhere in the context",
  "cut off": "the output limit cut the reply before its answer was complete",
  "partial value": "only part of a value was given",
  "other text": "other text from the prompt was given, not a planted fact",
  "wrong format": "the answer does not have the form that was asked for",
  "rambling": "the right answer came first, and what follows it lost points",
  "repeated answer": "an item was repeated in place of another",
  "chain lost": "the chain's variables are missing from some hop on",
  "incomplete list": "fewer items were given than asked for",
};

/** The part of a sample that failures are classified from. */
export type FailedSample = Pick<
  Sample,
  "prompt" | "promptTokens" | "answerRoom" | "references" | "facts" | "distractors"
>;

/** The part of a reply that failures are classified from. */
export interface FailedOutcome {
  /** The reply. */
  readonly reply:
    | Pick<Answer, "kind" | "text" | "finishReason" | "promptTokens" | "completionTokens">
    | Pick<Failure, "kind" | "failure" | "message">;
  /** The benchmark's own score, in [0, 1]; `null` if the call failed or there was nothing to score. */
  readonly value: number | null;
  /** The form of a right answer, as the scorer declares it. */
  readonly rule: AnswerRule;
  /** The model's answer to the same question without the context, if it was asked. */
  readonly closedBookAnswer?: string;
  /** What the server read of the prompt, where it cut it. */
  readonly promptCut?: PromptCut | undefined;
}

/** One wrong thing in a reply, and what it is. */
export interface FailureEvidence {
  /** What was said, normalised. */
  readonly said: string;
  /** The key of the fact it belongs to: a needle's key, a variable or word, a document's title. */
  readonly key?: string;
  /** The chain it belongs to, by its first number. */
  readonly chain?: string;
  /**
   * The distance of its fact from the nearest missing target, as a difference of depths in [-1, 1]; below 0 is before it.
   */
  readonly away?: number;
  /**
   * The share of the other distractors that are closer to that target, in [0, 1]; 0.5 on average for a random pick.
   */
  readonly nearer?: number;
  /** The share of the value that was given, in (0, 1). */
  readonly share?: number;
  /** How often the word occurs in the context. */
  readonly count?: number;
  /** How often the item was said. */
  readonly times?: number;
  /** The depth of the stretch that was copied, in [0, 1]. */
  readonly depth?: number;
}

/** One way a reply failed, with its evidence. */
export interface FailureMode {
  /** The way. */
  readonly class: FailureClass;
  /** The reason, as a sentence. */
  readonly why: string;
  /** The wrong things said; empty if the class is about what was not said. */
  readonly evidence: readonly FailureEvidence[];
  /** The first hop of the chain that is missing, from 0; with `chain lost` only. */
  readonly hop?: number;
}

/** A sentence, without its full stop, on how many replies failed and in which ways most of them did. */
export function failureFinding(rows: readonly FailureRow[]): string {
  const sum = (part: (row: FailureRow) => number): number => rows.reduce((total, row) => total + part(row), 0);
  const [n, failures] = [sum((row) => row.n), sum((row) => row.failures)];
  const replies = n === 1 ? "reply" : "replies";
  if (failures === 0) return n === 1 ? "The only reply did not fail" : `None of ${n} replies failed`;
  const counts = new Map<FailureClass, number>();
  for (const { class: name, count } of rows.flatMap(({ classes }) => classes)) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const most = [...counts].filter(([, count]) => count > 0).sort(([, left], [, right]) => right - left).slice(0, 2);
  const ways = most.map(([name, count]) => `${name} (${count})`).join(" and ");
  return `${failures} of ${n} ${replies} failed wholly or in part${ways === "" ? "" : `, most of them by ${ways}`}`;
}
