import { deepEqual, equal, match, throws } from "node:assert/strict";
import { ANSWER_REPLIES, CHOICE_ROW, LETTER_REPLIES } from "./_rows.ts";
import { NEEDLE_ROW, NEEDLES_ROW, PAIRS_ROW, PASSAGES_ROW } from "./_rows.ts";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { hashBytes } from "@/lib/base/mod.ts";
import type { TestLine } from "@/lib/benchmarks/benchmark.ts";
import { fitPrompt } from "@/lib/benchmarks/mod.ts";
import { HELMET } from "@/lib/benchmarks/helmet/helmet.ts";
import { SCORERS, SECOND_QUESTION } from "@/lib/benchmarks/longbench_v2/letters.ts";
import { LONGBENCH_V2 } from "@/lib/benchmarks/longbench_v2/longbench_v2.ts";
import { joinMessages, PLAIN_TEMPLATE, type Prompt, userPrompt, userText } from "@/lib/generators/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { lengthMeans, summarise } from "@/lib/statistics/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

const sha256Of = (texts: readonly unknown[]): string => hashBytes(new TextEncoder().encode(texts.join("")));
const readHelmet = (row: object, options = {}): TestLine =>
  HELMET.testFiles!.read({ ...row }, (wanted, value) => new SyntaxError(`${wanted}: ${value}`), options)!;
const readLongbench = (prompt: string): TestLine =>
  LONGBENCH_V2.testFiles!.read(CHOICE_ROW, (wanted) => new SyntaxError(wanted), { prompt })!;
const HELMET_LINES = [PAIRS_ROW, PASSAGES_ROW, NEEDLE_ROW, NEEDLES_ROW].map((row) => readHelmet(row));
const zeroShot = readLongbench("zero-shot");

/** Writes the prompt of a line without a chat template, cut to some tokens, which are characters here. */
function writeLine({ input = "", answerPrefix = "", cut }: TestLine, tokens = Infinity): string {
  const tokenizer = { name: "characters", count: (text: string) => [...text].length } as Tokenizer;
  const textOf = (prompt: Prompt): string => joinMessages(prompt, PLAIN_TEMPLATE);
  const count = (prompt: Prompt): number => tokenizer.count(textOf(prompt));
  const whole = userPrompt(input, { answerPrefix });
  const fit = { cut, what: "the row", overlong: "cut", tokens, tokenizer, count };
  const { prompt, cutTokens = 0 } = fitPrompt(whole, fit);
  equal(count(prompt) + cutTokens, count(whole));
  return textOf(prompt);
}

// Hashes of what the authors' code makes of the same rows and replies: pred.py of THUDM/LongBench at 2e00731; data.py and
// model_utils.py of princeton-nlp/HELMET at 4526dfb.
Deno.test("prompts, whole and cut, are those of the authors' code, and so is the question after a chain of thought", () => {
  const whole = ["zero-shot", "cot", "no-context"].map((prompt) => readLongbench(prompt).input);
  const cut = [872, 873, 1200].map((tokens) => writeLine(zeroShot, tokens));
  const second = SECOND_QUESTION.prompt(" Because. ", {
    question: zeroShot.question!,
    references: ["B"],
    scoring: "",
  })!;
  equal(
    sha256Of([...whole, ...cut, userText(second)]),
    "1a9174ba4a7334092f4cef9405d721d1943c1572a49f709283ee4a0f99a400a0",
  );
  const ofHelmet = [undefined, Infinity, 650].flatMap((tokens) =>
    HELMET_LINES.map((line) => tokens === undefined ? line.input : writeLine(line, tokens))
  );
  equal(sha256Of(ofHelmet), "8923ccb16c41c3bdf274bfa59648abb10fb759a62d9ab3d71fbecba168fbff2c");
});

Deno.test("letters in 1,404 replies and answers in 7,056 are those of the authors' code", () => {
  const letters = LETTER_REPLIES.map((reply) => {
    const { score: { value, answer }, unparsable } = SCORERS[0].grade(reply, { references: ["B"] });
    equal(value, Number(answer === "B" && !unparsable), reply);
    equal(SCORERS[1]!.grade(reply, { references: ["B"] }).score.value, unparsable ? 0.25 : value, reply);
    return unparsable ? "-" : answer;
  });
  equal(sha256Of(letters), "1d4f507d677595ceadcc19d700832357f166736a5d27701411e05c044ea9f8ba");
  const [scorer] = HELMET.families[0]!.scorers;
  const values = ANSWER_REPLIES.map(([reply, references]) => scorer!.grade(reply, { references }).score.value);
  equal(sha256Of(values), "532cea53dc4e5875b40d9c4c89add365232afdc993f8a0b85827fc66f9c48433");
});

Deno.test("rows that data.py prepared keep its examples, and shots counts those of json_kv", () => {
  const prepared = { ...PASSAGES_ROW, demos: "An example.\n\n", context: "A text.", answer: [["Lee"], ["Ann"]] };
  const { input, references, cut } = readHelmet(prepared);
  match(input!, /\[answer\]\n\nAn example\.\n\nA text\.\n\nQuestion: who wrote the song\?$/);
  deepEqual([references, cut!.part], [["Lee", "Ann"], "A text."]);
  match(readHelmet(PAIRS_ROW, { shots: 0 }).input!, /object below\.\n\nKey: k-2$/);
  match(readHelmet(PAIRS_ROW, { shots: 3 }).input!, /Key: d-3\nCorresponding value: e-3\n\nKey: k-2$/);
});

Deno.test.each([
  ["several keys", { ...NEEDLES_ROW, query: "a, and b" }, /query and context must be of niah_multikey_2/],
  ["one needle in essays", { ...NEEDLES_ROW, outputs: ["12345"] }, /query and context must be of niah_multikey_2/],
  ["no answers", { ...PASSAGES_ROW, answers: undefined }, /answer must be a text or a list of texts: undefined/],
  ["a passage without a title", { ...PASSAGES_ROW, ctxs: [null] }, /title must be a text/],
  ["half an example", { ...PAIRS_ROW, demos: [["key"]] }, /demos must be a list of keys, each with its value/],
] as [string, object, RegExp][])(
  "a row of HELMET with %s is refused, and so is a length for no text",
  (_name, row, message) => {
    throws(() => readHelmet(row), message);
    throws(
      () => writeLine(HELMET_LINES[0]!, 50),
      /at most 50 tokens, and the words around its text are not cut: current/,
    );
  },
);

type Ask = (...flags: string[]) => ReturnType<typeof shell>;
type Files = Readonly<Record<string, readonly object[]>>;

async function withRows(files: Files, use: (ask: Ask, run: string) => Promise<void>): Promise<void> {
  const texts = Object.entries(files).map(([path, rows]) => [path, rows.map((row) => JSON.stringify(row)).join("\n")]);
  const ask = ["run", "--model", "sim:ideal", "--samples-file"];
  await withFolder(
    Object.fromEntries(texts),
    (folder) => withRunName((run) => use((...flags) => shell(...ask, folder, "--name", run, ...flags), run)),
  );
}

const AT = ["--lengths", "1K"];
const CLASSES = ["easy_short", "easy_medium", "easy_long", "hard_short", "hard_medium", "hard_long"];
/** One to six rows of each class; those of the last are long. */
const ROWS = CLASSES.flatMap((name, at) =>
  Array.from({ length: at + 1 }, (_, number) => {
    const [difficulty, length] = name.split("_");
    return { ...CHOICE_ROW, difficulty, length, context: name + ` ${number}`.repeat(at === 5 ? 900 : 9) };
  })
);

Deno.test("LongBench v2 is asked by class, with the same weight for each row, and records say what was cut", async () => {
  await withRows({ "data.jsonl": ROWS }, async (ask, run) => {
    const { code, out, err } = await ask(...AT);
    equal(code, 0, err.join("\n"));
    match(out, /n = 1 to 21 a cell[^]+LongBench v2 overall +100\.0/);
    const { replies } = await readScoredRun(run);
    const long = replies.filter(({ record }) => record.cutTokens !== undefined).map(({ record }) => record);
    deepEqual([replies.length, long.length, new Set(long.map(({ task }) => task)).size], [21, 6, 1]);
    const { out: shown } = await shell("show", run, "--task", long[0]!.task);
    match(shown, /896 tokens of prompt, after \d+ were cut out of it/);
    const ofHard = summarise(replies.map((reply) => ({ ...reply, value: Number(/hard/.test(reply.task)) })));
    const [overall] = lengthMeans(ofHard, { groups: LONGBENCH_V2.groups! });
    deepEqual([overall!.score, overall!.n], [100 * 15 / 21, 21]);
    equal((await shell("verify", run)).code, 0);
  });
});

Deno.test("knobs are set: a chain of thought is asked for its letter again, and long rows are left out", async () => {
  await withRows({ "data.jsonl": ROWS }, async (ask, run) => {
    const knobs = ["prompt=cot", "overlong=skip", "unparsed=0.25"].flatMap((knob) => ["--set", knob]);
    const { code, err } = await ask("--lengths", "2K", ...knobs);
    equal(code, 0, err.join("\n"));
    match(err.join("\n"), /hard_long, sample 5, as its prompt must have at most 1024 tokens, if overlong is skip/);
    const { replies } = await readScoredRun(run);
    deepEqual([replies.length, replies[0]!.record.scoring], [15, "longbench_v2 cot compensated"]);
    const again = await shell("regrade", run, "--by", "extractor", "--model", "sim:ideal");
    match(again.out, /all +15 +0 +100\.0 +100\.0 +100\.0/);
  });
});

Deno.test("HELMET is asked by task, questions about popular pages apart, and depths of one question as a cluster", async () => {
  const files = {
    "json_kv/test_k105_dep6.jsonl": [PAIRS_ROW],
    "niah/validation_8192.jsonl": [NEEDLE_ROW, { ...NEEDLE_ROW, "type_needle_v": "uuid" }, NEEDLES_ROW],
    "kilt/nq-dev-multikilt_1000_k50_dep6.jsonl": [PASSAGES_ROW, PASSAGES_ROW],
    "kilt/popqa_test_1000_k50_dep6.jsonl": [999, 1000].map((views) => ({ ...PASSAGES_ROW, "s_pop": views })),
  };
  await withRows(files, async (ask, run) => {
    const { code, out, err } = await ask(...AT);
    equal(code, 0, err.join("\n"));
    match(out, /HELMET recall +100\.0/);
    const { replies } = await readScoredRun(run);
    const byTask = Map.groupBy(replies, ({ task }) => task.replace("helmet_", ""));
    equal([...byTask.keys()].sort().join(), "json_kv,niah_mk_2,niah_mk_3,niah_mv,nq,popqa,popqa_popular");
    equal(new Set(byTask.get("nq")!.map(({ cluster }) => cluster)).size, 1);
  });
});

Deno.test.each([
  [{ answer: "E" }, AT, /row 2 of "[^"]+" as answer must be one of A, B, C, D/],
  [{ "choice_C": 7 }, AT, /row 2 of "[^"]+" as choice_C must be a text: current value is 7/],
  [{}, [], /--lengths must name the one length that they were made for or are cut to/],
  [{}, [...AT, "--set", "keys=2"], /Cannot set keys as the task must be of niah/],
] as [object, string[], RegExp][])(
  "a row with %o and flags %o are refused in one line",
  async (row, flags, message) => {
    await withRows({ "data.jsonl": [CHOICE_ROW, { ...CHOICE_ROW, ...row }] }, async (ask) => {
      const { code, err } = await ask(...flags);
      deepEqual([code, err.length], [2, 1]);
      match(err[0]!, message);
    });
    const without = await shell("run", "--tasks", "longbench_v2", "--model", "sim:ideal");
    match(without.err.join(), /its texts must be the authors' own: ask their files with --samples-file/);
  },
);
