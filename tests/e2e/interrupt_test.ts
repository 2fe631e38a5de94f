import { deepEqual, equal, match, ok } from "node:assert/strict";
import { findReady, named } from "./_project.ts";
import { inFolder } from "../_folder.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { checkStudy } from "@/lib/studies/mod.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const jupyter = await findReady("run");

interface Ended {
  readonly replies: readonly {
    readonly status: string;
    readonly ename: string | null;
    readonly evalue: string | null;
  }[];
  readonly gone: boolean;
}

Deno.test({
  name: named("a cell that asks a model can be interrupted in a kernel, and resumes when it is run again", {
    "Jupyter is not set up; deno task setup does it": jupyter === undefined,
  }),
  ignore: jupyter === undefined,
  fn: () =>
    inFolder(async (folder) => {
      const { url, close } = await serveSimulated({
        profile: "ideal",
        study: checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 60 }),
      });
      // Asks the server behind it, a moment later and under its name there, and keeps what was asked.
      const asked: string[] = [];
      const slow = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: (): void => {} }, async (request) => {
        const { pathname } = new URL(request.url);
        const body = request.method === "POST" ? await request.text() : null;
        if (body !== null) {
          asked.push(body);
          await new Promise((resolve) => setTimeout(resolve, 60));
        }
        const sent = body?.replace('"simulated"', '"sim:ideal"') ?? null;
        const headers = { "content-type": "application/json" };
        const reply = await fetch(new URL(pathname, url), { method: request.method, headers, body: sent });
        return new Response((await reply.text()).replaceAll("sim:ideal", "simulated"), reply);
      });
      try {
        const address = `http://127.0.0.1:${slow.addr.port}/v1`;
        const options = { model: "simulated", baseUrl: address, name: "stopped", folder, concurrency: 2 };
        const code = `import { openRuns } from "@/lib/jupyter/mod.ts";
import { checkStudy } from "@/lib/mod.ts";
const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 60 });
const options = ${JSON.stringify(options)};
const [run] = await openRuns(study, { ...options, display: Deno.jupyter.display });
if (run.records.length !== 60) throw new Error("records are missing");`;
        const { replies, gone } = await drive(code, 10);
        equal(replies[0]?.status, "error");
        match(
          replies[0]?.evalue ?? "",
          /^Stopped before the end of run "stopped-simulated": run this cell again to resume it/,
        );
        deepEqual(replies[1], { status: "ok", ename: null, evalue: null });
        ok(gone, "the kernel has ended");
        const lines = (await Deno.readTextFile(`${folder}/stopped-simulated/records.jsonl`)).trim().split("\n");
        const samples = lines.map((line) => JSON.parse(line).sample);
        deepEqual([samples.length, new Set(samples).size], [60, 60]);
        // No question of the study was sent twice. Each start of the run counts the tokens of a prompt by a reply of one token.
        const questions = asked.filter((body) =>
          body.includes("special magic number") && !body.includes('"max_tokens":1,')
        );
        equal(questions.length, new Set(questions).size);
      } finally {
        await slow.shutdown();
        await close();
      }
    }),
});

async function drive(code: string, after: number): Promise<Ended> {
  const script = new URL("fixtures/interrupt.py", import.meta.url).pathname;
  const { python, env } = jupyter!;
  const driver = new Deno.Command(python, { args: [script], env, stdin: "piped", stdout: "piped", stderr: "piped" })
    .spawn();
  const writer = driver.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify({ code, folder: `${ROOT}notebooks`, after })));
  await writer.close();
  const { success, stdout, stderr } = await driver.output();
  ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
