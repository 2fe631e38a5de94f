import { match } from "node:assert/strict";
import { MODEL_CLAIMS, openPublished, publishedModelLines } from "@/lib/benchmarks/ruler/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const checked = checkClaims(MODEL_CLAIMS, publishedModelLines(await openPublished()));

Deno.test("MODEL_CLAIMS say the numbers behind their verdicts", () => {
  const observed = (id: string): string => checked.find((claim) => claim.id === id)!.observed;
  match(observed("R22"), /^LWM-512K is above LWM-1M by 5\.3 /);
  // Mean of 6.3, 5.3, 6.7 and 5.6.
  match(observed("R22-within"), /LWM-base-1M is above LWM-base-32K by -6\.0 /);
  match(observed("R23"), /LWM-128K loses 26\.6 .* from 128K to 256K, at most 6\.3 a step before/);
  match(observed("R24"), /LWM-128K within 3\.5 points \(R² 0\.76\)/);
  // (93.3 - 70.5) / 93.3 and (81.7 - 43.6) / 81.7.
  match(observed("R25-loss"), /loses 24\.4 .* percent of its score, Yi-6B-200K 46\.6/);
});
