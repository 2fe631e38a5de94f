import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy, closeUp, pickReply, runStudy, simulatedModel, type StudyRun } from "@/lib/runs/mod.ts";

async function ask(model: Model, tasks: readonly string[], samples = 1): Promise<StudyRun> {
  const folder = await Deno.makeTempDir();
  try {
    return await runStudy(checkStudy({ tasks, lengths: [2048], samples }), { name: "close", model, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const says = (reply: (sample: Parameters<Model["ask"]>[0]) => string): Model => ({
  ...simulatedModel("ideal"),
  ask: (sample) =>
    Promise.resolve({
      ...{ kind: "answer", text: reply(sample), finishReason: "length", promptTokens: 900, latencyMs: 1, attempts: 1 },
    }),
});

Deno.test("closeUp() shows what is asked for first, then the distractor that was said, then the rest", async () => {
  const isSaid = (facts: readonly { role: string; value: string }[]): string =>
    facts.filter(({ role }) => role === "distractor").at(-1)!.value;
  const run = await ask(says(({ facts }) => isSaid(facts)), ["niah_multikey_2"]);
  const { facts, sample, modes } = await closeUp(run, run.replies[0]!);
  deepEqual(facts.slice(0, 2).map(({ role, value }) => [role, value]), [
    ["target", sample.references[0]],
    ["distractor", isSaid(sample.facts)],
  ]);
  equal(facts.length, sample.facts.length);
  ok(modes.some(({ class: way }) => way === "distractor"));
});

Deno.test("closeUp() says in words what was wanted, what came, how the call ended, the score and why", async () => {
  const run = await ask(says(() => "It is 7."), ["niah_single_1"]);
  const { lines } = await closeUp(run, run.replies[0]!);
  const said = (what: string): string[] => lines.filter((line) => line.what === what).map((line) => line.said);
  deepEqual(said("Reply"), ["It is 7."]);
  deepEqual(said("Server"), ["the reply was cut off at its budget", "the server counted 900 prompt tokens"]);
  match(said("Score")[0]!, /^0 of 100: found 0 of 1; missing: /);
  match(said("Made again")[0]!, /^the text is the one that was asked \(SHA-256 [0-9a-f]{12}…\)$/);
  ok(said("Failure").length > 0);
});

Deno.test("closeUp() says that a sample is not the text that was asked, and explains nothing then", async () => {
  const run = await ask(simulatedModel("mute"), ["vt"]);
  const reply = run.replies[0]!;
  const changed = { ...reply, record: { ...reply.record, sha256: "0".repeat(64) } };
  const { isSame, modes, lines } = await closeUp(run, changed);
  equal(isSame, false);
  deepEqual(modes, []);
  match(lines.find(({ what }) => what === "Made again")!.said, /^no: the recipe is the same and the text is not/);
});

Deno.test("closeUp() of a failed call says what failed", async () => {
  const failing: Model = {
    ...simulatedModel("ideal"),
    ask: () =>
      Promise.resolve({ kind: "failure", failure: "timeout", message: "No reply came", latencyMs: 9, attempts: 3 }),
  };
  const run = await ask(failing, ["niah_single_1"]);
  const { lines, modes } = await closeUp(run, pickReply(run.replies));
  equal(lines.find(({ what }) => what === "Failed call")?.said, "timeout: No reply came");
  deepEqual(modes.map(({ class: way }) => way), ["failed call"]);
});
