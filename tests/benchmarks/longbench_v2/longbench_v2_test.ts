import { deepEqual, equal, match } from "node:assert/strict";
import { REPLIES, ROW } from "./_rows.ts";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { hashBytes } from "@/lib/base/mod.ts";
import type { TestLine } from "@/lib/benchmarks/benchmark.ts";
import { fitPrompt } from "@/lib/benchmarks/fit_prompt.ts";
import { SCORERS, SECOND_QUESTION } from "@/lib/benchmarks/longbench_v2/letters.ts";
import { LONGBENCH_V2 } from "@/lib/benchmarks/longbench_v2/longbench_v2.ts";
import { type Prompt, userPrompt, userText } from "@/lib/generators/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import type { Grading } from "@/lib/scorers/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

const sha256Of = (text: string): string => hashBytes(new TextEncoder().encode(text));
const readRow = (prompt: string): TestLine =>
  LONGBENCH_V2.testFiles!.read(ROW, (wanted) => new SyntaxError(wanted), { prompt })!;
const { input, question, cut } = readRow("zero-shot");

// Hashes of what pred.py of THUDM/LongBench at 2e00731 makes of the same row and replies.
Deno.test("the prompts, and the second question after a chain of thought, are those of the authors' code", () => {
  const prompts = ["zero-shot", "cot", "no-context"].map((prompt) => readRow(prompt).input);
  equal(sha256Of(prompts.join("")), "a16c18d1b08b5bafc7b034af57483cc7e631881961a4276633f279b617b779e5");
  const second = SECOND_QUESTION.prompt(" Because. ", { question: question!, references: ["B"], scoring: "" })!;
  equal(sha256Of(userText(second)), "c7b61483e2fa071bfd594c7572d13c09f1c013baeb7792d7fa912aeae8cfc698");
});

function gradeAll(reply: string): [Grading, Grading] {
  return SCORERS.slice(0, 2).map((each) => each.grade(reply, { references: ["B"] })) as [Grading, Grading];
}

Deno.test("replies in 1,404 forms give the letters of the authors' code", () => {
  const letters = REPLIES.map((reply) => {
    const [{ score, unparsable }, compensated] = gradeAll(reply);
    const value = Number(score.answer === "B" && !unparsable);
    deepEqual([score.value, compensated.score.value], [value, unparsable ? 0.25 : value]);
    return unparsable ? "-" : score.answer;
  });
  equal(sha256Of(letters.join("")), "1d4f507d677595ceadcc19d700832357f166736a5d27701411e05c044ea9f8ba");
});

Deno.test("a prompt is cut in the middle as by the authors' code, here in characters", () => {
  const tokenizer = { name: "characters", count: (text: string) => [...text].length } as Tokenizer;
  const count = (prompt: Prompt): number => tokenizer.count(userText(prompt));
  const texts = [872, 873, 1200].map((tokens) => {
    const { prompt, cutTokens } = fitPrompt(userPrompt(input!), {
      cut,
      what: "",
      overlong: "cut",
      tokens,
      tokenizer,
      count,
    });
    equal(count(prompt) + cutTokens!, tokenizer.count(input!));
    return userText(prompt);
  });
  equal(sha256Of(texts.join("")), "d0b8613e418bfa018e82d24fc47d8e0fa3a20b3e77e6b363d72deb1eaab3a039");
});

/** One to six rows of each class; those of the last are long. */
const ROWS = ["easy", "hard"].flatMap((difficulty, half) =>
  ["short", "medium", "long"].flatMap((length, third) =>
    Array.from({ length: 3 * half + third + 1 }, (_, number) => {
      const context = `${number} `.repeat(3 * half + third === 5 ? 900 : 9);
      return { ...ROW, difficulty, length, context: context + difficulty + length };
    })
  )
);

type Ask = (...flags: string[]) => ReturnType<typeof shell>;

async function withRows(rows: readonly object[], use: (ask: Ask, run: string) => Promise<void>): Promise<void> {
  await withFolder({ "data.json": JSON.stringify(rows) }, async (folder) => {
    await withRunName(async (run) => {
      const ask = ["run", "--samples-file", `${folder}/data.json`, "--model", "sim:ideal", "--name", run];
      await use((...flags) => shell(...ask, ...flags), run);
    });
  });
}

Deno.test("data.json is asked by class, with the same weight for each row, and records say what was cut", async () => {
  await withRows(ROWS, async (ask, run) => {
    const { code, out, err } = await ask("--lengths", "1K");
    equal(code, 0, err.join("\n"));
    match(out, /n = 1 to 21 a cell[^]+LongBench v2 overall +100\.0/);
    const { replies } = await readScoredRun(run);
    const long = replies.filter(({ record }) => record.cutTokens !== undefined).map(({ record }) => record);
    deepEqual([replies.length, long.length, new Set(long.map(({ task }) => task)).size], [21, 6, 1]);
    match(
      (await shell("show", run, "--task", long[0]!.task)).out,
      /896 tokens of prompt, after \d+ were cut out of it/,
    );
    equal((await shell("verify", run)).code, 0);
  });
});

Deno.test("knobs are set: a chain of thought is asked for its letter again, and long rows are left out", async () => {
  await withRows(ROWS, async (ask, run) => {
    const knobs = ["prompt=cot", "overlong=skip", "unparsed=0.25"].flatMap((knob) => ["--set", knob]);
    const { code, err } = await ask("--lengths", "2K", ...knobs);
    equal(code, 0, err.join("\n"));
    match(
      err.join("\n"),
      /hard_long, sample 5, as its prompt must have at most 1024 tokens, if overlong is skip: current/,
    );
    const { replies } = await readScoredRun(run);
    deepEqual([replies.length, replies[0]!.record.scoring], [15, "longbench_v2 cot compensated"]);
    const again = await shell("regrade", run, "--by", "extractor", "--model", "sim:ideal");
    match(again.out, /all +15 +0 +100\.0 +100\.0 +100\.0/);
  });
});

Deno.test.each([
  [{ answer: "E" }, ["--lengths", "1K"], /row 2 of "[^"]+" as answer must be one of A, B, C, D/],
  [{ "choice_C": 7 }, ["--lengths", "1K"], /row 2 of "[^"]+" as choice_C must be a text: current value is 7/],
  [{}, [], /--lengths must name the one length that they were made for or are cut to/],
  [{}, ["--lengths", "1K", "--set", "keys=2"], /Cannot set keys as the task must be of niah/],
] as [object, string[], RegExp][])(
  "a row with %o is refused in one line with the flags %o",
  async (row, flags, message) => {
    await withRows([ROW, { ...ROW, ...row }], async (ask) => {
      const { code, err } = await ask(...flags);
      deepEqual([code, err.length], [2, 1]);
      match(err[0]!, message);
    });
  },
);

Deno.test("tasks without a file are refused with what to do", async () => {
  const { code, err } = await shell("run", "--tasks", "longbench_v2", "--model", "sim:ideal");
  equal(code, 2);
  match(err.join(), /its texts must be the authors' own: ask their files with --samples-file/);
});
