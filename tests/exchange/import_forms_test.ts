import { deepEqual, doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { importRun, type ImportRunOptions } from "@/lib/exchange/mod.ts";
import type { Answer } from "@/lib/models/mod.ts";
import { readScoredRun, type RecordedScores } from "@/lib/records/mod.ts";

const INPUT = "One of the special magic numbers for abc is: 1234567. What is the number for abc?";

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Imports files and reads the run back. */
async function imported(
  files: Readonly<Record<string, unknown>>,
  options: ImportRunOptions & { readonly path?: string } = {},
): Promise<RecordedScores & { readonly said: readonly string[] }> {
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    Array.isArray(content) ? lines(content) : typeof content === "string" ? content : JSON.stringify(content),
  ]);
  const { path = Object.keys(files)[0]!, ...given } = options;
  const found: (RecordedScores & { readonly said: readonly string[] })[] = [];
  await withFolder(Object.fromEntries(texts), async (folder) => {
    const from = { folder: `${folder}/runs`, name: "mine" };
    const { notes } = await importRun(`${folder}/${path}`, { model: "m", ...given, ...from });
    found.push({ ...await readScoredRun("mine", from), said: notes });
  });
  return found[0]!;
}

const VALUES = { task: "niah_single_1", length: 4096 };

Deno.test.each([
  ["KVCache-Factory's, where references are answers", {
    "niah_single_1.jsonl": [{ pred: "1234567", answers: ["1234567"], length: 4000, "all_classes": null }],
  }, { length: 4096 }],
  ["KVCache-Factory's lines in a .json file", {
    "snapkv.json": lines([{ input: INPUT, pred: "1234567", answers: ["1234567"], length: 4000 }]),
  }, VALUES],
  ["NeMo-Skills'", {
    "output.jsonl": [{ problem: INPUT, "expected_answer": ["1234567"], generation: " 1234567", "is_correct": 1 }],
  }, VALUES],
  ["NeMo-Skills' folder, with the task in its name", {
    "ruler.nemotron_4k.niah_single_1/output-rs0.jsonl": [
      { problem: INPUT, "expected_answer": "1234567", generation: "1234567", "finish_reason": "stop" },
    ],
  }, { length: 4096, path: "" }],
  ["InfiniteBench's", { "a.jsonl": [{ prediction: "1234567", "ground_truth": ["1234567"], id: 0 }] }, VALUES],
  ["OpenCompass's of RULER, by name", {
    "predictions/m/ruler_niah_single_1_4k.json": {
      "0": { "origin_prompt": [{ role: "HUMAN", prompt: INPUT }], prediction: "1234567", gold: ["1234567"] },
    },
  }, {}],
  ["OpenCompass's of RULER, a folder of parts", {
    "predictions/m/ruler_qa_squad_4k_0.json": { "0": { prediction: "1234567", gold: ["1234567"] } },
  }, { path: "predictions" }],
  ["OpenCompass's under another name", {
    "mine.json": JSON.stringify({ "0": { prediction: "1234567", gold: ["1234567"] } }, null, 4),
  }, VALUES],
] as [string, Record<string, unknown>, ImportRunOptions][])(
  "importRun() reads predictions: %s",
  async (_, files, options) => {
    const { replies } = await imported(files, options);
    deepEqual(replies.map(({ value, length }) => [value, length]), [[1, 4096]]);
  },
);

Deno.test("importRun() takes a prediction of nothing for a failed call, and reads the others", async () => {
  const row = { input: INPUT, outputs: ["1234567"] };
  const { replies } = await imported({
    "4096/pred/niah_single_1.jsonl": [
      ...[{ ...row, index: 0, pred: null }, { ...row, index: 1, pred: "1234567" }, { ...row, index: 2, pred: "" }],
      { ...row, index: 3, pred: "", error: "This model's maximum context length is 4096 tokens, you asked 5012" },
    ],
  }, { path: "" });
  deepEqual(replies.map(({ value, record: { reply } }) => [value, reply.kind === "failure" && reply.failure]), [
    [null, "server"],
    [1, false],
    [0, false],
    [null, "context_length"],
  ]);
});

/** A sample of an Inspect log, and its log. */
const sample = (id: number, output: object, more: object = {}): object => ({
  ...{ id, epoch: 1, input: INPUT, target: ["1234567"], metadata: { "max_length": 64 }, output, scores: {} },
  ...more,
});
const log = (samples: readonly object[], more: object = {}): object => ({
  ...{ status: "success", eval: { task: "niah_single_1", model: "openai/m" }, samples },
  ...more,
});
const said = (content: string, reason = "stop", usage: object = {}): object => ({
  ...{ model: "m", completion: content, usage },
  choices: [{ message: { role: "assistant", content }, "stop_reason": reason }],
});

Deno.test("importRun() reads the whole prompt's tokens, of which Inspect's usage leaves cached ones out", async () => {
  const usage = { "input_tokens": 364, "output_tokens": 9, "total_tokens": 924, "input_tokens_cache_read": 551 };
  const { records: [record] } = await imported({ "a.json": log([sample(0, said("1234567", "stop", usage))]) });
  const { promptTokens, cachedTokens, completionTokens } = record!.reply as Answer;
  deepEqual([promptTokens, cachedTokens, completionTokens], [915, 551, 9]);
});

Deno.test("importRun() counts a sample once that several logs have, the later one", async () => {
  const files = { "logs/1.json": log([sample(0, said("x"))]), "logs/2.json": log([sample(0, said("1234567"))]) };
  const { said: notes, replies } = await imported(files, { path: "logs" });
  deepEqual([notes[0], replies.map(({ value }) => value)], ["1 reply replaced by a later one of the same sample", [1]]);
});

Deno.test("importRun() takes the first of several scorers of Inspect's that Fathom has", async () => {
  const scores = { "model_graded": { value: "C" }, "inspect_ai/includes": { value: "I" }, includes: { value: "C" } };
  const { said: notes } = await imported({ "a.json": log([sample(0, said("1234567"), { scores })]) });
  match(notes.join(), /1 of 1 score differ from Inspect/);
});

Deno.test("importRun() refuses files without an answer", async () => {
  const failed = sample(0, {}, { error: { message: "no route\nto host" } });
  await rejects(imported({ "a.json": log([failed], { status: "error" }) }), {
    name: "RangeError",
    message: /as one of its calls must be answered: current value is 1 failed call \(no route\\nto host\)$/,
  });
});

const WINDOW = "This model's maximum context length is 4096 tokens. However, you requested 5012.";

Deno.test.each([
  ["the window's error as text", sample(1, said(WINDOW, "model_length")), "context_length"],
  ["an error of the sample beside a text", sample(1, said("1234567"), { error: { message: "no route" } }), "server"],
  ["an error of the sample in words that are known", sample(1, {}, { error: { message: WINDOW } }), "context_length"],
  ["an error of the output", sample(1, { ...said(""), error: "boom" }), "server"],
  ["no choice", sample(1, { choices: [] }), "server"],
  ["a reason that is not known", sample(1, said("1234", "interrupted")), "server"],
] as [string, object, string][])(
  "importRun() takes a sample of Inspect's with %s for a failed call",
  async (_, failed, kind) => {
    const { records } = await imported({ "a.json": log([sample(0, said("1234567")), failed]) });
    const kinds = records.map(({ reply }) => reply.kind === "failure" ? reply.failure : reply.kind);
    deepEqual(kinds, ["answer", kind]);
  },
);

Deno.test("importRun() has the settings of an Inspect log from its model, its plan and its last step", async () => {
  const about = {
    task: "niah_single_1",
    model: "openai/m",
    "model_generate_config": { "top_p": 0.5, temperature: 1, seed: 3 },
  };
  const plan = {
    config: { temperature: 0, "max_tokens": 64, seed: null },
    steps: [{ solver: "generate", params: { "max_tokens": 32 } }],
  };
  const { manifest } = await imported({ "a.json": log([sample(0, said("1234567"))], { eval: about, plan }) });
  deepEqual(manifest.settings, { topP: 0.5, temperature: 0, seed: 3, maxTokens: 32 });
});

Deno.test("importRun() and every later reading note prompts that are shorter than the length that the files name", async () => {
  const metadata = { "max_length": 4096 };
  const asked = [0, 1].map((id) => sample(id, said("1234567", "stop", { "input_tokens": 200 }), { metadata }));
  const { said: notes, notes: later } = await imported({ "a.json": log(asked) });
  for (const each of [notes, later]) {
    const note = each.find((text) => text.startsWith("Warning: prompts differ by over 10% from the lengths"));
    match(note!, /: niah_single_1 at 4K: 200 of the model's own tokens$/);
  }
});

Deno.test.each([
  ["-1", /the number of a sample must be whole, from 0 to 999999 in line 1: current value is -1$/],
  ["NaN", /the number of a sample must be whole, from 0 to 999999 in line 1: current value is null$/],
  ["1.5", /current value is 1.5$/],
  ["1e6", /current value is 1000000$/],
] as [string, RegExp][])("importRun() refuses a sample with the number %s", async (index, wanted) => {
  const row = `{"index": ${index}, "pred": "1234567", "outputs": ["1234567"], "input": "a"}\n`;
  await rejects(imported({ "niah_single_1.jsonl": row }, { length: 64 }), { name: "SyntaxError", message: wanted });
});

Deno.test("importRun() refuses two samples with one number, and notes two replies to one sample", async () => {
  const row = { index: 3, pred: "1234567", outputs: ["1234567"], input: INPUT };
  const other = { ...row, input: "Another text" };
  await rejects(imported({ "niah_single_1.jsonl": [row, other] }, { length: 64 }), {
    name: "RangeError",
    message:
      /must have numbers of their own: current value is 3 for two different samples of 64 tokens, niah_single_1$/,
  });
  const { said: notes, replies } = await imported({ "niah_single_1.jsonl": [{ ...row, pred: "no" }, row] }, {
    length: 64,
  });
  deepEqual([notes[0], replies.map(({ value }) => value)], ["1 reply replaced by a later one of the same sample", [1]]);
});

Deno.test.each([
  ["cdme_multi_zh", { outputs: ["The hallway is best."] }, /and the keyword is missing$/],
  ["counting_stars_reasoning_en", { outputs: ["3"] }, /"distractors" must be .* current value is none$/],
])(
  "importRun() names the sample of %s whose references lack a part",
  async (task, row, why) => {
    await rejects(
      imported({ "a.jsonl": [{ pred: "nonsense", ...row }] }, { task, length: 1024 }),
      ({ message }: Error) => {
        match(message, why);
        match(message, new RegExp(`^Cannot score sample 0 of "[^"]+/a\\.jsonl", ${task} at 1024 tokens, as `));
        return true;
      },
    );
  },
);

const HARNESS_FILE = "niah/samples_niah_single_1_2026-01-01T00-00-00.jsonl";
const LINE = {
  doc: { index: 0, input: INPUT, outputs: ["1234567"], "max_length": 4096 },
  "filtered_resps": ["1234567"],
  filter: "none",
};
const OPENCOMPASS_ENTRY = { "origin_prompt": INPUT, prediction: "1234567", gold: ["1234567"] };

/** A harness's line with other values in its sample. */
function harnessLine(doc: Readonly<Record<string, unknown>>): unknown[] {
  return [{ ...LINE, doc: { ...LINE.doc, ...doc } }];
}

Deno.test.each([
  ["facts that are none", { [HARNESS_FILE]: harnessLine({ facts: [1] }) }, "niah_single_1 at 4096 tokens, as facts.0"],
  ["paths that are none", { [HARNESS_FILE]: harnessLine({ paths: [1] }) }, "niah_single_1 at 4096 tokens, as paths.0"],
  ["a depth in percent", { [HARNESS_FILE]: harnessLine({ depth: 55 }) }, "niah_single_1 at 4096 tokens, as depth must"],
  ["a depth beyond the text", {
    "m/CDME_Length1000Depth9999.json": { 0: { ...OPENCOMPASS_ENTRY, gold: "a" } },
  }, "cdme_zh at 1000 tokens, as depth must"],
] as [string, Readonly<Record<string, unknown>>, string][])(
  "importRun() names the imported path, not its temporary copy, for %s",
  async (_, files, place) => {
    await rejects(imported(files), ({ message }: Error) => {
      match(message, /^Cannot (read|score) sample 0 of "[^"]+\.jsonl?", /);
      match(message, new RegExp(place));
      doesNotMatch(message, /importing-|validation/);
      return true;
    });
  },
);

const LONG = "x".repeat(500_000);
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const UTF16 = (text: string): Uint8Array =>
  new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer)]);

Deno.test.each([
  ["lines in UTF-16", HARNESS_FILE, UTF16(`${JSON.stringify(LINE)}\n`), /its text must be UTF-8 in line 1/],
  ["a log in UTF-16", "log.json", UTF16('{"eval":{}}'), /its text must be UTF-8 of less than 512 MiB: .* "24 bytes"/],
  ["a log in Latin-1", "log.json", new Uint8Array([0x7b, 0xe9, 0x7d]), /its text must be UTF-8/],
  ["predictions in UTF-16", "k/predictions.csv", UTF16("task,predicted_answer\n"), /must be UTF-8/],
  ["a sample that is nested deeply", HARNESS_FILE, `{"doc":${DEEP}}\n`, /in line 1: current value is .{40,70}…$/],
  ["a long line", HARNESS_FILE, `${LONG}\n`, /whole JSON object in line 1: current value is "x{59}…$/],
  ["a long name", "a.jsonl", `{"${LONG}":1}\n`, /a\.jsonl" with "x{59}…$/],
  ["a length of no model", HARNESS_FILE, JSON.stringify(harnessLine({ "max_length": 2 ** 53 - 1 })[0]), /to 2000000/],
  ["a length of zero in a path", "m/synthetic/0/pred/vt.jsonl", '{"pred":"a","outputs":["a"]}', /value is 0$/],
  ["a Parquet file", "a.parquet", `PAR1${"\0".repeat(99)}PAR1`, /it must be or hold samples_\*\.jsonl/],
  [
    "OpenCompass's task that no scorer has",
    "m/ruler_none_4k.json",
    JSON.stringify({ 0: OPENCOMPASS_ENTRY }),
    /skipped/,
  ],
] as [string, string, string | Uint8Array, RegExp][])(
  "importRun() refuses %s in a sentence",
  async (_, path, content, wanted) => {
    await withFolder({ [path]: content }, async (folder) => {
      const given = { folder: `${folder}/runs`, model: "m" };
      await rejects(importRun(`${folder}/${path}`, { ...given, folder: `${folder}/runs` }), ({ message }: Error) => {
        match(message, /^Cannot import /);
        match(message, wanted);
        equal(message.length < 500, true);
        return true;
      });
      deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/runs`)).catch(() => []), []);
    });
  },
);

Deno.test("importRun() skips OpenCompass's tasks that no scorer has, and imports the others", async () => {
  const { said: notes, replies } = await imported({
    "m/ruler_none_4k.json": { 0: OPENCOMPASS_ENTRY },
    "m/ruler_vt_4k.json": { 0: OPENCOMPASS_ENTRY },
  }, { path: "m" });
  deepEqual([notes[0], replies.length], [
    "ruler_none_4k.json: skipped, as no task with a scorer is called none",
    1,
  ]);
});
