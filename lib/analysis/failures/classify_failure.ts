import { isPromptCut } from "@/lib/models/mod.ts";
import { readAttempt } from "./_attempt.ts";
import { FAILURE_CLASSES } from "./failure_class.ts";
import type { FailedOutcome, FailedSample, FailureMode } from "./failure_mode.ts";
import { explainFailedCall } from "./_failed_call.ts";
import { explainItems } from "./_item_failures.ts";
import { listItems } from "./_said_items.ts";
import { explainWhole } from "./_whole_failures.ts";

/**
 * Tells in which ways a reply failed, from the sample's own facts: what it said instead of an answer and where that stands, or
 * what it left out.
 *
 * The ways are those of RULER, section 5, and what can befall a call. A reply that failed as a whole (empty, refused, looped,
 * copied) has that one class; another is taken apart item by item, and can have several. Everything follows from the roles of the
 * facts, so that samples of any suite will do; questions about documents are looked up in the documents' own words.
 *
 * @param sample The sample that was asked, made again from its record.
 * @param outcome What came back, and its score.
 * @returns The ways, in the order of `FAILURE_CLASSES`, of which the first is the primary one; empty for a reply that is wholly
 *   right, and where there was nothing to score.
 * @throws {RangeError} If the score is outside [0, 1] or the tolerance outside [0, 1).
 *
 * @example The value of another key
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const place = { tokenOffset: 10 };
 * const sample = {
 *   prompt: { user: "For calm-river it is 1234567. For late-boat it is 7654321.\nWhat is it for calm-river?" },
 *   promptTokens: 40,
 *   answerRoom: 128,
 *   references: ["1234567"],
 *   facts: [
 *     { role: "target", text: "For calm-river it is 1234567.", key: "calm-river", value: "1234567", depth: 0.2, ...place },
 *     { role: "distractor", text: "For late-boat it is 7654321.", key: "late-boat", value: "7654321", depth: 0.5, ...place },
 *   ],
 * } as const;
 * const reply = { kind: "answer", text: " 7654321.", finishReason: "stop" } as const;
 * const [primary] = classifyFailure(sample, { reply, value: 0, scoring: "all" });
 * equal(primary?.class, "distractor");
 * equal(primary?.why, "said 7654321 (of late-boat, 30.0% of the context after the target)");
 * ```
 */
export function classifyFailure(sample: FailedSample, outcome: FailedOutcome): FailureMode[] {
  const { reply, value, cutTolerance: tolerance = 0.3 } = outcome;
  if (value !== null && !(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot classify the reply as its score must be in [0, 1]: current value is ${value}`);
  }
  if (reply.kind === "failure") return [explainFailedCall(reply)];
  if (value === null || value === 1) return [];
  const modes: FailureMode[] = [];
  const { promptTokens } = reply;
  if (promptTokens !== undefined && isPromptCut(sample, { promptTokens }, { tolerance })) {
    const why = `the server read ${promptTokens} tokens of ${sample.promptTokens}`;
    modes.push({ class: "prompt cut", why, evidence: [] });
  }
  const read = readAttempt(sample, outcome)!;
  const items = listItems(read);
  const whole = explainWhole(read, items);
  modes.push(...(whole ? [whole] : explainItems(read, items)));
  return modes.toSorted((left, right) => FAILURE_CLASSES.indexOf(left.class) - FAILURE_CLASSES.indexOf(right.class));
}
