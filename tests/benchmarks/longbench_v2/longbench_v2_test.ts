import { deepEqual, equal, match, ok } from "node:assert/strict";
import { REPLIES, ROW } from "./_rows.ts";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { hashBytes } from "@/lib/base/mod.ts";
import { fitPrompt } from "@/lib/benchmarks/file_suite.ts";
import { PROMPTS, SCORERS, SECOND_QUESTION } from "@/lib/benchmarks/longbench_v2/letters.ts";
import { LONGBENCH_V2 } from "@/lib/benchmarks/longbench_v2/longbench_v2.ts";
import { type Prompt, userPrompt, userText } from "@/lib/generators/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

const line = (prompt: keyof typeof PROMPTS) =>
  LONGBENCH_V2.testFiles!.read(ROW, (wanted) => new SyntaxError(wanted), { prompt })!;
const zeroShot = line("zero-shot");

const sha256Of = (text: string): string => hashBytes(new TextEncoder().encode(text));

/** A tokenizer whose tokens are characters, with which the authors' code was run too. */
const characters = { name: "characters", count: (text: string) => [...text].length } as Tokenizer;
const count = (prompt: Prompt): number => characters.count(userText(prompt));

// Recorded with pred.py of THUDM/LongBench at 2e00731.
Deno.test.each(
  [
    ["zero-shot", "e7c5220d281fb391d666ae050dbe0722f7aeea1eae959302d15a1f22d1ab3d97"],
    ["cot", "862539304f970618a54b5c4973d43e3d162024ffe8be07e9f25a45b4136c34b7"],
    ["no-context", "b95663eb1022ff0f307cd8bf439fb3a31045e96bb371d4e201e3175d5e74f92b"],
  ] as const,
)("the prompt %s is that of the authors' code, to the byte", (prompt, sha256) => {
  equal(sha256Of(line(prompt).input!), sha256);
});

Deno.test("the second question after a chain of thought is that of the authors' code", () => {
  const record = { question: zeroShot.question!, references: ["B"], scoring: "longbench_v2 cot" };
  const second = SECOND_QUESTION.prompt(" Because. ", record)!;
  equal(sha256Of(userText(second)), "c7b61483e2fa071bfd594c7572d13c09f1c013baeb7792d7fa912aeae8cfc698");
});

Deno.test("replies in 1,296 forms give the letters of the authors' code", () => {
  const letters = REPLIES.map((reply) => {
    const { score, unparsable } = SCORERS[0].grade(reply, { references: ["B"] });
    equal(score.value, Number(score.answer === "B" && !unparsable), reply);
    equal(SCORERS[1]!.grade(reply, { references: ["B"] }).score.value, unparsable ? 0.25 : score.value, reply);
    return unparsable ? "-" : score.answer;
  });
  equal(sha256Of(letters.join("")), "533b73e66d9343374220195ca880028b3119a4c110c80d2e0ccbca56817d23c3");
});

Deno.test.each([
  [872, "9811cf0b82b43806a1d91c2e8a58dae2376f36e712660ade5a3411b4c934d9fd"],
  [873, "558b065cd9868ba11d33e93d0de15c1b09aa9bc65e85902580552f941b9d8971"],
  [1200, "7f522041185a61f0ec4d8c938eeec3ddc6edcc0ddaec9bb4c49a40907cdad94c"],
] as [number, string][])("a prompt is cut in the middle to %d tokens as by the authors' code", (tokens, sha256) => {
  const prompt = userPrompt(zeroShot.input!);
  const fit = { cut: zeroShot.cut, what: "row", overlong: "cut", tokens, tokenizer: characters, count };
  const { prompt: fitted, cutTokens } = fitPrompt(prompt, fit);
  deepEqual([sha256Of(userText(fitted)), count(fitted) + cutTokens!], [sha256, count(prompt)]);
});

const ROWS = [["easy", "short"], ["easy", "medium"], ["easy", "long"], ["hard", "short"], ["hard", "medium"], [
  "hard",
  "long",
]].flatMap(([difficulty, length], at) =>
  Array.from({ length: 1 + at }, (_, number) => ({
    ...ROW,
    difficulty,
    length,
    context: `${number} `.repeat(at === 5 ? 900 : 9) + at,
  }))
);

async function withRows(
  rows: readonly object[],
  use: (ask: (...flags: string[]) => ReturnType<typeof shell>, run: string) => Promise<void>,
): Promise<void> {
  await withFolder({ "data.json": JSON.stringify(rows) }, async (folder) => {
    await withRunName(async (run) => {
      const ask = ["run", "--samples-file", `${folder}/data.json`, "--model", "sim:ideal", "--name", run];
      await use((...flags) => shell(...ask, ...flags), run);
    });
  });
}

Deno.test("data.json is asked at a length: by class, each row with the same weight, and long rows cut", async () => {
  await withRows(ROWS, async (ask, run) => {
    const { code, out, err } = await ask("--lengths", "1K");
    equal(code, 0, err.join("\n"));
    match(out, /LongBench v2 overall +100\.0/);
    const { replies } = await readScoredRun(run);
    const cut = replies.filter(({ record }) => record.cutTokens !== undefined);
    deepEqual([replies.length, cut.length], [21, 6]);
    ok(cut.every(({ record }) => record.task === "longbench_v2_hard_long" && record.promptTokens <= 1024 - 128));
    const lines = JSON.parse((await shell("report", run, "--json")).out).rows;
    const overall = lines.find(({ task }: { task: string }) => task === "LongBench v2 overall");
    deepEqual([overall.n, overall.score], [21, 100]);
    match((await shell("show", run, "--task", "longbench_v2_hard_long")).out, /\d+ were cut out of it/);
    equal((await shell("verify", run)).code, 0);
  });
});

Deno.test("knobs of rows are set: a chain of thought is asked again for its letter, and long rows are left out", async () => {
  await withRows(ROWS, async (ask, run) => {
    const flags = ["--lengths", "2K", "--set", "prompt=cot", "--set", "overlong=skip", "--set", "unparsed=0.25"];
    const { code, err } = await ask(...flags);
    equal(code, 0, err.join("\n"));
    match(
      err.join("\n"),
      /longbench_v2_hard_long, sample 5, as its prompt must have at most 1024 tokens, if overlong is skip/,
    );
    const { replies } = await readScoredRun(run);
    deepEqual([replies.length, replies[0]!.record.scoring], [15, "longbench_v2 cot compensated"]);
    const again = await shell("regrade", run, "--by", "extractor", "--model", "sim:ideal");
    match(again.out, /all +15 +0 +100\.0 +100\.0 +100\.0/);
  });
});

Deno.test.each([
  [
    "another answer",
    { ...ROW, answer: "E" },
    /row 2 of "[^"]+" as answer must be one of A, B, C, D/,
  ],
  [
    "no choice",
    { ...ROW, "choice_C": undefined },
    /row 2 of "[^"]+" as choice_C must be a text: current value is none/,
  ],
  ["a class of its own", { ...ROW, length: "huge" }, /row 2 of "[^"]+" as length must be one of short, medium, long/],
] as [string, object, RegExp][])("a row with %s is refused with its number and field", async (_name, row, message) => {
  await withRows([ROW, row], async (ask) => {
    const { code, err } = await ask("--lengths", "1K");
    deepEqual([code, err.length], [2, 1]);
    match(err[0]!, message);
  });
});

Deno.test("a file without --lengths, and tasks without a file, are refused with what to do", async () => {
  await withRows([ROW], async (ask) => match((await ask()).err.join(), /--lengths must name the one length/));
  const { code, err } = await shell("run", "--tasks", "longbench_v2", "--model", "sim:ideal");
  equal(code, 2);
  match(err.join(), /its texts must be the authors' own: ask their files with --samples-file/);
});
