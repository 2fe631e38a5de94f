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

/** Seconds between two lines that say how far it is. */
const PAUSE = 20;

/** Faults that are told; one fault of a generator gives hundreds. */
const MOST_TOLD = 25;

/** Audits all samples of a suite's plan, saying how far it is, and how long it took. */
export async function auditSuite(suite: string): Promise<void> {
  const start = performance.now();
  const seconds = (): number => Math.round((performance.now() - start) / 1000);
  const cells = planCells(suite, PLAN);
  let said = 0;
  const report = (done: { readonly cells: number; readonly samples: number }): void => {
    if (seconds() < said + PAUSE) return;
    said = seconds();
    console.log(`${suite}: ${done.cells} of ${cells.length} cells, ${done.samples} samples, ${said} s`);
  };
  const findings = await auditCells(suite, cells, { open: openOnce(), report });
  console.log(`${suite}: ${findings.samples} samples in ${seconds()} s, ${findings.faults.length} faults`);
  ok(findings.samples > 0);
  deepEqual(findings.faults.slice(0, MOST_TOLD), []);
}
