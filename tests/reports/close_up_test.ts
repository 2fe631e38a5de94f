import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import {
  type Fact,
  isSingleTurn,
  joinMessages,
  PLAIN_TEMPLATE,
  systemText,
  userPrompt,
  userText,
} from "@/lib/generators/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy, type OpenStudy, openStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { closeUp, pickReply, type SurroundedFact } from "@/lib/reports/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";
import type { ScoredReply, ScoredRun } from "@/lib/records/mod.ts";

async function ask(model: Model, tasks: readonly string[], samples = 1): Promise<StudyRun> {
  return await inFolder((folder) =>
    runStudy(checkStudy({ tasks, lengths: [2048], samples }), { name: "close", model, folder })
  );
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
  const { lines, sample } = await closeUp(run, run.replies[0]!);
  deepEqual(lines[0], { what: "Question", text: sample.question });
  const found = (what: string): string[] => lines.filter((line) => line.what === what).map((line) => line.text);
  deepEqual(found("Reply"), ["It is 7."]);
  deepEqual(found("Server"), ["the reply was cut off at its budget", "the server counted 900 prompt tokens"]);
  match(found("Score")[0]!, /^0 of 100: found 0 of 1; missing: /);
  match(found("Rebuilt")[0]!, /^the text is the one that was asked \(SHA-256 [0-9a-f]{12}…\)$/);
  ok(found("Failure").length > 0);
});

Deno.test("closeUp() says that a sample is not the text that was asked, and explains nothing then", async () => {
  const run = await ask(simulatedModel("mute"), ["vt"]);
  const reply = run.replies[0]!;
  const changed = { ...reply, record: { ...reply.record, sha256: "0".repeat(64) } };
  const { isSame, modes, lines } = await closeUp(run, changed);
  equal(isSame, false);
  deepEqual(modes, []);
  match(lines.find(({ what }) => what === "Rebuilt")!.text, /^no: the recipe is the same and the text is not/);
});

Deno.test("closeUp() of a failed call says what failed", async () => {
  const failing: Model = {
    ...simulatedModel("ideal"),
    ask: () =>
      Promise.resolve({ kind: "failure", failure: "timeout", message: "No reply came", latencyMs: 9, attempts: 3 }),
  };
  const run = await ask(failing, ["niah_single_1"]);
  const { lines, modes } = await closeUp(run, pickReply(run.replies));
  equal(lines.find(({ what }) => what === "Failed call")?.text, "timeout: No reply came");
  deepEqual(modes.map(({ class: way }) => way), ["failed call"]);
});

const fact = (text: string, rest: Partial<Fact> = {}): Fact => (
  { role: "target", text, key: "key", value: "value", depth: 0.5, tokenOffset: 9, ...rest }
);

/** The facts of a prompt as a close-up shows them. */
async function shownFacts(
  user: string,
  facts: readonly Fact[],
  options: { readonly characters?: number } = {},
): Promise<readonly SurroundedFact[]> {
  const sample = () => ({
    id: "ruler-2/a",
    sha256: "0",
    prompt: userPrompt(user),
    facts,
    references: [],
    answerRoom: 1,
  });
  const opened = { tasks: [{ name: "fake", sample }], materials: {} } as unknown as OpenStudy;
  const answer = { kind: "answer", text: "", finishReason: "stop" };
  const record = { task: "fake", sample: "ruler-2/a", sha256: "0", references: [], reply: answer };
  const reply = { task: "fake", length: 512, value: 1, score: null, penalised: null, record } as unknown as ScoredReply;
  const run = { manifest: { tasks: {} }, replies: [reply] } as unknown as ScoredRun;
  return (await closeUp(run, reply, { opened, ...options })).facts;
}

Deno.test("closeUp() gives the text on both sides of a fact, cut to so many characters and at the ends of the prompt", async () => {
  const around = async (options?: { readonly characters: number }): Promise<string[]> => {
    const [shown] = await shownFacts("0123 needle 4567", [fact("needle")], options);
    return [shown!.before, shown!.after];
  };
  deepEqual(await around(), ["0123 ", " 4567"]);
  deepEqual(await around({ characters: 3 }), ["23 ", " 45"]);
  deepEqual(await around({ characters: 0 }), ["", ""]);
});

Deno.test("closeUp() cuts between characters, never through one", async () => {
  const [shown] = await shownFacts("😀😀n😀😀", [fact("n")], { characters: 1 });
  deepEqual([shown?.before, shown?.after], ["😀", "😀"]);
});

Deno.test("closeUp() leaves out what has no one place, as counted words, and shows no fact where there is none", async () => {
  deepEqual(await shownFacts("word word", [fact("word", { depth: null, tokenOffset: null })]), []);
  deepEqual(await shownFacts("hay", []), []);
});

for (const { name: suite, families } of BENCHMARKS) {
  Deno.test(`${suite}: closeUp() finds every fact where its token offset says that it is`, async () => {
    const names = families.flatMap(({ tasks }) => tasks);
    if (names.length === 0) return;
    const opened = await openStudy(checkStudy({ tasks: names }));
    const { tokenizer } = opened.materials;
    for (const task of opened.tasks) {
      const length = Math.max(1024, task.leastLength(opened.materials));
      const { prompt, facts } = task.sample({ length, seed: "42", index: 3, materials: opened.materials });
      // What several turns are joined to has the labels that offsets count.
      const { messages } = prompt;
      const user = isSingleTurn(prompt) ? userText(prompt) : joinMessages({ messages }, PLAIN_TEMPLATE);
      const system = systemText(prompt) ?? "";
      const shown = await shownFacts(user, facts, { characters: user.length });
      equal(shown.length, facts.filter(({ depth }) => depth !== null).length, task.name);
      ok(shown.every(({ before, text, after }) => before + text + after === user), task.name);
      // Tokens can meet the end of the text before a fact in one token.
      const counted = tokenizer.count(system);
      const apart = shown.map(({ before, tokenOffset }) => Math.abs(counted + tokenizer.count(before) - tokenOffset!));
      const most = Math.max(0, ...apart);
      ok(most <= 1, `${task.name}: a fact is ${most} tokens after its offset; its part must begin with its text`);
    }
  });
}

Deno.test("closeUp() refuses a fact that is not in the prompt", async () => {
  await rejects(shownFacts("hay", [fact("needle")]), {
    name: "RangeError",
    message: 'Cannot show a fact of ruler-2/a as its text must be in the prompt: current value is "needle"',
  });
});

const of = (task: string, length: number, index: number, rest: Partial<ScoredReply> = {}): ScoredReply => (
  { task, length, value: 1, failed: false, noAnswer: false, record: { index }, ...rest } as ScoredReply
);

const replies = [
  of("vt", 4096, 0),
  of("vt", 4096, 1, { value: 0, noAnswer: true }),
  of("vt", 8192, 0, { value: 0 }),
  of("cwe", 4096, 0, { value: 0.5 }),
  of("cwe", 4096, 1, { value: null, failed: true }),
];

Deno.test.each([
  ["the worst that says something", {}, "vt 8192 0"],
  ["the worst of a task and length", { task: "vt", length: 4096 }, "vt 4096 1"],
  ["the lowest score, not the failed call", { task: "cwe" }, "cwe 4096 0"],
  ["the one named", { task: "vt", length: 4096, index: 0 }, "vt 4096 0"],
  ["the failed call where it is the one named", { task: "cwe", index: 1 }, "cwe 4096 1"],
] as [string, Parameters<typeof pickReply>[1], string][])("pickReply() gives %s", (_name, place, want) => {
  const { task, length, record } = pickReply(replies, place);
  equal(`${task} ${length} ${record.index}`, want);
});

Deno.test("pickReply() gives the repeat that is named; the first time is number 0", () => {
  const repeats = [undefined, 1, 2].map((repeat) =>
    of("vt", 4096, 0, { record: { index: 0, repeat } as ScoredReply["record"] })
  );
  deepEqual([0, 1, 2].map((repeat) => pickReply(repeats, { repeat })), repeats);
});

Deno.test.each([
  ["task", { task: "fwe" }, 'its task must be one of vt, cwe: current value is "fwe"'],
  ["length", { task: "cwe", length: 8192 }, "its length must be one of 4K: current value is 8192"],
  ["index", { task: "vt", length: 8192, index: 7 }, "its index must be one of 0: current value is 7"],
] as [string, Parameters<typeof pickReply>[1], string][])(
  "pickReply() refuses a %s that was not asked",
  (_name, place, want) => {
    throws(() => pickReply(replies, place), { name: "RangeError", message: `Cannot pick a reply as ${want}` });
  },
);

Deno.test("pickReply() names the first where there are many, and refuses an empty run", () => {
  const many = Array.from({ length: 40 }, (_, index) => of("vt", 4096, index + 5));
  throws(
    () => pickReply(many, { index: 99 }),
    /its index must be one of 5, 6, .*, 16 and 28 more: current value is 99/,
  );
  throws(() => pickReply([]), {
    name: "RangeError",
    message: "Cannot pick a reply as the run must have one: current value is 0",
  });
});
