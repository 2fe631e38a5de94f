import { equal, match, ok } from "node:assert/strict";
import { impliedTotal, impliedTotals } from "@/lib/papers/ruler/table_claims.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { TOP_MODEL_CLAIMS } from "@/lib/papers/ruler/table_claims.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

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

Deno.test("TOP_MODEL_CLAIMS compare the sizes of Table 4 by the ranks of Table 3", () => {
  const found = Object.fromEntries(checkClaims(TOP_MODEL_CLAIMS, published).map(({ id, observed }) => [id, observed]));
  match(found["R32"]!, /Command-R 35\.0, Yi 34\.0, Mixtral 56\.0; the largest of the 6 others is LongAlpaca with 13/);
  match(found["R32-active"]!, /Mixtral has 1\.0 times as many/);
  match(found["R32-rope"]!, /LWM-1M has one of 50 million .* ranks 5 and 7 of ten/);
});
