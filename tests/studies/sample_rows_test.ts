import { deepEqual, equal, match, ok } from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { withFolder } from "../_folder.ts";
import { RULER } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Benchmark, TestLine } from "@/lib/benchmarks/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";
import { studyOfSamples } from "@/lib/studies/mod.ts";
import { openStudy } from "@/lib/studies/open_study.ts";
import { powerAbove } from "@/lib/studies/sample_rows.ts";

/** A suite whose authors publish tables of chats, several tasks in a file, with and without a length. */
const CHATS: Benchmark = {
  ...RULER,
  name: "chats",
  testFiles: {
    taskOf: () => undefined,
    write: ({ references }) => ({ references }),
    read({ chat, answer, keys, size }, refuse): TestLine | null {
      if (typeof chat !== "string" || keys === undefined) return null;
      if (!["1", "4"].includes(String(keys))) throw refuse("keys must be 1 or 4", keys);
      return {
        task: String(keys) === "1" ? "niah_single_1" : "niah_multikey_1",
        messages: JSON.parse(chat),
        references: [String(answer)],
        ...(size === null || size === undefined || size === "" ? {} : { length: Number(size) }),
      };
    },
  },
};
const benchmarks = [CHATS];

const CHAT = [
  { role: "user", text: "Say A." },
  { role: "assistant", text: "A" },
  { role: "user", text: "What is the key?\n" },
];

const ROWS = [
  { chat: JSON.stringify(CHAT), answer: "7", keys: 1, size: null },
  { chat: JSON.stringify([{ role: "user", text: "word ".repeat(600) }]), answer: "8", keys: 4, size: null },
  { chat: JSON.stringify(CHAT), answer: "9", keys: 1, size: 4096 },
];

type Codec = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["codec"]>;

function parquetOf(rows: readonly Readonly<Record<string, unknown>>[], codec: Codec = "SNAPPY"): Uint8Array {
  const names = Object.keys(rows[0]!);
  const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name]) }));
  const compressors = {
    GZIP: (page: Uint8Array) => gzipSync(page),
    ZSTD: (page: Uint8Array) => zstdCompressSync(page),
  };
  return new Uint8Array(parquetWriteBuffer({ columnData, codec, compressors }));
}

function csvOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const quote = (value: unknown): string => `"${String(value ?? "").replaceAll('"', '""')}"`;
  return [Object.keys(rows[0]!).join(), ...rows.map((row) => Object.values(row).map(quote).join())].join("\n");
}

const asLines = ROWS.map((row) => JSON.stringify(row)).join("\n");

Deno.test.each([
  ["Parquet", "x.parquet", parquetOf(ROWS)],
  ["Parquet in gzip", "x.parquet", parquetOf(ROWS, "GZIP")],
  ["Parquet in Zstandard", "x.parquet", parquetOf(ROWS, "ZSTD")],
  ["CSV", "x.csv", csvOf(ROWS)],
  ["JSON lines", "x.jsonl", asLines],
  ["a JSON list", "x.json", JSON.stringify(ROWS)],
] as [string, string, string | Uint8Array][])(
  "authors' rows of %s are asked by task and length",
  async (_, name, content) => {
    await withFolder({ [name]: content }, async (folder) => {
      const study = await studyOfSamples(`${folder}/${name}`, {}, { benchmarks });
      deepEqual(study.tasks.map(({ task }) => task), ["niah_single_1", "niah_multikey_1"]);
      deepEqual(study.lengths, [16, 1024, 4096]);
      const { tasks: [single, multi], materials } = await openStudy(study, { benchmarks });
      const sample = (task: typeof single, length: number) => task!.sample({ length, index: 0, seed: "", materials });
      deepEqual(sample(single, 16).prompt.messages, CHAT);
      deepEqual([sample(single, 16).references, sample(single, 4096).references], [["7"], ["9"]]);
      deepEqual([sample(multi, 1024).references, sample(multi, 1024).promptTokens], [["8"], 601]);
      deepEqual([...single!.held!], [[16, 1], [4096, 1]]);
    });
  },
);

Deno.test("other tables are refused with the row and what is expected", async () => {
  const [first, second] = ROWS;
  const files = {
    "cut.parquet": parquetOf(ROWS).subarray(0, 200),
    "empty.parquet": new Uint8Array(),
    "other.parquet": parquetOf([{ question: "a", reply: "b" }]),
    "mixed.jsonl": [first, { chat: "[]" }].map((row) => JSON.stringify(row)).join("\n"),
    "edition.parquet": parquetOf([first!, { ...second!, keys: 3 }]),
    "cut.csv": csvOf(ROWS).slice(0, -3),
    "short.csv": `${csvOf(ROWS)}\n"a","b"`,
  };
  await withFolder(files, async (folder) => {
    const refusal = async (name: string): Promise<string> => {
      const error = await studyOfSamples(`${folder}/${name}`, {}, { benchmarks }).then(
        () => undefined,
        (error) => error,
      );
      ok(error instanceof SyntaxError, `${name}: ${error}`);
      return error.message.replaceAll(folder, "");
    };
    match(await refusal("cut.parquet"), /^Cannot read "\/cut.parquet" as it must be a whole Parquet file: /);
    match(await refusal("empty.parquet"), /^Cannot read "\/empty.parquet" as it must be a whole Parquet file: /);
    equal(
      await refusal("other.parquet"),
      'Cannot read row 1 of "/other.parquet" as it must have the columns of the authors\' test files of a benchmark, or input and outputs: current value is "question, reply"',
    );
    equal(
      await refusal("mixed.jsonl"),
      'Cannot read row 2 of "/mixed.jsonl" as it must have the columns of row 1 (chat, answer, keys, size): current value is "chat"',
    );
    equal(
      await refusal("edition.parquet"),
      'Cannot read row 2 of "/edition.parquet" as keys must be 1 or 4: current value is 3',
    );
    match(await refusal("cut.csv"), /^Cannot read "\/cut.csv" as line 4 must have its quotes in pairs/);
    match(await refusal("short.csv"), /^Cannot read "\/short.csv" as line 5 must have 4 fields: current value is 2$/);
  });
});

Deno.test("powerAbove() equals the power of two of a full count", async () => {
  const tokenizer = await openEncoding("o200k_base");
  let counted = 0;
  const counting = { count: (text: string) => (counted += text.length, tokenizer.count(text)) };
  for (
    const [length, mayBeRough] of [[10, false], [60_000, true], [65_000, false], [65_536, false], [65_600, false], [
      90_000,
      true,
    ]] as const
  ) {
    // Words of one token each.
    const text = Array.from({ length }, (_, at) => at % 3 === 0 ? " word" : " sun").join("");
    counted = 0;
    equal(powerAbove(text, counting), 2 ** Math.ceil(Math.log2(length)));
    equal(counted < text.length, mayBeRough, `${length}`);
  }
});
