import { deepEqual } from "node:assert/strict";
import { replyChanges } from "@/lib/certify/servers.ts";
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
