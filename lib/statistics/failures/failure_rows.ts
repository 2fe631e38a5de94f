import { sum } from "@/lib/base/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type { Answer, Failure } from "@/lib/models/mod.ts";
import type { AnswerRule } from "@/lib/scorers/mod.ts";
import type { ScoredRecord } from "@/lib/statistics/mod.ts";

/** The meaning of each failure class, as a phrase for tables and captions, in order of precedence. */
export const FAILURE_MEANINGS = {
  "failed call": "the call gave no reply; it counts in no score",
  "empty": "the reply is empty",
  "refusal": "the reply denies that there is an answer, or declines to give one",
  "loop": "the reply repeats itself over and over",
  "copied": "the worked example's answer, or a stretch of the prompt, was repeated word for word",
  "prior knowledge": "common English words, or the answer without any context, were given",
  "distractor": "the value of another fact, another chain's variable or a less frequent word was given",
  "incomplete answer":
    "the output limit cut the answer, items or a part are missing, or a chain was followed only in part",
  "wrong format": "the right answer was given in another form, or no answer of the form asked for",
  "other answer": "any other wrong answer: invented, or other text of the prompt",
} as const satisfies Readonly<Record<string, string>>;

/** A way to fail. */
export type FailureClass = keyof typeof FAILURE_MEANINGS;

/** The failure classes in order of precedence: the first class of a reply is its primary one. RULER, section 5, names most. */
export const FAILURE_CLASSES = Object.keys(FAILURE_MEANINGS) as readonly FailureClass[];

/** The part of a sample that failures are classified from. */
export type FailedSample = Pick<
  Sample,
  "prompt" | "answerRoom" | "references" | "facts" | "distractors"
>;

/** The part of a reply that failures are classified from. */
export interface FailedOutcome {
  /** Without the parts that explain nothing. */
  readonly reply:
    | Pick<Answer, "kind" | "text" | "finishReason" | "promptTokens" | "completionTokens">
    | Pick<Failure, "kind" | "failure" | "message">;
  /** The benchmark's own score, in [0, 1]; `null` if the call failed or there was nothing to score. */
  readonly value: number | null;
  /** The form of a right answer, as the scorer declares it. */
  readonly rule: AnswerRule;
  /** The model's answer to the same question without the context, if it was asked. */
  readonly closedBookAnswer?: string;
}

/** One failure of a reply, with its evidence. */
export interface FailureMode {
  readonly class: FailureClass;
  readonly why: string;
  /** The wrong answers given; empty if the class is about missing ones. */
  readonly evidence: readonly FailureEvidence[];
}

/** One wrong answer and its origin. */
export interface FailureEvidence {
  /** The answer, normalised. */
  readonly given: string;
  /** The key of the fact that it belongs to: a needle's key, a variable or word, a document's title. */
  readonly key?: string;
  /** The share of the other distractors that are closer to the target, in [0, 1]; 0.5 on average for a random pick. */
  readonly nearer?: number;
  /** Whether it was copied from the worked example or the context, was given more than once, or is a part of a right answer. */
  readonly kind?: "example" | "context" | "repeated" | "part";
}

/** A scored reply with its failures. */
export interface ExplainedReply extends Pick<ScoredRecord, "task" | "length" | "value" | "failed"> {
  /** The failures, the primary one first; empty for a right reply, or if it could not be explained. */
  readonly modes: readonly FailureMode[];
}

/** The number of replies to one task at one length that failed in one way. */
export interface FailureCount {
  readonly class: FailureClass;
  /** Replies with this primary failure. */
  readonly count: number;
}

/** The failures of one task at one length. */
export interface FailureRow extends Pick<ExplainedReply, "task" | "length"> {
  /** Samples asked, failed calls included, without those with nothing to score. */
  readonly n: number;
  readonly failures: number;
  /** Failures not classified, as the sample cannot be rebuilt. */
  readonly unexplained: number;
  /** The failure classes that occur, in the order of {@linkcode FAILURE_CLASSES}. */
  readonly classes: readonly FailureCount[];
}

/**
 * Counts failures by class, for each task and length.
 *
 * Each failure is counted once, by its primary class, so counts add up to `failures` minus `unexplained`. A partly right reply is
 * a failure too.
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

function countClasses(asked: readonly ExplainedReply[]): Omit<FailureRow, "task" | "length"> {
  const scored = asked.filter(({ value, failed }) => failed || value !== null);
  const failures = scored.filter(({ value, failed }) => failed || value !== 1);
  const n = scored.length;
  const classes = FAILURE_CLASSES.flatMap((name): FailureCount[] => {
    const count = failures.filter(({ modes }) => modes[0]?.class === name).length;
    return count === 0 ? [] : [{ class: name, count }];
  });
  const unexplained = failures.filter(({ modes }) => modes.length === 0).length;
  return { n, failures: failures.length, unexplained, classes };
}

/**
 * Returns a sentence, without its full stop, with the number of failed replies and the two most frequent classes; "most of them"
 * only where these are more than half.
 */
export function failureFinding(rows: readonly FailureRow[]): string {
  const [n, failures] = [sum(rows, (row) => row.n), sum(rows, (row) => row.failures)];
  if (failures === 0) return n === 1 ? "The only reply did not fail" : `None of ${n} replies failed`;
  const counts = FAILURE_CLASSES.map((name) => ({
    name,
    count: sum(rows, ({ classes }) => classes.find((each) => each.class === name)?.count ?? 0),
  })).filter(({ count }) => count > 0).toSorted((left, right) => right.count - left.count).slice(0, 2);
  const failed = `${failures} of ${n} ${n === 1 ? "reply" : "replies"} failed wholly or in part`;
  if (counts.length === 0) return failed;
  const shown = sum(counts, ({ count }) => count);
  const lead = 2 * shown > failures ? "most of them by" : "most often by";
  return `${failed}, ${lead} ${counts.map(({ name, count }) => `${name} (${count})`).join(" and ")}`;
}
