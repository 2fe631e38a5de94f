import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { NOLIMA } from "@/lib/benchmarks/nolima/nolima.ts";
import type { Fact, Sample } from "@/lib/generators/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const [pairs] = NOLIMA.families;
const PAIRS = 49;

/** The samples of a task that ask each pair once. */
function samplesOf(knobs: Readonly<Record<string, string | number>> = {}): readonly Sample[] {
  const task = pairs!.make(knobs);
  return Array.from({ length: PAIRS }, (_, index) => task.sample({ length: 256, seed: "1", index, materials }));
}

function targetOf({ facts }: Sample): Fact {
  return facts.find(({ role }) => role === "target")!;
}

/** Words without content. */
const STOP_WORDS = new Set("a an and for from has in is of on one or out the there to was which who whose".split(" "));

/** Returns the first four letters of the content words that a needle and a question share. */
function sharedWords(needle: string, question: string): readonly string[] {
  const [one, other] = [needle, question].map((text) => {
    const words = text.toLowerCase().match(/\p{L}+/gu)!.filter((word) => !STOP_WORDS.has(word));
    return new Set(words.map((word) => word.slice(0, 4)));
  });
  return [...one!.intersection(other!)];
}

Deno.test("no question shares a content word with its needle, but those of the control", () => {
  deepEqual(sharedWords("Ada has a Norwegian horn.", "Who is from Norway?"), ["norw"]);
  for (const order of ["default", "inverted"]) {
    for (const sample of [1, 2].flatMap((hops) => samplesOf({ order, hops }))) {
      deepEqual(sharedWords(targetOf(sample).text, sample.question!), [], sample.question!);
    }
    for (const sample of samplesOf({ order, match: "literal" })) {
      ok(sharedWords(targetOf(sample).text, sample.question!).length > 0, sample.question!);
    }
  }
});

Deno.test("as many samples as there are pairs ask each once, of different people", () => {
  const samples = samplesOf();
  equal(new Set(samples.map(({ cluster }) => cluster)).size, PAIRS);
  ok(new Set(samples.map((sample) => targetOf(sample).value)).size > 20);
  const [{ question, references }] = samples as [Sample];
  equal(targetOf(samples[0]!).text, "Yusuf rents a flat around the corner from Fisherman's Bastion.");
  deepEqual([question, references], ["Which person lives in Budapest?", ["Yusuf"]]);
});

Deno.test("tasks differ in what their knobs say, and by nothing else", () => {
  const plain = samplesOf().map(targetOf);
  for (const knobs of [{ hops: 2 }, { match: "literal" }, { distractors: 7 }]) {
    deepEqual(samplesOf(knobs).map((sample) => targetOf(sample).text), plain.map(({ text }) => text));
  }
  const inverted = samplesOf({ order: "inverted" }).map(targetOf);
  deepEqual(inverted.map(({ key, value }) => [key, value]), plain.map(({ key, value }) => [key, value]));
  ok(inverted.every(({ text, value }, at) => text.endsWith(`${value}.`) && plain[at]!.text.startsWith(value)));
});

Deno.test("twins of a needle are about other people and things, and no thing of a relation is asked for as another is", () => {
  equal(new Set([1, 2].flatMap((hops) => samplesOf({ hops })).map(({ question }) => question)).size, 2 * PAIRS);
  for (const { facts, references } of samplesOf({ distractors: 7 })) {
    equal(new Set(facts.map(({ key }) => key)).size, 8);
    equal(new Set(facts.map(({ value }) => value)).size, 8);
    equal(facts.filter(({ value }) => value === references[0]).length, 1);
  }
});

Deno.test("a reply with the name is right, one with several names has no penalised score", () => {
  const { scorer } = pairs!.make();
  const scores = ["It is Niamh.", "Niamh or Boris", "Boris", "Niamhs"].map((reply) => {
    const { score, penalised } = scorer.grade(reply, { references: ["Niamh"] });
    return [score.value, penalised.value];
  });
  deepEqual(scores, [[1, 1], [1, 0], [0, 0], [1, 1]]);
});

Deno.test("a literal match over two hops, and essays about the same people, are refused", () => {
  throws(() => pairs!.make({ match: "literal", hops: 2 }), {
    name: "RangeError",
    message: "Cannot make task nolima as hops must be 1 if match is literal: current value is 2",
  });
  const essays = makeHaystack(["Rain fell. Niamh slept. ".repeat(40)], { name: "own", tokenizer: materials.tokenizer });
  const request = { length: 256, seed: "1", index: 0, materials: withOther(materials, { essays }) };
  throws(() => pairs!.make().sample(request), /with .{1,80} as the essays own must not hold .*: .*fell\. Niamh/);
});
