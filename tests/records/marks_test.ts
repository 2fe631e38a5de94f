import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { inFolder } from "../_folder.ts";
import { CHUNK, chunksOf } from "./_chunks.ts";
import { compareMark, markRecords, readMark, writeShardMark } from "@/lib/records/marks.ts";

const MARK = { bytes: 7, sha256: "a" };

Deno.test("readMark() reads the manifest's for a run, a file's for a shard, and none of a packed file", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/records.1-of-2.jsonl`;
    const shard = { index: 1, of: 2 };
    await writeShardMark(path, MARK);
    deepEqual(await readMark({ path, shard }, undefined), MARK);
    deepEqual(await readMark({ path: `${folder}/records.jsonl` }, { records: MARK }), MARK);
    equal(await readMark({ path: `${folder}/records.jsonl.gz` }, { records: MARK }), undefined);
    for (
      const wrong of [{ bytes: "7", sha256: "a" }, { bytes: 7, sha256: 1 }, { bytes: 7 }, { sha256: "a" }, null, "{"]
    ) {
      await Deno.writeTextFile(`${folder}/records.1-of-2.mark.json`, wrong === "{" ? "{" : JSON.stringify(wrong));
      equal(await readMark({ path, shard }, { records: MARK }), undefined, JSON.stringify(wrong));
    }
  });
});

Deno.test.each([
  ["nothing", "", 0],
  ["a line without an end", "a", 0],
  ["two lines", "a\nb\n", 4],
  ["two lines and a part of one", "a\nb\nc", 4],
  ["a line that ends with its chunk", `${"a".repeat(CHUNK - 1)}\n`, CHUNK],
  ["a line that ends with its chunk, and a part of one", `${"a".repeat(CHUNK - 1)}\nb`, CHUNK],
  ["a line whose end begins a chunk", `${"a".repeat(CHUNK)}\nb`, CHUNK + 1],
  ["a line over three chunks", `${"a".repeat(2 * CHUNK + 1)}\nb\nc`, 2 * CHUNK + 4],
  ["a part of a line over two chunks", `a\n${"b".repeat(2 * CHUNK)}`, 2],
])("markRecords() marks the whole lines of %s", async (_name, text, bytes) => {
  const sha256 = createHash("sha256").update(text.slice(0, bytes)).digest("hex");
  deepEqual(await markRecords(chunksOf(text)), { bytes, sha256 });
});

const LINES = `${"a".repeat(CHUNK - 2)}\nb\n${"c".repeat(CHUNK)}\n`;

Deno.test.each([
  ["itself", LINES, "same"],
  ["itself without its last line break", LINES.slice(0, -1), "same"],
  ["itself without two characters", LINES.slice(0, -2), "cut"],
  ["one character more", `${LINES}d`, "longer"],
  ["a line more", `${LINES}d\n`, "longer"],
  ["another last line break", `${LINES.slice(0, -1)} `, "changed"],
  ["another first character", `d${LINES.slice(1)}`, "changed"],
  ["another last character, without a line break", `${LINES.slice(0, -2)}d`, "changed"],
])("compareMark() compares a file with %s", async (_name, text, wanted) => {
  equal(await compareMark(chunksOf(text), await markRecords(chunksOf(LINES))), wanted);
});
