import { deepEqual, equal, ok } from "node:assert/strict";
import { checkOnce } from "./_checked.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

for (const { name, claims = [], runClaims = [] } of BENCHMARKS) {
  for (const set of claims) {
    Deno.test(`${name}, ${set.name}: every claim comes out as it says the published numbers have it`, async () => {
      const checked = await checkOnce(set);
      ok(checked.length > 0);
      equal(new Set(checked.map(({ id }) => id)).size, checked.length, "no short name is used twice");
      for (const { id, verdict, expected, observed } of checked) equal(verdict, expected, `${id}: ${observed}`);
    });
  }

  Deno.test(`${name}: each set of claims has a name of its own, and no claim about a run is decided without one`, () => {
    equal(new Set(claims.map((set) => set.name)).size, claims.length);
    const verdicts = runClaims.map(({ check }) =>
      check({ rows: [], replies: [], tasks: {}, claimedLength: null }).verdict
    );
    deepEqual(verdicts, runClaims.map(() => "cannot tell"));
  });
}
