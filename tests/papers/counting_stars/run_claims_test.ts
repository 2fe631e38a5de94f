import { deepEqual, equal, match, ok } from "node:assert/strict";
import { STAR_RUN_CLAIMS, starThirds } from "@/lib/papers/counting_stars/run_claims.ts";
import { checkClaims, type CheckedClaim, type RunReply } from "@/lib/statistics/mod.ts";

/** So many replies that each find these stars. */
function reply(cells: readonly number[], times = 1, task = "search"): readonly RunReply[] {
  return Array.from({ length: times }, (_, index): RunReply => ({
    ...{ task, length: 4096, value: 0.5, failed: false, noAnswer: false },
    record: { index, seed: "1" },
    score: { value: 0.5, cells },
  }));
}

function check(replies: readonly RunReply[]): Readonly<Record<string, CheckedClaim>> {
  const checked = checkClaims(STAR_RUN_CLAIMS, { rows: [], replies, tasks: {}, claimedLength: null });
  return Object.fromEntries(checked.map((claim) => [claim.id, claim]));
}

Deno.test("starThirds() gives the share found in each third of the text, task by task", () => {
  // Of four stars two are in the first third, as floor(3 (i - 1) / 4) is 0, 0, 1, 2.
  const rows = starThirds([...reply([1, 0, 1, 0]), ...reply([1, 1, 0, 0.5]), ...reply([1, 1, 1], 2, "other")]);
  deepEqual(rows.map(({ task, third, n, score }) => [task, third, n, score]), [
    ["search", "first", 2, 75],
    ["search", "middle", 2, 50],
    ["search", "last", 2, 25],
    ["other", "first", 2, 100],
    ["other", "middle", 2, 100],
    ["other", "last", 2, 100],
  ]);
  ok(rows.every(({ score, low, high }) => low <= score && score <= high));
});

Deno.test("starThirds() counts a sample once, however often it was asked", () => {
  const [once] = reply([1, 0, 1]);
  const again = { ...once!, record: { index: 0, seed: "1", repeat: 1 }, score: { value: 0.5, cells: [1, 1, 1] } };
  deepEqual(starThirds([once!, again]).map(({ n, score }) => [n, score]), [[1, 100], [1, 50], [1, 100]]);
});

Deno.test("starThirds() and the claims about places count replies to one text once", () => {
  const shared = reply([1, 1, 0], 30).map((each) => ({ ...each, cluster: "the edition's text" }));
  deepEqual(starThirds(shared).map(({ n, units }) => [n, units]), [[30, 1], [30, 1], [30, 1]]);
  deepEqual([check(shared), check(reply([1, 1, 0], 30))].map(({ S12 }) => S12!.verdict), ["cannot tell", "holds"]);
});

Deno.test("starThirds() leaves out what has no middle: two stars, failed calls, other benchmarks", () => {
  const [failed] = reply([1, 1, 1]);
  deepEqual(starThirds([...reply([1, 1]), { ...failed!, score: null }, { ...failed!, score: { value: 1 } }]), []);
});

Deno.test.each(
  [
    ["the tail is lost", [1, 1, 1, 1, 0, 0], 30, "holds", "fails"],
    ["the middle is lost", [1, 1, 0, 0, 1, 1], 30, "fails", "holds"],
    ["the tail is lost in few replies", [1, 1, 1, 1, 1, 0.5], 2, "cannot tell", "cannot tell"],
    ["nothing is found", [0, 0, 0, 0, 0, 0], 100, "cannot tell", "cannot tell"],
  ] as [string, readonly number[], number, string, string][],
)("STAR_RUN_CLAIMS: %s", (_name, cells, times, tail, middle) => {
  const claims = check(reply(cells, times));
  deepEqual([claims["S12"]!.verdict, claims["S12c"]!.verdict], [tail, middle]);
});

Deno.test("STAR_RUN_CLAIMS say what was compared, and where there is nothing to compare", () => {
  match(check(reply([1, 1, 0], 30))["S12"]!.observed, /^Of 30 replies, the others less the last third: 100\.0 points/);
  equal(check(reply([1, 1]))["S12"]!.observed, "No prompt of three stars or more has a score.");
});

Deno.test("STAR_RUN_CLAIMS leave out tasks whose stars have places of the user's: their thirds are not the text's", () => {
  const replies = [...reply([1, 1, 0], 30), ...reply([0, 1, 1], 30, "mine")];
  const tasks = {
    search: { label: "search", options: { stars: 3 } },
    mine: { label: "mine", options: { stars: 3, places: "0.4,0.6" } },
  };
  const [tail] = checkClaims(STAR_RUN_CLAIMS, { rows: [], replies, tasks, claimedLength: null });
  match(tail!.observed, /^Of 30 replies, the others less the last third: 100\.0 points/);
});

Deno.test("STAR_RUN_CLAIMS compare the fewest stars with the most of 130,000 replies", () => {
  const tasks = { few: { options: { ask: "list", stars: 4 } }, many: { options: { ask: "list", stars: 8 } } };
  const replies = [...reply([1, 1, 1, 1], 65_000, "few"), ...reply([1, 0, 1, 0], 65_000, "many")];
  const claims = STAR_RUN_CLAIMS.filter(({ id }) => id === "S13");
  const [checked] = checkClaims(claims, { rows: [], replies, tasks, claimedLength: null });
  match(checked!.observed, /of 65000 and 65000 replies/);
});
