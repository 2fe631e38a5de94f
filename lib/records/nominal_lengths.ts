import { lengthText, rangeText, someOf, sum } from "@/lib/base/mod.ts";
import type { RunRecord } from "./record.ts";

/** Prompts may differ from their length by this share without a note. */
const TOLERANCE = 0.1;

/** Tokens of a length that can be the answer's: the most of RULER's tasks. */
const ANSWER_ROOM = 128;

/** Most cells that a note names. */
const MAX_NAMED = 4;

/**
 * Notes the tasks and lengths whose prompts are over 10% shorter or longer than the length that another program names: it counted with
 * a tokenizer of its own, or made shorter samples. Tokens are the server's count, or else those of the named tokenizer.
 */
export function nominalLengthNotes(
  records: readonly Pick<RunRecord, "task" | "length" | "promptTokens" | "reply">[],
  tokenizer: string,
): readonly string[] {
  const cells = Map.groupBy(records, ({ task, length }) => `${task} at ${lengthText(length)}`);
  const differing = [...cells].flatMap(([cell, ofCell]) => {
    const { length } = ofCell[0]!;
    const own = ofCell.flatMap(({ reply }) => reply.kind === "answer" ? reply.promptTokens ?? [] : []);
    const counts = own.length > 0 ? own : ofCell.map(({ promptTokens }) => promptTokens).filter((count) => count > 0);
    const mean = sum(counts) / counts.length;
    if (counts.length === 0 || mean + ANSWER_ROOM >= (1 - TOLERANCE) * length && mean <= (1 + TOLERANCE) * length) {
      return [];
    }
    return [`${cell}: ${rangeText(counts)} ${own.length > 0 ? "of the model's own tokens" : `tokens of ${tokenizer}`}`];
  });
  if (differing.length === 0) return [];
  return [`Warning: prompts differ by over 10% from the lengths that the files name: ${someOf(differing, MAX_NAMED)}`];
}
