import { equal } from "node:assert/strict";
import { smallSample } from "./_samples.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { type Answer, openEndpoint, replyOrigin } from "@/lib/models/mod.ts";

const answer: Answer = { kind: "answer", text: "17", finishReason: "stop", latencyMs: 9, attempts: 1 };

Deno.test.each([
  ["a real model's", {}, "measured"],
  ["a real model's with a fingerprint", { fingerprint: "fp_1", servedModel: "gpt-4o" }, "measured"],
  ["the simulated reader's by its fingerprint", { fingerprint: "simulated-1" }, "simulated"],
  ["the simulated reader's by its name", { servedModel: "sim:gpt-4" }, "simulated"],
  ["a real model's that is called alike", { servedModel: "similar-7b" }, "measured"],
] as [string, Partial<Answer>, string][])("replyOrigin() calls an answer %s", (_name, told, wanted) => {
  equal(replyOrigin({ origin: "measured" }, { ...answer, ...told }), wanted);
  equal(replyOrigin({ origin: "simulated" }, { ...answer, ...told }), "simulated");
});

Deno.test("a served simulated reader says what it is, by whatever name and interface it is asked", async () => {
  const server = await serveSimulated({ profile: "ideal" });
  try {
    for (const api of ["chat", "completions"] as const) {
      const model = openEndpoint({ baseUrl: server.url, model: "ideal", name: "my-model", api });
      equal(model.origin, "measured");
      equal(replyOrigin(model, await model.ask(smallSample())), "simulated");
    }
  } finally {
    await server.close();
  }
});
