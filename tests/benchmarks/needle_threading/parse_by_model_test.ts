import { deepEqual, equal, ok } from "node:assert/strict";
import { parseByModel, valueMatch } from "@/lib/benchmarks/needle_threading/mod.ts";
import { PLAIN_TEMPLATE, type Sample } from "@/lib/generators/mod.ts";
import type { Model, Reply } from "@/lib/models/mod.ts";
import { simulatedModel } from "@/lib/runs/mod.ts";

const [A, B] = ["0e7bbda8-78e4-8982-dbec-b7b4a4c0c665", "cdf6c32a-f0c7-4198-24ed-3d4bf0959271"] as const;

/** A model that gives one reply, and keeps what it was asked. */
function scripted(reply: Reply): Model & { readonly asked: Sample[] } {
  const asked: Sample[] = [];
  const ask = (sample: Sample): Promise<Reply> => {
    asked.push(sample);
    return Promise.resolve(reply);
  };
  return { name: "scripted", origin: "simulated", settings: {}, frame: PLAIN_TEMPLATE, asked, ask };
}

function answer(text: string): Reply {
  return { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
}

Deno.test("parseByModel() gives what the model made of a reply, to be scored in its place", async () => {
  const model = scripted(answer(`["${A}", "${B}"]`));
  const { text, failure } = await parseByModel(`First ${A}. As to the other, ${B}.`, { model, count: 2 });
  equal(failure, null);
  equal(valueMatch(text, [A, B]).value, 1);
});

Deno.test("parseByModel() sends the request, then the reply, and keeps room for twice the values expected", async () => {
  const model = scripted(answer("[]"));
  await parseByModel(`It is ${A}.`, { model, count: 3 });
  const [sample] = model.asked;
  ok(sample!.prompt.user.startsWith("Rewrite the answer below as a JSON list of the values"));
  ok(sample!.prompt.user.endsWith(`\n\nAnswer:\nIt is ${A}.`));
  equal(sample!.answerRoom, 60 + 40 * 6);
  equal(sample!.length, sample!.promptTokens + sample!.answerRoom);
});

Deno.test("parseByModel() keeps the reply where the call fails, and tells why", async () => {
  const failed = { kind: "failure", failure: "rate_limit", message: "slow down", latencyMs: 1, attempts: 3 } as const;
  deepEqual(await parseByModel(A, { model: scripted(failed), count: 1 }), { text: A, failure: failed });
});

Deno.test("parseByModel() sends no empty reply", async () => {
  const model = scripted(answer(`["${A}"]`));
  deepEqual(await parseByModel(" \n", { model, count: 1 }), { text: " \n", failure: null });
  equal(model.asked.length, 0);
});

Deno.test("parseByModel() with the simulated reader reads as the scorer's rules do", async () => {
  const model = simulatedModel("ideal");
  const parse = async (reply: string): Promise<string> => (await parseByModel(reply, { model, count: 2 })).text;
  equal(await parse(`${B}: ${A}`), `["${A}"]`);
  equal(await parse("I do not know."), "[]");
  equal(await parse(`Answer:\n{"x": "${A}", "y": "${B}"}`), `["${A}", "${B}"]`);
});
