import { deepEqual, equal, match, ok } from "node:assert/strict";
import { request } from "node:http";
import { withModel } from "./_patient_model.ts";
import { shell, spawn, withRunName } from "./_shell.ts";
import { serveExplorer } from "@/lib/cli/serve_explorer.ts";
import { readScoredRun } from "@/lib/records/mod.ts";

import type { ExplorerFacts, ExplorerRow, LiveState } from "@/lib/reports/explorer/data.ts";

const RUN = "measured/gemma-3-270m-kv-f16/kv_cache";

/** Asks a server under a host name of its own, which `fetch` does not allow. */
function ask(url: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode!);
    }).on("error", reject).end();
  });
}

interface Update {
  readonly facts: ExplorerFacts;
  readonly rows: readonly ExplorerRow[];
  readonly live: LiveState;
}

/** Reads the updates of a page until their end. */
async function readUpdates(url: string, onUpdate: (update: Update) => void = () => {}): Promise<readonly Update[]> {
  const updates: Update[] = [];
  const response = await fetch(`${url}events`);
  equal(response.headers.get("content-type"), "text/event-stream");
  let text = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const whole = (text + piece).split("\n\n");
    text = whole.pop()!;
    for (const event of whole) {
      const update: Update = JSON.parse(/^event: update\ndata: (.*)$/.exec(event)![1]!);
      updates.push(update);
      onUpdate(update);
    }
  }
  return updates;
}

Deno.test("serveExplorer() gives the page and any prompt to its own address alone, and one last update", async () => {
  const run = await readScoredRun(RUN);
  const server = await serveExplorer([RUN], { flags: {}, port: 0 });
  try {
    match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}\/$/);
    const shown = await fetch(server.url);
    match(await shown.text(), /"served":"prompts"/);
    const policy = shown.headers.get("content-security-policy")!;
    match(policy, /^default-src 'none'; script-src 'sha256-[^;]*;.* connect-src 'self';.*; frame-ancestors 'none'$/);
    const { parts, why, isWhole } = await (await fetch(`${server.url}prompt/${run.replies.length - 1}`)).json();
    deepEqual([why, isWhole, parts[0].role], ["", true, "user"]);
    ok(parts[0].marks.some(([, , kind]: [number, number, string]) => kind === "target"));
    const updates = await readUpdates(server.url);
    deepEqual(updates.map(({ rows, live }) => [rows.length, live.done, live.total, live.isOver]), [[
      480,
      480,
      480,
      true,
    ]]);
    const { origin } = new URL(server.url);
    deepEqual(
      await Promise.all([
        ask(`${origin}/`),
        ask(`${origin}/prompt/0`),
        ask(`${origin}/00000000-0000-0000-0000-000000000000/events`),
        ask(`${server.url}prompt/-1`),
        ask(`${server.url}prompt/${run.replies.length}`),
        ask(server.url, { method: "POST" }),
        ask(server.url, { headers: { host: "rebound.example" } }),
        ask(server.url, { headers: { origin: "https://rebound.example" } }),
        ask(server.url, { headers: { host: "localhost:9" } }),
      ]),
      [404, 404, 404, 404, 400, 404, 403, 403, 200],
    );
  } finally {
    await server.close();
  }
});

const STUDY = "--tasks niah_single_1 --lengths 512 --samples 4 --concurrency 1 --no-preflight".split(" ");

Deno.test("fathom run --live serves each reply as it comes, and ends with the run", async () => {
  await withRunName(async (name) => {
    await withModel(async ({ url: baseUrl, answer }) => {
      const asked = ["run", ...STUDY, "--model", "any", "--base-url", baseUrl, "--name", name, "--live"];
      const running = spawn([...asked, "--price-in", "1000"], undefined, { OPENAI_API_KEY: "none" });
      const [noted, out] = [running.stderr.pipeThrough(new TextDecoderStream()).getReader(), running.stdout];
      let err = "";
      while (!/Live page: \S+\/\n/.test(err)) err += (await noted.read()).value!;
      const [, url] = /Live page: (\S+)/.exec(err)!;
      match(await (await fetch(url!)).text(), /No reply is recorded yet/);
      answer(1);
      let [one, two] = [0, 0];
      const updates = await readUpdates(url!, ({ live: { done } }) => {
        if (done === 1 && one++ === 0) answer(2);
        if (done === 3 && two++ === 0) answer(1);
      });
      const states = updates.map(({ live }) => live);
      deepEqual(states.at(-1), { ...states.at(-1), done: 4, total: 4, failed: 0, isOver: true });
      ok(states.at(-1)!.cost! > 1 && states[0]!.cost! < states.at(-1)!.cost!, JSON.stringify(states));
      ok(states.length >= 3 && states.slice(0, -1).every(({ isOver }) => !isOver), JSON.stringify(states));
      deepEqual(updates.flatMap(({ rows }) => rows.map(({ at }) => at)), [0, 1, 2, 3]);
      match(updates.at(-1)!.facts.runs[0]!.answer.join(), /effective length|scores/);
      for (let read = await noted.read(); !read.done; read = await noted.read()) err += read.value;
      await out.cancel();
      equal((await running.status).code, 0, err);
      equal(await fetch(url!).then(() => "answered", () => "closed"), "closed");
    });
  });
});

Deno.test("fathom view --serve follows a run that goes on, until Ctrl-C", async () => {
  await withRunName(async (name) => {
    await shell("run", ...STUDY, "--samples", "2", "--model", "sim:ideal", "--name", name);
    const manifest = new URL(`../../results/runs/${name}/manifest.json`, import.meta.url);
    const { study, ...rest } = JSON.parse(await Deno.readTextFile(manifest));
    await Deno.writeTextFile(manifest, JSON.stringify({ ...rest, study: { ...study, samples: 3 } }));
    const viewing = spawn(["view", name, "--serve"]);
    const [out, noted] = [viewing.stdout.pipeThrough(new TextDecoderStream()).getReader(), viewing.stderr];
    const url = (await out.read()).value!.trim();
    let isAsked = false;
    const updates = await readUpdates(url, ({ live: { done } }) => {
      if (done !== 2 || isAsked) return;
      isAsked = true;
      shell("run", ...STUDY, "--samples", "3", "--model", "sim:ideal", "--name", name);
    });
    deepEqual(updates.map(({ rows, live }) => [rows.length, live.done, live.isOver]), [[2, 2, false], [1, 3, true]]);
    viewing.kill("SIGINT");
    await Promise.all([out.cancel(), noted.cancel()]);
    equal((await viewing.status).code, 0);
  });
});
