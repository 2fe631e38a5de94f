import { deepEqual, equal, match } from "node:assert/strict";
import { THREADING_RUN_CLAIMS, type ThreadingRunEvidence } from "@/lib/benchmarks/needle_threading/mod.ts";
import { checkClaims, type GridCell } from "@/lib/statistics/mod.ts";

function cell(difficulty: number, right: number, size = 4096): GridCell {
  return { size, difficulty, scores: Array.from({ length: 40 }, (_, at) => at < right ? 1 : 0) };
}

function verdicts(evidence: Partial<ThreadingRunEvidence>): Record<string, string> {
  const checked = checkClaims(THREADING_RUN_CLAIMS, { depths: [], needles: [], threads: [], ...evidence });
  return Object.fromEntries(checked.map(({ id, verdict }) => [id, verdict]));
}

Deno.test("THREADING_RUN_CLAIMS cannot tell anything without scores", () => {
  deepEqual(Object.values(verdicts({})), ["cannot tell", "cannot tell", "cannot tell", "cannot tell"]);
});

Deno.test("THREADING_RUN_CLAIMS tell depth only where the intervals part", () => {
  equal(verdicts({ depths: [cell(0, 40), cell(0.5, 20), cell(1, 38)] })["R9"], "holds");
  equal(verdicts({ depths: [cell(0, 20), cell(0.5, 40), cell(1, 20)] })["R9"], "fails");
  equal(verdicts({ depths: [cell(0, 38), cell(0.5, 36), cell(0.9, 37)] })["R9"], "cannot tell");
  equal(verdicts({ depths: [cell(0, 40), cell(1, 20)] })["R9"], "cannot tell", "nothing in the middle");
});

Deno.test("THREADING_RUN_CLAIMS tell a model that is thread-safe from one that is not", () => {
  equal(verdicts({ threads: [cell(2, 40), cell(25, 10)] })["R10"], "fails");
  const many = (difficulty: number): GridCell => ({ size: 4096, difficulty, scores: Array(400).fill(1) });
  equal(verdicts({ threads: [many(2), many(25)] })["R10"], "holds");
  equal(verdicts({ threads: [cell(2, 40), cell(25, 37)] })["R10"], "cannot tell");
});

Deno.test("THREADING_RUN_CLAIMS compare numbers of needles at the sizes that have both", () => {
  // 25 needles do not fit the smallest size, where two are easy.
  const cells = [cell(2, 40, 1024), cell(2, 20, 8192), cell(25, 20, 8192)];
  const [found] = checkClaims(THREADING_RUN_CLAIMS.filter(({ id }) => id === "R12"), {
    depths: [],
    needles: cells,
    threads: [],
  });
  match(found!.observed, /^2 less 25 needles: 0\.0 points/);
});

Deno.test("THREADING_RUN_CLAIMS hold a limit against the greatest size tested", () => {
  equal(verdicts({ needles: [cell(2, 40), cell(2, 2, 65_536)] })["R11"], "holds");
  const perfect = (size: number): GridCell => ({ size, difficulty: 2, scores: Array(400).fill(1) });
  equal(verdicts({ needles: [perfect(4096), perfect(8192)] })["R11"], "fails");
  const evidence = { depths: [], threads: [], needles: [perfect(53)], sizeUnit: "thousand characters" };
  const found = checkClaims(THREADING_RUN_CLAIMS, evidence).find(({ id }) => id === "R11");
  match(found!.observed, /of 53 thousand characters tested\.$/);
});
