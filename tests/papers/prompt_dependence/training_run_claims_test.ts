import { equal, match } from "node:assert/strict";
import { PROMPT_DEPENDENCE } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { TRAINING_RUN_CLAIMS } from "@/lib/papers/prompt_dependence/run_claims.ts";
import { checkClaims, type CheckedClaim, type RunReply } from "@/lib/statistics/mod.ts";

const recall = PROMPT_DEPENDENCE.families.find(({ name }) => name === "prompt_recall");
const tasks = {
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

function check(replies: readonly RunReply[]): Readonly<Record<string, CheckedClaim>> {
  const checked = checkClaims(TRAINING_RUN_CLAIMS, { rows: [], replies, tasks, claimedLength: null });
  return Object.fromEntries(checked.map((claim) => [claim.id, claim]));
}

Deno.test("P4 holds where the fictional needle is recalled better, and fails where it is recalled worse", () => {
  const of = (fictional: number, known: number): string =>
    check([
      ...many(30, (index) => reply("recall_thornfield", fictional, { index })),
      ...many(30, (index) => reply("recall_san_francisco", known, { index })),
    ])["P4"]!.verdict;
  equal(of(1, 0.4), "holds");
  equal(of(0.4, 1), "fails");
  equal(of(1, 1), "cannot tell");
  equal(check([])["P4"]!.verdict, "cannot tell");
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
  equal(check([...tests(15, "I cannot say"), ...alone])["P5"]!.verdict, "holds");
  equal(check([...tests(15, "Visit its cathedral"), ...alone])["P5"]!.verdict, "fails");
  equal(check([...tests(1, "I cannot say"), ...alone])["P5"]!.verdict, "cannot tell");
  match(check(tests(15, "I cannot say"))["P5"]!.observed, /asked without a text/);
});

Deno.test("P6 tells whether the least grade is more frequent in long texts, and counts denials", () => {
  const text = "There is no mention of Thornfield Hollow in the text.";
  const of = (short: number, long: number): RunReply[] => [
    ...many(30, (index) => reply("recall_thornfield", short, { index, text })),
    ...many(30, (index) => reply("recall_thornfield", long, { index, text, length: 4000 })),
  ];
  const { verdict, observed } = check(of(0.8, 0.2))["P6"]!;
  equal(verdict, "holds");
  match(observed, /100\.0% of 30 replies to the longer texts and 0\.0% .* 30 of them say that nothing is mentioned/);
  equal(check(of(0.2, 0.8))["P6"]!.verdict, "fails");
  equal(check(of(1, 1))["P6"]!.verdict, "cannot tell");
  match(check(many(3, (index) => reply("recall_thornfield", 1, { index })))["P6"]!.observed, /two lengths/);
});
