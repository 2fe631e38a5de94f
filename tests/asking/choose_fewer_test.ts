import { deepEqual } from "node:assert/strict";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { checkStudy, openStudy, planStudy } from "@/lib/studies/mod.ts";
import { chooseFewer } from "@/lib/asking/mod.ts";

const opened = await openStudy(checkStudy({ tasks: ["vt", "cwe"], lengths: [1024, 2048], samples: 3, first: 5 }));
const plan = planStudy(opened, { template: PLAIN_TEMPLATE });

Deno.test("chooseFewer() asks some tasks fewer samples, and these first", () => {
  const chosen = chooseFewer(/^cwe$/, 1)([], plan).map(({ task, length, index }) => `${task} ${length} ${index}`);
  deepEqual(chosen, [
    ...["cwe 1024 5", "cwe 2048 5"],
    ...["vt 1024 5", "vt 1024 6", "vt 1024 7", "vt 2048 5", "vt 2048 6", "vt 2048 7"],
  ]);
});

Deno.test("chooseFewer() never asks more samples than the plan has", () => {
  deepEqual(chooseFewer(/./, 99)([], plan).length, 12);
});
