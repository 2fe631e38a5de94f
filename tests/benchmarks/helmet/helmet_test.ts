import { deepEqual, equal, match, throws } from "node:assert/strict";
import { CASES, NEEDLE_ROW, NEEDLES_ROW, PAIRS_ROW, PASSAGES_ROW } from "./_rows.ts";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { hashBytes } from "@/lib/base/mod.ts";
import type { TestLine } from "@/lib/benchmarks/benchmark.ts";
import { fitPrompt } from "@/lib/benchmarks/fit_prompt.ts";
import { HELMET } from "@/lib/benchmarks/helmet/helmet.ts";
import { joinMessages, PLAIN_TEMPLATE, type Prompt, userPrompt } from "@/lib/generators/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

const sha256Of = (text: string): string => hashBytes(new TextEncoder().encode(text));
const readRow = (row: object, options = {}): TestLine =>
  HELMET.testFiles!.read({ ...row }, (wanted, value) => new SyntaxError(`${wanted}: ${value}`), options)!;
const textOf = (prompt: Prompt): string => joinMessages(prompt, PLAIN_TEMPLATE);
const promptOf = ({ input = "", answerPrefix = "" }: TestLine): Prompt => userPrompt(input, { answerPrefix });

// Hashes of what data.py and model_utils.py of princeton-nlp/HELMET at 4526dfb make of the same rows and replies.
Deno.test("prompts are those of the authors' code: with a chat template, without, and cut to 650 tokens", () => {
  const lines = [PAIRS_ROW, PASSAGES_ROW, NEEDLE_ROW, NEEDLES_ROW].map((row) => readRow(row));
  const chat = lines.map(({ input }) => input);
  equal(sha256Of(chat.join("")), "867eaae774f07e54334c099f7f3cc22ce20441a99adf959468826bbd8dd55cc7");
  const plain = lines.map((line) => textOf(promptOf(line)));
  equal(sha256Of(plain.join("")), "dc00b09f364367eae95dfe2c91fc549db975cce044e3bcf11899ea3c1d3e1a31");
  const tokenizer = { name: "characters", count: (text: string) => [...text].length } as Tokenizer;
  const count = (prompt: Prompt): number => tokenizer.count(textOf(prompt));
  const fit = { what: "the row", overlong: "cut", tokenizer, count };
  const short = lines.map((line) => textOf(fitPrompt(promptOf(line), { ...fit, cut: line.cut, tokens: 650 }).prompt));
  equal(sha256Of(short.join("")), "9a84f71d5200f2ac8e7d8735229998fce36aefdc13ec979f0dce5e07f53373b8");
  throws(() => fitPrompt(promptOf(lines[0]!), { ...fit, cut: lines[0]!.cut, tokens: 50 }), {
    name: "RangeError",
    message: /^Cannot ask the row as its prompt must have at most 50 tokens, and the words around its text are not cut/,
  });
});

Deno.test("replies in 4,116 forms get the scores of the authors' code", () => {
  const [scorer] = HELMET.families[0]!.scorers;
  const values = CASES.map(([reply, references]) => scorer!.grade(reply, { references }).score.value);
  equal(sha256Of(values.join("")), "c1da19c657047f9aa22a4235eba9a23d2b9d4af1d3df054075dd25f5b81ed3d9");
});

Deno.test("rows that data.py prepared keep its examples, and shots counts those of json_kv", () => {
  const prepared = { ...PASSAGES_ROW, demos: "An example.\n\n", context: "A text.", answer: [["Lee"], ["Ann"]] };
  const { input, references, cut } = readRow(prepared);
  match(input!, /\[answer\]\n\nAn example\.\n\nA text\.\n\nQuestion: who wrote the song\?$/);
  deepEqual([references, cut!.part], [["Lee", "Ann"], "A text."]);
  match(readRow(PAIRS_ROW, { shots: 0 }).input!, /object below\.\n\nKey: k-2$/);
  match(readRow(PAIRS_ROW, { shots: 3 }).input!, /Key: d-3\nCorresponding value: e-3\n\nKey: k-2$/);
});

Deno.test.each([
  ["several keys", { ...NEEDLES_ROW, query: "a, and b" }, /query and context must be of niah_multikey_2/],
  ["one needle in essays", { ...NEEDLES_ROW, outputs: ["12345"] }, /query and context must be of niah_multikey_2/],
  ["no answers", { ...PASSAGES_ROW, answers: undefined }, /answer must be a text or a list of texts: undefined/],
  ["a passage without a title", { ...PASSAGES_ROW, ctxs: [null] }, /title must be a text/],
  ["half an example", { ...PAIRS_ROW, demos: [["key"]] }, /demos must be a list of keys, each with its value/],
] as [string, object, RegExp][])("a row with %s is refused", (_name, row, message) => {
  throws(() => readRow(row), message);
});

Deno.test("HELMET's files are asked by task, questions about popular pages apart, and depths of one as a cluster", async () => {
  const files = {
    "json_kv/test_k105_dep6.jsonl": [PAIRS_ROW],
    "ruler/validation_8192.jsonl": [NEEDLE_ROW, { ...NEEDLE_ROW, "type_needle_v": "uuid" }, NEEDLES_ROW],
    "kilt/nq-dev-multikilt_1000_k50_dep6.jsonl": [PASSAGES_ROW, PASSAGES_ROW],
    "kilt/popqa_test_1000_k50_dep6.jsonl": [999, 1000].map((views) => ({ ...PASSAGES_ROW, "s_pop": views })),
  };
  const lines = Object.entries(files).map(([path, rows]) => [path, rows.map((row) => JSON.stringify(row)).join("\n")]);
  await withFolder(Object.fromEntries(lines), async (folder) => {
    await withRunName(async (run) => {
      const ask = ["run", "--samples-file", folder, "--lengths", "8K", "--model", "sim:ideal", "--name", run];
      const { code, out, err } = await shell(...ask);
      equal(code, 0, err.join("\n"));
      match(out, /HELMET recall +100\.0/);
      const { replies } = await readScoredRun(run);
      const byTask = Map.groupBy(replies, ({ task }) => task.replace("helmet_", ""));
      const tasks = "json_kv,niah_mk_2,niah_mk_3,niah_mv,nq,popqa,popqa_popular";
      equal([...byTask.keys()].sort().join(), tasks);
      equal(new Set(byTask.get("nq")!.map(({ cluster }) => cluster)).size, 1);
    });
  });
});
