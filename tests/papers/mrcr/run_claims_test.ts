import { equal, match } from "node:assert/strict";
import { MRCR_RUN_CLAIMS } from "@/lib/papers/mrcr/claims.ts";
import { checkClaims, type CheckedClaim, type RunReply, summarise } from "@/lib/statistics/mod.ts";

/** Checks a run of a task with some needles: the share of right replies at each length, of 40. */
function check(
  needles: number,
  shares: Readonly<Record<number, number>>,
  task = `mrcr_${needles}_needles`,
): Readonly<Record<string, CheckedClaim>> {
  const replies = Object.entries(shares).flatMap(([length, share]) =>
    Array.from({ length: 40 }, (_, index): RunReply => ({
      ...{ task, length: Number(length), value: index < 40 * share ? 1 : 0, failed: false, noAnswer: false },
      record: { index, seed: "1" },
    }))
  );
  const tasks = { [task]: { options: task.startsWith("mrcr") ? { needles } : {} } };
  const checked = checkClaims(MRCR_RUN_CLAIMS, { rows: summarise(replies), replies, tasks, claimedLength: null });
  return Object.fromEntries(checked.map((claim) => [claim.id, claim]));
}

Deno.test.each(
  [
    ["well above the floor", 8, { 4096: 0.9, 8192: 0.6 }, "holds"],
    ["at the floor of 8 needles", 8, { 4096: 0.9, 8192: 0.15 }, "cannot tell"],
    ["below the floor of 2 needles", 2, { 4096: 0.9, 8192: 0.1 }, "fails"],
    ["above the floor of 8, which is at that of 2", 2, { 4096: 0.5 }, "cannot tell"],
  ] as [string, number, Record<number, number>, string][],
)("a score is held against the floor of its number of texts: %s", (_, needles, shares, verdict) => {
  equal(check(needles, shares)["M6"]!.verdict, verdict);
});

Deno.test("the needles of the authors' rows are read from their task", () => {
  const { verdict, observed } = check(8, { 131072: 0.1 }, "openai_mrcr_8_needles")["M6"]!;
  equal(verdict, "cannot tell");
  match(observed, /^0 of 1 are above; .*openai_mrcr_8_needles at 131072: 10\.0, floor 15\.0/);
});

Deno.test("a loss from the shortest to the longest length is decided by its interval", () => {
  equal(check(4, { 4096: 0.9, 32768: 0.3 })["M5"]!.verdict, "holds");
  equal(check(4, { 4096: 0.9, 32768: 0.85 })["M5"]!.verdict, "cannot tell");
});
