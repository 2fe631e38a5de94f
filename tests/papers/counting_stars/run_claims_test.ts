import { equal, match } from "node:assert/strict";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { STAR_RUN_CLAIMS } from "@/lib/papers/counting_stars/claims.ts";
import { type CheckedClaim, type RunReply, summarise } from "@/lib/statistics/mod.ts";
import { checkOnRun } from "@/lib/reports/run_claims.ts";

type Given = Parameters<typeof STARS.make>[0];

/** A run of tasks with these knobs, each asked at some lengths, so many times, with a reply's stars. */
function check(
  tasks: Readonly<Record<string, Given>>,
  answer: (task: string, length: number) => readonly number[],
  { times = 10, lengths = [4000, 8000, 12_000, 16_000], cluster }: {
    readonly times?: number;
    readonly lengths?: readonly number[];
    readonly cluster?: string;
  } = {},
): Readonly<Record<string, CheckedClaim>> {
  const replies = Object.keys(tasks).flatMap((task) =>
    lengths.flatMap((length) =>
      Array.from({ length: times }, (_, index): RunReply => {
        const cells = answer(task, length);
        const value = cells.reduce((sum, cell) => sum + cell, 0) / cells.length;
        const record = { index, seed: "1" };
        return { task, length, value, cluster, failed: false, noAnswer: false, record, score: { cells, value } };
      })
    )
  );
  const made = Object.fromEntries(Object.entries(tasks).map(([name, given]) => [name, STARS.make({ ...given, name })]));
  const checked = checkOnRun(STAR_RUN_CLAIMS, { rows: summarise(replies), replies, tasks: made, claimedLength: null });
  return Object.fromEntries(checked.map((claim) => [claim.id, claim]));
}

function verdicts(id: string, ...checked: readonly Readonly<Record<string, CheckedClaim>>[]): string {
  return checked.map((claims) => claims[id]!.verdict).join(", ");
}

Deno.test.each(
  [
    ["the tail is lost", [1, 1, 1, 1, 0, 0], "holds", "holds"],
    ["the middle is lost", [1, 1, 0, 0, 1, 1], "fails", "fails"],
    ["the first and the middle are lost alike", [0, 0, 0, 0, 1, 1], "fails", "cannot tell"],
    ["the start is lost", [0, 0, 1, 1, 1, 1], "fails", "holds"],
    ["nothing is found", [0, 0, 0, 0, 0, 0], "cannot tell", "cannot tell"],
    ["two stars have no middle", [1, 0], "cannot tell", "cannot tell"],
  ] as [string, readonly number[], string, string][],
)("C12 and C12c: %s", (_name, cells, tail, middle) => {
  const claims = check({ one: {} }, () => cells);
  equal(`${verdicts("C12", claims)}; ${verdicts("C12c", claims)}`, `${tail}; ${middle}`);
});

Deno.test("C12 counts replies to one text once, and leaves out tasks with places of the user's", () => {
  const cells = [1, 1, 1, 1, 0, 0];
  equal(verdicts("C12", check({ one: {} }, () => cells, { cluster: "the edition's text" })), "cannot tell");
  equal(verdicts("C12", check({ one: { stars: 6, places: "0.4,0.6" } }, () => cells)), "cannot tell");
});

Deno.test("C8 says what shuffling costs, and stays open where order was not varied or both are at the floor", () => {
  const tasks = { rising: {}, shuffled: { order: "shuffled" } } as const;
  const of = (rising: number, shuffled: number) => check(tasks, (task) => [task === "rising" ? rising : shuffled]);
  equal(verdicts("C8", of(0.9, 0.4), of(0.6, 0.6), of(0, 0)), "holds, fails, cannot tell");
  const alone = check({ rising: {}, other: { order: "shuffled", stars: 16 } }, () => [0.5]);
  equal(verdicts("C8", alone, check({ rising: {} }, () => [0.5])), "cannot tell, cannot tell");
});

Deno.test("C13 compares the fewest stars with the most", () => {
  const tasks = { few: { stars: 16 }, some: { stars: 32 }, many: { stars: 64 } } as const;
  const of = (few: number, many: number) => check(tasks, (task) => [task === "many" ? many : few]);
  equal(verdicts("C13", of(0.9, 0.4), of(0.4, 0.9), of(0.5, 0.5)), "holds, fails, cannot tell");
  match(of(0.9, 0.4)["C13"]!.observed, /^Fewest less most stars: 50\.0 points/);
});

Deno.test("C13 compares stars of 130,000 replies", () => {
  const claims = check({ few: { stars: 4 }, many: { stars: 8 } }, (task) => task === "few" ? [1, 1] : [1, 0], {
    times: 32_500,
    lengths: [4000, 8000],
  });
  match(claims["C13"]!.observed, /^Fewest less most stars: 50\.0 points/);
});

Deno.test("L3 compares the shortest length with the longest of four or more", () => {
  const of = (short: number, long: number, lengths = [4000, 8000, 12_000, 16_000]) =>
    check({ one: {} }, (_, length) => [length < 10_000 ? short : long], { lengths });
  equal(verdicts("L3", of(0.9, 0.4), of(0.4, 0.9), of(0.9, 0.4, [4000, 16_000])), "holds, fails, cannot tell");
});

Deno.test("L4 compares plain counts with corrected ones", () => {
  const tasks = { plain: { order: "shuffled" }, corrected: { order: "shuffled", sentence: "corrected" } } as const;
  const of = (plain: number, corrected: number) => check(tasks, (task) => [task === "plain" ? plain : corrected]);
  equal(verdicts("L4", of(0.9, 0.4), of(0.4, 0.9)), "holds, fails");
});
