import { deepEqual, equal } from "node:assert/strict";
import { playServer } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { openEndpoint } from "@/lib/models/mod.ts";

Deno.test.each([
  ["llama.cpp's list of tokens", { tokens: [1, 2, 3] }, 3],
  ["vLLM's count", { count: 4, tokens: [1, 2, 3, 4], max_model_len: 8192 }, 4],
  ["a count alone", { count: 5 }, 5],
  ["LMDeploy's /encode", { input_ids: [1, 2, 3], length: 3 }, 3],
  ["something else", { length: 5 }, undefined],
] as [string, unknown, number | undefined][])("countTokens() reads %s", async (_name, body, tokens) => {
  await using server = playServer(Response.json(body));
  const model = openEndpoint({ baseUrl: server.url, model: "m", delay: () => Promise.resolve() });
  equal(await model.countTokens!(smallSample(model.template)), tokens);
});

Deno.test("countTokens() asks beside /v1 for the prompt as it is sent, in the words of both kinds of servers", async () => {
  await using server = playServer(Response.json({ count: 20 }));
  const model = openEndpoint({ baseUrl: server.url, model: "m", api: "completions", templateTokens: 3 });
  // Tokens that the server adds unseen are counted with the prompt.
  equal(await model.countTokens!(smallSample(model.template)), 23);
  const [{ path, body }] = server.received as [(typeof server.received)[0]];
  const text = "The grass is green.\nWhat is the number? The number is";
  equal(path, "/tokenize");
  deepEqual(body, {
    model: "m",
    ...{ prompt: text, add_special_tokens: false, content: text, add_special: false, parse_special: true },
  });
});

Deno.test("countTokens() gives nothing where the server has no such path", async () => {
  await using server = playServer(new Response("no", { status: 404 }));
  const model = openEndpoint({ baseUrl: server.url, model: "m", delay: () => Promise.resolve() });
  equal(await model.countTokens!(smallSample(model.template)), undefined);
  // Two paths, three times each.
  equal(server.received.length, 6);
});
