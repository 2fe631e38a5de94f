import { deepEqual, equal, match } from "node:assert/strict";
import { smallSample } from "./_samples.ts";
import type { Reply } from "@/lib/models/mod.ts";
import { openReplay } from "@/lib/models/replay.ts";

const SAMPLE = smallSample();
const OPTIONS = { name: "some-model", origin: "measured", settings: { temperature: 0 } } as const;

function answer(text: string): Reply {
  return { kind: "answer", text, finishReason: "stop", latencyMs: 12, attempts: 1 };
}

function failure(message: string): Reply {
  return { kind: "failure", failure: "timeout", message, latencyMs: 12, attempts: 1 };
}

function record(reply: Reply, sha256 = SAMPLE.sha256): { sample: string; sha256: string; reply: Reply } {
  return Object.freeze({ sample: SAMPLE.id, sha256, reply });
}

Deno.test("openReplay() answers with the recorded reply, and is called what the recorded model was", async () => {
  const replay = openReplay([record(answer("1234567"))], OPTIONS);
  deepEqual(await replay.ask(SAMPLE), answer("1234567"));
  deepEqual([replay.name, replay.origin, replay.settings], ["some-model", "measured", { temperature: 0 }]);
});

Deno.test.each([
  ["a failure gives way to an answer", [failure("slow"), answer("a")], answer("a")],
  ["an answer stays after a failure", [answer("a"), failure("slow")], answer("a")],
  ["the last of two answers counts", [answer("a"), answer("b")], answer("b")],
  ["the last of two failures counts", [failure("a"), failure("b")], failure("b")],
] as [string, Reply[], Reply][])("openReplay() with a sample recorded twice: %s", async (_name, replies, want) => {
  const replay = openReplay(replies.map((reply) => record(reply)), OPTIONS);
  deepEqual(await replay.ask(SAMPLE), want);
});

Deno.test("openReplay() reads any iterable once", async () => {
  function* records(): Generator<ReturnType<typeof record>> {
    yield record(answer("a"));
  }
  const replay = openReplay(records(), OPTIONS);
  await replay.ask(SAMPLE);
  deepEqual(await replay.ask(SAMPLE), answer("a"));
});

Deno.test("openReplay() fails for a sample that was not recorded, and says so", async () => {
  const reply = await openReplay([], OPTIONS).ask(SAMPLE);
  deepEqual(reply, {
    kind: "failure",
    failure: "not_found",
    message: `Sample "${SAMPLE.id}" was not recorded`,
    latencyMs: 0,
    attempts: 0,
  });
});

Deno.test("openReplay() fails for a sample whose text has changed since, and shows both hashes", async () => {
  const reply = await openReplay([record(answer("a"), "f".repeat(64))], OPTIONS).ask(SAMPLE);
  equal(reply.kind, "failure");
  match(
    reply.kind === "failure" ? reply.message : "",
    /was recorded with another text: its SHA-256 was f{64} and is 0{64}$/,
  );
});
