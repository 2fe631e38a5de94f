import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { cases } from "../../_cases.ts";
import { openFreshMaterials, openTestMaterials } from "../../generators/_materials.ts";
import { QUESTION_ANSWERING, VARIANTS } from "@/lib/benchmarks/ruler/mod.ts";
import { documentReader } from "@/lib/benchmarks/ruler/qa_documents.ts";
import {
  answerWorldQuestion,
  type DocumentSet,
  documentsFromHotpotqa,
  documentsFromSquad,
  type Materials,
  readWorldFacts,
  type Sample,
  worldDocuments,
} from "@/lib/generators/mod.ts";

const SHARED = new URL("../../../../shared/data/", import.meta.url);
const isAbsent = !exists(SHARED);
const skipped = isAbsent ? " (skipped: no ../shared)" : "";
const WORLD = await openTestMaterials("cl100k_base");
// The words of qa.py around documents and question.
const INSTRUCTION =
  "Answer the question based on the given documents. Only give me the answer and do not output any other words.";
const OPENING = `${INSTRUCTION}\n\nThe following are given documents.\n\n`;
const ANSWER_PREFIX = " Answer:";

function exists(url: URL): boolean {
  try {
    return Deno.statSync(url).isDirectory;
  } catch {
    return false;
  }
}

function readShared(path: string): string {
  return Deno.readTextFileSync(new URL(path, SHARED));
}

function withDocuments(set: DocumentSet): Materials {
  const made = new Map<string, unknown>();
  return {
    ...WORLD,
    documents: { oneHop: set, twoHop: set },
    remember<T>(key: string, make: () => T): T {
      if (!made.has(key)) made.set(key, make());
      return made.get(key) as T;
    },
  };
}

/** A set of `count` short documents, a question to each, and three neighbours to each question. */
function smallSet(count: number): DocumentSet {
  return {
    name: `small_${count}`,
    documentCount: count,
    questionCount: count,
    document: (number) => ({
      title: "",
      text: `Box ${number} of this store holds a great deal of item ${number * 7}.`,
    }),
    question: (number) => ({
      question: `What does box ${number} hold?`,
      answers: [`item ${number * 7}`],
      gold: [number],
      near: [1, 2, 3].map((step) => (number + step) % count),
    }),
  };
}

function readDocuments(user: string): string[] {
  const context = user.slice(OPENING.length, user.lastIndexOf("\n\nAnswer the question based on"));
  return context.split(/(?:^|\n\n)Document \d+:\n/).slice(1);
}

function readQuestion(user: string): string {
  return user.slice(user.lastIndexOf("\nQuestion: ") + "\nQuestion: ".length);
}

/** Renders a prompt again from what was cut out of it. */
function render(documents: readonly string[], question: string): string {
  const labelled = documents.map((text, index) => `Document ${index + 1}:\n${text}\n\n`);
  return `${OPENING}${labelled.join("")}${INSTRUCTION}\n\nQuestion: ${question}`;
}

function sampleOf(materials: Materials, hops: 1 | 2, length: number, index = 0): Sample {
  return QUESTION_ANSWERING.make({ hops }).sample({ length, seed: "test", index, materials });
}

Deno.test("QUESTION_ANSWERING.make() makes a sample of opening, documents, question and answer prefix alone", () => {
  for (const hops of [1, 2] as const) {
    const { prompt } = sampleOf(WORLD, hops, 4096);
    equal(render(readDocuments(prompt.user), readQuestion(prompt.user)), prompt.user);
    equal(prompt.answerPrefix, " Answer:");
  }
});

Deno.test({
  name: `QUESTION_ANSWERING.make() words its prompts as the reference does, to the byte${skipped}`,
  ignore: isAbsent,
  fn(): void {
    const sets = {
      "qa_1": documentsFromSquad(readShared("qa/squad_dev_half.json")),
      "qa_2": documentsFromHotpotqa(readShared("qa/hotpotqa_100.json")),
    };
    for (const [task, set] of Object.entries(sets)) {
      const texts = new Set(Array.from({ length: set.documentCount }, (_, number) => set.document(number).text));
      for (const folder of ["ruler", "ruler_2024"]) {
        const lines = readShared(`golden/${folder}/${task}.jsonl`).trim().split("\n").map((line) => JSON.parse(line));
        for (const { input, outputs, answer_prefix: prefix, index } of lines) {
          const user = folder === "ruler" ? input : input.slice(0, -ANSWER_PREFIX.length);
          const documents = readDocuments(user);
          equal(render(documents, readQuestion(user)), user);
          ok(
            documents.length > 3 && documents.every((text) => texts.has(text)),
            "documents read as the reference does",
          );
          equal(folder === "ruler" ? prefix : input.slice(-ANSWER_PREFIX.length), ANSWER_PREFIX);
          const { question, answers } = set.question(index);
          deepEqual([readQuestion(user), outputs], [question, answers]);
        }
      }
    }
  },
});

Deno.test("QUESTION_ANSWERING.make() asks the same in every variant", () => {
  const [first, ...others] = VARIANTS.map((variant) => {
    const { user, answerPrefix } =
      QUESTION_ANSWERING.make({ variant }).sample({ length: 1024, seed: "s", index: 5, materials: WORLD }).prompt;
    return render([], readQuestion(user)) + answerPrefix;
  });
  for (const other of others) equal(other, first);
});

Deno.test("QUESTION_ANSWERING.make() makes the same samples however their documents are counted", () => {
  for (const hops of [1, 2] as const) {
    const told = WORLD.documents[hops === 1 ? "oneHop" : "twoHop"];
    const { ascii: _, ...tokenizer } = WORLD.tokenizer;
    // Known beforehand; by pieces; by whole texts; one beside the other.
    const [expected, ...others] = [
      withDocuments(told),
      withDocuments(worldDocuments({ hops })),
      { ...withDocuments(told), tokenizer: { ...tokenizer, cutsLines: true } },
      { ...withDocuments(told), tokenizer },
    ].map((materials) => [600, 4096].map((length) => sampleOf(materials, hops, length, 7)));
    for (const other of others) deepEqual(other, expected);
  }
});

function checkLength(sample: Sample, filled: number): void {
  const { prompt, promptTokens, answerRoom, length, id } = sample;
  equal(answerRoom, 32);
  equal(countTokens(prompt.user + prompt.answerPrefix), promptTokens, id);
  ok(promptTokens + answerRoom <= length, id);
  ok(promptTokens + answerRoom >= filled * length, `${id}: ${promptTokens + answerRoom}`);
}

Deno.test("QUESTION_ANSWERING.make() fills lengths with the synthetic world to 99% from 4,096 tokens up, and never over", () => {
  for (const hops of [1, 2] as const) {
    for (
      const [length, samples, filled] of [[512, cases(10, 40), 0.6], [1024, cases(10, 40), 0.97], [
        4096,
        cases(5, 40),
        0.99,
      ], [
        32_768,
        cases(1, 4),
        0.99,
      ]] as const
    ) {
      for (let index = 0; index < samples; index++) checkLength(sampleOf(WORLD, hops, length, index), filled);
    }
  }
});

Deno.test("QUESTION_ANSWERING.make() fills 131,072 tokens and many more", () => {
  checkLength(sampleOf(WORLD, 1, 131_072), 0.999);
  if (!cases(false, true)) return;
  checkLength(sampleOf(WORLD, 2, 1_000_000), 0.999);
  const { promptTokens } = sampleOf(WORLD, 1, 2_000_000);
  ok(promptTokens + 32 <= 2_000_000 && promptTokens > 1_999_000);
});

Deno.test({
  name: `QUESTION_ANSWERING.make() fills lengths with real documents to 97%, beyond the size of the set too${skipped}`,
  ignore: isAbsent || cases(true, false),
  fn(): void {
    const squad = withDocuments(documentsFromSquad(readShared("qa/squad_dev_half.json")));
    const hotpotqa = withDocuments(documentsFromHotpotqa(readShared("qa/hotpotqa_100.json")));
    for (const [hops, materials] of [[1, squad], [2, hotpotqa]] as const) {
      for (
        const [length, samples, filled] of [[1024, 40, 0.85], [4096, 40, 0.97], [32_768, 4, 0.97], [
          262_144,
          1,
          0.97,
        ]] as const
      ) {
        for (let index = 0; index < samples; index++) checkLength(sampleOf(materials, hops, length, index), filled);
      }
    }
  },
});

Deno.test("QUESTION_ANSWERING.make() counts by any encoding", async () => {
  const { countTokens: countO200k } = await import("gpt-tokenizer/encoding/o200k_base");
  const materials = await openTestMaterials("o200k_base");
  for (let index = 0; index < 10; index++) {
    const { prompt, promptTokens } = sampleOf(materials, 2, 4096, index);
    equal(countO200k(prompt.user + prompt.answerPrefix), promptTokens);
    ok(promptTokens + 32 <= 4096 && promptTokens + 32 >= 0.99 * 4096);
  }
});

Deno.test.each(["r50k_base", "p50k_base", "cl100k_base", "o200k_base"] as const)(
  "QUESTION_ANSWERING.make() fills lengths to the last few tokens by %s, where a blank line can be two tokens",
  async (encoding) => {
    const materials = await openTestMaterials(encoding);
    for (const hops of [1, 2] as const) {
      for (const length of [2900, 3000, 4097]) {
        for (let index = 0; index < cases(4, 15); index++) {
          const { prompt, promptTokens, answerRoom, id } = sampleOf(materials, hops, length, index);
          equal(materials.tokenizer.count(prompt.user + prompt.answerPrefix), promptTokens, id);
          const left = length - promptTokens - answerRoom;
          ok(left >= 0 && left <= 10, `${id}: ${left} tokens left`);
        }
      }
    }
  },
);

Deno.test.each(["r50k_base", "cl100k_base"] as const)(
  "documentReader() counts by %s what a document adds among others",
  async (encoding) => {
    const { tokenizer, ...materials } = await openTestMaterials(encoding);
    const reader = documentReader({ ...materials, tokenizer }, materials.documents.oneHop);
    const write = (...numbers: number[]): string =>
      numbers.map((number) => `Document 12:\n${reader.read(number).text}\n\n`).join("") + INSTRUCTION;
    for (let number = 1; number < 50; number++) {
      const added = tokenizer.count(write(0, number)) - tokenizer.count(write(0));
      equal(reader.cost(number, 12), added);
    }
  },
);

Deno.test("QUESTION_ANSWERING.make() keeps a template inside the length", () => {
  const template = { name: "mine", before: "[INST] ", after: " [/INST]", extraTokens: 7, answerPrefix: false };
  const sample = QUESTION_ANSWERING.make().sample({ length: 1024, seed: "s", index: 0, materials: WORLD, template });
  equal(sample.prompt.answerPrefix, undefined);
  equal(sample.promptTokens, countTokens(`[INST] ${sample.prompt.user} [/INST]`) + 7);
  ok(sample.promptTokens + 32 <= 1024);
});

Deno.test("QUESTION_ANSWERING.make() gives the same sample whatever was made before", async () => {
  const fresh = await openFreshMaterials("cl100k_base");
  for (let index = 0; index < 5; index++) sampleOf(WORLD, 2, 8192, index);
  deepEqual(sampleOf(fresh, 2, 4096, 17), sampleOf(WORLD, 2, 4096, 17));
});

Deno.test("QUESTION_ANSWERING.make() makes prompts from which questions are answered by rule", () => {
  for (const hops of [1, 2] as const) {
    for (let index = 0; index < cases(40, 300); index++) {
      const { prompt, references } = sampleOf(WORLD, hops, 2048, index);
      equal(answerWorldQuestion(readQuestion(prompt.user), readWorldFacts(prompt.user)), references[0]);
    }
  }
});

Deno.test("QUESTION_ANSWERING.make() makes a prompt of 131,072 tokens that is answered by rule", () => {
  const { prompt, references } = sampleOf(WORLD, 2, 131_072, 3);
  equal(answerWorldQuestion(readQuestion(prompt.user), readWorldFacts(prompt.user)), references[0]);
});

Deno.test("QUESTION_ANSWERING.make() asks every question once before any again, the same at every length", () => {
  const materials = withDocuments(smallSet(40));
  const asked = (length: number): string[] =>
    Array.from({ length: 80 }, (_, index) => readQuestion(sampleOf(materials, 1, length, index).prompt.user));
  const short = asked(256);
  equal(new Set(short.slice(0, 40)).size, 40);
  equal(new Set(short.slice(40)).size, 40);
  deepEqual(asked(512), short);
  ok(
    short.slice(0, 40).some((question, index) => question !== short[40 + index]),
    "the second round has its own order",
  );
});

Deno.test("QUESTION_ANSWERING.make() takes near documents first, then others, none twice", () => {
  const set = smallSet(400);
  const materials = withDocuments(set);
  for (let index = 0; index < 30; index++) {
    const { facts, prompt, references } = sampleOf(materials, 1, 1024, index);
    equal(facts.filter(({ role }) => role === "target").length, 1);
    equal(facts.filter(({ role }) => role === "distractor").length, 3);
    const documents = readDocuments(prompt.user);
    equal(new Set(documents).size, documents.length);
    equal(documents.length, facts.length);
    equal(documents.filter((text) => text.endsWith(` ${references[0]}.`)).length, 1);
  }
});

Deno.test("QUESTION_ANSWERING.make() repeats a small set where the context needs more, except the gold document", () => {
  const materials = withDocuments(smallSet(10));
  const { prompt, facts, promptTokens } = sampleOf(materials, 1, 4096);
  const documents = readDocuments(prompt.user);
  const gold = facts.find(({ role }) => role === "target")!;
  equal(documents.filter((text) => text === gold.text).length, 1);
  equal(new Set(documents).size, 10);
  ok(documents.length > 100 && promptTokens + 32 > 0.97 * 4096);
});

Deno.test("QUESTION_ANSWERING.make() leaves a set of nothing but gold as it is", () => {
  const materials = withDocuments(smallSet(1));
  equal(readDocuments(sampleOf(materials, 1, 4096).prompt.user).length, 1);
});

Deno.test("QUESTION_ANSWERING.make() spreads the depth of every gold document evenly, whatever the length", () => {
  for (const [hops, length] of cases([[2, 4096]], [[1, 4096], [2, 4096], [2, 6000]]) as [1 | 2, number][]) {
    const tenths = Array.from({ length: hops }, () => new Array<number>(10).fill(0));
    for (let index = 0; index < 150; index++) {
      const { facts, prompt } = sampleOf(WORLD, hops, length, index);
      const targets = facts.filter(({ role }) => role === "target");
      equal(targets.length, hops);
      const asked = readQuestion(prompt.user);
      // The document that the question names comes first, whatever the order in the prompt.
      const inOrder = targets.toSorted((left, right) =>
        Number(asked.includes(right.key)) - Number(asked.includes(left.key))
      );
      inOrder.forEach(({ depth }, which) => tenths[which]![Math.min(9, Math.floor(depth! * 10))]!++);
    }
    // 15 are expected in each tenth.
    for (const counts of tenths) {
      ok(counts.every((count) => count >= 7 && count <= 25), `${hops}, ${length}: ${counts}`);
    }
  }
});

Deno.test("QUESTION_ANSWERING.make() can place the gold document first and last", () => {
  const depths = Array.from(
    { length: 100 },
    (_, index) => sampleOf(WORLD, 1, 1024, index).facts.find(({ role }) => role === "target")!.depth!,
  );
  ok(Math.min(...depths) < 0.02 && Math.max(...depths) === 1, `${Math.min(...depths)}, ${Math.max(...depths)}`);
});

Deno.test("QUESTION_ANSWERING.make() lists every document as a fact, with its place", () => {
  const { facts, prompt, references } = sampleOf(WORLD, 2, 4096, 3);
  const documents = readDocuments(prompt.user);
  deepEqual(facts.map(({ text }) => text), documents);
  for (const { text, key, value, role, tokenOffset, depth } of facts) {
    equal(key, text.split("\n")[0]);
    equal(value, role === "target" ? references[0] : "");
    const before = countTokens(prompt.user.slice(0, prompt.user.indexOf(text)));
    ok(Math.abs(before - tokenOffset!) <= 1, `${before}, ${tokenOffset}`);
    ok(depth! >= 0 && depth! <= 1);
  }
});

Deno.test("QUESTION_ANSWERING.make() calls documents without title by their place", () => {
  const { facts } = sampleOf(WORLD, 1, 2048);
  deepEqual(facts.map(({ key }) => key), facts.map((_, index) => `Document ${index + 1}`));
});

Deno.test("QUESTION_ANSWERING.make() names its least length, at which every sample fits", () => {
  for (const hops of [1, 2] as const) {
    const task = QUESTION_ANSWERING.make({ name: `qa_${hops}`, hops });
    const least = task.leastLength(WORLD);
    ok(least <= 512, `${least}`);
    for (let index = 0; index < cases(40, 300); index++) {
      ok(task.sample({ length: least, seed: "test", index, materials: WORLD }).promptTokens + 32 <= least);
    }
    throws(() => task.sample({ length: least - 1, seed: "test", index: 0, materials: WORLD }), {
      name: "RangeError",
      message: `Cannot generate qa_${hops} as length must be at least ${least} tokens: current value is ${least - 1}`,
    });
  }
});

Deno.test({
  name:
    `QUESTION_ANSWERING.make() names the least length of a real data set, at which its longest question fits${skipped}`,
  ignore: isAbsent,
  fn(): void {
    const materials = withDocuments(documentsFromHotpotqa(readShared("qa/hotpotqa_100.json")));
    const task = QUESTION_ANSWERING.make({ hops: 2 });
    const least = task.leastLength(materials);
    const tokens = Array.from(
      { length: 100 },
      (_, index) => task.sample({ length: least, seed: "a", index, materials }),
    );
    ok(tokens.every(({ promptTokens }) => promptTokens + 32 <= least));
    // The longest question with its two documents alone is within 16 tokens of it.
    const longest = Math.max(
      ...tokens.filter(({ facts }) => facts.length === 2).map(({ promptTokens }) => promptTokens + 32),
    );
    ok(least - longest <= 16, `${least}, ${longest}`);
  },
});

Deno.test("QUESTION_ANSWERING.make() with a fixed number of documents has that many at any length", () => {
  const task = QUESTION_ANSWERING.make({ hops: 2, documents: 12 });
  for (const length of [4096, 32_768]) {
    const { facts } = task.sample({ length, seed: "s", index: 1, materials: WORLD });
    equal(facts.length, 12);
    equal(facts.filter(({ role }) => role === "target").length, 2);
  }
  throws(
    () => task.sample({ length: 512, seed: "s", index: 1, materials: WORLD }),
    /length must be at least \d+ tokens/,
  );
  deepEqual(task.options, { variant: "2026", hops: 2, documents: 12 });
});

Deno.test("QUESTION_ANSWERING.make() without documents asks the questions that it asks with them, and nothing else", () => {
  for (const hops of [1, 2] as const) {
    const [alone, among] = [QUESTION_ANSWERING.make({ hops, documents: 0 }), QUESTION_ANSWERING.make({ hops })];
    for (let index = 0; index < 5; index++) {
      const request = { seed: "42", index, materials: WORLD };
      const { prompt, facts, references, promptTokens, answerRoom } = alone.sample({ ...request, length: 256 });
      const [, question] = among.sample({ ...request, length: 4096 }).prompt.user.split("\n\nQuestion: ");
      equal(
        prompt.user,
        `Answer the question. Only give me the answer and do not output any other words.\n\nQuestion: ${question}`,
      );
      equal(prompt.answerPrefix, " Answer:");
      deepEqual(references, among.sample({ ...request, length: 4096 }).references);
      deepEqual(facts, []);
      ok(promptTokens + answerRoom <= 256);
      equal(alone.sample({ ...request, length: 4096 }).sha256, alone.sample({ ...request, length: 256 }).sha256);
    }
    ok(alone.leastLength(WORLD) < 256);
    ok(among.leastLength(WORLD) > alone.leastLength(WORLD));
  }
});

Deno.test("QUESTION_ANSWERING.make() names its set in the id", () => {
  match(sampleOf(WORLD, 2, 1024).id, /world_two_hop/);
});

Deno.test.each([
  ["hops", { hops: 3 as 2 }, "Cannot make task qa as hops must be a whole number from 1 to 2: current value is 3"],
  [
    "documents below the hops",
    { hops: 2, documents: 1 },
    "Cannot make task qa as documents must be 0 or a whole number from 2 to 50000: current value is 1",
  ],
  [
    "half a document",
    { name: "x", documents: 1.5 },
    "Cannot make task x as documents must be a whole number from 0 to 50000: current value is 1.5",
  ],
] as [string, Parameters<typeof QUESTION_ANSWERING.make>[0], string][])(
  "QUESTION_ANSWERING.make() refuses %s",
  (_name, options, message) => {
    throws(() => QUESTION_ANSWERING.make(options), { name: "RangeError", message });
  },
);

Deno.test("QUESTION_ANSWERING.make() refuses a set without questions", () => {
  const materials = withDocuments({ ...worldDocuments({ hops: 1 }), name: "none", questionCount: 0 });
  throws(() => sampleOf(materials, 1, 4096), {
    name: "RangeError",
    message: 'Cannot ask a question as document set "none" must hold at least one: current value is 0',
  });
});
