import type { Audit, Traits } from "./_solution.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import type { Task } from "@/lib/generators/mod.ts";

/** The audit of a suite: every task as it is named, the default variant first, and then knobs at their edges. */
export interface SuiteAudit extends Audit {
  readonly named: readonly Task[];
}

/** Opens the audit of each suite of the registry, by its name: `_solve_<name>.ts`, which a new suite must have. */
export const AUDITS: ReadonlyMap<string, SuiteAudit> = new Map(
  await Promise.all(
    BENCHMARKS.filter(({ tasks }) => tasks.length > 0).map(
      async ({ name, families }): Promise<[string, SuiteAudit]> => {
        const { AUDIT } = await import(`./_solve_${name}.ts`);
        return [name, { ...AUDIT, named: families.flatMap((family) => family.tasks.map((task) => family.task(task))) }];
      },
    ),
  ),
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

/** Returns what is expected of a task's samples, as its suite declares it. */
export function traitsOf({ suite, category, options }: Task): Traits {
  const benchmark = BENCHMARKS.find(({ families }) => families.some(({ suites }) => suites.includes(suite)));
  const { isBudget = true, ...declared } = AUDITS.get(benchmark?.name ?? "")?.traits?.(options) ?? {};
  const expected = {
    isBudget,
    isFilled: isBudget,
    isSpread: isBudget,
    isStepped: category === "question answering",
    areDifferent: true,
    asksTheSame: false,
    hasTurns: false,
  };
  return { ...expected, ...declared };
}
