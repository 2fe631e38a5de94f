import { deepEqual, equal, match, notEqual, ok, throws } from "node:assert/strict";
import { parquetWriteBuffer } from "hyparquet-writer";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { MRCR, MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import { MRCR_SCORERS, needleFloor } from "@/lib/benchmarks/mrcr/scorer.ts";
import type { TestLine } from "@/lib/benchmarks/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { closeUp } from "@/lib/reports/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

const files = MRCR.testFiles!;
const HASH = ["aYooSG8CQg", "b1Zk9LmP0xQr"] as const;
const END = "Do not include any other text in your response.";

/** The words of the authors' files around texts of our own. */
const OPENAI_MESSAGES = [
  "Here are some examples of conversations succeeded by a follow-up question answered correctly:\n\n" +
  "======EXAMPLE======\nUser: write a short essay about education\nAssistant: Schools teach.\n" +
  "======END EXAMPLE======\n",
  ...["write a poem about tapirs", "Tapirs one.", "write a email about tapirs", "Dear tapirs."],
  ...["write a poem about tapirs", "Tapirs two."],
  `Prepend ${HASH[0]} to the 2nd (1 indexed) poem about tapirs. ${END}`,
].map((content, at) => ({ role: at > 0 && at % 2 === 0 ? "assistant" : "user", content }));
const OPENAI_ROW = {
  prompt: JSON.stringify(OPENAI_MESSAGES),
  answer: `${HASH[0]}Tapirs two.`,
  "random_string_to_prepend": HASH[0],
  "n_needles": 2,
  "desired_msg_index": 5,
  "total_messages": 8,
  "n_chars": 1000,
};

const QUESTION = `User: Prepend ${HASH[1]} to the first tweet about owls in a regal style. ${END}\n\nAssistant:`;
const CONVERSATION = "Here are some examples of conversations succeeded by a follow-up question answered correctly:\n" +
  "======== EXAMPLE 1 ========\n\nUser: Write a tweet about owls in regal style.\n\nAssistant: No.\n\n" +
  "======== END EXAMPLE 1 ========\n\n======== EXAMPLE 3 ========\n\n" +
  "User: Write a tweet about owls in regal style.\n\nAssistant: Owls, kneel.\n\n" +
  "User: Write a tweet about moths in regal style.\n\nAssistant: Moths, rise.\n\n" +
  "User: Write a tweet about owls in regal style.\n\nAssistant: Owls, rise.\n\n";
const GOOGLE_ROW = {
  queries: CONVERSATION + QUESTION,
  answer: `${HASH[1]}Owls, kneel.`,
  "context_len": 200,
  "answer_token_count": 5,
  "view_ops": QUESTION,
  "num_relevant": 2,
};

function read(row: Readonly<Record<string, unknown>>): TestLine {
  return files.read(row, (wanted, value) => new SyntaxError(`${wanted}: ${JSON.stringify(value)}`))!;
}

const columnData = Object.entries(OPENAI_ROW).map(([name, value]) => ({ name, data: [value] }));
const csv = [Object.keys(GOOGLE_ROW), Object.values(GOOGLE_ROW).map(String)].map((row) => `${csvFormatRow(row)}\n`);
Deno.test.each([
  ["openai", "2needle.parquet", new Uint8Array(parquetWriteBuffer({ columnData })), 7],
  ["google", "mrcr_v2p1_2needle_in_(4096,8192)_dynamic_fewshot_text_style_fast.csv", csv.join(""), 1],
] as [string, string, string | Uint8Array, number][])(
  "the rows of %s are asked as they are, and the ideal reader scores 100",
  async (author, name, content, messages) => {
    await withFolder({ [name]: content }, async (folder) => {
      await withRunName(async (run) => {
        const asked = await shell("run", "--samples-file", `${folder}/${name}`, "--model", "sim:ideal", "--name", run);
        equal(asked.code, 0, asked.err.join("\n"));
        match(asked.out, new RegExp(`${author}_mrcr_2_needles +100\\.0`));
        const scored = await readScoredRun(run);
        const { record } = scored.replies[0]!;
        deepEqual([record.scoring, record.suite], [`mrcr ${author}`, `${author}-mrcr-file`]);
        const { sample, isSame } = await closeUp(scored, scored.replies[0]!);
        deepEqual([isSame, sample.prompt.messages.length], [true, messages]);
        match(sample.cluster!, /^context:mrcr\/[0-9a-f]{16}$/);
      });
    });
  },
);

Deno.test("the first two messages of OpenAI's rows become one, and the floor is found in rows of both", () => {
  const { messages = [], references, depth } = read(OPENAI_ROW);
  ok(messages.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant")));
  ok(messages[0]!.text.endsWith("======END EXAMPLE======\n\nwrite a poem about tapirs"));
  equal(depth, 5 / 8);
  const { relevant, any } = needleFloor({ prompt: { messages }, references }, MRCR_SCORERS.openai);
  // Python: the ratio of the two poems is 18/22.
  ok(Math.abs(relevant - (1 + 18 / 22) / 2) < 1e-9 && any < relevant, `${relevant}, ${any}`);
  const prompt = { messages: [{ role: "user", text: GOOGLE_ROW.queries } as const] };
  const floor = needleFloor({ prompt, references: [GOOGLE_ROW.answer] }, MRCR_SCORERS.google);
  ok(floor.relevant > floor.any && floor.any > 0.5);
});

Deno.test("questions about one conversation of Google's are a cluster", () => {
  const second = QUESTION.replace("first", "second");
  equal(read(GOOGLE_ROW).cluster, read({ ...GOOGLE_ROW, queries: CONVERSATION + second, "view_ops": second }).cluster);
  const other = CONVERSATION.replace("kneel", "bow") + QUESTION;
  notEqual(read(GOOGLE_ROW).cluster, read({ ...GOOGLE_ROW, queries: other }).cluster);
});

Deno.test("the row of a generated sample says where the text that is asked for stands", async () => {
  const task = MRCR_GRAMMAR.task("mrcr_2_needles");
  const materials = await openTestMaterials("cl100k_base");
  const sample = task.sample({ length: 2048, seed: "42", index: 1, materials });
  const row = files.write(sample, task);
  const asked = sample.prompt.messages[Number(row["desired_msg_index"]) + 1]!;
  deepEqual([row["random_string_to_prepend"] + asked.text, row["n_needles"]], [sample.references[0], 2]);
});

Deno.test("rows with other values are refused, and tasks of the authors' files cannot be generated", async () => {
  throws(() => read({ ...OPENAI_ROW, prompt: "write" }), /prompt must be a JSON list of messages, .*: "write"/);
  throws(() => read({ ...OPENAI_ROW, "n_needles": 3 }), /n_needles must be 2, 4 or 8: 3/);
  throws(() => read({ ...OPENAI_ROW, answer: null }), /answer must be a text, and random_string_to_prepend one of 10/);
  throws(() => read({ ...GOOGLE_ROW, "view_ops": "Say it" }), /view_ops must ask to prepend a hash of 12 characters/);
  const { code, err } = await shell("generate", "--tasks", "openai_mrcr", "--lengths", "4096", "--samples", "1");
  equal(code, 2);
  match(err.join("\n"), /Cannot make a sample of openai_mrcr as its texts must be the authors' own: ask their files/);
});
