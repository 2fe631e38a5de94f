import { match, rejects } from "node:assert/strict";
import { THREADING } from "@/lib/benchmarks/needle_threading/mod.ts";
import { serveSimulated } from "@/lib/cli/serve_command.ts";
import { parseRun } from "@/lib/jupyter/mod.ts";
import { checkStudy, runStudy, simulatedModel, type StudyRun } from "@/lib/runs/mod.ts";

const { name: TASK } = THREADING.make({ kind: "multi_needle" });

async function withRun(test: (run: StudyRun) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const study = checkStudy({ tasks: [TASK], lengths: [4096], samples: 3, seed: "parse" });
    await test(await runStudy(study, { name: "parse", model: simulatedModel("ideal"), folder }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("parseRun() compares both readings, asks the simulated reader at no address, and any other at its own", async () => {
  await withRun(async (run) => {
    const { text } = await parseRun(run, { parser: "sim:ideal", baseUrl: "http://127.0.0.1:9/v1" });
    match(text, /^Replies of sim:ideal, rewritten by sim:ideal \(simulated\)\nSimulated/);
    match(text, /^threading_multi_needle +3 +100\.0 +100\.0 +0\.0 +0$/m);
    const server = await serveSimulated({ profile: "ideal" });
    try {
      match((await parseRun(run, { parser: "ideal", baseUrl: server.url })).text, /^all +3 +100\.0 +100\.0 +0\.0 +0$/m);
    } finally {
      await server.close();
    }
  });
});

Deno.test("parseRun() refuses a profile that there is not", async () => {
  await withRun((run) => rejects(parseRun(run, { parser: "sim:flash" }), RangeError));
});
