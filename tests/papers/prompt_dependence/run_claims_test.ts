import { deepEqual, equal, match, ok } from "node:assert/strict";
import { PROMPT_DEPENDENCE } from "@/lib/benchmarks/prompt_dependence/prompt_dependence.ts";
import { pairedRecall, RECALL_RUN_CLAIMS } from "@/lib/papers/prompt_dependence/run_claims.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkClaims, type CheckedClaim, type RunReply } from "@/lib/statistics/mod.ts";

function replies(task: string, values: readonly (number | null)[], seed = "1"): RunReply[] {
  return values.map((value, index) => (
    { task, length: 1000, value, failed: value === null, noAnswer: false, record: { index, seed } }
  ));
}

Deno.test("pairedRecall() is the mean difference over the cells that both have, and turns its sign with their order", () => {
  const all = [...replies("a", [1, 1, 0.6, null]), ...replies("b", [1, 0.2, 0.8, 1])];
  const pair = pairedRecall(all, ["a", "b"])!;
  // (0 + 80 − 20) / 3
  equal(pair.score.toFixed(6), "20.000000");
  deepEqual([pair.cells, pair.higher, pair.lower], [3, 1, 1]);
  equal(pairedRecall(all, ["b", "a"])!.score.toFixed(6), "-20.000000");
});

Deno.test("pairedRecall() has an interval that covers the true difference in at least 90% of 200 seeded draws", () => {
  let covered = 0;
  for (let round = 0; round < 200; round++) {
    const draw = stream("coverage", round);
    const grades = (chance: number): number[] => Array.from({ length: 60 }, () => draw() < chance ? 1 : 0.2);
    // True recalls are 0.2 + 0.8 x chance: 84 and 68, apart by 16 points.
    const all = [...replies("a", grades(0.8), `${round}`), ...replies("b", grades(0.6), `${round}`)];
    const { low, high } = pairedRecall(all, ["a", "b"])!;
    if (low <= 16 && high >= 16) covered++;
  }
  ok(covered >= 180, `${covered} of 200`);
});

Deno.test("pairedRecall() is null where no cell has a grade in both tests", () => {
  equal(pairedRecall([...replies("a", [null]), ...replies("b", [1])], ["a", "b"]), null);
  equal(pairedRecall([], ["a", "b"]), null);
});

Deno.test.each(
  [
    ["the first is higher", Array(20).fill(1), Array(20).fill(0.6), "holds"],
    ["the first is lower", Array(20).fill(0.2), Array(20).fill(0.6), "holds"],
    ["a few cells, all alike", Array(4).fill(1), Array(4).fill(1), "cannot tell"],
    ["the paper's 1,225 cells, all alike", Array(1225).fill(0.6), Array(1225).fill(0.6), "fails"],
    ["1,225 cells at the ceiling", Array(1225).fill(1), Array(1225).fill(1), "cannot tell"],
    ["1,225 cells at the floor of one of five", Array(1225).fill(0.2), Array(1225).fill(0.2), "cannot tell"],
    ["four of nine are higher", [1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 0.6, 1, 0.6, 1, 0.6, 1, 0.6, 1], "cannot tell"],
    ["sometimes one, sometimes the other", [1, 1, 0.2, 0.2], [0.2, 1, 1, 0.2], "cannot tell"],
  ] as [string, number[], number[], string][],
)("RECALL_RUN_CLAIMS: %s", (_name, first, second, verdict) => {
  const asked = [...replies("recall_pistachio", first), ...replies("recall_san_francisco", second)];
  const evidence = { rows: [], replies: asked, tasks: {}, claimedLength: null };
  const [err, ...others] = checkClaims(RECALL_RUN_CLAIMS, evidence).slice(0, 3);
  equal(err!.verdict, verdict);
  match(err!.observed, new RegExp(`over ${first.length} cells; higher in \\d+, lower in \\d+`));
  deepEqual(others.map(({ observed }) => observed), Array(2).fill("No cell has a grade in both tests."));
});

const recall = PROMPT_DEPENDENCE.families.find(({ name }) => name === "prompt_recall");
const TASKS = {
  ...Object.fromEntries(PROMPT_DEPENDENCE.tasks.map((name) => [name, recall!.task(name)])),
  ...Object.fromEntries(
    ["san_francisco", "thornfield"].map((test) => [`${test}_alone`, recall!.make({ test, document: "none" })]),
  ),
};
const PLACES: Readonly<Record<string, string>> = { "san_francisco": "San Francisco", thornfield: "Thornfield Hollow" };

/** A reply of a run, with its text. */
function reply(
  task: string,
  value: number,
  options: { text?: string; length?: number; index?: number } = {},
): RunReply {
  const { text = "", length = 1000, index = 0 } = options;
  const place = PLACES[task.replace("recall_", "").replace("_alone", "")] ?? "";
  const references = [`The best thing to do in ${place} is eat.`, `What is the best thing to do in ${place}?`];
  const record = { index, seed: "1", task, references, scoring: "recall", reply: { kind: "answer", text } };
  return { task, length, value, failed: false, noAnswer: false, record } as unknown as RunReply;
}

function many(times: number, make: (index: number) => RunReply): RunReply[] {
  return Array.from({ length: times }, (_, index) => make(index));
}

function checkedById(replies: readonly RunReply[]): Readonly<Record<string, CheckedClaim>> {
  const checked = checkClaims(RECALL_RUN_CLAIMS, { rows: [], replies, tasks: TASKS, claimedLength: null });
  return Object.fromEntries(checked.map((claim) => [claim.id, claim]));
}

Deno.test("P4 holds where the fictional needle is recalled better, and fails where it is recalled worse", () => {
  const of = (fictional: number, known: number): string =>
    checkedById([
      ...many(30, (index) => reply("recall_thornfield", fictional, { index })),
      ...many(30, (index) => reply("recall_san_francisco", known, { index })),
    ])["P4"]!.verdict;
  equal(of(1, 0.4), "holds");
  equal(of(0.4, 1), "fails");
  equal(of(1, 1), "cannot tell");
  equal(checkedById([])["P4"]!.verdict, "cannot tell");
});

Deno.test("P5 tells whether answers from prior knowledge are in one test only", () => {
  const bridge = { text: "Visit the Golden Gate Bridge" };
  const alone = [
    reply("san_francisco_alone", 0.2, bridge),
    reply("thornfield_alone", 0.2, { text: "Visit its cathedral" }),
  ];
  const tests = (known: number, fictional: string): RunReply[] => [
    ...many(20, (index) => reply("recall_san_francisco", index < known ? 0.2 : 1, { ...bridge, index })),
    ...many(20, (index) => reply("recall_thornfield", 0.2, { text: fictional, index })),
  ];
  equal(checkedById([...tests(15, "I cannot say"), ...alone])["P5"]!.verdict, "holds");
  equal(checkedById([...tests(15, "Visit its cathedral"), ...alone])["P5"]!.verdict, "fails");
  equal(checkedById([...tests(1, "I cannot say"), ...alone])["P5"]!.verdict, "cannot tell");
  match(checkedById(tests(15, "I cannot say"))["P5"]!.observed, /asked without a text/);
});

Deno.test("P6 tells whether the least grade is more frequent in long texts, and counts denials", () => {
  const text = "There is no mention of Thornfield Hollow in the text.";
  const of = (short: number, long: number): RunReply[] => [
    ...many(30, (index) => reply("recall_thornfield", short, { index, text })),
    ...many(30, (index) => reply("recall_thornfield", long, { index, text, length: 4000 })),
  ];
  const { verdict, observed } = checkedById(of(0.8, 0.2))["P6"]!;
  equal(verdict, "holds");
  match(observed, /longer texts less shorter: 100\.0 points .* 30 of them say that nothing is mentioned/);
  equal(checkedById(of(0.2, 0.8))["P6"]!.verdict, "fails");
  equal(checkedById(of(1, 1).slice(20, 40))["P6"]!.verdict, "cannot tell");
  match(checkedById(many(3, (index) => reply("recall_thornfield", 1, { index })))["P6"]!.observed, /two lengths/);
});
