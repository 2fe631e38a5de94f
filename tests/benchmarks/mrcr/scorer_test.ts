import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { mean } from "@/lib/base/mod.ts";
import { MRCR_GRAMMAR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import { MRCR_SCORERS, needleFloor } from "@/lib/benchmarks/mrcr/scorer.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";

const TEXT = "Seven tapirs crossed the harbour at dawn, and nobody counted the eighth.";
const HASH = "q7Zk1LmP0xBw";
const references = [HASH + TEXT];

// Scores by the authors' rules, read from their code; the ratios are Python's.
Deno.test.each(
  [
    ["the answer", HASH + TEXT, 1, 1],
    ["a space after the hash", `${HASH} ${TEXT}`, 2 * 72 / 145, 1],
    ["white space around the answer", `\n${HASH}${TEXT}\n`, 0, 1],
    ["another text before the hash", `Here it is: ${HASH}${TEXT}`, 0, 1],
    ["the hash again before the answer", `${HASH}: ${HASH}${TEXT}`, 2 * 72 / 158, 1],
    ["the hash again after the answer", `${HASH}${TEXT}${HASH}`, 2 * 72 / 156, 0],
    ["no hash", TEXT, 0, 0],
    ["the hash in other letters", HASH.toLowerCase() + TEXT, 0, 0],
    ["the hash alone", HASH, 0, 0],
    ["Python's white space, which is not JavaScript's", `\u001c${HASH}\u0085${TEXT}\u001f`, 0, 1],
    ["a byte order mark, which Python does not strip", `${HASH}\ufeff${TEXT}`, 2 * 72 / 145, 2 * 72 / 145],
    ["nothing", "", 0, 0],
  ] as [string, string, number, number][],
)("replies are scored as OpenCompass and Google score them: %s", (_, reply, openai, google) => {
  equal(MRCR_SCORERS.opencompass.grade(reply, { references }).score.value, openai);
  // OpenAI's is the same rule for a hash of 10 characters.
  const short = (text: string): string => text.replaceAll(HASH, HASH.slice(0, 10)).replaceAll(HASH.toLowerCase(), "-");
  const { score } = MRCR_SCORERS.openai.grade(short(reply), { references: [short(references[0]!)] });
  ok(Math.abs(score.value! - openai) < 0.02);
  equal(MRCR_SCORERS.google.grade(reply, { references }).score.value, google);
});

Deno.test("a reply without the hash is unparsable, and no reply is not", () => {
  for (const scorer of [MRCR_SCORERS.opencompass, MRCR_SCORERS.google]) {
    equal(findScorer(scorer.name).unguarded, scorer);
    const [wrong, none] = [TEXT, ""].map((reply) => scorer.grade(reply, { references }));
    deepEqual([wrong!.unparsable, none!.unparsable], [true, false]);
    equal(wrong!.score.why, `no hash ${HASH}`);
  }
});

Deno.test("the answer is the second text for OpenCompass, and the reply for Google", () => {
  const answer = "The quick brown fox jumps over the lazy dog while 37 quiet owls watch. ".repeat(3);
  const reply = HASH + answer.replaceAll("fox", "hare").replaceAll("quiet", "loud");
  const [opencompass, google] = [MRCR_SCORERS.opencompass, MRCR_SCORERS.google]
    .map((scorer) => scorer.grade(reply, { references: [HASH + answer] }).score.value!);
  equal(opencompass, 0.8873239436619719);
  // Google strips the space at the end.
  ok(Math.abs(google! - 0.7268) < 0.02);
});

const materials = await openTestMaterials("cl100k_base");

Deno.test("needleFloor() is a little above 1/n for texts on the request, and a few percent for any text", () => {
  for (const [needles, parts] of [[2, "2"], [4, "3"], [8, "2"]] as const) {
    const task = MRCR_GRAMMAR.make({ needles, parts });
    const floors = Array.from({ length: 8 }, (_, index) => {
      const sample = task.sample({ length: 8192, seed: "42", index, materials });
      return needleFloor(sample, task.scorer);
    });
    const [relevant, any] = [mean(floors.map((floor) => floor.relevant)), mean(floors.map((floor) => floor.any))];
    ok(relevant > 1 / needles && relevant < 1 / needles + 0.08, `${needles}: ${relevant}`);
    ok(any < 0.12 && any > 0, `${needles}: ${any}`);
  }
});
