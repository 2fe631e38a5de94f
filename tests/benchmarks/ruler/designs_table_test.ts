import { equal, match, throws } from "node:assert/strict";
import { compareDesigns, designsTable } from "@/lib/benchmarks/ruler/mod.ts";

const options = { threshold: 85.6, lengths: [4096, 16_384], samples: 20, runs: 3 };

Deno.test("designsTable() sums up in its title what each row says in percent", () => {
  const row = { profile: "a", truth: "4K", same: 1, asked: 0.2, tokens: 0.1, settled: 0.5, wrong: 0 };
  const { title, text } = designsTable([row, { ...row, profile: "b", same: 0.9, asked: 0.4 }], { n: 3 });
  equal(title, "Same answer in 95% of runs, with 30% of the samples");
  match(text, /^b +4K +90 +40 +10 +50 +0$/m);
});

Deno.test("designsTable() takes a simulated comparison, and says that it is simulated", () => {
  match(designsTable([compareDesigns("longalpaca", options)], { n: 3 }).note, /^Simulated/);
  throws(() => designsTable([], { n: 0 }), { name: "RangeError" });
});
