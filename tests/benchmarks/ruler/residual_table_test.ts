import { match, throws } from "node:assert/strict";
import { profileResiduals, residualTable } from "@/lib/benchmarks/ruler/mod.ts";

Deno.test("residualTable() has the root of the mean square and the largest residual of each profile", () => {
  const rows = [{ residual: 3, expected: 93 }, { residual: -4, expected: 86 }].map((row, at) => (
    { ...row, profile: "one", category: "retrieval", length: 4096 * 2 ** at, published: 90 } as const
  ));
  // sqrt((9 + 16) / 2) = 3.54
  match(residualTable(rows, { title: "Near" }).text, /^one +2 +3\.5 +[-−]4\.0 +retrieval at 8K: 86\.0 for 90\.0$/m);
});

Deno.test("residualTable() refuses a profile that was not fitted", () => {
  throws(() => residualTable(profileResiduals(["ideal"]), { title: "None" }), { name: "RangeError" });
});
