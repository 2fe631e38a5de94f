import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/studies/manifest.ts";

Deno.test("fathom verify says what is wrong with a run and ends with 1, --repair makes it readable, and report warns", async () => {
  await withRunName(async (name) => {
    const asked = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "3", "--model", "sim:ideal", "--name", name];
    equal((await shell(...asked)).code, 0);
    const whole = await shell("verify", name);
    deepEqual([whole.code, whole.out], [0, `${name}: 3 records, 3 answered samples; nothing is wrong\n`]);
    const path = `${RUNS_FOLDER}/${name}/records.jsonl`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/"text":"/, '"text":"Edited '));
    const edited = await shell("report", name, "--no-figures");
    match(edited.told.join("\n"), /Warning: this is not the run that was recorded, as its records were changed/);
    await Deno.writeTextFile(path, `${text}\u001b]0;owned\u0007\n`);
    const broken = await shell("verify", name, "--json");
    deepEqual([broken.code, JSON.parse(broken.out).faults.length], [1, 1]);
    match(broken.told[0]!, /not what was recorded; --repair makes it readable$/);
    const repaired = await shell("verify", name, "--repair");
    deepEqual([repaired.code, (await shell("verify", name)).code], [0, 0]);
    match(repaired.out, /kept: .*records-cut-1\.txt/);
    deepEqual(await Deno.readTextFile(path), text);
  });
});
