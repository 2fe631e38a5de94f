import { deepEqual } from "node:assert/strict";
import { checkClaims, type Claim } from "@/lib/analysis/mod.ts";

Deno.test("checkClaims() gives a plain row a claim, in the order given", () => {
  const claims: readonly Claim<readonly number[]>[] = [
    {
      id: "A2",
      source: "section 2",
      statement: "There are two.",
      check: (numbers) => ({
        verdict: numbers.length === 2 ? "holds" : "fails",
        observed: `${numbers.length} were seen.`,
      }),
    },
    {
      id: "A1",
      source: "section 1",
      statement: "They are many.",
      check: () => ({ verdict: "cannot tell", observed: "Many is not said." }),
    },
  ];
  deepEqual(checkClaims(claims, [3, 4]), [
    { id: "A2", source: "section 2", statement: "There are two.", verdict: "holds", observed: "2 were seen." },
    {
      id: "A1",
      source: "section 1",
      statement: "They are many.",
      verdict: "cannot tell",
      observed: "Many is not said.",
    },
  ]);
  deepEqual(checkClaims([], 1), []);
});
