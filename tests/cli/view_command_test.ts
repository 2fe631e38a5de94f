import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../_folder.ts";
import { shell, withRunName } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

const [f16, q8, q4] = ["f16", "q8", "q4"].map((cache) => `measured/gemma-3-270m-kv-${cache}/kv_cache`) as [
  string,
  string,
  string,
];

Deno.test("fathom view writes a page of several runs to a path, and prints it", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/new/page.html`;
    const asked = ["view", f16, `${q8},${q4}`, "--out", path, "--prompts", "0.03"];
    const { err, ...printed } = await shell(...asked);
    deepEqual(printed, { code: 0, out: `${path}\n` });
    deepEqual(err.filter((line) => !line.includes("score far more as a whole")), []);
    const page = await Deno.readTextFile(path);
    match(page, /480 samples; the prompts of \d+ samples are in this page/);
    for (const name of [f16, q8, q4]) ok(page.includes(`"name":"${name}"`));
  });
});

Deno.test("fathom report --html writes the same page as fathom view, without the tables", async () => {
  await inFolder(async (folder) => {
    const [one, other] = [`${folder}/view.html`, `${folder}/report.html`];
    await shell("view", q4, "--out", one);
    const { code, out } = await shell("report", q4, "--html", other);
    deepEqual([code, out], [0, `${other}\n`]);
    equal(await Deno.readTextFile(other), await Deno.readTextFile(one));
  });
  await withRunName(async (name) => {
    await shell("run", "--tasks", "vt", "--lengths", "1K", "--samples", "2", "--model", "sim:ideal", "--name", name);
    const { code, out } = await shell("report", name, "--html");
    deepEqual([code, out], [0, `${join(RUNS_FOLDER, name, "view.html")}\n`]);
    match(await Deno.readTextFile(out.trim()), /2 samples/);
  });
});

Deno.test("fathom view refuses a run that does not exist, and a wrong port, in one line", async () => {
  const { code, err } = await shell("view", "no-such-run");
  equal(code, 2);
  equal(err.length, 1);
  match(err[0]!, /no-such-run/);
  const port = await shell("view", f16, "--serve", "70000");
  equal(port.code, 2);
  match(port.err[0]!, /whole number from 0 to 65535/);
});
