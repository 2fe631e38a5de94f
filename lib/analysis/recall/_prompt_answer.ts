import type { PromptDependence, PromptFactor } from "./prompt_dependence.ts";
import type { VarianceShare } from "./variance_shares.ts";

/** Says in one sentence how much recall depends on the prompt. */
export function promptAnswer({ factors, groups, lead }: Pick<PromptDependence, "factors" | "groups" | "lead">): string {
  const [prompt, place] = groups;
  if (!prompt || prompt.share === null) {
    return "No grade differs from another: nothing is seen to depend on the prompt.";
  }
  const strongest = factors.filter(({ levels }) => levels.length > 0)
    .toSorted((left, right) => right.share! - left.share!)[0]!;
  return `The prompt decides ${inPercent(prompt)} of what grades differ by, length and position ${
    inPercent(place!)
  }: ` +
    `recall ${compare(lead)}; the most by one thing goes with the ${strongest.source}, ${describe(strongest)}.`;
}

function compare(lead: PromptDependence["lead"]): string {
  if (lead !== null && lead.low > 0) return "depends more on the prompt than on where the needle stands";
  if (lead !== null && lead.high < 0) return "depends less on the prompt than on where the needle stands";
  return "is not shown to depend more on the one than on the other";
}

function describe({ share, levels }: PromptFactor): string {
  const known = levels.filter(({ recall }) => recall !== null).toSorted((left, right) => left.recall! - right.recall!);
  const [lowest, highest] = [known[0]!, known.at(-1)!];
  const ends = [highest, lowest].map(({ level, recall }) => `${recall!.toFixed(1)}% (${level})`);
  return `${share!.toFixed(1)}%, with recall from ${ends[0]} to ${ends[1]}`;
}

function inPercent({ share, low, high }: VarianceShare): string {
  return `${share!.toFixed(1)}% (95% interval ${low!.toFixed(1)} to ${high!.toFixed(1)})`;
}
