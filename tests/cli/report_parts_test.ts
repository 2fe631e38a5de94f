import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";

Deno.test("fathom report memory joins a run of the tests and one of their questions alone", async () => {
  await withRunName(async (tests) => {
    await withRunName(async (alone) => {
      const model = ["--model", "sim:longalpaca"];
      const ask = ["run", "--tasks", "recall_san_francisco,recall_thornfield", "--lengths", "1K", "--samples", "2"];
      equal((await shell(...ask, ...model, "--name", tests)).code, 0);
      const study = ["run", "--study", "data/studies/09-closed-book.yaml", ...model, "--name", alone];
      equal((await shell(...study)).code, 0);
      const { code, out } = await shell("report", "memory", tests, "--closed-book", alone);
      equal(code, 0);
      match(out, /recall_san_francisco +2 +\d +\d +\S/);
      match(out, /\nP5 /);
      const { rows, claims } = JSON.parse(
        (await shell("report", "memory", tests, "--closed-book", alone, "--json")).out,
      );
      deepEqual(rows.map(({ task }: { task: string }) => task), ["recall_san_francisco", "recall_thornfield"]);
      equal(claims.length, 1);
      const refused = await shell("report", "memory", tests, "--closed-book", tests);
      equal(refused.code, 2);
      match(refused.told.join(), /must be a run of the same questions without a text/);
    });
  });
});
