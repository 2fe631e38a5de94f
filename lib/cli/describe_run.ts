import { planPrices, priceText } from "./cost_flags.ts";
import type { Output } from "./output.ts";
import type { Flags } from "./task_flags.ts";
import { decisionNotes, measuresTemplate, type Preflight } from "@/lib/asking/mod.ts";
import { placeOf, type RunStore } from "@/lib/records/mod.ts";
import { allowanceOf, budgetNotes, estimateRun, type OpenedModel, type Plan, repeatNotes } from "@/lib/studies/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** What is known when a plan is printed. */
interface DescribePlanOptions {
  /** The run's store, if some samples may be answered already. */
  readonly store?: RunStore;
  readonly inBatches?: boolean;
  readonly flags: Flags;
  readonly model: OpenedModel;
  readonly output: Output;
}

/** Prints what a run will ask, its tokens and its price. */
export function describePlan(
  plan: Plan,
  { store, flags, model, inBatches = false, output }: DescribePlanOptions,
): void {
  const prices = planPrices(flags, { ...model, inBatches });
  const estimate = estimateRun(plan, {
    ...(store ? { isAnswered: (sample) => store.outcome(placeOf(sample)) === "answer" } : {}),
    ...(prices === undefined ? {} : { prices }),
    ...allowanceOf(model),
    exactUpTo: 2_000_000,
  });
  const { questions, promptTokens, isExact, answerTokens, price } = estimate;
  const notes = [...store?.notes ?? [], ...repeatNotes(plan, model), ...budgetNotes(plan, model.settings)];
  for (const note of notes) output.note(note);
  for (const { task, length, least } of plan.tooShort) {
    output.note(`${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`);
  }
  const tokens = `${isExact ? "" : "at most "}${promptTokens.toLocaleString("en")} prompt tokens and at most ${
    answerTokens.toLocaleString("en")
  } to answer`;
  output.note(
    `${flags.adaptive ? "at most " : ""}${questions} of ${plan.questions} ${
      plural(plan.questions, "question")
    } to ask: ${tokens}${price === null ? "" : `, at most ${priceText(price)}`}`,
  );
  // The first note repeats the line above; a search asks no more than it needs.
  if (!flags.adaptive) { for (const note of decisionNotes(plan, model).slice(1)) output.note(note); }
}

/** Warns if the tokens of the server's chat template are not measured. */
export function warnUnmeasured({ template }: Plan, model: OpenedModel, output: Output): void {
  if (!measuresTemplate(model) || template.extraTokens !== model.template.extraTokens) return;
  output.note(
    `Warning: the tokens of the server's chat template are not measured; lengths count ${template.extraTokens} for it, or the number of --template-tokens`,
  );
}

/** Prints what the preflight found. */
export function describePreflight(
  { lines, warnings }: Preflight,
  { changes = [], output }: { readonly changes?: readonly string[]; readonly output: Output },
): void {
  for (const line of alignFacts(lines)) output.note(line);
  for (const warning of [...warnings, ...changes]) output.note(`Warning: ${warning}`);
}

/** Formats facts as lines with aligned names. */
export function alignFacts(lines: Preflight["lines"]): readonly string[] {
  const width = Math.max(...lines.map(({ what }) => what.length));
  return lines.map(({ what, said }) => `${what.padEnd(width)}  ${said}`);
}
