import type { Attempt } from "./_attempt.ts";
import type { FailureEvidence, FailureMode } from "./failure_mode.ts";
import type { Item } from "./_said_items.ts";

/** Tells what a list of items falls short of: items given twice, a chain that was lost, fewer items than asked for. */
export function explainShortfalls(attempt: Attempt, items: readonly Item[]): FailureMode[] {
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
