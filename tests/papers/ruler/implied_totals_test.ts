import { equal, ok } from "node:assert/strict";
import { impliedTotal, impliedTotals } from "./_implied_totals.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";

const published = await openPublished();
const totals = impliedTotals(published.rows);

Deno.test("impliedTotal() counts the categories 8, 1, 2 and 2", () => {
  equal(impliedTotal({ retrieval: 13, "multi-hop tracing": 0, aggregation: 0, "question answering": 0 }), 8);
  equal(impliedTotal({ retrieval: 0, "multi-hop tracing": 13, aggregation: 26, "question answering": 39 }), 11);
});

Deno.test("impliedTotals() gives all 102 printed means over 13 tasks of the first edition and 138 of the third within rounding", () => {
  for (const [edition, cells] of [["v1", 102], ["v3", 138]] as const) {
    const ofEdition = totals.filter(({ row }) => row.edition === edition);
    equal(ofEdition.length, cells);
    for (const { row, printed, implied } of ofEdition) ok(Math.abs(printed - implied) <= 0.1 + 1e-9, row.model);
  }
});
