import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { inFolder } from "../_folder.ts";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { csvLines, replyRows, writeRows } from "@/lib/exchange/mod.ts";
import { openMeasured } from "@/lib/records/mod.ts";

Deno.test("writeRows() writes the replies of a real run as Parquet that another reader gives back as they were", async () => {
  const run = (await openMeasured({ benchmark: "cdme", model: "gemma-3-270m" }))[0]!;
  const rows = await replyRows(run);
  await inFolder(async (folder) => {
    await writeRows(rows, `${folder}/new/rows.parquet`);
    const file = (await Deno.readFile(`${folder}/new/rows.parquet`)).buffer;
    deepEqual(await parquetReadObjects({ file }), rows);
    const types = new Map(
      parquetSchema(parquetMetadata(file)).children.map(({ element }) => [element.name, element.type]),
    );
    deepEqual(["score", "length", "promptCut", "reply"].map((name) => types.get(name)), [
      "DOUBLE",
      "INT32",
      "INT32",
      "BYTE_ARRAY",
    ]);
  });
});

Deno.test("writeRows() writes JSON lines and CSV, and keeps numbers beyond 32 bits", async () => {
  const rows = [{ name: 'a "b"', big: 2 ** 40, none: null }, { name: "中文", big: 1, none: null }];
  await inFolder(async (folder) => {
    for (const ending of ["jsonl", "csv", "parquet"]) await writeRows(rows, `${folder}/rows.${ending}`);
    const lines = (await Deno.readTextFile(`${folder}/rows.jsonl`)).trimEnd().split("\n");
    deepEqual(lines.map((line) => JSON.parse(line)), rows);
    equal(await Deno.readTextFile(`${folder}/rows.csv`), 'name,big,none\r\n"a ""b""",1099511627776,\r\n中文,1,\r\n');
    const [first] = await parquetReadObjects({ file: (await Deno.readFile(`${folder}/rows.parquet`)).buffer });
    deepEqual(first, { name: 'a "b"', big: 2n ** 40n, none: null });
  });
});

Deno.test("writeRows() writes rows that are made one by one, as many groups of a Parquet file as they need", async () => {
  const made = function* (): Generator<
    { readonly index: number; readonly score: number | null; readonly reply: string }
  > {
    for (let index = 0; index < 25_000; index++) yield { index, score: index % 2 === 0 ? 1 : null, reply: `r${index}` };
  };
  await inFolder(async (folder) => {
    equal(await writeRows(made(), `${folder}/rows.parquet`), 25_000);
    const file = (await Deno.readFile(`${folder}/rows.parquet`)).buffer;
    equal(parquetMetadata(file).row_groups.length, 3);
    const rows = await parquetReadObjects({ file });
    equal(rows.length, 25_000);
    deepEqual(rows[24_999], { index: 24_999, score: null, reply: "r24999" });
  });
});

Deno.test("writeRows() refuses a column of text in which a number stands", async () => {
  const rows = [...Array.from({ length: 10_000 }, () => ({ note: "a" })), { note: 7 }];
  await inFolder(async (folder) => {
    await rejects(
      writeRows(rows, `${folder}/rows.parquet`),
      /as all of column note must be text: current value is 7/,
    );
  });
});

Deno.test("writeRows() refuses another ending and no rows", async () => {
  await rejects(
    writeRows([{ a: 1 }], "rows.xlsx"),
    /must end in \.csv, \.jsonl, \.parquet: current value is "rows\.xlsx"/,
  );
  await rejects(writeRows([], "rows.csv"), /there must be at least one: current value is 0/);
});

Deno.test("writeRows() and csvLines() take rows that are too long for one text together", async () => {
  // Sixty of ten million characters: V8's longest text has 2^29 - 24. No piece of fewer is longer than a row.
  const reply = "x".repeat(cases(1_000_000, 10_000_000));
  const rows = Array.from({ length: 60 }, (_, index) => ({ index, reply }));
  let size = 0;
  for (const line of csvLines(rows)) {
    ok(line.length <= reply.length + 20);
    size += line.length;
  }
  equal(size, "index,reply\r\n".length + 60 * (reply.length + 3) + 10 + 2 * 50);
  await inFolder(async (folder) => {
    await writeRows(rows, `${folder}/rows.csv`);
    equal((await Deno.stat(`${folder}/rows.csv`)).size, size);
  });
});

Deno.test.each([
  ["INT32", [1, 2]],
  ["INT32", [null, 2 ** 31 - 1]],
  ["INT64", [1, 2 ** 31]],
  ["INT64", [-(2 ** 31), 1]],
  ["DOUBLE", [1, 0.5]],
  ["DOUBLE", [0.5, 1]],
  ["DOUBLE", [1, 2 ** 53]],
  ["BYTE_ARRAY", ["a", null]],
  ["BYTE_ARRAY", [null, null]],
] as [string, (string | number | null)[]][])(
  "writeRows() writes a Parquet column of %s for %j",
  async (type, values) => {
    await inFolder(async (folder) => {
      await writeRows(values.map((value) => ({ value })), `${folder}/rows.parquet`);
      const file = (await Deno.readFile(`${folder}/rows.parquet`)).buffer;
      equal(parquetSchema(parquetMetadata(file)).children[0]?.element.type, type);
      const read = await parquetReadObjects({ file }) as { readonly value: unknown }[];
      deepEqual(read.map(({ value }) => typeof value === "bigint" ? Number(value) : value), values);
    });
  },
);
