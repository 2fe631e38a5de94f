import { deepEqual, equal } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { shell } from "./_shell.ts";

const [gemma, smol] = ["measured/gemma-3-270m/cdme", "measured/smollm2-135m-instruct/cdme"];

Deno.test("fathom export prints the replies of several runs as JSON lines, each with its run", async () => {
  const { code, out } = await shell("export", gemma, smol);
  equal(code, 0);
  const rows = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  deepEqual([...new Set(rows.map(({ run }) => run))], [gemma, smol]);
  deepEqual(rows.filter(({ score }) => !(score === null || score >= 0 && score <= 1)), []);
  equal(rows.every(({ settings }) => typeof JSON.parse(settings) === "object"), true);
});

Deno.test("fathom export --format scores writes a row for each task and length, and --out names the file", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/scores.csv`;
  const { code, out, err } = await shell("export", gemma, "--format", "scores", "--out", path);
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\r\n");
  deepEqual([code, out, err], [0, "", [`${path}: ${lines.length - 1} scores of 1 run`]]);
  equal(lines[0], "run,model,origin,task,length,n,score,low,high,failed,noAnswer");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fathom export --format inspect writes a log per task, and the code that scores them", async () => {
  await inFolder(async (folder) => {
    const { code, out } = await shell("export", gemma, "--format", "inspect", "--out", folder);
    equal(code, 0);
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    const logs = out.trimEnd().split("\n").map((path) => path.slice(folder.length + 1)).sort();
    deepEqual(names, [...logs, "fathom_scores.py", "fathom_task.py"].sort());
    deepEqual(logs.map((name) => /_(cdme-\w+)_\w+\.eval$/.exec(name)?.[1]).sort(), ["cdme-en", "cdme-zh"]);
    await shell("export", gemma, smol, "--format", "inspect", "--out", `${folder}/both`);
    equal((await Array.fromAsync(Deno.readDir(`${folder}/both/${gemma}`))).length, 2);
  });
  equal((await shell("export", "--format", "inspect", "--out", "logs")).code, 2);
  equal((await shell("export", gemma, "--format", "inspect")).code, 2);
});
