import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { openVerifier } from "@/lib/exchange/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";

const { tasks: [vt], materials } = await openStudy(checkStudy({ tasks: ["vt"] }));
const sample = vt!.sample({ length: 1024, seed: "42", index: 0, materials });
const right = sample.references.join(" ");

Deno.test("verify() gives a measured run the scores that a report of it has", async () => {
  const run = await readScoredRun("measured/smollm2-135m-instruct/cdme", { scored: "whole" });
  const verifier = await openVerifier();
  for (const { record, score, penalised } of run.replies) {
    const { reply } = record;
    if (reply.kind === "failure") continue;
    const item = { sample: record.sample, reply: reply.text };
    const verdict = await verifier.verify(item);
    deepEqual([verdict.score, verdict.reward, verdict.why], [score!.value, score!.value, score!.why], record.sample);
    deepEqual([verdict.answer, verdict.penalised, verdict.scorer], [score!.answer, penalised!.value, record.scoring]);
  }
});

Deno.test("verify() reads replies as NeMo Gym and verifiers send them", async () => {
  const { verify } = await openVerifier();
  const content = [{ type: "output_text", text: right }];
  const response = { output: [{ type: "reasoning", summary: [] }, { type: "message", role: "assistant", content }] };
  const messages = [{ role: "user", content: "?" }, { role: "assistant", content: right }];
  const gym = { "responses_create_params": { input: "?" }, "verifier_metadata": { sample: sample.id }, response };
  const bodies = [
    { sample: sample.id, reply: right },
    { sample: sample.id, completion: right },
    { info: { sample: sample.id }, completion: messages },
    gym,
  ];
  for (const body of bodies) deepEqual((await verify(body)).score, 1);
  // NeMo Gym reads its own fields back, and the reward beside them.
  const { reward, ...rest } = await verify(gym);
  deepEqual([reward, { ...rest, ...gym }], [1, { ...rest }]);
});

Deno.test("verify() scores references that come with the reply", async () => {
  const { verify } = await openVerifier();
  const given = { references: ["17", "18"], reply: "It is 17." };
  const { sample: id, score } = await verify({ ...given, scorer: "all" });
  deepEqual([id, score], [null, 0.5]);
  equal((await verify({ ...given, task: "qa_1" })).score, 1);
});

Deno.test("verify() refuses items that lack a part, and names it", async () => {
  const { verify } = await openVerifier();
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [3, /each item must be an object: current value is 3/],
    [{ reply: "a" }, /"sample" must be the id of a sample, or "references" a list of texts/],
    [{ sample: sample.id }, /"reply" must be a text, "completion" a text or messages, or "response" a response/],
    [{ sample: "nope", reply: "a" }, /it must be a sample's id/],
    [{ references: ["a"], reply: "a" }, /"scorer" or "task" must name how references are scored/],
    [{ references: ["a"], scorer: "no such", reply: "a" }, /its scoring must be one of/],
    [
      { references: "a", scorer: "all", reply: "x".repeat(1_000_001) },
      /the reply must have at most 1000000 characters/,
    ],
    [{ references: ["x".repeat(100_001)], scorer: "all", reply: "a" }, /"references" must have at most 100000 char/],
    // Each is below its limit, and the work is their product.
    [
      { references: Array(100).fill("a"), scorer: "any", reply: "a".repeat(100_000) },
      /must be at most 4000000000: .* 1e\+10|10000000000/,
    ],
    [
      { references: ["a".repeat(90_000)], scorer: "all", reply: "a".repeat(900_000) },
      /the characters of the reply times/,
    ],
    [{ sample: sample.id.replace(/\/\d+\/42\/0$/, "/999999999/42/0"), reply: "a" }, /at most 2097152 tokens/],
    [{ references: [1], scorer: "all", reply: "a" }, /"references" must be a list of texts: current value is \[1\]/],
    [
      { references: ["1"], task: "counting_stars_reasoning_en", reply: "a" },
      /"distractors" must be the wrong answer in the text/,
    ],
  ];
  for (const [item, message] of wrong) {
    await rejects(verify(item), ({ name, message: found }: Error) => {
      match(found, message);
      return name === "RangeError";
    });
  }
});

Deno.test("verify() scores what follows the thinking of a reply, as a run does", async () => {
  const { verify } = await openVerifier();
  const item = { sample: sample.id };
  for (const thinking of [`<think>${right}</think>`, `${right}</think>`, `[THINK]${right}[/THINK]`]) {
    equal((await verify({ ...item, reply: `${thinking}I see none.` })).score, 0);
    equal((await verify({ ...item, reply: `${thinking}${right}` })).score, 1);
  }
});
