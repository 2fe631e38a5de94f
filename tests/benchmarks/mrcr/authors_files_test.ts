import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import { parquetWriteBuffer } from "hyparquet-writer";
import { withFolder } from "../../_folder.ts";
import { shell, withRunName } from "../../cli/_shell.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { MRCR, MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import { MRCR_SCORERS, needleFloor } from "@/lib/benchmarks/mrcr/scorer.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { closeUp } from "@/lib/reports/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";
import { studyOfSamples } from "@/lib/studies/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const HASH = ["aYooSG8CQg", "b1Zk9LmP0xQr"] as const;

const ASKED = [
  ["write a poem about tapirs", "Tapirs one."],
  ["write a email about tapirs", "Dear tapirs."],
  ["write a poem about tapirs", "Tapirs two."],
] as const;
const END = "Do not include any other text in your response.";

/** The words of the authors' files around texts of our own. */
const OPENAI_MESSAGES = [
  "Here are some examples of conversations succeeded by a follow-up question answered correctly:\n\n" +
  "======EXAMPLE======\nUser: write a short essay about education\nAssistant: Schools teach.\n" +
  "======END EXAMPLE======\n",
  ...ASKED.flat(),
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

function csvOf(row: Readonly<Record<string, unknown>>): string {
  return [Object.keys(row), Object.values(row).map(String)].map((fields) => `${csvFormatRow(fields)}\n`).join("");
}

function parquetOf(row: Readonly<Record<string, unknown>>): Uint8Array {
  const columnData = Object.entries(row).map(([name, value]) => ({ name, data: [value] }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

Deno.test.each([
  ["OpenAI's Parquet", "2needle.parquet", parquetOf(OPENAI_ROW), "openai_mrcr_2_needles", 7, "mrcr openai"],
  ["OpenAI's JSON lines", "2needle.jsonl", JSON.stringify(OPENAI_ROW), "openai_mrcr_2_needles", 7, "mrcr openai"],
  [
    "Google's CSV",
    "mrcr_v2p1_2needle_in_(4096,8192)_dynamic_fewshot_text_style_fast.csv",
    csvOf(GOOGLE_ROW),
    "google_mrcr_2_needles",
    1,
    "mrcr google",
  ],
] as [string, string, string | Uint8Array, string, number, string][])(
  "%s is asked as it is, and the ideal reader scores 100",
  async (_, name, content, task, messages, scoring) => {
    await withFolder({ [name]: content }, async (folder) => {
      await withRunName(async (run) => {
        const asked = await shell("run", "--samples-file", `${folder}/${name}`, "--model", "sim:ideal", "--name", run);
        equal(asked.code, 0, asked.err.join("\n"));
        match(asked.out, new RegExp(`${task} +100\\.0`));
        const scored = await readScoredRun(run);
        const { record } = scored.replies[0]!;
        equal(record.scoring, scoring);
        equal(record.suite, `${task.startsWith("openai") ? "openai" : "google"}-mrcr-file`);
        const { sample, isSame } = await closeUp(scored, scored.replies[0]!);
        deepEqual([isSame, sample.prompt.messages.length], [true, messages]);
        match(sample.cluster!, /^context:mrcr\/[0-9a-f]{16}$/);
      });
    });
  },
);

Deno.test("the first two messages of OpenAI's rows become one, and the floor is found in them", () => {
  const line = MRCR.testFiles!.read(OPENAI_ROW, (wanted) => new SyntaxError(wanted))!;
  const messages = line.messages!;
  deepEqual(messages.map(({ role }) => role), ["user", "assistant", "user", "assistant", "user", "assistant", "user"]);
  ok(messages[0]!.text.endsWith("======END EXAMPLE======\n\nwrite a poem about tapirs"));
  equal(line.depth, 5 / 8);
  const { relevant, any } = needleFloor({ prompt: { messages }, references: line.references }, MRCR_SCORERS.openai);
  // Python: the ratio of the two poems is 18/22.
  ok(Math.abs(relevant - (1 + 18 / 22) / 2) < 1e-9 && any < relevant, `${relevant}, ${any}`);
});

Deno.test("questions about one conversation of Google's are a cluster", () => {
  const read = (row: object): string => MRCR.testFiles!.read({ ...row }, (wanted) => new SyntaxError(wanted))!.cluster!;
  const second = QUESTION.replace("first", "second");
  equal(read(GOOGLE_ROW), read({ ...GOOGLE_ROW, queries: CONVERSATION + second, "view_ops": second }));
  notEqual(read(GOOGLE_ROW), read({ ...GOOGLE_ROW, queries: CONVERSATION.replace("kneel", "bow") + QUESTION }));
});

Deno.test("a generated sample is written as a row of OpenAI's, and read again", () => {
  const task = MRCR_GRAMMAR.task("mrcr_2_needles");
  const sample = task.sample({ length: 2048, seed: "42", index: 1, materials });
  const row = MRCR.testFiles!.write(sample, task);
  const { messages, references } = MRCR.testFiles!.read(row, (wanted) => new SyntaxError(wanted))!;
  deepEqual([messages, references], [sample.prompt.messages, sample.references]);
  equal(row["n_needles"], 2);
  const asked = sample.prompt.messages[Number(row["desired_msg_index"]) + 1]!;
  equal(row["random_string_to_prepend"] + asked.text, references[0]);
});

Deno.test.each([
  ["a prompt that is no list", { ...OPENAI_ROW, prompt: "write" }, /prompt must be a JSON list of messages/],
  ["another number of needles", { ...OPENAI_ROW, "n_needles": 3 }, /n_needles must be 2, 4 or 8: current value is 3/],
  [
    "a missing answer",
    { ...OPENAI_ROW, answer: null },
    /answer must be a text, and random_string_to_prepend one of 10/,
  ],
] as [string, Readonly<Record<string, unknown>>, RegExp][])("%s is refused with its row", async (_, row, message) => {
  await withFolder({ "2needle.jsonl": JSON.stringify(row) }, async (folder) => {
    await rejects(() => studyOfSamples(`${folder}/2needle.jsonl`), message);
  });
});

Deno.test("tasks of the authors' files cannot be generated", async () => {
  const { code, err } = await shell("generate", "--tasks", "openai_mrcr", "--lengths", "4096", "--samples", "1");
  equal(code, 2);
  match(err.join("\n"), /Cannot make a sample of openai_mrcr as its texts must be the authors' own: ask their files/);
});
