import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";

Deno.test("fathom run --shard asks parts of one run, and fathom verify lists what lacks", async () => {
  await withRunName(async (name) => {
    const run = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K", "--samples", "2", "--name", name];
    equal((await shell(...run, "--shard", "1/2")).code, 0);
    const early = await shell("verify", name);
    equal(early.code, 1);
    match(early.out, /2 of 4 questions have no record \(2 of shard 2\/2\)/);
    match((await shell(...run, "--shard", "2/2", "--dry-run")).told.join("\n"), /2 of 2 questions to ask/);
    equal((await shell("resume", name, "--shard", "2/2")).code, 0);
    const { code, out } = await shell("verify", name);
    equal(code, 0);
    match(out, /4 records, 4 answered samples; nothing is wrong/);
    equal((await shell("report", name, "--no-figures")).code, 0);
  });
});

Deno.test("fathom run refuses a shard that is none, and fathom merge a run without folders of shards", async () => {
  const wrong = await shell("run", "--tasks", "vt", "--shard", "4/3");
  deepEqual([wrong.code, /the shard must be i\/n, such as 2\/4/.test(wrong.told.join())], [2, true]);
  const none = await shell("merge", "no-such-run-at-all");
  deepEqual([none.code, /there must be folders .* of it: current value is none/.test(none.told.join())], [2, true]);
});
