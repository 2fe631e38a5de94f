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
 * Classifies how a reply failed, from the sample's own facts: what it said instead of an answer and where that comes from, or
 * what it left out.
 *
 * The classes are those of RULER, section 5, and what can happen to a call. A reply that failed as a whole (empty, refused,
 * looped, copied) has that one class; any other is read item by item, and can have several. Only the roles of the facts are
 * used, so samples of any suite will do.
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
  const modes: FailureMode[] = [];
  if (promptCut !== undefined) {
    const why = `the server read ${promptCut.counted} tokens of about ${promptCut.expected}`;
    modes.push({ class: "prompt cut", why, evidence: [] });
  }
  const read = readAttempt(sample, outcome)!;
  const items = listItems(read);
  const whole = explainWhole(read, items);
  modes.push(...(whole ? [whole] : explainItems(read, items)));
  return modes.toSorted((left, right) => FAILURE_CLASSES.indexOf(left.class) - FAILURE_CLASSES.indexOf(right.class));
}

/** A call that gave no reply. */
export function explainFailedCall({ failure, message }: Pick<Failure, "failure" | "message">): FailureMode {
  return { class: "failed call", why: `${failure}: ${message}`, evidence: [] };
}

/** A reply that the provider's content filter stopped: it refuses, whatever the model would have said. */
export function explainFiltered(): FailureMode {
  return { class: "refusal", why: "the provider's content filter stopped the reply", evidence: [] };
}

/** Classifies a reply by what it said and what it left out. */
function explainItems(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { shape, reply, otherForm, missing } = attempt;
  const rambling = explainRambling(attempt);
  if (rambling) return [rambling];
  // The first answer ends with the number of items that was asked for.
  const own = items.slice(0, Math.max(1, shape.asked)).filter(({ text }) => !isPartOfOtherForm(text, attempt));
  const cut = explainCut(attempt, own);
  const traces = shape.kind === "text"
    ? otherForm.length > 0 || cut ? [] : traceAnswer(attempt)
    : [...new Set(own.map(({ text }) => text))].map((text) => traceItem(text, attempt));
  const wrong = traces.filter((trace) => !(cut && trace.class === "partial value" && own.at(-1)?.text === trace.said));
  const modes = [...explainTraces(wrong), ...(cut ? [cut] : []), ...explainShortfalls(attempt, own, cut !== null)];
  if (otherForm.length > 0) modes.push(otherFormMode(otherForm));
  if (modes.length > 0 || missing.length === 0 && otherForm.length === 0 && reply === "") return modes;
  return [items.length === 0 && !attempt.isExtracted ? formatMode(attempt) : incompleteMode(attempt)];
}

/** Whether a text is a piece of an answer given in another form, such as the 234 of 1 234 567. */
function isPartOfOtherForm(text: string, { otherForm }: Attempt): boolean {
  const bare = plainWords(text).join("");
  return otherForm.some((answer) => plainWords(answer).join("").includes(bare));
}

/** A plain-text answer that is right in its first sentence, and lost points for what follows. */
function explainRambling(attempt: Attempt): FailureMode | null {
  const { shape, reply, rest, missing, otherForm, holds } = attempt;
  if (shape.kind !== "text" || missing.length > 0) return null;
  const first = firstSentence(reply);
  const more = reply.slice(first.length);
  // Where the score reads no more than the answer, only its own words can lose points.
  if (!holds(first) || (otherForm.length > 0 ? more : `${more}${rest}`).trim() === "") return null;
  return { class: "rambling", why: "the first sentence is right, and more follows", evidence: [] };
}

function explainTraces(traces: readonly Trace[]): FailureMode[] {
  const classes = Map.groupBy(traces.filter((trace) => trace.class !== null), (trace) => trace.class as FailureClass);
  return Array.from(classes, ([of, all]): FailureMode => {
    const evidence = all.map(({ class: _, steps: __, ...rest }) => rest);
    const steps = all.map((trace) => trace.steps).filter((count) => count !== undefined);
    const hop = steps.length === 0 ? {} : { hop: Math.max(...steps) + 1 };
    return { class: of, why: `said ${all.map(describe).join(", ")}`, evidence, ...hop };
  });
}

function describe({ said, key, chain, away, share, count, steps }: Trace): string {
  const notes = [
    ...(steps === undefined ? [] : [`${steps + 1} steps on the way`]),
    ...(key !== undefined && key !== said && key.toLowerCase() !== said ? [`of ${key}`] : []),
    ...(chain === undefined ? [] : [`of the chain of ${chain}`]),
    ...(away === undefined ? [] : [placeText(away)]),
    ...(share === undefined ? [] : [`${(100 * share).toFixed(0)}% of the value`]),
    ...(count === undefined ? [] : [`which appears ${count} times`]),
  ];
  return notes.length === 0 ? said : `${said} (${notes.join(", ")})`;
}

function placeText(away: number): string {
  if (away === 0) return "beside the target";
  return `${Math.abs(100 * away).toFixed(1)}% of the context ${away < 0 ? "before" : "after"} the target`;
}

/** A reply that the output limit ended before its answer was complete: at its lead, in a value, or in a list that still ran. */
function explainCut({ isCut, shape, missing, reply, question }: Attempt, items: readonly Item[]): FailureMode | null {
  if (!isCut || missing.length === 0) return null;
  const last = items.at(-1);
  if (last === undefined) {
    if (isOtherShape(reply)) return null;
    const isBegun = shape.kind === "text"
      ? missing.some((answer) => answer.startsWith(oneLine(reply)))
      : isAnnouncement(reply) || question.endsWith(oneLine(reply));
    if (!isBegun) return null;
    return { class: "cut off", why: "the output limit cut the reply before its first item", evidence: [] };
  }
  const isCutItem = last.isLast && missing.some((answer) => answer.startsWith(last.text));
  if (!isCutItem && (!last.isOpen || items.length >= shape.asked)) return null;
  const why = `the output limit cut the reply after ${items.length} of ${shape.asked} items`;
  return { class: "cut off", why, evidence: isCutItem ? [{ said: last.text }] : [] };
}

function otherFormMode(answers: readonly string[]): FailureMode {
  const evidence = answers.map((said) => ({ said }));
  return { class: "wrong format", why: `given in another form: ${answers.join(", ")}`, evidence };
}

function formatMode(attempt: Attempt): FailureMode {
  const { shape, reply } = attempt;
  const said = afterLead(oneLine(firstSentence(reply)), attempt.question);
  const isPiece = shape.kind !== "text" && /\p{L}/u.test(said) && !isOtherShape(reply);
  if (isPiece && isInPrompt(said, attempt)) {
    return { class: "other text", why: `said ${said}`, evidence: [{ said }] };
  }
  const name = typeof shape.kind === "object" ? shape.kind.name : shape.kind;
  const wanted = name === "text" ? "answer" : name;
  return { class: "wrong format", why: `there is no ${wanted} in the reply`, evidence: [] };
}

function incompleteMode({ found, missing }: Attempt): FailureMode {
  const why = `${found.length} of ${found.length + missing.length} items were given`;
  return { class: "incomplete list", why, evidence: [] };
}

/** Classifies what a list lacks: repeated items, a lost chain, fewer items than asked for. */
function explainShortfalls(attempt: Attempt, items: readonly Item[], isCut: boolean): FailureMode[] {
  const { shape, missing } = attempt;
  if (missing.length === 0 || shape.asked < 2 || items.length === 0) return [];
  // What the output limit cut says nothing of what was known.
  const left = isCut ? null : explainChain(attempt) ?? explainGaps(attempt, items);
  return [explainRepeats(items), left].filter((mode) => mode !== null);
}

function explainRepeats(items: readonly Item[]): FailureMode | null {
  const repeated = [...Map.groupBy(items, ({ text, place }) => `${place} ${text}`).values()].filter((all) =>
    all.length > 1
  );
  if (repeated.length === 0) return null;
  const evidence = repeated.map((all): FailureEvidence => ({ said: all[0]!.text, times: all.length }));
  const said = evidence.map(({ said, times }) => `${said} ${times} times`).join(", ");
  return { class: "repeated answer", why: `repeated: ${said}`, evidence };
}

/** A chain is lost if all its variables are missing from some hop on; a mere gap does not count. */
function explainChain({ shape, missing }: Attempt): FailureMode | null {
  const { chain } = shape;
  const hop = chain.findIndex((answer) => missing.includes(answer));
  if (hop < 0 || !chain.slice(hop).every((answer) => missing.includes(answer))) return null;
  const why = hop === 0
    ? `none of the chain's ${chain.length} variables was given`
    : `the chain of ${chain.length} variables was followed to hop ${hop - 1} and lost at hop ${hop}`;
  return { class: "chain lost", why, evidence: [], hop };
}

function explainGaps({ shape, otherForm }: Attempt, items: readonly Item[]): FailureMode | null {
  const given = items.length + otherForm.length;
  if (given >= shape.asked) return null;
  return { class: "incomplete list", why: `${given} of ${shape.asked} items were given`, evidence: [] };
}
