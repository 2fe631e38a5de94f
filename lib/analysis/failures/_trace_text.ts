import type { Fact } from "@/lib/generators/mod.ts";
import { FRAMING_WORDS } from "@/lib/scorers/mod.ts";
import type { Attempt } from "./_attempt.ts";
import { measureDistance } from "./_distances.ts";
import { holdsWords, spell, trimMarks } from "./_spelling.ts";
import type { Trace } from "./_trace_item.ts";

/** The words before an answer that say that it comes. */
const LEAD =
  /^(?:(?:the |my |final |correct |short )*answer(?: to (?:the|this|your) question)?(?: is| would be)?\s*[:：]?|based on the (?:given |provided )?(?:documents|context|text),?|答案(?:是|为|：|:)?)\s*/i;
/** Names and numbers: what most questions ask for. */
const SPAN =
  /(?:\p{Lu}\. ?)*\p{Lu}[\p{L}\p{M}'’-]+(?: (?:(?:of|the|de|von|van|and) )?(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'’-]+))*|\d[\d,.]*\d|\d+/gu;

/** Spans of one line that are looked up. */
const MOST_SPANS = 20;

/**
 * Tells where the answer of a reply in plain words comes from: its first line as a whole, or, where that stands nowhere, the
 * names and numbers in it that the question does not hold.
 */
export function traceAnswer(attempt: Attempt): Trace[] {
  const { reply, question } = attempt;
  const lines = reply.split("\n").filter((text, at, all) => !(/[:：]\s*$/.test(text) && at < all.length - 1));
  const line = lines.map((text) => trimMarks(text.trim().replace(LEAD, ""))).find((text) => text !== "");
  if (line === undefined) return [];
  const find = findHolders(attempt);
  const trace = (said: string): Trace => traceSpan(said, { attempt, holders: find(said) });
  const whole = trace(spell(line));
  if (whole.class !== "not in context") return [whole];
  const spans = Array.from(line.matchAll(SPAN), ([span]) => spell(trimMarks(span)))
    .filter((span) => span.length > 1 && !holdsWords(question, span) && !isFraming(span));
  const traces = [...new Set(spans)].slice(0, MOST_SPANS).map(trace);
  const known = traces.filter((trace) => trace.class !== "not in context");
  if (known.length > 0) return known;
  return traces.length > 0 && traces.length < 4 ? traces : [whole];
}

function isFraming(span: string): boolean {
  return span.split(" ").every((word) => FRAMING_WORDS.has(word));
}

/** Opens the facts' own words, spelled once, to be searched for what was said. */
function findHolders({ sample }: Attempt): (said: string) => Fact[] {
  const texts = sample.facts.filter(({ role }) => role !== "example").map((fact) => ({ fact, text: spell(fact.text) }));
  return (said) => texts.filter(({ text }) => holdsWords(text, said)).map(({ fact }) => fact);
}

function traceSpan(
  said: string,
  { attempt, holders }: { readonly attempt: Attempt; readonly holders: readonly Fact[] },
): Trace {
  const { sample, shape, missing, context, question } = attempt;
  const parts = missing.filter((answer) => said.length > 1 && holdsWords(answer, said));
  if (parts.length > 0) {
    return { class: "partial value", said, share: Math.max(...parts.map((answer) => said.length / answer.length)) };
  }
  const rival = shape.rivals.get(said);
  if (rival === null) return { class: "distractor", said };
  if (rival) {
    return { class: "distractor", said, key: rival.key, ...measureDistance(rival, attempt, shape.rivals.values()) };
  }
  const others = sample.facts.filter(({ role }) => role === "distractor" || role === "noise");
  const [nearest] = holders.map((fact) => ({ fact, ...measureDistance(fact, attempt, others) }))
    .sort((left, right) => Math.abs(left.away ?? 2) - Math.abs(right.away ?? 2));
  if (nearest) {
    const { fact, ...distance } = nearest;
    return { class: "distractor", said, key: fact.key, ...distance };
  }
  return { class: holdsWords(question, said) || holdsWords(context(), said) ? "other text" : "not in context", said };
}
