import { deepEqual, equal } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { readMark, writeShardMark } from "@/lib/records/run_files.ts";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { FAILURE_KINDS } from "@/lib/models/mod.ts";

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

Deno.test("scoreRecords() counts a failed call as refused only if its prompt was too long", () => {
  const refused = FAILURE_KINDS.filter((failure) => {
    const reply = { kind: "failure", failure, message: "", latencyMs: 0, attempts: 1 };
    const record = { task: "vt", length: 512, references: ["1"], scoring: "all", suite: "ruler-2", reply };
    const [scored] = scoreRecords([record as unknown as RunRecord]);
    deepEqual([scored!.value, scored!.failed], [null, true]);
    return scored!.refused === true;
  });
  deepEqual(refused, ["context_length"]);
});
