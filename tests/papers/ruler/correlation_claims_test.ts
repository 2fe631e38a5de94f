import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  CORRELATION_CLAIMS,
  type CorrelationStudy,
  openPublished,
  publishedCorrelationStudy,
} from "@/lib/papers/ruler/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = publishedCorrelationStudy(await openPublished());

Deno.test("CORRELATION_CLAIMS name the categories of Figure 5 that are clusters, and the tasks kept by chance", () => {
  const checked = checkClaims(CORRELATION_CLAIMS, published);
  match(checked[1]!.observed, /AG by none; QA by every linkage; .*NIAH by none/);
  // 13 * 13 / 18.
  match(checked[3]!.observed, /9\.4 would be by chance/);
});

/** Two categories that could not be clearer, one task of them removed. */
const CLEAR: CorrelationStudy = {
  tasks: ["a1", "a2", "a3", "b1"],
  matrix: [[1, 0.9, 0.95, 0], [0.9, 1, 0.9, 0.1], [0.95, 0.9, 1, 0], [0, 0.1, 0, 1]],
  leftOut: [],
  categories: { a1: "A", a2: "A", a3: "A", b1: "B" },
  kept: ["a1", "a2", "b1"],
  tolerance: 0,
};

Deno.test("CORRELATION_CLAIMS hold where categories are clusters and the removed task is the redundant one", () => {
  const verdicts = checkClaims(CORRELATION_CLAIMS, CLEAR).map(({ verdict }) => verdict);
  deepEqual(verdicts, ["cannot tell", "holds", "holds", "holds"]);
});

Deno.test("CORRELATION_CLAIMS are open if there is nothing to compare, without NaN", () => {
  const kept = { ...CLEAR, kept: CLEAR.tasks };
  const one = { ...CLEAR, categories: { a1: "A", a2: "A", a3: "A", b1: "A" } };
  equal(checkClaims(CORRELATION_CLAIMS, one)[1]!.verdict, "cannot tell");
  for (const study of [kept, { ...CLEAR, kept: [] }]) {
    const checked = checkClaims(CORRELATION_CLAIMS, study);
    equal(checked[3]!.verdict, "cannot tell");
    ok(checked.every(({ observed }) => !/NaN|Infinity|undefined/.test(observed)));
  }
});
