import { deepEqual, equal, rejects } from "node:assert/strict";
import fc from "fast-check";
import { testOnRealData } from "../_real_data.ts";
import { readGolden } from "./ruler/_golden.ts";
import { type ScoredTask, scorePredictions } from "@/lib/benchmarks/mod.ts";
import { readPredictions } from "@/lib/benchmarks/ruler/ruler_files.ts";
import { allFound, anyFound, edits, type Prediction } from "@/lib/scorers/mod.ts";

function line(pred: unknown, outputs: unknown): string {
  return JSON.stringify({ index: 0, pred, input: "…", outputs, others: {}, truncation: -1, length: 4096 });
}

/** A task of RULER's with its scorer. */
function ruler(task: string): ScoredTask {
  return { task, scorer: task.startsWith("qa") ? anyFound : allFound };
}

async function readAll(lines: Iterable<string> | AsyncIterable<string>): Promise<Prediction[]> {
  return await Array.fromAsync(readPredictions(lines));
}

// Expected scores and nulls are those of the reference's evaluate.py on the same lines.
Deno.test.each([
  ["vt", [line("KDRXW", ["KDRXW", "XUFUS"]), line("kdrxw xufus", ["KDRXW", "XUFUS"])], 75, "0/2"],
  ["niah_multivalue", [line("1234567", ["1234567", "2222222", "3333333"]), line("\t\n", ["7654321"])], 16.67, "1/2"],
  ["qa_1", [line("It was France.", ["France", "Normandy"]), line("Oslo", ["Rome"]), line(" ", ["Rome"])], 33.33, "1/3"],
] as [string, string[], number, string][])(
  "scorePredictions() scores %s as RULER does",
  async (task, lines, score, nulls) => {
    const result = await scorePredictions(readPredictions(lines), ruler(task));
    deepEqual([result.score, result.nulls, result.n], [score, nulls, lines.length]);
  },
);

Deno.test("readPredictions() skips empty lines and a byte order mark, and reads one output", async () => {
  const lines = ["\uFEFF" + line("a", ["b"]), "", "  ", '{"pred": "c", "output": "d"}', ""];
  deepEqual(await readAll(lines), [
    { prediction: "a", references: ["b"], distractors: undefined, id: 0, task: undefined },
    { prediction: "c", references: ["d"], distractors: undefined, id: undefined, task: undefined },
  ]);
});

Deno.test("readPredictions() reads a wrong answer for each output, and what a line is called", async () => {
  const lines = [
    { pred: "a", outputs: ["b", "c"], distractors: ["d", ""], index: 7, others: { id: "x" } },
    { pred: "a", outputs: ["b"], index: 7, others: null, task: "vt" },
  ];
  deepEqual(await readAll(lines.map((each) => JSON.stringify(each))), [
    { prediction: "a", references: ["b", "c"], distractors: ["d", ""], id: "x", task: undefined },
    { prediction: "a", references: ["b"], distractors: undefined, id: 7, task: "vt" },
  ]);
});

Deno.test("scorePredictions() has no score where the file has no references", async () => {
  const { score, n } = await scorePredictions(readPredictions([line("a", [null]), line("b", [])]), ruler("vt"));
  deepEqual([score, n], [null, 2]);
});

Deno.test.each([
  ["no JSON", "{oops", 'the line must be one JSON object: current value is "{oops"'],
  ["a list", "[1]", 'the line must be one JSON object: current value is "[1]"'],
  ["no prediction", '{"outputs": ["a"]}', '"pred" must be a text: current value is none'],
  ["a number for a prediction", line(7, ["a"]), '"pred" must be a text: current value is 7'],
  ["no outputs", '{"pred": "a"}', '"outputs" must be a list of texts: current value is none'],
  ["a text for outputs", line("a", "abc"), '"outputs" must be a list of texts: current value is "abc"'],
  ["two odd outputs, the first shown", line("a", [1, 2]), '"outputs" must be a list of texts: current value is 1'],
  ["one answer unknown of two", line("a", ["b", null]), '"outputs" must be a list of texts: current value is null'],
  [
    "a distractor too few",
    '{"pred": "a", "outputs": ["a", "b"], "distractors": ["c"]}',
    '"distractors" must be a list of 2 texts, one for each output: current value is ["c"]',
  ],
  [
    "a number among distractors",
    '{"pred": "a", "outputs": ["a", "b"], "distractors": ["c", 7]}',
    '"distractors" must be a list of texts: current value is 7',
  ],
] as [string, string, string][])(
  "readPredictions() refuses a line with %s and names it",
  async (_name, bad, message) => {
    await rejects(readAll([line("a", ["b"]), "", bad]), {
      name: "SyntaxError",
      message: `Cannot read line 3 of the predictions as ${message}`,
    });
  },
);

Deno.test("scorePredictions() takes any scorer, and scores no line without references", async () => {
  const lines = [
    line("上海 人工智能实验室", ["上海人工智能实验室"]),
    line("北京", ["上海"]),
    line("", []),
    line("", ["上海"]),
  ];
  const result = await scorePredictions(readPredictions(lines), { task: "cdme_zh", scorer: edits });
  deepEqual([result.score, result.n, result.nulls, result.scoring], [33.33, 4, "2/4", "edit distance"]);
  deepEqual(result.scores.map(({ value }) => value), [1, 0, null, 0]);
});

/** A prediction that gives the first of its references and not the others. */
function foundOf([found, of]: readonly [number, number]): Prediction {
  return { prediction: "a", references: Array.from({ length: of }, (_, at) => at < found ? "a" : "b") };
}

Deno.test.each([
  ["a third", [[1, 1], [0, 1], [0, 1]], 33.33],
  // 1/800 of 100 is 0.125, exactly between two hundredths: Python gives the even one, toFixed the greater.
  ["a tie to the even digit below", [[1, 800]], 0.12],
  ["a tie to the even digit above", [[3, 800]], 0.38],
  // 0.01005 * 100 is a little below 1.005 as a binary number.
  ["what only looks like a tie as the binary number is", [[201, 20_000]], 1],
  ["a half, leaving out a line without references", [[1, 1], [0, 0], [0, 1]], 50],
] as [string, [number, number][], number][])("scorePredictions() rounds %s", async (_name, lines, want) => {
  equal((await scorePredictions(lines.map(foundOf), ruler("vt"))).score, want);
});

Deno.test("scorePredictions() is within half a hundredth of the mean", async () => {
  const line = fc.tuple(fc.nat(40), fc.integer({ min: 40, max: 70 }));
  await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1 }), async (lines) => {
    const mean = lines.reduce((sum, [found, of]) => sum + found / of, 0) / lines.length * 100;
    const { score } = await scorePredictions(lines.map(foundOf), ruler("vt"));
    equal(Math.abs(score! - mean) <= 0.005 + 1e-9, true);
  }));
});

Deno.test("scorePredictions() refuses an empty file", async () => {
  await rejects(scorePredictions(readPredictions([""]), ruler("vt")), {
    name: "RangeError",
    message: "Cannot score predictions as their number must be at least 1: current value is 0",
  });
});

testOnRealData("scorePredictions() gives the reference's own samples 100 for right answers and 0 for none", {
  reads: "golden/ruler",
  async fn(): Promise<void> {
    for (const task of ["niah_single_3", "niah_multiquery", "vt", "cwe", "fwe", "qa_1", "qa_2"]) {
      const samples = readGolden(task, "2026");
      const right = samples.map(({ outputs }) => line(` ${outputs.join(", ").toUpperCase()}.`, outputs));
      const empty = samples.map(({ outputs }) => line("", outputs));
      equal((await scorePredictions(readPredictions(right), ruler(task))).score, 100);
      const none = await scorePredictions(readPredictions(empty), ruler(task));
      deepEqual([none.score, none.nulls], [0, `${samples.length}/${samples.length}`]);
    }
  },
});

Deno.test("scorePredictions() hands distractors to the scorers that need them alone, and refuses their lack", async () => {
  const seen: unknown[] = [];
  const scorerOf = (needsDistractors: boolean): ScoredTask["scorer"] => ({
    ...allFound,
    ...(needsDistractors ? { needsDistractors } : {}),
    grade(reply, item): ReturnType<typeof allFound.grade> {
      seen.push(item.distractors);
      return allFound.grade(reply, item);
    },
  });
  const prediction: Prediction = { prediction: "a", references: ["a"], distractors: ["b"], id: 0 };
  await scorePredictions([prediction], { task: "vt", scorer: scorerOf(true) });
  await scorePredictions([prediction], { task: "vt", scorer: scorerOf(false) });
  deepEqual(seen, [["b"], undefined]);
  const { distractors: _, ...bare } = prediction;
  await rejects(scorePredictions([{ ...bare, distractors: undefined }], { task: "vt", scorer: scorerOf(true) }), {
    name: "RangeError",
    message: /prediction 1 of vt.*distractors/,
  });
});
