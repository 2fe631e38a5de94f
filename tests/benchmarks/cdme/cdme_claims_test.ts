import { deepEqual, equal, match } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { CDME_CLAIMS, CDME_NEEDLES } from "@/lib/benchmarks/cdme/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const [original, fixed] = (["cdme_original", "cdme_zh"] as const).map((name) =>
  CDME_NEEDLES.task(name).sample({ length: 1000, seed: "42", index: 0, materials })
);
const checked = checkClaims(CDME_CLAIMS, { original: original!, fixed: fixed! });

Deno.test("CDME_CLAIMS: of five statements four hold and one fails, and in two matters two places disagree", () => {
  deepEqual(checked.map(({ id, kind, verdict }) => `${id} ${kind} ${verdict}`), [
    "D1 paper holds",
    "D2 paper holds",
    "D3 paper holds",
    "D4 paper fails",
    "D5 inconsistency fails",
    "D6 inconsistency fails",
    "D7 paper holds",
  ]);
});

Deno.test("CDME_CLAIMS say with numbers what fails", () => {
  const observed = (id: string): string => checked.find((claim) => claim.id === id)!.observed;
  match(observed("D1"), /8 lengths × 20 depths × 10 repeats are 1600 prompts/);
  match(observed("D3"), /84\.62 becomes 16\.92/);
  match(observed("D4"), /10\.0%, 39\.0%, 67\.0% and not at 10\.0%, 35\.0%, 60\.0%/);
  match(observed("D5"), /gives score, details, and each detail pred, answer, edit_distance, score/);
  match(observed("D6"), /scores 95\.65: .* Mended, it scores 100\.00/);
});

Deno.test("CDME_CLAIMS: D6 would hold where the needle has the form that is asked for", () => {
  const [claim] = checkClaims(CDME_CLAIMS.filter(({ id }) => id === "D6"), { original: fixed!, fixed: fixed! });
  equal(claim?.verdict, "holds");
});
