import { isPromptCut } from "@/lib/models/mod.ts";
import type { ScoredReply } from "./score_records.ts";

/** How many replies came in one way. */
export interface ReplyOutcome {
  /** What befell them. */
  readonly outcome: string;
  /** What that does to the scores. */
  readonly means: string;
  /** Replies of which it is true; one reply can be in several lines. */
  readonly count: number;
  /** Those replies among all that were asked, in percent. */
  readonly share: number;
  /** Where they are: tasks and lengths with most of them first; empty where there are none. */
  readonly where: string;
}

/** Options for {@linkcode replyOutcomes}. */
export interface ReplyOutcomesOptions {
  /**
   * The share of the prompt's tokens that the server may count fewer before the prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

interface Kind {
  readonly outcome: string;
  readonly means: string;
  readonly isOne: (reply: ScoredReply) => boolean;
}

/**
 * Counts what came back before asking whether it was right: failed calls, prompts that the server cut, replies that were cut off
 * or empty or could not be read.
 *
 * @param replies The replies of a run.
 * @param options When a prompt counts as cut; see `isPromptCut`.
 * @returns A line for answers, one for each thing that can go wrong (those that never did included), in that order.
 * @throws {RangeError} If the tolerance is outside [0, 1).
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { type RunRecord, scoreRecords } from "@/lib/runs/mod.ts";
 *
 * const reply = { kind: "answer", text: "", finishReason: "length", latencyMs: 9, attempts: 1 };
 * const record = { task: "vt", length: 4096, references: ["A"], scoring: "all", promptTokens: 4000, reply };
 * const outcomes = replyOutcomes(scoreRecords([record as unknown as RunRecord]));
 * equal(outcomes.find(({ outcome }) => outcome === "cut off at the answer room")?.count, 1);
 * ```
 */
export function replyOutcomes(
  replies: readonly ScoredReply[],
  options: ReplyOutcomesOptions = {},
): readonly ReplyOutcome[] {
  const { cutTolerance: tolerance = 0.3 } = options;
  const kinds: readonly Kind[] = [
    { outcome: "answered", means: "in the scores", isOne: ({ failed }) => !failed },
    { outcome: "failed call", means: "in no score", isOne: ({ failed }) => failed },
    {
      outcome: "prompt cut by the server",
      means: "scored as if it had been read whole",
      isOne: ({ record }) =>
        record.reply.kind === "answer" && isPromptCut(record, record.reply, { tolerance, ...reservedOf(record) }),
    },
    {
      outcome: "cut off at the answer room",
      means: "scored as far as it goes",
      isOne: ({ record }) => record.reply.kind === "answer" && record.reply.finishReason === "length",
    },
    { outcome: "empty reply", means: "scores 0", isOne: ({ failed, noAnswer }) => !failed && noAnswer },
    { outcome: "could not be read", means: "scores 0", isOne: ({ unparsable }) => unparsable === true },
    {
      outcome: "nothing to score",
      means: "in no score",
      isOne: ({ failed, noAnswer, value }) => !failed && !noAnswer && value === null,
    },
  ];
  return kinds.map(({ outcome, means, isOne }): ReplyOutcome => {
    const found = replies.filter(isOne);
    const share = replies.length === 0 ? 0 : 100 * found.length / replies.length;
    const where = outcome === "answered" ? "" : placesText(found);
    return { outcome, means, count: found.length, share, where };
  });
}

/** A thinking allowance kept inside the length is counted with the prompt and never sent. */
function reservedOf({ settings }: ScoredReply["record"]): { readonly reservedTokens?: number } {
  const { thinkingInside, thinkingTokens } = settings ?? {};
  return thinkingInside === true && typeof thinkingTokens === "number" ? { reservedTokens: thinkingTokens } : {};
}

const SHOWN = 3;

function placesText(replies: readonly ScoredReply[]): string {
  const places = [...Map.groupBy(replies, ({ task, length }) => `${task} at ${length}`)]
    .map(([place, { length: count }]) => ({ place, count }))
    .toSorted((left, right) => right.count - left.count);
  const shown = places.slice(0, SHOWN).map(({ place, count }) => `${place} (${count})`);
  return [...shown, ...(places.length > SHOWN ? [`and ${places.length - SHOWN} more`] : [])].join(", ");
}
