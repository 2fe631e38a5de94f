import { deepEqual, match } from "node:assert/strict";
import { CDME_CLAIMS } from "@/lib/papers/cdme/claims.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const checked = checkClaims(CDME_CLAIMS, undefined);

Deno.test("CDME_CLAIMS say with numbers what fails", () => {
  const observed = (id: string): string => checked.find((claim) => claim.id === id)!.observed;
  match(observed("D1"), /8 lengths × 20 depths × 10 repeats are 1600 prompts/);
  match(observed("D3"), /84\.62 becomes 16\.92/);
  match(observed("D4"), /10\.0%, 39\.0%, 67\.0% and not at 10\.0%, 35\.0%, 60\.0%/);
  match(observed("D5"), /gives score, details, and each detail pred, answer, edit_distance, score/);
  match(observed("D6"), /scores 95\.65: .* Corrected, it scores 100\.00/);
  match(observed("D8"), /Of the 13 lengths from 16000 to 200000 tokens 0 fit .* and 13 in that of/);
  match(observed("D9"), /The 200 prompts of a length have 20 places/);
});

Deno.test("CDME_CLAIMS leave open what cannot be seen from here, and say why", () => {
  const open = checked.filter(({ verdict }) => verdict === "cannot tell");
  deepEqual(open.map(({ id }) => id), ["D10", "D11"]);
  for (const { observed } of open) match(observed, /^No (?:measure|number) .* was published, and /);
});
