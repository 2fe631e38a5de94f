import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { planTasks, smallHeader, sumTask, withFolder } from "./_fakes.ts";
import { FAULTS, faultServer } from "./_fault_server.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";

Deno.test("a run rides out a server of which every third reply is a fault: each sample is answered, or counted under its cause", async () => {
  await using server = faultServer("faults", 0.3);
  const { model } = server;
  const samples = cases(200, 500);
  const plan = planTasks({ tasks: [sumTask(), sumTask({ name: "other" })], lengths: [512], samples });
  await withFolder(async (folder) => {
    const store = await openStore("run", smallHeader({ settings: model.settings, template: model.template }), {
      folder,
    });
    const summary = await runPlan(plan, { model, store, concurrency: 64 }).finally(store.close);
    const { records } = await readRun("run", { folder });
    equal(server.dealt.size, Object.keys(FAULTS).length, "every fault was dealt");
    equal(summary.trouble, undefined);
    deepEqual([summary.total, summary.answered + summary.failed], [2 * samples, 2 * samples]);
    equal(new Set(records.map(({ sample }) => sample)).size, 2 * samples, "none is lost");
    equal(records.length, 2 * samples, "none stands twice");
    const failures = records.flatMap(({ reply }) => reply.kind === "failure" ? [reply.failure] : []);
    equal(failures.length, summary.failed);
    // A stall is not asked again, and a fault five times in a row is rare; a busy server costs no sample at all.
    ok(failures.every((kind) => ["timeout", "connection", "server", "bad_reply"].includes(kind)), failures.join());
    ok(failures.filter((kind) => kind !== "timeout").length <= 3, failures.join());
    for (const { reply, references } of records) {
      if (reply.kind !== "answer" || reply.finishReason === "content_filter") continue;
      ok(reply.text.startsWith(references[0]!), "an answer is that of its own question");
    }
  });
});

Deno.test("a run waits for a server that goes away in its midst and comes back", async () => {
  const [answered, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  const serve = (port: number): Deno.HttpServer<Deno.NetAddr> =>
    Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, async (request) => {
      const { messages } = await request.json();
      const [, left, right] = /What is (\d+) \+ (\d+)/.exec(messages[0].content)!;
      if (++requests === 40) answered.resolve();
      // The rest of the run cannot pass before the server goes, however fast it is.
      if (requests >= 40) await leaving.promise;
      return Response.json({ choices: [{ message: { content: String(Number(left) + Number(right)) } }] });
    });
  let server = serve(0);
  const { port } = server.addr;
  let waits = 0;
  const delay = (milliseconds: number): Promise<void> => {
    waits++;
    return new Promise((go) => setTimeout(go, milliseconds / 100));
  };
  const model = openEndpoint({ baseUrl: `http://127.0.0.1:${port}/v1`, model: "fake", delay });
  const away = (async (): Promise<void> => {
    await answered.promise;
    const gone = server.shutdown();
    leaving.resolve();
    await gone;
    await new Promise((go) => setTimeout(go, 100));
    server = serve(port);
  })();
  const plan = planTasks({ tasks: [sumTask()], lengths: [512], samples: 400 });
  await withFolder(async (folder) => {
    const store = await openStore("run", smallHeader({ settings: model.settings, template: model.template }), {
      folder,
    });
    const { answered, failed, trouble } = await runPlan(plan, { model, store, concurrency: 8 }).finally(store.close);
    deepEqual([answered, failed, trouble], [400, 0, undefined]);
  });
  await away;
  await server.shutdown();
  ok(waits > 0, "it was away");
});
