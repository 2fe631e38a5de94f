import { plural } from "@/lib/base/mod.ts";
import type { ScoredPart, ScoredReply } from "./record.ts";
import { type Answer, hasThinkingMarks } from "@/lib/models/mod.ts";
import { isLooping } from "@/lib/statistics/failures/mod.ts";

/** Whether the output budget ended a reply. */
export function isAtBudget({ record: { reply } }: ScoredReply): boolean {
  return reply.kind === "answer" && reply.finishReason === "length";
}

/** Whether the output budget ended a reply before its answer was complete: nothing follows it, and it is not right. */
export function isUnfinished(reply: ScoredReply): boolean {
  return isAtBudget(reply) && !wentOn(reply) && reply.value !== 1;
}

/** Whether the output budget ended a reply whose answer more tokens could have completed; a loop has none. */
export function isTruncated(reply: ScoredReply): boolean {
  const { reply: given } = reply.record;
  return isUnfinished(reply) && given.kind === "answer" && !isLooping(given.text);
}

/** Whether the provider's content filter stopped a reply. */
export function isFiltered({ record: { reply } }: ScoredReply): boolean {
  return reply.kind === "answer" && reply.finishReason === "content_filter";
}

/** Whether a reply has text after its first answer. */
export function wentOn({ first }: ScoredReply): boolean {
  return first !== undefined && first.rest.trim() !== "";
}

/** Whether a reply scores far more as a whole than by its first answer, as one whose last line is "Final Answer: …". */
export function isAnswerCut(reply: ScoredReply): boolean {
  return wentOn(reply) && (reply.whole?.value ?? 0) - (reply.value ?? 0) >= 0.5;
}

/** Returns warnings that what is scored of replies may not be their answers; empty if there are none. */
export function answerNotes(replies: readonly ScoredReply[]): readonly string[] {
  const count = (is: (reply: ScoredReply) => boolean): number => replies.filter(is).length;
  const answered = (is: (answer: Answer) => boolean): number =>
    count(({ record: { reply } }) => reply.kind === "answer" && is(reply));
  const noted: readonly (readonly [count: number, text: string])[] = [
    [
      count(isAnswerCut),
      "score far more as a whole than by the first answer, so the answer can be in the part that is not scored; compare with --scored whole",
    ],
    [
      answered(({ repeatsPrompt = false }) => repeatsPrompt),
      "repeat the prompt before the answer; only what follows the prompt is scored",
    ],
    [
      answered(({ text }) => hasThinkingMarks(text)),
      "have marks as of thinking in the scored text; --thinking-marks takes the thinking of a model out by its own marks",
    ],
    [
      answered(({ text, thinking = "" }) => text.trim() === "" && thinking !== ""),
      "were cut off in their thinking, before an answer; --thinking-tokens gives more room",
    ],
    [
      answered(({ finishReason }) => finishReason === "tool_call"),
      "ended in the call of a tool, which no request offers; their text is scored",
    ],
  ];
  return noted.filter(([count]) => count > 0).map(([count, text]) =>
    `Warning: ${count} of ${replies.length} ${plural(replies.length, "reply")} ${text}`
  );
}

/** Returns the part of the replies that a run's scores are based on; `null` if it is not the same for all. */
export function scoredPart(replies: readonly ScoredReply[]): ScoredPart | null {
  const parts = new Set(replies.flatMap(({ scored }) => scored ?? []));
  return parts.size > 1 ? null : [...parts][0] ?? "whole";
}
