import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";
import { runFolder } from "@/lib/records/mod.ts";

Deno.test("fathom run --shard and fathom merge make a run as any other, and say what lacks", async () => {
  await withRunName(async (name) => {
    const run = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K", "--samples", "2", "--name", name];
    try {
      equal((await shell(...run, "--shard", "1/2")).code, 0);
      const early = await shell("merge", name);
      equal(early.code, 1);
      match(early.told.join(), /current value is 2 without one \(2 of shard 2\/2\)/);
      match((await shell(...run, "--shard", "2/2", "--dry-run")).told.join("\n"), /2 of 2 questions to ask/);
      equal((await shell(...run, "--shard", "2/2")).code, 0);
      const { code, out, told } = await shell("merge", name, "--json");
      equal(code, 0);
      match(told.join(), /4 records of 2 shards, none missing and none doubled/);
      const { records, answered, failed, shards } = JSON.parse(out);
      deepEqual([records, answered, failed, shards], [4, 4, 0, 2]);
      equal((await shell("report", name, "--no-figures")).code, 0);
    } finally {
      for (const index of [1, 2]) await Deno.remove(runFolder(`${name}.shard-${index}-of-2`), { recursive: true });
    }
  });
});

Deno.test("fathom run refuses a shard that is none, and fathom merge a run without shards", async () => {
  const wrong = await shell("run", "--tasks", "vt", "--shard", "4/3");
  deepEqual([wrong.code, /the shard must be i\/n, such as 2\/4/.test(wrong.told.join())], [2, true]);
  const none = await shell("merge", "no-such-run-at-all");
  deepEqual([none.code, /there must be shards of it: current value is none/.test(none.told.join())], [2, true]);
});
