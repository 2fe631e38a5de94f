import { deepEqual, equal, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { makeReplies } from "./_made_replies.ts";
import { findProgram, named } from "../../e2e/_project.ts";
import { hasPackages, runPython } from "../../_python.ts";
import { PAIRS, writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import {
  copiedPlace,
  copiedWord,
  COPY_FAILURES,
  copyEdits,
  type CopyMeasures,
  exactCopy,
  measureCopy,
} from "@/lib/benchmarks/repeated_words/scorer.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import { editDistance } from "@/lib/scorers/mod.ts";
import { classifyFailure } from "@/lib/statistics/failures/mod.ts";
import { openTestMaterials } from "../../generators/_materials.ts";

const materials = await openTestMaterials("cl100k_base");

const TEXT = "apple apple apples apple apple apple";
const LONG = writeCopy({ pair: "apple_apples", words: 30, place: 3 });

const REPLIES: readonly (readonly [reply: string, wanted: string, measures: Partial<CopyMeasures>])[] = [
  [TEXT, TEXT, { edits: 1, isExact: true, isPresent: true, isInPlace: true, missingWords: 0, failure: null }],
  ["", TEXT, { edits: 0, isExact: false, isPresent: false, isInPlace: false, missingWords: 6, failure: "empty" }],
  [` ${TEXT}`, TEXT, { edits: 36 / 37, isExact: false, isPresent: true, isInPlace: false, failure: "spacing" }],
  [TEXT.replace("apples", "apple"), TEXT, { edits: 35 / 36, isPresent: false, missingWords: 0, failure: "word lost" }],
  ["apples apple apple apple apple apple", TEXT, { edits: 34 / 36, isInPlace: false, failure: "word moved" }],
  ["apples apple apples apple apple apple", TEXT, { edits: 36 / 37, isPresent: true, failure: "word repeated" }],
  ["apple apple apples", TEXT, { edits: 0.5, isPresent: false, missingWords: 3, failure: "stopped early" }],
  [`${TEXT} apple`, TEXT, { edits: 36 / 42, isInPlace: true, missingWords: -1, failure: "too long" }],
  ["I'm sorry, but I can't help with that", LONG, { missingWords: 22, isExcluded: true, failure: "not attempted" }],
  [`Here it is: ${LONG}`, LONG, { isPresent: true, isInPlace: false, isExcluded: false, failure: "other words" }],
];

Deno.test.each(REPLIES.map(([reply, wanted, measures]) => [reply.slice(0, 40), reply, wanted, measures] as const))(
  "measureCopy() measures %s",
  (_name, reply, wanted, measures) => {
    const made = measureCopy(reply, wanted)!;
    for (const [name, value] of Object.entries(measures)) {
      const measured = made[name as keyof CopyMeasures];
      if (typeof value === "number") ok(Math.abs(Number(measured) - value) < 1e-12, `${name}: ${measured}`);
      else equal(measured, value, name);
    }
  },
);

Deno.test("a copy that never stops has half of the score at the report's output limit", () => {
  for (const words of [1000, 10_000]) {
    const text = writeCopy({ pair: "apple_apples", words, place: words >> 1 });
    const { edits, missingWords, isInPlace } = measureCopy(`${text}${" apple".repeat(words)}`, text)!;
    deepEqual([edits.toFixed(4), missingWords, isInPlace], ["0.5000", -words, true]);
    // Without the modified word too.
    equal(measureCopy("apple ".repeat(2 * words).trimEnd(), text)!.edits.toFixed(3), "0.500");
  }
});

Deno.test("the published measures have the faults that the page names", () => {
  const last = writeCopy({ pair: "apples_apple", words: 30, place: 29 });
  const without = Array(30).fill("apples").join(" ");
  const { isPresent, isInPlace, failure } = measureCopy(without, last)!;
  // " apple" is in every " apples", but the first place of it is after the first word.
  deepEqual([isPresent, isInPlace, failure], [true, true, "word lost"]);
  equal(measureCopy(LONG.replace("apples", "pineapples"), LONG)!.isPresent, true);
  equal(measureCopy(LONG.replace("apples", "apples,"), LONG)!.isPresent, false);
  // Each word of a name of two is another word, so that a short right copy is left out as a refusal.
  const short = writeCopy({ pair: "San_Francisco_sf", words: 12, place: 3 });
  equal(measureCopy(short, short)!.isExcluded, true);
});

Deno.test("the scorers give the measures, and the first failure as reason", () => {
  const item = { references: [TEXT] };
  const values = (reply: string): (number | null)[] =>
    [copyEdits, exactCopy, copiedWord, copiedPlace].map((scorer) => scorer.grade(reply, item).score.value);
  deepEqual(values(TEXT), [1, 1, 1, 1]);
  deepEqual(values(`${TEXT} apple`), [36 / 42, 0, 1, 1].map((value) => value === 36 / 42 ? 1 - 6 / 42 : value));
  equal(copyEdits.grade(`${TEXT} apple`, item).score.why, "too long: 6 edits, 42 characters; 1 words too many");
  equal(copyEdits.grade(TEXT, item).score.why, "an exact copy");
  equal(copyEdits.grade(TEXT, { references: ["no such text"] }).score.value, null);
});

Deno.test.each(
  [
    [TEXT.replace("apples", "apple"), "incomplete answer", /^word lost: 1 edits/],
    [`${TEXT} apple`, "loop", /^too long: /],
    ["- - - -", "other answer", /^not attempted: /],
    ["", "empty", /^empty: /],
  ] as [string, string, RegExp][],
)("a report of failures has the scorer's own kind of %s", (reply, name, why) => {
  const { prompt, ...sample } = REPEATED_WORDS.make().sample({ length: 512, seed: "1", index: 0, materials });
  const rule = copyEdits;
  const asked = { ...sample, prompt, references: [TEXT] };
  const [mode] = classifyFailure(asked, {
    reply: { kind: "answer", text: reply, finishReason: "stop" },
    value: 0.5,
    rule,
  });
  equal(mode?.class, name);
  match(mode!.why, why);
});

Deno.test("every made reply has a distance of its own kind, and every kind of failure is made", () => {
  const seen = new Set<string | null>();
  for (const { reply, wanted } of makeReplies(2_000, "laws")) {
    const { edits, distance, longer, isExact, isMeasured, failure } = measureCopy(reply, wanted)!;
    equal(distance, editDistance(reply, wanted));
    ok(edits >= 0 && edits <= 1 && isMeasured && distance <= longer);
    equal(isExact, failure === null);
    equal(edits === 1, isExact);
    seen.add(failure);
  }
  deepEqual(COPY_FAILURES.filter((kind) => !seen.has(kind)), []);
});

Deno.test("a long reply that differs everywhere is compared in pieces, and its distance bounded", () => {
  for (const { reply, wanted } of makeReplies(300, "pieces")) {
    const [whole, pieces] = [measureCopy(reply, wanted)!, measureCopy(reply, wanted, { maxCells: 1_000 })!];
    ok(whole.isMeasured && pieces.distance >= whole.distance && pieces.distance <= whole.longer);
    if (pieces.isMeasured) equal(pieces.distance, whole.distance);
  }
  const text = writeCopy({ pair: "orange_run", words: 200, place: 100 });
  const { edits, distance, isMeasured } = measureCopy("san ".repeat(200), text, { maxCells: 10_000 })!;
  equal(isMeasured, false);
  ok(distance < text.length && edits > 0);
});

const python = Deno.env.get("FATHOM_PYTHON") ?? findProgram("python3");
const original = Deno.env.get("FATHOM_CONTEXT_ROT");
const isReady = python !== undefined && original !== undefined && existsSync(original) &&
  hasPackages(python, "pandas", "Levenshtein");
const TO_HAVE = "FATHOM_PYTHON needs pandas and Levenshtein, FATHOM_CONTEXT_ROT the path of evaluate_repeated_words.py";

Deno.test({
  name: named("measureCopy() agrees with the authors' code on 10,000 made replies", { [TO_HAVE]: !isReady }),
  ignore: !isReady,
  timeout: 300_000,
  fn: () => {
    const made = makeReplies(10_000, "judge").filter(({ reply }) => reply !== "");
    const lines = made.map(({ pair, words, place, wanted, reply }) => {
      const [common, modified] = PAIRS[pair];
      return JSON.stringify({ gold: wanted, output: reply, index: place, num_words: words, common, modified });
    });
    const script = new URL("_authors_scores.py", import.meta.url).pathname;
    const printed = runPython(python!, [script, original!], lines.join("\n"));
    const scores = printed.trimEnd().split("\n").map((line) => JSON.parse(line));
    equal(scores.length, made.length);
    for (const [at, { reply, wanted }] of made.entries()) {
      const { edits, isPresent, isInPlace, missingWords, hasOtherWords, isExcluded } = measureCopy(reply, wanted)!;
      deepEqual(
        { edits, isPresent, isInPlace, missingWords, hasOtherWords, isExcluded },
        scores[at],
        JSON.stringify(reply),
      );
    }
  },
});
