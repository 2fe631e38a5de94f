import { deepEqual } from "node:assert/strict";
import { type PathReply, readFacts } from "@/lib/models/server_facts.ts";

const NOTHING: PathReply = { status: 404, value: undefined, server: "" };

Deno.test.each([
  ["nothing", undefined, {}],
  ["no list", { data: 7 }, {}],
  ["the model", [{ id: "m" }], { served: ["m"], isServed: true }],
  ["what is no model beside it", [7, null, { id: "m" }], { served: ["m"], isServed: true }],
  ["the model with Ollama's tag", [{ id: "m:latest" }], { served: ["m:latest"], isServed: true }],
  ["the model with Gemini's folder", [{ id: "models/m" }], { served: ["models/m"], isServed: true }],
  ["an alias", [{ id: "n", aliases: ["m"] }], { served: ["n"], isServed: true }],
  ["one other model", [{ id: "n", max_model_len: 9 }], { served: ["n"], isServed: false, window: 9 }],
  [
    "two other models",
    [{ id: "n", max_model_len: 9 }, { id: "o", max_model_len: 9 }],
    { served: ["n", "o"], isServed: false },
  ],
  ["a window of 1", [{ id: "m", max_model_len: 1 }], { served: ["m"], isServed: true, window: 1 }],
  ["a window of 0", [{ id: "m", max_model_len: 0 }], { served: ["m"], isServed: true }],
  ["a window in words", [{ id: "m", max_model_len: "9" }], { served: ["m"], isServed: true }],
  [
    "several windows, of which vLLM's counts",
    [{ id: "m", context_length: 8, max_model_len: 9 }],
    { served: ["m"], isServed: true, window: 9 },
  ],
  ["its owner", [{ id: "m", owned_by: "vllm" }], { software: "vLLM", served: ["m"], isServed: true }],
] as [string, unknown, object][])("readFacts() of a server that lists %s", async (_name, data, facts) => {
  const value = Array.isArray(data) ? { data } : data;
  deepEqual(await readFacts({ status: 200, value, server: "" }, () => Promise.resolve(NOTHING), "m"), facts);
});

Deno.test.each([["llama.cpp", "llama.cpp"], ["llama.cpp/b1", "llama.cpp"], ["nginx", undefined]])(
  "readFacts() of a server that calls itself %s",
  async (server, software) => {
    const facts = await readFacts({ status: 200, value: {}, server }, () => Promise.resolve(NOTHING), "m");
    deepEqual(facts, software === undefined ? {} : { software });
  },
);
