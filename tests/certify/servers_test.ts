import { deepEqual, match } from "node:assert/strict";
import { steadyAdvice } from "@/lib/certify/itself.ts";
import { replyChanges } from "@/lib/asking/mod.ts";
import type { Reply } from "@/lib/models/mod.ts";
import type { RunRecord } from "@/lib/records/mod.ts";

function answer(servedModel?: string, fingerprint?: string): Reply {
  const facts = { ...(servedModel && { servedModel }), ...(fingerprint && { fingerprint }) };
  return { kind: "answer", text: "", finishReason: "stop", latencyMs: 1, attempts: 1, ...facts };
}

const FAILED = { ...answer("z"), kind: "failure" } as Reply;
const MODEL_CHANGED = "the server of f16 changed: its served model was m and then n";
const BUILD_CHANGED = "the server of f16 changed: its fingerprint was b1 and then b2";

Deno.test.each([
  ["none", [], []],
  ["equal facts", [answer("m", "b1"), answer("m", "b1")], []],
  ["facts that one lacks", [answer("m"), answer(undefined, "b1"), answer("m", "b1")], []],
  ["a failed call, which has no server", [answer("m"), FAILED], []],
  ["another model", [answer("m"), answer("n")], [MODEL_CHANGED]],
  ["another one twice, and back", [answer("m"), answer("n"), answer("n"), answer("m")], [MODEL_CHANGED]],
  ["another build", [answer("m", "b1"), answer("m", "b2")], [BUILD_CHANGED]],
  ["both", [answer("m", "b1"), answer("n", "b1"), answer("m", "b2")], [MODEL_CHANGED, BUILD_CHANGED]],
] as [string, Reply[], string[]][])("replyChanges() of %s", (_name, replies, wanted) => {
  const records = replies.map((reply, at) => ({ reply, time: `2026-01-0${at + 1}` }) as RunRecord);
  deepEqual(replyChanges("f16", records), wanted);
  // Records are in the order of the plan; their times count.
  deepEqual(replyChanges("f16", records.toReversed()), wanted);
});

const LLAMA = { software: "llama.cpp b11434", flags: "-c 2048 -np 1", temperature: 0, cachedShare: 0.4, inFlight: 1 };

Deno.test.each([
  ["a temperature", { temperature: 0.7 }, /^ask with --temperature 0 instead of 0\.7$/],
  [
    "llama.cpp's cache",
    {},
    /^start both llama-servers with --no-cache-prompt, as 40% of the prompt tokens came from its/,
  ],
  ["another cache", { software: "vLLM 0.11", flags: null }, /^turn the server's prompt cache off, as 40%/],
  [
    "several calls without a cache",
    { flags: "-np 4 --no-cache-prompt", inFlight: 3.6 },
    /^try --concurrency 1, as 3\.6 calls were in flight at a time/,
  ],
  ["nothing recorded", { cachedShare: 0 }, /^no sampling, prompt cache or parallel calls are recorded/],
])("steadyAdvice() follows from what was recorded: %s", (_what, facts, wanted) => {
  match(steadyAdvice({ ...LLAMA, ...facts }), wanted);
});
