import { deepEqual, equal, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { findProgram, named } from "../../e2e/_project.ts";
import { hasPackages, runPython } from "../../_python.ts";
import { type CopyText, PAIR_NAMES, PAIRS, writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import { COPY_FAILURES, type CopyMeasures, measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import { type Draw, integer, pick, stream } from "@/lib/random/mod.ts";
import { editDistance } from "@/lib/scorers/mod.ts";
import { classifyFailure } from "@/lib/statistics/failures/mod.ts";
import { openTestMaterials } from "../../generators/_materials.ts";

const TEXT = "apple apple apples apple apple apple";
const LONG = writeCopy({ pair: "apple_apples", words: 30, place: 3 });

Deno.test.each<[reply: string, wanted: string, measures: Partial<CopyMeasures>]>([
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
])("measureCopy() measures %j", (reply, wanted, measures) => {
  const made = measureCopy(reply, wanted)!;
  for (const [name, value] of Object.entries(measures)) {
    const measured = made[name as keyof CopyMeasures];
    if (typeof value === "number") ok(Math.abs(Number(measured) - value) < 1e-12, `${name}: ${measured}`);
    else equal(measured, value, name);
  }
});

Deno.test("the published measures have the faults that the page names", () => {
  const last = writeCopy({ pair: "apples_apple", words: 30, place: 29 });
  const { isPresent, isInPlace, failure } = measureCopy(Array(30).fill("apples").join(" "), last)!;
  // " apple" is in every " apples", but the first place of it is after the first word.
  deepEqual([isPresent, isInPlace, failure], [true, true, "word lost"]);
  const found = ["pineapples", "apples,"].map((word) => measureCopy(LONG.replace("apples", word), LONG)!.isPresent);
  deepEqual(found, [true, false]);
  // Each word of a name of two is another word, so that a short right copy is left out as a refusal.
  const short = writeCopy({ pair: "San_Francisco_sf", words: 12, place: 3 });
  equal(measureCopy(short, short)!.isExcluded, true);
  // At the report's output limit a copy that never stops has half of the score, with and without the modified word.
  const text = writeCopy({ pair: "apple_apples", words: 10_000, place: 5000 });
  equal(measureCopy(`${text}${" apple".repeat(10_000)}`, text)!.edits, 0.5);
  equal(measureCopy("apple ".repeat(20_000).trimEnd(), text)!.edits.toFixed(3), "0.500");
});

Deno.test("the scorers give the measures, and a report of failures their reasons", async () => {
  const materials = await openTestMaterials("cl100k_base");
  const asked = REPEATED_WORDS.make().sample({ length: 512, seed: "1", index: 0, materials });
  const item = { ...asked, prompt: asked.prompt, references: [TEXT] };
  const [rule] = REPEATED_WORDS.scorers;
  const cases = [
    [TEXT.replace("apples", "apple"), "incomplete answer", /^word lost: 1 edits/],
    [`${TEXT} apple`, "loop", /^too long: 6 edits, 42 characters; 1 words too many$/],
    ["- - - -", "other answer", /^not attempted: /],
    ["", "empty", /^empty: /],
  ] as const;
  for (const [text, name, why] of cases) {
    const reply = { kind: "answer", text, finishReason: "stop" } as const;
    const [mode] = classifyFailure(item, { reply, value: 0.5, rule: rule! });
    equal(mode?.class, name);
    match(mode!.why, why);
  }
  const values = (reply: string): (number | null)[] =>
    REPEATED_WORDS.scorers.map((scorer) => scorer.grade(reply, item).score.value);
  deepEqual([values(TEXT), values(`${TEXT} apple`)], [[1, 1, 1, 1], [1 - 6 / 42, 0, 1, 1]]);
  equal(rule!.grade(TEXT, item).score.why, "an exact copy");
  equal(rule!.grade(TEXT, { references: ["no such text"] }).score.value, null);
});

/** A change of the words of a copy; `at` is a place of one of them. */
type Change = (words: string[], made: { draw: Draw; at: number; modified: string; common: string }) => string[];

const CHANGES: readonly Change[] = [
  (words) => words,
  (words, { common, modified }) => words.map((word) => word === modified ? common : word),
  (words, { at, common, modified }) => words.map((word) => word === modified ? common : word).with(at, modified),
  (words, { at, modified }) => words.with(at, modified),
  (words, { at }) => words.slice(0, at),
  (words, { at, common }) => [...words, ...Array<string>(at + 1).fill(common)],
  (words, { at }) => words.toSpliced(at, 1),
  (words) => ["I notice there's a discrepancy in the text.", ...words],
  () => ["I’m sorry, but I can’t help with that"],
  (words, { draw, at }) => words.with(at, pick(draw, ["😀", "san", "苹果"])),
  (words, { modified }) => words.map((word) => word === modified ? `pine${word}` : word),
  (words, { draw }) => words.map(() => pick(draw, ["-a", "-le", "’", "apple.", "Golden"])),
];

const SPACES = [" ", " ", " ", "  ", "\n", "\t", "\u00a0", ", "];

/** Makes replies of every kind, to texts of up to 120 words. */
function makeReplies(count: number): (CopyText & { readonly wanted: string; readonly reply: string })[] {
  return Array.from({ length: count }, (_, index) => {
    const draw = stream("made copies", index);
    const pair = pick(draw, PAIR_NAMES);
    const [common, modified] = PAIRS[pair];
    const words = integer(draw, { low: 3, high: 120 });
    const place = pick(draw, [0, words - 1, integer(draw, { low: 0, high: words - 1 })]);
    let copied = Array<string>(words).fill(common).with(place, modified);
    for (let changes = integer(draw, { low: 1, high: 2 }); changes > 0 && copied.length > 0; changes--) {
      const at = integer(draw, { low: 0, high: copied.length - 1 });
      copied = pick(draw, CHANGES)(copied, { draw, at, modified, common });
    }
    const text = copied.join(pick(draw, SPACES));
    const reply = pick(draw, ["", "", "", " ", "\n"]) + text + pick(draw, ["", "", ".", " ", "\n"]);
    return { pair, words, place, wanted: writeCopy({ pair, words, place }), reply };
  });
}

Deno.test("every made reply has a distance, which is bounded if it is compared in pieces, and every kind fails", () => {
  const seen = new Set<string | null>();
  for (const { reply, wanted } of makeReplies(2_000)) {
    const [whole, pieces] = [measureCopy(reply, wanted)!, measureCopy(reply, wanted, 1_000)!];
    const { edits, distance, longer, failure } = whole;
    equal(distance, editDistance(reply, wanted));
    ok(edits >= 0 && edits <= 1 && whole.isMeasured && distance <= longer);
    deepEqual([whole.isExact, edits === 1], [failure === null, failure === null]);
    ok(pieces.distance >= distance && pieces.distance <= longer);
    if (pieces.isMeasured) equal(pieces.distance, distance);
    seen.add(failure);
  }
  deepEqual(Object.keys(COPY_FAILURES).filter((kind) => !seen.has(kind)), []);
  const text = writeCopy({ pair: "orange_run", words: 200, place: 100 });
  const { edits, distance, isMeasured } = measureCopy("san ".repeat(200), text, 10_000)!;
  ok(!isMeasured && distance < text.length && edits > 0);
});

const python = Deno.env.get("FATHOM_PYTHON") ?? findProgram("python3") ?? "";
const original = Deno.env.get("FATHOM_CONTEXT_ROT") ?? "";
const ignore = original === "" || !existsSync(original) || !hasPackages(python, "pandas", "Levenshtein");
const TO_HAVE = "FATHOM_PYTHON needs pandas and Levenshtein, FATHOM_CONTEXT_ROT the path of evaluate_repeated_words.py";
const parity = named("measureCopy() agrees with the authors' code on 10,000 made replies", { [TO_HAVE]: ignore });

Deno.test(parity, { ignore, timeout: 300_000 }, () => {
  const made = makeReplies(10_000).filter(({ reply }) => reply !== "");
  const lines = made.map(({ pair, words, place, wanted, reply }) => {
    const [common, modified] = PAIRS[pair];
    return JSON.stringify({ gold: wanted, output: reply, index: place, num_words: words, common, modified });
  });
  const script = new URL("_authors_scores.py", import.meta.url).pathname;
  const scores = runPython(python, [script, original], lines.join("\n")).trimEnd().split("\n");
  const ours = made.map(({ reply, wanted }) => {
    const { edits, isPresent, isInPlace, missingWords, hasOtherWords, isExcluded } = measureCopy(reply, wanted)!;
    return { edits, isPresent, isInPlace, missingWords, hasOtherWords, isExcluded };
  });
  deepEqual(ours, scores.map((line) => JSON.parse(line)));
});
