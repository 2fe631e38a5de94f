import { deepEqual, equal } from "node:assert/strict";
import { checkClaims, type Claim, decidedByCases } from "@/lib/statistics/mod.ts";
import { unlessAtEdge } from "@/lib/statistics/findings.ts";

Deno.test("checkClaims() gives a plain row per claim, in order", () => {
  const claims: readonly Claim<readonly number[]>[] = [
    {
      id: "A2",
      source: "section 2",
      quote: "we used two",
      statement: "There are two.",
      check: (numbers) => ({
        verdict: numbers.length === 2 ? "holds" : "fails",
        observed: `${numbers.length} were seen.`,
      }),
    },
    {
      id: "A1",
      source: "sections 1 and 2",
      quote: ["three were used", "we used two"],
      statement: "Both give the same number.",
      check: () => ({ verdict: "fails", observed: "Three and two." }),
    },
    {
      id: "A3",
      source: "section 1",
      statement: "They are many.",
      check: () => ({ verdict: "cannot tell", observed: "Many is not said." }),
    },
  ];
  deepEqual(checkClaims(claims, [3, 4]), [
    {
      id: "A2",
      source: "section 2",
      kind: "paper",
      quote: "“we used two”",
      statement: "There are two.",
      verdict: "holds",
      observed: "2 were seen.",
    },
    {
      id: "A1",
      source: "sections 1 and 2",
      kind: "inconsistency",
      quote: "“three were used” against “we used two”",
      statement: "Both give the same number.",
      verdict: "fails",
      observed: "Three and two.",
    },
    {
      id: "A3",
      source: "section 1",
      kind: "check",
      quote: "",
      statement: "They are many.",
      verdict: "cannot tell",
      observed: "Many is not said.",
    },
  ]);
  deepEqual(checkClaims([], 1), []);
});

Deno.test("unlessAtEdge() leaves open what two scores at the floor cannot show", () => {
  const alike = { verdict: "holds", observed: "Nothing is lost." } as const;
  const nothing = { score: 0, low: 0, high: 3 };
  equal(unlessAtEdge(alike, [nothing, nothing], { bar: 10 }).verdict, "cannot tell");
  equal(unlessAtEdge(alike, [{ score: 60, low: 57, high: 63 }, nothing], { bar: 10 }).verdict, "holds");
});

Deno.test("decidedByCases() needs all cases to hold, and three quarters of at least eight to mostly hold", () => {
  const verdict = (agreeing: number, of: number): string =>
    decidedByCases(Array.from({ length: of }, (_, at) => at < agreeing), "").verdict;
  deepEqual([verdict(4, 4), verdict(6, 8), verdict(5, 8), verdict(17, 20), verdict(14, 20)], [
    ...["holds", "mostly holds", "fails", "mostly holds", "fails"],
  ]);
  // Of four cases three agree by chance in 31% of draws.
  deepEqual([verdict(3, 3), verdict(2, 3), verdict(3, 4), verdict(6, 7)], ["holds", "fails", "fails", "fails"]);
});
