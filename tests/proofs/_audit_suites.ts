import { deepEqual, ok } from "node:assert/strict";
import { auditCells, openOnce, planCells, type PlanRow } from "../audit/_audit_cells.ts";

/** Every setting in every encoding where prompts are short, every task once where they are long. */
const PLAN: readonly PlanRow[] = [
  { length: "least", tasks: "all", encodings: "all", samples: 2 },
  { length: 2_900, tasks: "all", encodings: "all", samples: 3 },
  { length: 4_097, tasks: "all", encodings: "in turn", samples: 25 },
  { length: 33_333, tasks: "all", encodings: "in turn", samples: 2 },
  { length: 131_072, tasks: "named", encodings: "in turn", samples: 2 },
  { length: 1_000_000, tasks: "named", encodings: "in turn", samples: 1 },
];

/** Faults that are shown; one fault of a generator gives hundreds. */
const MOST_SHOWN = 25;

/** Audits all samples of a suite's plan. */
export async function auditSuite(suite: string): Promise<void> {
  const { samples, faults } = await auditCells(suite, planCells(suite, PLAN), openOnce());
  console.log(`${suite}: ${samples} samples, ${faults.length} faults`);
  ok(samples > 0);
  deepEqual(faults.slice(0, MOST_SHOWN), []);
}
