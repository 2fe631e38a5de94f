import { answerMatch } from "@/lib/scorers/mod.ts";
import type { AnswerShape } from "./_answer_shape.ts";
import type { Attempt } from "./_attempt.ts";
import { findCopy } from "./_copies.ts";
import type { FailureMode } from "./failure_mode.ts";
import { findLoop } from "./_loops.ts";
import { findRefusal } from "./_refusals.ts";
import type { Item } from "./_said_items.ts";
import { plainWords, spell } from "./_spelling.ts";

/** Tells in which way a reply failed as a whole; `null` where it is to be taken apart. */
export function explainWhole(attempt: Attempt, items: readonly Item[]): FailureMode | null {
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

function explainMemory({ reply, noContextAnswer }: Attempt): FailureMode | null {
  if (noContextAnswer === undefined || plainWords(noContextAnswer).length === 0) return null;
  if (answerMatch(reply, [noContextAnswer]).exact !== true) return null;
  return { class: "no-context answer", why: "the same was said without the context", evidence: [{ said: reply }] };
}
