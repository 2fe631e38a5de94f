import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { withFolder } from "../../_folder.ts";
import { shell } from "../../cli/_shell.ts";
import { textRequests } from "@/lib/benchmarks/mrcr/mod.ts";
import { exchangesOf } from "@/lib/benchmarks/mrcr/transcript.ts";
import { MRCR_TEXTS } from "@/lib/benchmarks/mrcr/mrcr.ts";
import { countPrompt, PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";

const { words } = await openMaterials();

/** The words that a server answers a prompt with: other ones for each, as the prompt names two things. */
function answerTo(prompt: string): string {
  const [, things = ""] = /It must mention (.*?)\. Do not/.exec(prompt) ?? [];
  return `${things} `.repeat(5) + prompt.slice(0, 60);
}

interface Writer extends AsyncDisposable {
  readonly url: string;
  readonly asked: string[];
}

/** A chat endpoint that writes a text; the first calls are answered with one word. */
function writer(bad: number): Writer {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    if (request.method === "GET") return Response.json({ data: [{ id: "w" }] });
    const { messages } = await request.json();
    const prompt: string = messages.at(-1).content;
    asked.push(prompt);
    const content = asked.length <= bad ? "No." : answerTo(prompt);
    const usage = { "prompt_tokens": 9, "completion_tokens": 9 };
    return Response.json({ model: "w", choices: [{ message: { content }, finish_reason: "stop" }], usage });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    asked,
    async [Symbol.asyncDispose](): Promise<void> {
      await server.shutdown();
    },
  };
}

Deno.test("fathom texts keeps what a model writes, asks again for what failed, and mrcr_texts uses it", async () => {
  await using server = writer(2);
  await withFolder({}, async (folder) => {
    const file = `${folder}/texts.jsonl`;
    const flags = ["--model", "w", "--base-url", server.url, "--stream", "off", "--keys", "12", "--each", "4"];
    const first = await shell("texts", file, ...flags, "--concurrency", "1");
    equal(first.code, 3, first.told.join("\n"));
    match(first.out, /46 of 48 texts by w/);
    match(first.told.join("\n"), /2 calls gave no text of 20 words or more: the same command asks again/);
    const again = await shell("texts", file, ...flags);
    deepEqual([again.code, server.asked.length], [0, 50]);
    match(again.out, /48 of 48 texts by w/);
    // A line that was cut is asked for again.
    const whole = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, whole.slice(0, -200));
    match((await shell("texts", file, ...flags)).out, /48 of 48 texts by w/);
    equal(server.asked.length, 51);

    const materials = await openMaterials({ essays: file });
    const task = MRCR_TEXTS.make({ needles: 4 });
    for (const index of [0, 1, 2]) {
      const sample = task.sample({ length: 4096, seed: "42", index, materials });
      const left = sample.length - sample.promptTokens - sample.answerRoom;
      ok(left >= 0 && left < 8, `${left}`);
      equal(countPrompt(sample.prompt, PLAIN_TEMPLATE, materials.tokenizer), sample.promptTokens);
      ok(sample.id.includes(materials.essays.name) && sample.suite === "mrcr-texts-1");
      const { exchanges, asked } = exchangesOf(sample.prompt);
      const texts = exchanges.filter(({ key }) => key === asked.key).map(({ text }) => text);
      equal(new Set(texts).size, 4);
      equal(asked.hash + texts[asked.ordinal - 1], sample.references[0]);
    }
  });
});

Deno.test("textRequests() asks for other things each time, and its requests begin with those of fewer keys", () => {
  const requests = textRequests({ keys: 6, each: 3, parts: "3", seed: "1" }, words);
  equal(new Set(requests.map(({ prompt }) => prompt)).size, 18);
  equal(new Set(requests.map(({ request }) => request)).size, 6);
  ok(requests.every(({ request }) => /^Write a [a-z ]+ about [a-z]+ in [a-z]+ style\.$/.test(request)));
  deepEqual(textRequests({ keys: 2, each: 3, parts: "3", seed: "1" }, words), requests.slice(0, 6));
});

Deno.test("mrcr_texts refuses essays without requests, and files with too few texts", async () => {
  const materials = await openMaterials();
  await rejects(
    async () => await MRCR_TEXTS.make({}).sample({ length: 4096, seed: "42", index: 0, materials }),
    /Cannot make task mrcr_texts as there must be 3 requests of 2 parts, 2 of them with 8 texts: current value is 0/,
  );
});
