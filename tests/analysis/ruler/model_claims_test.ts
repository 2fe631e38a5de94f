import { deepEqual, match } from "node:assert/strict";
import { checkClaims, MODEL_CLAIMS, openPublished } from "@/lib/analysis/mod.ts";

const checked = checkClaims(MODEL_CLAIMS, await openPublished());

Deno.test("MODEL_CLAIMS decide on the lines of Figure 4 as read by hand", () => {
  deepEqual(Object.fromEntries(checked.map(({ id, verdict }) => [id, verdict])), {
    // 63.3 against 68.6.
    "R22": "holds",
    "R22-overall": "holds",
    // Base models at 4K to 32K: 83.8, 79.3, 76.3, 70.3 trained on 32K against 77.5, 74.0, 69.6, 64.7 trained on 1M.
    "R22-within": "fails",
    "R23": "holds",
    // LWM-128K stands at 59.2, 61.2 and 59.7 from 32K to 128K after 74.1 at 4K.
    "R24": "fails",
    "R25": "holds",
    "R25-loss": "holds",
    "R26": "holds",
    "R26-below": "holds",
    "R26-llama": "holds",
  });
});

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
