import { deepEqual, equal, match, ok } from "node:assert/strict";
import { request } from "node:http";
import { shell } from "./_shell.ts";
import { serveSamplePage } from "@/lib/cli/view_command.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { openSamplePage } from "@/lib/reports/mod.ts";

const [f16, q4] = ["measured/gemma-3-270m-kv-f16/kv_cache", "measured/gemma-3-270m-kv-q4/kv_cache"];

Deno.test("fathom view writes a page of two runs to a path, and prints it", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/new/page.html`;
  const asked = ["view", f16, q4, "--out", path, "--most", "5", "--prompts", "0.01"];
  const { err, ...printed } = await shell(...asked);
  deepEqual(printed, { code: 0, out: `${path}\n` });
  deepEqual(err.filter((line) => !line.includes("score far more as a whole")), []);
  const page = await Deno.readTextFile(path);
  match(
    page,
    /5 samples, those with the lowest scores; 475 more are left out\. The prompts of [1-4] samples? are in this/,
  );
  ok(page.includes(`"names":["${f16}","${q4}"]`));
  await Deno.remove(folder, { recursive: true });
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

/** Asks a server under a host name of its own, which `fetch` does not allow. */
function ask(url: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode!);
    }).on("error", reject).end();
  });
}

Deno.test("fathom view --serve gives the page and any prompt to its own address alone, and writes nothing", async () => {
  const run = await readScoredRun(f16);
  const page = await openSamplePage([run], { isServed: true });
  const server = await serveSamplePage(page);
  try {
    match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}\/$/);
    const shown = await fetch(server.url);
    equal(await shown.text(), [...page.html()].join(""));
    equal(shown.headers.get("content-security-policy"), `${page.policy}; frame-ancestors 'none'`);
    const { parts, why } = await (await fetch(`${server.url}prompt/${run.replies.length - 1}`)).json();
    deepEqual([why, parts[0].role], ["", "user"]);
    ok(parts[0].marks.some(([, , kind]: [number, number, string]) => kind === "target"));
    const { origin } = new URL(server.url);
    deepEqual(
      await Promise.all([
        ask(`${origin}/`),
        ask(`${origin}/prompt/0`),
        ask(`${server.url}prompt/-1`),
        ask(`${server.url}prompt/${run.replies.length}`),
        ask(server.url, { method: "POST" }),
        ask(server.url, { headers: { host: "rebound.example" } }),
        ask(server.url, { headers: { origin: "https://rebound.example" } }),
        ask(server.url, { headers: { host: "localhost:9" } }),
      ]),
      [404, 404, 404, 400, 404, 403, 403, 200],
    );
  } finally {
    await server.close();
  }
});
