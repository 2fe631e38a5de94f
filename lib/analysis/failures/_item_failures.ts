import type { Attempt } from "./_attempt.ts";
import type { FailureClass } from "./failure_class.ts";
import type { FailureMode } from "./failure_mode.ts";
import type { Item } from "./_said_items.ts";
import { explainShortfalls } from "./_shortfalls.ts";
import { plainWords } from "./_spelling.ts";
import { type Trace, traceItem } from "./_trace_item.ts";
import { traceAnswer } from "./_trace_text.ts";

/** Tells in which ways a reply failed by what it said and what it left out. */
export function explainItems(attempt: Attempt, items: readonly Item[]): FailureMode[] {
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
