import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { type GivenKnobs, type Materials, type Sample, type Task, userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const sentences = new Set(
  Array.from({ length: materials.essays.size }, (_, at) => materials.essays.run(at, 1).text.trim()),
);

function make(name: typeof PROMPT_RECALL.tasks[number], length: number, index: number): Sample {
  return PROMPT_RECALL.task(name).sample({ length, seed: "recall", index, materials });
}

/** The text of a sample in OpenAI's template: system message, context, question. */
function partsOf({ prompt }: Sample): { readonly system: string; readonly context: string; readonly question: string } {
  const [system = "", context = "", question = ""] = userText(prompt).split("\n");
  return { system, context, question };
}

Deno.test("PROMPT_RECALL.make() puts the needle truly first at 0% and truly last at 100%", () => {
  for (const name of PROMPT_RECALL.tasks) {
    const round = Array.from({ length: 35 }, (_, index) => make(name, 1024, index));
    const [first, last] = [0, 1].map((depth) => round.find((sample) => sample.depth === depth));
    const needle = first!.references[0]!;
    ok(partsOf(first!).context.startsWith(`${needle} `));
    ok(partsOf(last!).context.endsWith(` ${needle}`));
    deepEqual([first!.facts[0]!.depth, last!.facts[0]!.depth], [0, 1]);
  }
});

Deno.test("PROMPT_RECALL.make() with shared texts has those of version 2 in each round, in another order, those of Chinese essays too", () => {
  const hashes = (from: Materials, ...indexes: number[]): string[] =>
    indexes.map((index) => {
      const name = from === materials ? "recall_thornfield" : "recall_pistachio";
      const task = PROMPT_RECALL.task(name, { depths: 3, texts: "shared" });
      return task.sample({ length: 1200, seed: "42", index, materials: from }).sha256.slice(0, 12);
    });
  // Version 2 went through the depths from first to last: its samples 0 to 5, and 0 to 2.
  const old = ["918e9eafe554", "09a903cf8976", "7668258f4236", "3faab8e43bd0", "7e5b4be258e3", "36de2fd33f40"];
  deepEqual(hashes(materials, 1, 0, 2, 4, 3, 5), old);
  const chinese = withOther(materials, { essaysIn: () => materials.essaysIn("zh") });
  deepEqual(hashes(chinese, 1, 0, 2), ["dc3eb24fcd39", "a485f529d86c", "77b376b5cddd"]);
});

Deno.test("PROMPT_RECALL.make() moves the needle back to the end of a sentence, by less than that sentence", () => {
  for (let index = 0; index < 35; index++) {
    const sample = make("recall_thornfield", 4096, index);
    const { context } = partsOf(sample);
    const needle = sample.references[0]!;
    const at = context.indexOf(needle);
    const rest = context.slice(at + needle.length).trim();
    const next = [...sentences].filter((sentence) =>
      rest.startsWith(sentence)
    ).sort((left, right) => right.length - left.length)[0] ?? "";
    const count = (text: string): number =>
      materials.tokenizer.count(text);
    const wanted = sample.depth! * count(context.replace(needle, ""));
    ok(count(context.slice(0, at)) <= wanted + 2, `${index} stands too deep`);
    ok(count(context.slice(0, at)) + count(next) >= wanted - 3, `${index} stands not deep enough`);
  }
});

Deno.test.each(
  [
    [
      "openai",
      /^You are a helpful AI assistant that answers a question using only the provided information\.\n.+\nWhat did/,
    ],
    ["mistral", /^\[INST\]\nYou are .+\n.+\nWhat did PistachioAI receive before its Series A\?\n\[\/INST\]$/],
    [
      "claude",
      /^You are .+\n\nHuman: <context>\n.+\n<\/context>\n\nWhat did PistachioAI .+\?\n\nAssistant: Here is the most relevant sentence in the context:$/,
    ],
    ["llama", /^<s><<SYS>>\nYou are .+\n<<\/SYS>>\n.+\n\[INST\]What did PistachioAI .+\?\[\/INST\]$/],
  ] as [string, RegExp][],
)(
  "PROMPT_RECALL.make() words the template %s as the paper's Table 6 or Kamradt's test prints it",
  (template, pattern) => {
    const task = PROMPT_RECALL.make({ template: template as "openai" });
    match(userText(task.sample({ length: 600, seed: "a", index: 3, materials }).prompt), pattern);
  },
);

Deno.test("PROMPT_RECALL.make() leaves no empty line where there is no system message", () => {
  for (const template of ["openai", "mistral", "llama"] as const) {
    const task = PROMPT_RECALL.make({ template, system: "none" });
    const user = userText(task.sample({ length: 600, seed: "a", index: 3, materials }).prompt);
    ok(!/\n\n|^\n|SYS/.test(user), user.slice(0, 60));
  }
});

Deno.test("PROMPT_RECALL.make() takes a needle and a question of one's own, and closes the sentence", () => {
  const task = PROMPT_RECALL.make({ needle: "The key is under the third stone", question: "Where is the key?" });
  const sample = task.sample({ length: 600, seed: "a", index: 9, materials });
  deepEqual(sample.references, ["The key is under the third stone.", "Where is the key?"]);
  equal(task.options["needle"], "The key is under the third stone.");
  match(userText(sample.prompt), / The key is under the third stone\. /);
});

Deno.test("PROMPT_RECALL.make() has the published question behind another wording of it", () => {
  const references = (wording: "published" | "distant"): readonly string[] =>
    PROMPT_RECALL.make({ wording }).sample({ length: 600, seed: "a", index: 0, materials }).references;
  deepEqual(references("distant").slice(1), [
    "Which asset was PistachioAI granted ahead of the Series A round?",
    "What did PistachioAI receive before its Series A?",
  ]);
  equal(references("published").length, 2);
});

Deno.test.each(
  [
    [{ needle: "Only this." }, /must come with a question in one line: current value is ""/],
    [{ question: "Why?" }, /must be a line of text, with its question: current value is ""/],
    [{ needle: "Two\nlines.", question: "Why?" }, /must be a line of text/],
    [{ needle: "One.", question: "Why?", test: "pistachio" }, /test must be left out/],
    [{ needle: "One.", question: "Why?", wording: "request" }, /wording must be left out/],
    [{ test: "paris" }, /test must be one of pistachio, san_francisco, thornfield: current value is "paris"/],
    [{ template: "claude", document: "none" }, /template must be openai, llama or mistral where document is none/],
  ] as [Parameters<typeof PROMPT_RECALL.make>[0], RegExp][],
)("PROMPT_RECALL.make(%j) is refused", (options, message) => {
  throws(() => PROMPT_RECALL.make(options), message);
});

Deno.test("ending adds Kamradt's line to the question and leaves other samples as they were", () => {
  const line = " Don't give information outside the document or repeat your findings";
  for (const template of ["openai", "llama", "mistral", "claude"] as const) {
    for (const system of ["published", "none"] as const) {
      const task = PROMPT_RECALL.make({ template, system, ending: "kamradt" });
      const sample = task.sample({ length: 1024, seed: "1", index: 0, materials });
      ok(userText(sample.prompt).includes(`before its Series A?${line}`));
    }
  }
  equal(PROMPT_RECALL.make({}).options["ending"], undefined);
});

Deno.test("PROMPT_RECALL.make({ lengthOf: text }) counts the text with its needle alone, from the paper's shortest of 76 tokens", () => {
  for (const test of ["pistachio", "san_francisco", "thornfield"] as const) {
    const task = PROMPT_RECALL.make({ test, lengthOf: "text" });
    for (const length of [76, 1006, 4670]) {
      for (const index of [0, 1, 20]) {
        const sample = task.sample({ length, seed: "recall", index, materials });
        const tokens = materials.tokenizer.count(partsOf(sample).context);
        // Where text and question meet, tokens can differ by one or two.
        ok(tokens <= length + 2 && tokens >= length - 6, `${test}, ${length}: ${tokens} tokens`);
        deepEqual([sample.answerRoom, sample.promptTokens > tokens], [300, true]);
      }
    }
  }
  // A default that was added later is in no id.
  equal(PROMPT_RECALL.task("recall_pistachio").options["lengthOf"], undefined);
});

Deno.test("each needle of several questions goes through all depths, and each context, or each round of depths, has one text", () => {
  const [own, task] = (["own", "shared"] as const).map((texts) =>
    PROMPT_RECALL.task("recall_pistachio", { questions: 3, depths: 6, texts })
  ) as [Task, Task];
  const samples = Array.from(
    { length: 21 },
    (_, index) => task.sample({ length: 2048, seed: "depths", index, materials }),
  );
  for (const question of [0, 1, 2]) {
    const depths = samples.slice(0, 18).filter((_, index) => index % 3 === question).map(({ depth }) => depth);
    equal(new Set(depths).size, 6);
    equal(new Set(samples.slice(3 * question, 3 * question + 3).map(({ depth }) => depth)).size, 3);
  }
  const clusters = samples.map(({ cluster }) => cluster);
  deepEqual([new Set(clusters.slice(0, 18)).size, new Set(clusters).size], [1, 2]);
  equal(new Set(samples.map(({ index }) => own.clusterOf!({ seed: "depths", length: 2048, index }))).size, 7);
  deepEqual(clusters, samples.map(({ index }) => task.clusterOf!({ seed: "depths", length: 2048, index })));
});

Deno.test.each(
  [
    [{ questions: 4 }, 3, 4],
    [{ questions: 2, document: "none" }, 1, 2],
    [{ questions: 2, needle: "The lamp is red.", question: "Which colour has the lamp?" }, 1, 2],
  ] as [GivenKnobs<typeof PROMPT_RECALL.knobs>, number, number][],
)("prompt recall refuses %o, as it has no other needles", (knobs, most, value) => {
  const wanted = `questions must be a whole number from 1 to ${most}: current value is ${value}`;
  throws(() => PROMPT_RECALL.make(knobs), {
    name: "RangeError",
    message: `Cannot make task prompt_recall as ${wanted}`,
  });
});
