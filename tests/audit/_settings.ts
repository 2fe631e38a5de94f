import type { Audit } from "./_solution.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { Task } from "@/lib/generators/mod.ts";

/** The audit of a suite: every task as it is named, the default variant first, and then knobs at their edges. */
export interface SuiteAudit extends Audit {
  readonly named: readonly Task[];
}

/** Opens the audit of each suite of the registry, by its name: `_solve_<name>.ts`, which a new suite must have. */
export const AUDITS: ReadonlyMap<string, SuiteAudit> = new Map(
  await Promise.all(BENCHMARKS.map(async ({ name, families }): Promise<[string, SuiteAudit]> => {
    const { AUDIT } = await import(`./_solve_${name}.ts`);
    return [name, { ...AUDIT, named: families.flatMap((family) => family.tasks.map((task) => family.task(task))) }];
  })),
);

/** Seeds as people write them, and as they do not; their number is prime, so that each meets every encoding and template. */
export const SEEDS: readonly string[] = [
  "42",
  "",
  "Ł",
  "𝔘",
  'a sentence that somebody took for a seed, "quoted", with a line\nbreak and a\ttab, '.repeat(9),
  "\0",
  "\ud800",
];

/** Whether a length is a budget in tokens; editions that keep to a reference go over it as that does. */
export function isBudget({ options: { edition } }: Task): boolean {
  return edition === undefined || edition === "exact" || edition === "fixed";
}

/** Whether prompts are several messages, for which most templates have no text. */
export function hasTurns({ suite }: Task): boolean {
  return suite.startsWith("mrcr");
}

/** Whether prompts fill their budget; a number of pairs or documents that is given does not follow from the length. */
export function isFilled(task: Task): boolean {
  const { pairs, documents, words, haystack } = task.options;
  return isBudget(task) && [pairs, documents, words].every((knob) => knob === undefined) && haystack !== "none";
}

/** Whether samples differ: the reference's text with the reference's counts is one and the same, and a copy with one place. */
export function areDifferent(task: Task): boolean {
  const isCopy = task.suite.startsWith("repeated-words") && task.options["depth"] !== undefined;
  return !isCopy && (isBudget(task) || task.options["values"] !== "reference");
}

/** Whether depths are spread evenly: not those of a grid, a cluster, a branched thread, or a story asked about at its end. */
export function isSpread(task: Task): boolean {
  if (task.suite.startsWith("babilong")) return false;
  const { depth, depths, branching, placement, asked, ending } = task.options;
  const fixed = [depth, depths, branching, asked];
  return isBudget(task) && placement !== "clustered" && ending !== "needle" &&
    fixed.every((knob) => knob === undefined);
}
