import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";

const [f16, q4] = ["measured/gemma-3-270m-kv-f16/kv_cache", "measured/gemma-3-270m-kv-q4/kv_cache"];

Deno.test("fathom view writes a page of two runs where it is told to, and prints its path", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/new/page.html`;
  deepEqual(await shell("view", f16, q4, "--out", path, "--most", "5"), { code: 0, out: `${path}\n`, told: [] });
  const page = await Deno.readTextFile(path);
  equal(page.match(/<article/g)?.length, 5);
  match(page, /<option value="\d">different<\/option>/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("fathom view refuses a run that is not there, in one line", async () => {
  const { code, told } = await shell("view", "no-such-run");
  equal(code, 2);
  equal(told.length, 1);
  match(told[0]!, /no-such-run/);
});
