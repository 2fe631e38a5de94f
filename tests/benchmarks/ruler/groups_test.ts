import { deepEqual, equal } from "node:assert/strict";
import { openPublished, RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/mod.ts";

Deno.test("RULER_GROUPS are the categories of the paper's Table 5, and all 13 tasks", async () => {
  const names = {
    "retrieval": "retrieval",
    "multi_hop_tracing": "multi-hop tracing",
    "aggregation": "aggregation",
    "qa": "question answering",
  };
  const { tasks } = await openPublished();
  const printed = Map.groupBy(tasks, (task) => names[task.category]);
  for (const [name, ofCategory] of printed) {
    deepEqual(RULER_GROUPS.find((group) => group.name === name)?.tasks, ofCategory.map(({ task }) => task));
  }
  deepEqual(RULER_GROUPS.find((group) => group.name === RULER_OVERALL)?.tasks, tasks.map(({ task }) => task));
  equal(RULER_GROUPS.length, 5);
});
