import { deepEqual, equal, rejects } from "node:assert/strict";
import OpenAI from "openai";
import { materials, score } from "../models/_ruler.ts";
import { serveSimulated } from "./serve_command.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { openEndpoint } from "@/lib/models/mod.ts";

const NEEDLE = "One of the special magic numbers for abc is: 1234567.";
const QUESTION = "What is the special magic number for abc mentioned in the provided text?";
const INPUT = `Some special magic numbers are hidden within the following text. ${NEEDLE} ${QUESTION}`;

async function withClient(test: (client: OpenAI, url: string) => Promise<void>): Promise<void> {
  const server = await serveSimulated({ profile: "ideal" });
  try {
    await test(new OpenAI({ baseURL: server.url, apiKey: "any", maxRetries: 0 }), server.url);
  } finally {
    await server.close();
  }
}

Deno.test("deno task serve answers OpenAI's own client at /v1/responses as in a chat, whole and streamed", async () => {
  await withClient(async (client) => {
    const chat = await client.chat.completions.create({ model: "ideal", messages: [{ role: "user", content: INPUT }] });
    const text = chat.choices[0]!.message.content!;
    const parts = [{ role: "user" as const, content: [{ type: "input_text" as const, text: INPUT }] }];
    for (const input of [INPUT, parts]) {
      const response = await client.responses.create({ model: "ideal", input });
      deepEqual([response.output_text, response.status, response.model], [text, "completed", "sim:ideal"]);
      deepEqual(response.usage!.input_tokens, chat.usage!.prompt_tokens);
    }
    const events = await client.responses.create({ model: "ideal", input: INPUT, stream: true });
    const [deltas, types]: [string[], string[]] = [[], []];
    for await (const event of events) {
      types.push(event.type);
      if (event.type === "response.output_text.delta") deltas.push(event.delta);
    }
    deepEqual([deltas.join(""), types[0], types.at(-1)], [text, "response.created", "response.completed"]);
  });
});

Deno.test("deno task serve cuts a response at its limit, and reads instructions, thinking and earlier turns", async () => {
  await withClient(async (client) => {
    const cut = await client.responses.create({ model: "ideal", input: INPUT, max_output_tokens: 1 });
    deepEqual([cut.status, cut.incomplete_details, cut.usage!.output_tokens], [
      "incomplete",
      { reason: "max_output_tokens" },
      1,
    ]);
    const input = [
      { type: "reasoning" as const, id: "rs_1", summary: [] },
      { role: "user" as const, content: QUESTION },
    ];
    const read = await client.responses.create({ model: "ideal", instructions: NEEDLE, input });
    const same = await client.responses.create({ model: "ideal", input: `${NEEDLE}\n\n${QUESTION}` });
    equal(read.output_text, same.output_text);
    await rejects(client.responses.create({ model: "ideal", input: 7 as never }), /messages/);
  });
});

for (const stream of ["off", "on"] as const) {
  Deno.test(`an endpoint by Responses asks deno task serve, stream ${stream}`, async () => {
    await withClient(async (_, baseUrl) => {
      const model = openEndpoint({ model: "ideal", baseUrl, api: "responses", stream });
      const task = rulerTask("niah_single_1");
      const sample = task.sample({ length: 1024, seed: "e", index: 0, materials, template: model.template });
      const reply = await model.ask(sample);
      equal(reply.kind === "answer" && score(task, sample, reply.text), 1);
    });
  });
}
