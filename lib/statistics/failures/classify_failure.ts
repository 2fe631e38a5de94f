import { explainFailedCall } from "./_failed_call.ts";
import { type AnswerShape, type Attempt, type Item, listItems, readAttempt } from "./attempt.ts";
import {
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureEvidence,
  type FailureMode,
} from "./failure_rows.ts";
import { findCopy, findLoop, findRefusal } from "./patterns.ts";
import { plainWords, spell, type Trace, traceAnswer, traceItem } from "./traces.ts";
import { isPromptCut } from "@/lib/models/mod.ts";
import { answerMatch } from "@/lib/scorers/mod.ts";

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

/** Tells in which ways a reply failed by what it said and what it left out. */
function explainItems(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { shape, reply, otherForm, missing } = attempt;
  const own = items.filter(({ text }) => !isPartOfOtherForm(text, attempt));
  const cut = explainCut(attempt, own);
  const traces = shape.kind === "text"
    ? traceAnswer(attempt)
    : [...new Set(own.map(({ text }) => text))].map((text) => traceItem(text, attempt));
  const wrong = traces.filter((trace) => !(cut && trace.class === "partial value" && own.at(-1)?.text === trace.said));
  const modes = [...explainTraces(wrong), ...(cut ? [cut] : []), ...explainShortfalls(attempt, own)];
  if (otherForm.length > 0) modes.push(otherFormMode(otherForm));
  if (modes.length > 0 || missing.length === 0 && otherForm.length === 0 && reply === "") return modes;
  return [items.length === 0 ? formatMode(attempt) : incompleteMode(attempt)];
}

/** Tells whether a text is a piece of an answer that was given in another form, such as the 234 of 1 234 567. */
function isPartOfOtherForm(text: string, { otherForm }: Attempt): boolean {
  const bare = plainWords(text).join("");
  return otherForm.some((answer) => plainWords(answer).join("").includes(bare));
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
    ...(count === undefined ? [] : [`which stands there ${count} times`]),
  ];
  return notes.length === 0 ? said : `${said} (${notes.join(", ")})`;
}

function placeText(away: number): string {
  if (away === 0) return "beside the target";
  return `${Math.abs(100 * away).toFixed(1)}% of the context ${away < 0 ? "before" : "after"} the target`;
}

/** A reply that was cut counts as cut off where it was still on its way: nothing said yet, or in the middle of its list. */
function explainCut({ isCut, shape, missing }: Attempt, items: readonly Item[]): FailureMode | null {
  if (!isCut || missing.length === 0 || shape.kind === "text" && shape.asked === 1) return null;
  const last = items.at(-1);
  if (last === undefined) {
    return { class: "cut off", why: "the output budget ended the reply before its first item", evidence: [] };
  }
  const isCutItem = missing.some((answer) => answer.startsWith(last.text));
  if (!last.isLast || !isCutItem && items.length >= shape.asked) return null;
  const why = `the output budget ended the reply after ${items.length} of ${shape.asked} items`;
  return { class: "cut off", why, evidence: isCutItem ? [{ said: last.text }] : [] };
}

function otherFormMode(answers: readonly string[]): FailureMode {
  const evidence = answers.map((said) => ({ said }));
  return { class: "wrong format", why: `given in another form: ${answers.join(", ")}`, evidence };
}

function formatMode({ shape }: Attempt): FailureMode {
  const wanted = {
    uuid: "UUID",
    number: "number",
    name: "variable",
    pair: "pair of words",
    word: "word",
    text: "answer",
  }[shape.kind];
  return { class: "wrong format", why: `there is no ${wanted} in the reply`, evidence: [] };
}

function incompleteMode({ found, missing }: Attempt): FailureMode {
  const why = `${found.length} of ${found.length + missing.length} items were given`;
  return { class: "incomplete list", why, evidence: [] };
}

/**
 * Tells what a list of items falls short of: items given twice, a chain that was lost, fewer items than asked for.
 */
function explainShortfalls(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { shape, missing } = attempt;
  if (missing.length === 0 || shape.asked < 2 || items.length === 0) return [];
  const left = explainChain(attempt) ?? explainGaps(attempt, items);
  return [explainRepeats(items), left].filter((mode) => mode !== null);
}

function explainRepeats(items: readonly Item[]): FailureMode | null {
  const repeated = [...Map.groupBy(items, ({ text }) => text)].filter(([, all]) => all.length > 1);
  if (repeated.length === 0) return null;
  const evidence = repeated.map(([said, all]): FailureEvidence => ({ said, times: all.length }));
  const said = evidence.map(({ said, times }) => `${said} ${times} times`).join(", ");
  return { class: "repeated answer", why: `said more than once: ${said}`, evidence };
}

/** A chain is lost where all its variables are missing from one on; a gap in it is none. */
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

/** Tells in which way a reply failed as a whole; `null` where it is to be taken apart. */
function explainWhole(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  return explainLoop(attempt) ?? explainSilence(attempt) ?? explainRefusal(attempt, items) ??
    explainExample(attempt, items) ??
    explainCopy(attempt) ?? explainMemory(attempt);
}

function explainSilence({ reply, isCut, isFiltered }: Attempt): FailureMode | null {
  if (plainWords(reply).length > 0) return null;
  if (isFiltered) {
    return { class: "refusal", why: "the provider's filter ended the reply before its first word", evidence: [] };
  }
  if (isCut) {
    return { class: "cut off", why: "the output budget was used up before the first word of an answer", evidence: [] };
  }
  return { class: "empty", why: reply === "" ? "the reply is empty" : "the reply is nothing but marks", evidence: [] };
}

function explainLoop({ reply, shape, isCut }: Attempt): FailureMode | null {
  // More rounds than items that are asked for: the same answer for each of them is no loop.
  const least = isCut ? Math.max(3, shape.asked + 1) : Math.max(4, shape.asked + 2);
  const loop = findLoop(reply, least);
  if (!loop) return null;
  const { unit, rounds } = loop;
  return { class: "loop", why: `the same is said ${rounds} times`, evidence: [{ said: unit, times: rounds }] };
}

function explainRefusal(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { reply, shape, found, otherForm, isFiltered } = attempt;
  if (found.length + otherForm.length > 0) return null;
  if (isFiltered) return { class: "refusal", why: "the provider's filter ended the reply", evidence: [] };
  const text = spell(reply).replaceAll(/\s+/g, " ");
  const refusal = findRefusal(text);
  if (!refusal || refusal.at > endOfOpening(text, shape, items)) return null;
  return { class: "refusal", why: "the reply says that it has no answer", evidence: [{ said: refusal.said }] };
}

/**
 * Gives the place from which a reply has said something already: its first item, or, where items cannot be told from other words,
 * the end of its second sentence. "The text holds no other" after an answer is no refusal.
 */
function endOfOpening(text: string, { kind }: AnswerShape, [first]: readonly Item[]): number {
  if (kind === "text" || kind === "word") return /^(?:[^.!?。！？]*(?:[.!?。！？]+|$)){0,2}/.exec(text)![0].length;
  const at = first ? text.indexOf(first.text) : -1;
  return at < 0 ? Infinity : at;
}

function explainExample({ shape }: Attempt, items: readonly Item[]): FailureMode | null {
  const said = new Set(items.map(({ text }) => text));
  const copied = [...said].filter((text) => shape.examples.has(text) && !shape.targets.has(text));
  if (copied.length < Math.min(2, shape.asked) || 2 * copied.length < said.size) return null;
  const why = `${copied.length} of ${said.size} items are of the worked example`;
  return { class: "example copied", why, evidence: copied.map((text) => ({ said: text })) };
}

function explainCopy(attempt: Attempt): FailureMode | null {
  const copy = findCopy(attempt);
  if (!copy) return null;
  const { text, depth } = copy;
  const why = `${text.length} characters are the prompt's, word for word`;
  return { class: "context copied", why, evidence: [{ said: text, depth }] };
}

function explainMemory({ reply, closedBookAnswer }: Attempt): FailureMode | null {
  if (closedBookAnswer === undefined || plainWords(closedBookAnswer).length === 0) return null;
  if (answerMatch(reply, [closedBookAnswer]).exact !== true) return null;
  return { class: "closed-book answer", why: "the same was said without the context", evidence: [{ said: reply }] };
}
