import { type Attempt, readAttempt } from "./attempt.ts";
import {
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureEvidence,
  type FailureMode,
} from "./failure_rows.ts";
import { isOtherShape, type Item, listItems } from "./items.ts";
import { isInPrompt, type Trace, traceAnswer, traceItem } from "./traces.ts";
import { explainWhole } from "./whole_failures.ts";
import { afterLead, firstSentence, oneLine, plainWords } from "./words.ts";
import type { Failure } from "@/lib/models/mod.ts";
import { isAnnouncement } from "@/lib/scorers/mod.ts";

/**
 * Classifies how a reply failed: by the wrong answers in it and their origin, or by the answers that it lacks.
 *
 * The classes are those of RULER, section 5, and what can happen to a call. A reply that failed as a whole (empty, refused,
 * looped, copied) has that one class; any other is read item by item and can have several. The scorer's rule defines the items,
 * and the roles of the sample's facts their origin, so samples of any suite will do.
 *
 * @param sample Rebuilt from its record.
 * @returns The failures in the order of `FAILURE_CLASSES`, the primary one first; empty for a right reply, or if there was
 * nothing to score.
 * @throws {RangeError} If the score is outside [0, 1].
 */
export function classifyFailure(sample: FailedSample, outcome: FailedOutcome): FailureMode[] {
  const { reply, value, promptCut } = outcome;
  if (value !== null && !(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot classify the reply as its score must be in [0, 1]: current value is ${value}`);
  }
  if (reply.kind === "failure") return [explainFailedCall(reply)];
  if (value === null || value === 1) return [];
  const attempt = readAttempt(sample, outcome)!;
  const items = listItems(attempt);
  const whole = explainWhole(attempt, items);
  const modes = whole ? [whole] : explainItems(attempt, items);
  if (promptCut !== undefined) {
    const why = `the server read ${promptCut.counted} tokens of about ${promptCut.expected}`;
    modes.push({ class: "prompt cut", why, evidence: [] });
  }
  return modes.toSorted((left, right) => FAILURE_CLASSES.indexOf(left.class) - FAILURE_CLASSES.indexOf(right.class));
}

/** Classifies a call that gave no reply. */
export function explainFailedCall({ failure, message }: Pick<Failure, "failure" | "message">): FailureMode {
  return { class: "failed call", why: `${failure}: ${message}`, evidence: [] };
}

/** Classifies a reply that the provider's content filter stopped as a refusal. */
export function explainFiltered(): FailureMode {
  return { class: "refusal", why: "the provider's content filter stopped the reply", evidence: [] };
}

/** Classifies a reply by the answers that it gives and those that it lacks. */
function explainItems(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { wanted: { shape, asked }, reply, rest, otherForm, missing } = attempt;
  if (shape === "text" && missing.length === 0 && otherForm.length === 0) {
    return [{ class: "wrong format", why: "the answer is right, and more text lost points", evidence: [] }];
  }
  // The first answer ends with the number of items that was asked for.
  const own = items.slice(0, Math.max(1, asked)).filter(({ text }) => !isPartOfOtherForm(text, attempt));
  const cut = explainCut(attempt, own);
  const traces = shape === "text"
    ? otherForm.length > 0 || cut ? [] : traceAnswer(attempt)
    : [...new Set(own.map(({ text }) => text))].map((text) => traceItem(text, attempt));
  const wrong = traces.filter((trace) => !(cut && trace.class === "partial value" && own.at(-1)?.text === trace.given));
  const modes = explainTraces(wrong);
  if (otherForm.length > 0) {
    const evidence = otherForm.map((given) => ({ given }));
    modes.push({ class: "wrong format", why: `given in another form: ${otherForm.join(", ")}`, evidence });
  }
  modes.push(...explainShortfalls(attempt, own, cut));
  if (modes.length > 0 || missing.length === 0 && otherForm.length === 0 && `${reply}${rest}` === "") return modes;
  return [items.length === 0 && !attempt.isExtracted ? explainForm(attempt) : explainCount(attempt)];
}

/** Whether a text is a piece of an answer given in another form, such as the 234 of 1 234 567. */
function isPartOfOtherForm(text: string, { otherForm }: Attempt): boolean {
  const bare = plainWords(text).join("");
  return otherForm.some((answer) => plainWords(answer).join("").includes(bare));
}

function explainTraces(traces: readonly Trace[]): FailureMode[] {
  const classes = Map.groupBy(traces.filter((trace) => trace.class !== null), (trace) => trace.class as FailureClass);
  return Array.from(classes, ([of, all]): FailureMode => ({
    class: of,
    why: `gave ${all.map(describe).join(", ")}`,
    evidence: all.map(({ class: _, ...evidence }) => evidence),
  }));
}

function describe({ given, key, away, share }: Trace): string {
  const notes = [
    ...(key !== undefined && key.toLowerCase() !== given ? [`of ${key}`] : []),
    ...(away === undefined ? [] : [placeText(away)]),
    ...(share === undefined ? [] : [`${(100 * share).toFixed(0)}% of the value`]),
  ];
  return notes.length === 0 ? given : `${given} (${notes.join(", ")})`;
}

function placeText(away: number): string {
  if (away === 0) return "beside the target";
  return `${Math.abs(100 * away).toFixed(1)}% of the context ${away < 0 ? "before" : "after"} the target`;
}

/** Explains a reply that the output limit ended before its answer: in its lead, in a value, or in a list that still ran. */
function explainCut({ isCut, wanted, missing, reply, question }: Attempt, items: readonly Item[]): FailureMode | null {
  if (!isCut || missing.length === 0) return null;
  const last = items.at(-1);
  if (last === undefined) {
    const isBegun = wanted.shape === "text"
      ? missing.some((answer) => answer.startsWith(oneLine(reply)))
      : isAnnouncement(reply) || question.endsWith(oneLine(reply));
    if (isOtherShape(reply) || !isBegun) return null;
    return { class: "incomplete answer", why: "the output limit cut the reply before its first item", evidence: [] };
  }
  const isCutItem = last.isLast && missing.some((answer) => answer.startsWith(last.text));
  if (!isCutItem && (!last.isOpen || items.length >= wanted.asked)) return null;
  const why = `the output limit cut the reply after ${items.length} of ${wanted.asked} items`;
  return { class: "incomplete answer", why, evidence: isCutItem ? [{ given: last.text }] : [] };
}

/** Explains a reply without an item of the form asked for. */
function explainForm(attempt: Attempt): FailureMode {
  const { wanted: { shape }, reply } = attempt;
  const given = afterLead(oneLine(firstSentence(reply)), attempt.question);
  const isPiece = shape !== "text" && /\p{L}/u.test(given) && !isOtherShape(reply);
  if (isPiece && isInPrompt(given, attempt)) {
    return { class: "other text", why: `gave ${given}`, evidence: [{ given }] };
  }
  const name = typeof shape === "object" ? shape.name : shape === "text" ? "answer" : shape;
  return { class: "wrong format", why: `there is no ${name} in the reply`, evidence: [] };
}

function explainCount({ found, missing }: Attempt): FailureMode {
  const why = `${found.length} of ${found.length + missing.length} items were given`;
  return { class: "incomplete answer", why, evidence: [] };
}

/** Explains what a list lacks: an item that another one repeats, or items beyond its end. */
function explainShortfalls(attempt: Attempt, items: readonly Item[], cut: FailureMode | null): FailureMode[] {
  const { wanted: { asked }, missing, otherForm } = attempt;
  const lacks = cut ? [cut] : [];
  if (missing.length === 0 || asked < 2 || items.length === 0) return lacks;
  const given = items.length + otherForm.length;
  if (!cut && given < asked) {
    lacks.push({ class: "incomplete answer", why: `${given} of ${asked} items were given`, evidence: [] });
  }
  const repeated = [...Map.groupBy(items, ({ text, place }) => `${place} ${text}`).values()]
    .filter((all) => all.length > 1);
  if (repeated.length === 0) return lacks;
  const evidence = repeated.map((all): FailureEvidence => ({ given: all[0]!.text, times: all.length }));
  const why = `repeated: ${evidence.map(({ given, times }) => `${given} ${times} times`).join(", ")}`;
  return [{ class: "repeated answer", why, evidence }, ...lacks];
}
