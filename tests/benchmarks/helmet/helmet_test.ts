import { deepEqual, equal, match, throws } from "node:assert/strict";
import { CASES, NEEDLE_ROW, NEEDLES_ROW, PAIRS_ROW, PASSAGES_ROW } from "./_rows.ts";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { hashBytes } from "@/lib/base/mod.ts";
import type { TestLine } from "@/lib/benchmarks/benchmark.ts";
import { fitPrompt } from "@/lib/benchmarks/file_suite.ts";
import { HELMET } from "@/lib/benchmarks/helmet/helmet.ts";
import { joinMessages, PLAIN_TEMPLATE, type Prompt, userPrompt } from "@/lib/generators/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

const readRow = (row: object, options = {}): TestLine =>
  HELMET.testFiles!.read({ ...row }, (wanted, value) => new SyntaxError(`${wanted}: ${value}`), options)!;
const sha256Of = (text: string): string => hashBytes(new TextEncoder().encode(text));
const textOf = (prompt: Prompt): string => joinMessages(prompt, PLAIN_TEMPLATE);
const promptOf = ({ input = "", answerPrefix = "" }: TestLine): Prompt => userPrompt(input, { answerPrefix });

// Recorded with data.py and model_utils.py of princeton-nlp/HELMET at 4526dfb: with a chat template, without one, and cut
// to 650 tokens, which are characters.
Deno.test.each([
  [
    "json_kv",
    PAIRS_ROW,
    "74caa01697b16f5a21221dbf0247d5118ca40f3e850a13eacb155e6f9e8cd735",
    "f05a0520474e1db23d43cf17b2dd1fd7e5e39586b18c165b0daca3730c9e3d01",
    "1a80557da44ba08430c919684f457ba241eb413be5c980b43cef7db78ca0ae10",
  ],
  [
    "passages, without examples",
    PASSAGES_ROW,
    "4ae6ff813285721d4f6e7104ca61099f67cd34ce01fd8188c363a89ce03a2fa0",
    "a9ad4b5183c8ff35af1e2f11df2b58a5c71712978a9b12f2977c7cc1872cc706",
    "e2d0919e42b9e3208f7d675e13a0c2542262e71b09fa980ebf1487652caf173d",
  ],
  [
    "one needle",
    NEEDLE_ROW,
    "27643173fc751c250a4c65f8c0a9c68b63445851aeed204cd7b4064eb2e947fe",
    "beee650820d38dd62e94ce147dff5a5e648b08fd720cecf6513866dd2dd1020b",
    "beee650820d38dd62e94ce147dff5a5e648b08fd720cecf6513866dd2dd1020b",
  ],
  [
    "needles",
    NEEDLES_ROW,
    "8581902b50a2f0f7b24caa9469b629ada9a9615f3f14b6c1ee6f7d29888e85e5",
    "6c73ec197b7d643299f3076420a867dea8fe06f99c3feb73f97ebac4776c7987",
    "6c73ec197b7d643299f3076420a867dea8fe06f99c3feb73f97ebac4776c7987",
  ],
] as [string, object, string, string, string][])(
  "the prompt of %s is that of the authors' code, whole and cut",
  (_name, row, chat, plain, cutTo650) => {
    const line = readRow(row);
    deepEqual([sha256Of(line.input!), sha256Of(textOf(promptOf(line)))], [chat, plain]);
    const tokenizer = { name: "characters", count: (text: string) => [...text].length } as Tokenizer;
    const count = (prompt: Prompt): number => tokenizer.count(textOf(prompt));
    const fit = { cut: line.cut, what: "row", overlong: "cut", tokens: 650, tokenizer, count };
    equal(sha256Of(textOf(fitPrompt(promptOf(line), fit).prompt)), cutTo650);
    if (count(promptOf(line)) > 650) throws(() => fitPrompt(promptOf(line), { ...fit, tokens: 50 }), RangeError);
  },
);

Deno.test("rows that data.py prepared are asked with its examples, and the knob shots counts those of json_kv", () => {
  const prepared = readRow({
    ...PASSAGES_ROW,
    demos: "An example.\n\n",
    context: "A text.",
    answer: [["Lee"], ["Ann"]],
  });
  match(prepared.input!, /\[answer\]\n\nAn example\.\n\nA text\.\n\nQuestion: who wrote the song\?$/);
  deepEqual([prepared.references, prepared.cut!.part], [["Lee", "Ann"], "A text."]);
  match(readRow(PAIRS_ROW, { shots: 0 }).input!, /object below\.\n\nKey: k-2$/);
  match(readRow(PAIRS_ROW, { shots: 3 }).input!, /Key: d-3\nCorresponding value: e-3\n\nKey: k-2$/);
});

Deno.test("replies in 4,704 forms get the scores of the authors' code", () => {
  const [{ scorers: [scorer] }] = HELMET.families as [typeof HELMET.families[number]];
  const values = CASES.map(([reply, references]) => scorer!.grade(reply, { references }).score.value);
  equal(sha256Of(values.join("")), "30b683a51bec44cf016c5c5b1b7bd892f84f1bee6e1dbb31158395804035486a");
});

Deno.test.each([
  ["questions for several keys", { ...NEEDLES_ROW, query: "a, and b" }, /query and context must be of niah_multikey_2/],
  ["one needle in essays", { ...NEEDLES_ROW, outputs: ["12345"] }, /query and context must be of niah_multikey_2/],
  ["no answers", { ...PASSAGES_ROW, answers: undefined }, /answer must be a text or a list of texts: undefined/],
  ["a passage without a title", { ...PASSAGES_ROW, ctxs: [null] }, /title must be a text/],
  [
    "an example without a value",
    { ...PAIRS_ROW, demos: [["key"]] },
    /demos must be a list of keys, each with its value/,
  ],
] as [string, object, RegExp][])("rows with %s are refused", (_name, row, message) => {
  throws(() => readRow(row), message);
});

Deno.test("HELMET's files are asked by task, and popular subjects of PopQA apart", async () => {
  const popular = [{ ...PASSAGES_ROW, "s_pop": 999 }, { ...PASSAGES_ROW, id: 8, "s_pop": 1000 }];
  const files = {
    "json_kv/test_k105_dep6.jsonl": [PAIRS_ROW],
    "ruler/validation_8192.jsonl": [NEEDLE_ROW, { ...NEEDLE_ROW, "type_needle_v": "uuid" }, NEEDLES_ROW],
    "kilt/nq-dev-multikilt_1000_k50_dep6.jsonl": [PASSAGES_ROW, PASSAGES_ROW],
    "kilt/popqa_test_1000_k50_dep6.jsonl": popular,
  };
  const lines = Object.entries(files).map(([path, rows]) => [path, rows.map((row) => JSON.stringify(row)).join("\n")]);
  await withFolder(Object.fromEntries(lines), async (folder) => {
    await withRunName(async (run) => {
      const ask = ["run", "--samples-file", folder, "--lengths", "8K", "--model", "sim:ideal", "--name", run];
      const { code, out, err } = await shell(...ask);
      equal(code, 0, err.join("\n"));
      match(out, /HELMET recall +100\.0/);
      const { replies } = await readScoredRun(run);
      const rooms = Map.groupBy(replies, ({ task }) => task);
      deepEqual([...rooms.keys()].sort(), [
        "helmet_json_kv",
        "helmet_niah_mk_2",
        "helmet_niah_mk_3",
        "helmet_niah_mv",
        "helmet_nq",
        "helmet_popqa",
        "helmet_popqa_popular",
      ]);
      equal(new Set(rooms.get("helmet_nq")!.map(({ cluster }) => cluster)).size, 1);
    });
  });
});
