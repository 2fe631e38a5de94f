import { deepEqual, equal } from "node:assert/strict";
import { adaptiveSearch, searchWith } from "@/lib/statistics/mod.ts";

Deno.test("searchWith() asks for each score once", () => {
  const asked = new Set<string>();
  const { scores } = searchWith(({ task, length, index }) => {
    asked.add(`${task} ${length} ${index}`);
    return 1;
  }, { tasks: ["vt", "cwe"], lengths: [4096], samples: 500, threshold: 90 });
  equal(asked.size, scores.length);
});

Deno.test("searchWith() ends where adaptiveSearch() has nothing more to ask", () => {
  const design = { tasks: ["vt"], lengths: [4096, 8192], samples: 50, threshold: 85.6 };
  const { scores, ...last } = searchWith(({ length }) => length > 4096 ? 0.5 : 1, design);
  deepEqual(adaptiveSearch(scores, design), last);
  equal(last.answer?.text, "4K");
});
