import { equal, match } from "node:assert/strict";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { STAR_RUN_CLAIMS } from "@/lib/papers/counting_stars/run_claims.ts";
import { checkClaims, type CheckedClaim, type RunReply } from "@/lib/statistics/mod.ts";

type Given = Parameters<typeof STARS.make>[0];

/** A run of tasks with these knobs, each asked at some lengths, ten times, with a reply's value and stars. */
function check(
  tasks: Readonly<Record<string, Given>>,
  answer: (task: string, length: number) => { readonly value: number; readonly cells?: readonly number[] } & object,
  lengths: readonly number[] = [4000, 8000, 12_000, 16_000],
): Readonly<Record<string, CheckedClaim>> {
  const replies = Object.keys(tasks).flatMap((task) =>
    lengths.flatMap((length) =>
      Array.from({ length: 10 }, (_, index): RunReply => {
        const { value, ...score } = answer(task, length);
        const record = { index, seed: "1" };
        return {
          task,
          length,
          value,
          failed: false,
          noAnswer: false,
          record,
          score: { cells: [value], ...score, value },
        };
      })
    )
  );
  const made = Object.fromEntries(Object.entries(tasks).map(([name, given]) => [name, STARS.make({ ...given, name })]));
  const checked = checkClaims(STAR_RUN_CLAIMS, { rows: [], replies, tasks: made, claimedLength: null });
  return Object.fromEntries(checked.map((claim) => [claim.id, claim]));
}

function verdicts(id: string, ...checked: readonly Readonly<Record<string, CheckedClaim>>[]): string {
  return checked.map((claims) => claims[id]!.verdict).join(", ");
}

Deno.test("S8 tells what shuffling costs, and stays open where both are at the floor", () => {
  const tasks = { rising: {}, shuffled: { order: "shuffled" } } as const;
  const of = (rising: number, shuffled: number) =>
    check(tasks, (task) => ({ value: task === "rising" ? rising : shuffled }));
  equal(verdicts("S8", of(0.9, 0.4), of(0.6, 0.6), of(0, 0)), "holds, fails, cannot tell");
  const alone = check({ rising: {}, other: { order: "shuffled", stars: 16 } }, () => ({ value: 0.5 }));
  equal(verdicts("S8", alone), "cannot tell", "not of another version");
});

Deno.test("S13 compares the fewest stars with the most", () => {
  const tasks = { few: { stars: 16 }, some: { stars: 32 }, many: { stars: 64 } } as const;
  const of = (few: number, many: number) => check(tasks, (task) => ({ value: task === "many" ? many : few }));
  equal(verdicts("S13", of(0.9, 0.4), of(0.4, 0.9), of(0.5, 0.5)), "holds, fails, cannot tell");
  match(of(0.9, 0.4)["S13"]!.observed, /^Fewest less most stars: 50\.0 points/);
});

Deno.test("S14 compares the lengths that half as many would keep with the others", () => {
  const of = (kept: number, left: number) =>
    check({ one: {} }, (_, length) => ({ value: length % 8000 === 0 ? kept : left }));
  equal(verdicts("S14", of(0.9, 0.3), of(0.3, 0.9), of(0.5, 0.5)), "holds, fails, cannot tell");
});

Deno.test("S16 compares made-up lists with a first count of 1 and without", () => {
  const tasks = { drawn: {}, one: { firstCount: 1 } } as const;
  const made = { length: 5, step: 1, from: 1 };
  const of = (where: string) => check(tasks, (task) => ({ value: 0.5, run: task === where ? made : null }));
  equal(verdicts("S16", of("one"), of("drawn"), of("none")), "holds, fails, cannot tell");
});

Deno.test("S18 reads the sum out of the score of a list and its sum", () => {
  const of = (sum: number) =>
    check({ sum: { ask: "list_and_sum" } }, () => ({ value: (3 + sum) / 4, cells: [1, 1, 1] }));
  equal(verdicts("S18", of(0), of(1)), "holds, fails");
  match(of(0)["S18"]!.observed, /^Of 40 sums 0\.0% are right/);
});

Deno.test("S7 holds where lengths differ by more than stars do by chance", () => {
  const stars = (found: boolean): readonly number[] => Array.from({ length: 32 }, () => found ? 1 : 0);
  const jumps = check({ one: {} }, (_, length) => ({ value: 0.5, cells: stars(length % 8000 === 0) }));
  const flat = (lengths: number) =>
    check({ one: {} }, () => ({ value: 1, cells: stars(true) }), Array.from({ length: lengths }, (_, at) => 4000 + at));
  equal(verdicts("S7", jumps, flat(8)), "holds, fails");
  // One, three and six pairs of lengths are too few to show that none is won.
  equal(verdicts("S7", flat(2), flat(3), flat(4)), "cannot tell, cannot tell, cannot tell");
});
