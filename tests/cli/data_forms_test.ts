import { deepEqual, equal, match, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell } from "./_shell.ts";

type Row = Record<string, unknown>;

const KVPRESS = ["context", "question", "answer_prefix", "answer", "task", "max_new_tokens"];
const IDS = ["length", "index", "seed", "sample", "sha256"];

function rowsOf(lines: string): Row[] {
  return lines.trimEnd().split("\n").map((line) => JSON.parse(line));
}

async function readSplit(folder: string): Promise<Row[]> {
  return rowsOf(await Deno.readTextFile(`${folder}/test.jsonl`));
}

/** The patterns at which kvpress splits RULER's texts (evaluation/benchmarks/ruler/create_huggingface_dataset.py). */
const QUESTION: Readonly<Record<string, RegExp>> = {
  niah: /What (?:is|are all) the special magic/g,
  vt: /Question: Find all variables that are assigned the value/g,
  cwe: /Question: What are the 10 most common words in the above list\?/g,
  fwe: /Question: Do not provide any explanation\./g,
  qa: /Answer the question based on the given documents\./g,
};
const NEW_TOKENS: Readonly<Record<string, number>> = { niah: 128, vt: 30, cwe: 120, fwe: 50, qa: 32 };

function splitAsKvpress(text: string, task: string): Row {
  const kind = task.split("_")[0]!;
  const at = [...text.matchAll(QUESTION[kind]!)].at(-1)!.index;
  const asked = text.slice(at);
  const answer = asked.search(kind === "niah" ? /The special magic/ : /Answer:/);
  return {
    ...{ context: text.slice(0, at), question: asked.slice(0, answer), answer_prefix: asked.slice(answer) },
    max_new_tokens: NEW_TOKENS[kind],
  };
}

for (const variant of ["2024", "2026"]) {
  Deno.test(`fathom generate --format kvpress splits RULER's prompts of ${variant} where kvpress does`, async () => {
    const asked = ["generate", "--tasks", "ruler", "--lengths", "4K", "--samples", "3", "--variant", variant];
    const rows = rowsOf((await shell(...asked, "--format", "kvpress")).out);
    const own = rowsOf((await shell(...asked)).out);
    deepEqual([rows.length, Object.keys(rows[0]!)], [39, [...KVPRESS, ...IDS]]);
    for (const [at, { context, question, answer_prefix, max_new_tokens, ...row }] of rows.entries()) {
      const { input, answer_prefix: prefix, task, outputs, sample, sha256 } = own[at]!;
      deepEqual({ context, question, answer_prefix, max_new_tokens }, splitAsKvpress(`${input}${prefix}`, `${task}`));
      deepEqual(row, { answer: outputs, task, length: 4096, index: at % 3, seed: "42", sample, sha256 });
    }
  });
}

Deno.test("fathom generate --format kvpress writes a configuration for each length, with the rows of its lines", async () => {
  await inFolder(async (folder) => {
    const asked = ["generate", "--tasks", "vt,cdme_zh", "--lengths", "1K,2K", "--samples", "2", "--format", "kvpress"];
    const { code, err } = await shell(...asked, "--out", `${folder}/set/`);
    deepEqual([code, err], [0, [`${folder}/set/: 8 samples`]]);
    const { out } = await shell(...asked, "--out", `${folder}/set.jsonl`);
    equal(out, "");
    const rows = [...await readSplit(`${folder}/set/1024`), ...await readSplit(`${folder}/set/2048`)];
    deepEqual(rows, rowsOf(await Deno.readTextFile(`${folder}/set.jsonl`)));
    // The study beside it makes the same rows.
    const again = await shell("generate", "--study", `${folder}/set/study.yaml`, "--format", "kvpress");
    equal(again.out, await Deno.readTextFile(`${folder}/set.jsonl`));
  });
});

Deno.test("fathom generate --format kvpress gives several questions about a context one answer prefix", async () => {
  const asked = ["generate", "--tasks", "niah_multikey_1", "--set", "questions=3", "--lengths", "2K", "--samples", "6"];
  const rows = rowsOf((await shell(...asked, "--format", "kvpress")).out);
  const own = rowsOf((await shell(...asked)).out);
  deepEqual(rows.map(({ context }) => rows.findIndex((row) => row["context"] === context)), [0, 0, 0, 3, 3, 3]);
  for (const [at, { context, question, answer_prefix: prefix }] of rows.entries()) {
    equal(`${context}${question}${prefix}`, `${own[at]!["input"]}${own[at]!["answer_prefix"]}`);
    deepEqual([prefix, `${question}`.endsWith(" mentioned in the provided text is")], ["", true]);
  }
});

Deno.test("fathom generate --format hf writes messages, references and the scorer", async () => {
  await inFolder(async (folder) => {
    const asked = ["generate", "--tasks", "vt,counting_stars_miscount_en", "--lengths", "2K", "--format", "hf"];
    equal((await shell(...asked, "--out", folder)).code, 0);
    const [vt, stars, ...more] = await readSplit(`${folder}/2048`);
    deepEqual([more, Object.keys(vt!)], [[], [
      ...[
        "messages",
        "answer_prefix",
        "question",
        "references",
        "task",
        "scorer",
        "max_new_tokens",
        "token_position_answer",
      ],
      ...["distractors", ...IDS],
    ]]);
    deepEqual((vt!["messages"] as Row[]).map(({ role }) => role), ["user"]);
    deepEqual([vt!["scorer"], vt!["max_new_tokens"], vt!["distractors"]], ["all", 30, []]);
    ok((stars!["distractors"] as string[]).length > 0);
  });
});

Deno.test("fathom generate --format kvpress refuses a chat template, which kvpress adds itself", async () => {
  const asked = ["generate", "--tasks", "vt", "--lengths", "1K", "--format", "kvpress"];
  const { code, err } = await shell(...asked, "--chat-template", "meta-llama3");
  equal(code, 2);
  match(err[0]!, /Cannot write task vt for kvpress as its prompts must be one message, a question after its context/);
});

Deno.test("fathom export --format hf writes replies and scores of runs as two configurations", async () => {
  await inFolder(async (folder) => {
    const runs = ["measured/gemma-3-270m/ruler", "measured/smollm2-135m-instruct/ruler"];
    const { code, err } = await shell("export", ...runs, "--format", "hf", "--out", folder);
    equal(code, 0);
    match(err.at(-1)!, /: 3136 rows of 2 runs$/);
    const replies = await readSplit(`${folder}/replies`);
    deepEqual(replies, rowsOf((await shell("export", ...runs)).out));
    deepEqual(await readSplit(`${folder}/scores`), rowsOf((await shell("export", ...runs, "--format", "scores")).out));
    const card = await Deno.readTextFile(`${folder}/README.md`);
    match(card, /license: unknown\n/);
    match(card, /- `measured\/gemma-3-270m\/ruler`: gemma-3-270m \(measured\), 1740 samples/);
  });
});
