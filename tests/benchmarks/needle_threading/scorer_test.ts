import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../../_cases.ts";
import { A, B, C, D } from "../../scorers/_values.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import {
  readValueReply,
  valueMatch,
  valuesAsPrinted,
  valuesInOrder,
} from "@/lib/benchmarks/needle_threading/scorer.ts";
import type { Score } from "@/lib/scorers/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const list = (...values: readonly unknown[]): string => JSON.stringify(values);
const fence = "```";

Deno.test.each(
  [
    ["a value alone", A, 1, "asked"],
    ["a list of one", list(A), 1, "asked"],
    ["another value", B, 0, "asked"],
    ["upper case is not an exact match", A.toUpperCase(), 0, "asked"],
    ["a sentence", `The value is ${A}.`, 1, "text"],
    ["the key repeated", `${B}: ${A}`, 1, "text"],
    ["a JSON object", `{"${B}": "${A}"}`, 1, "json"],
    ["a thread told in arrows", `${C} -> ${B} → ${A}`, 1, "text"],
    ["the first of two answers counts", `${B} or ${A}`, 0, "text"],
    ["part of a value", A.slice(0, 30), 0, "none"],
    ["a value inside a longer run", `${A}0`, 0, "none"],
    ["a value without hyphens", A.replaceAll("-", ""), 0, "none"],
    ["a refusal", "I'm sorry, but I cannot find that key.", 0, "none"],
    ["nothing", "  \n ", 0, "none"],
  ] as [string, string, number, string][],
)("valueMatch() of one value: %s", (_name, reply, value, form) => {
  const score = valueMatch(reply, [A]);
  equal(score.value, value);
  equal(score.form, form);
});

/** Replies to a question with the answers A, B and C; none of them may stop the scorer, and each has its score. */
const REPLIES: readonly (readonly [name: string, reply: string, value: number, form: string])[] = [
  ["as asked", list(A, B, C), 1, "asked"],
  ["asked, one wrong", list(A, D, C), 2 / 3, "asked"],
  ["asked, another order", list(B, A, C), 1 / 3, "asked"],
  ["too many: the first three count", list(A, B, C, D), 1, "asked"],
  ["too few", list(A, B), 2 / 3, "asked"],
  ["no JSON, a numbered list", `1. ${A}\n2. ${B}\n3. ${C}`, 1, "text"],
  ["a code fence", `${fence}json\n${list(A, B, C)}\n${fence}`, 1, "json"],
  ["text before and after", `Here you are: ${list(A, B, C)} I hope this helps.`, 1, "json"],
  ["the example's list first", `Such as ["first value", "second value"]: ${list(A, B, C)}`, 1, "json"],
  ["two JSON objects", `{"x": "${A}"} {"y": "${B}", "z": "${C}"}`, 1, "json"],
  ["an object with keys", `{"${D}": "${A}", "y": "${B}", "z": "${C}"}`, 1, "json"],
  ["an object round the list", `{"values": ${list(A, B, C)}}`, 1, "json"],
  ["nested lists", list([A], [[B]], [C]), 1, "json"],
  ["words in the list", list(A, "not found", C), 2 / 3, "asked"],
  ["pairs as texts", list(`${D}: ${A}`, `${A}: ${B}`, `${B}: ${C}`), 1, "json"],
  ["JSON that is cut off", `["${A}", "${B}", "${C.slice(0, 20)}`, 2 / 3, "text"],
  ["a comma too many", `["${A}", "${B}", "${C}",]`, 1, "text"],
  ["full-width digits", A.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)), 0, "none"],
  ["an expression", `["${A}"].concat(Deno.exit(1), process.exit(1))`, 1 / 3, "json"],
  ["a prototype", `{"__proto__": {"polluted": "${A}"}, "y": "${B}", "z": "${C}"}`, 1, "json"],
  ["nothing", "", 0, "none"],
  ["a million brackets", "[".repeat(1_000_000), 0, "none"],
  ["a list a hundred thousand deep", `${"[".repeat(100_000)}"${A}"${"]".repeat(100_000)}`, 1 / 3, "text"],
  ["a million empty lists", "[]".repeat(1_000_000) + A, 1 / 3, "text"],
  ["escapes without end", `["${'\\"'.repeat(200_000)}`, 0, "none"],
  ["half a surrogate pair", `\ud800 ${A} \udfff`, 1 / 3, "text"],
];

for (const [name, reply, value, form] of REPLIES) {
  Deno.test(`valueMatch() of three values: ${name}`, () => {
    const score = valueMatch(reply, [A, B, C]);
    equal(score.value, value);
    equal(score.form, form);
  });
}

Deno.test("valueMatch() says what is not counted, where there is more than was asked for", () => {
  equal(valueMatch(list(A, B), [A, B]).why, "found 2 of 2, read as asked");
  equal(valueMatch(list(A, B, C), [A, B]).why, "found 2 of 2, read as asked; 1 more not counted");
  equal(valueMatch(list(A), [A, B]).why, "found 1 of 2, read as asked");
});

Deno.test("valueMatch() in any order counts each value once, among the first answers alone", () => {
  const any = (reply: string): number | null => valueMatch(reply, [A, B, C], { inOrder: false }).value;
  equal(any(list(C, A, B)), 1);
  equal(any(list(A, A, A)), 1 / 3);
  equal(any(list(D, A, B, C)), 2 / 3);
  equal(valueMatch(list(C, A, B), [A, B, C]).value, 0);
});

Deno.test("valueMatch() tells an empty reply from one that cannot be read", () => {
  equal(valueMatch(" ", [A]).why, "no answer");
  equal(valueMatch(" ", [A]).answer, "");
  equal(valueMatch("No such key.", [A]).why, "unparsable: no value found, 1 wanted");
  equal(valueMatch("No such key.", [A]).answer, "No such key.");
});

Deno.test("valueMatch() asAsked wants the asked form and nothing else", () => {
  equal(valueMatch(list(A, B), [A, B]).asAsked, 1);
  equal(valueMatch(list(A, B, C, D), [A, B]).asAsked, 0.5);
  equal(valueMatch(`Here: ${list(A, B)}`, [A, B]).asAsked, 0);
});

Deno.test("valueMatch() has nothing to score without references", () => {
  deepEqual([valueMatch(A, []).value, valueMatch(A, []).asAsked], [null, null]);
});

Deno.test("valueMatch() gives a share in [0, 1] for any reply, and the same for the same", () => {
  const piece = fc.oneof(
    fc.constantFrom(A, B, C, D, "[", "]", "{", "}", '"', ",", ": ", " -> ", fence, "\\"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, inOrder) => {
      const reply = pieces.join("");
      const score = valueMatch(reply, [A, B], { inOrder });
      ok(score.value! >= 0 && score.value! <= 1);
      ok(valueMatch(reply, [A, B], { inOrder: false }).value! >= valueMatch(reply, [A, B]).value!);
      deepEqual(valueMatch(reply, [A, B], { inOrder }), score);
    }),
    { numRuns: cases(400, 2000), seed: 5 },
  );
});

function progress(reply: string, paths: readonly (readonly string[])[]): Score {
  return valuesInOrder.grade(reply, { references: paths.map((path) => path.at(-1)!), paths }).partial!;
}

Deno.test.each(
  [
    ["the end", C, 1],
    ["the first step", A, 1 / 3],
    ["the second step, in a sentence", `The last value is ${B}.`, 2 / 3],
    ["off the thread", D, 0],
    ["no value", "I do not know.", 0],
    ["the whole thread told", `${D} -> ${A} -> ${B} -> ${C}`, 1],
  ] as [string, string, number][],
)("valuesInOrder credits the steps of one thread: %s", (_name, reply, value) => {
  equal(progress(reply, [[A, B, C]]).value, value);
});

Deno.test("valuesInOrder takes each answer for the thread in its place", () => {
  // 2 of 2 and 0 of 2: half of the way; the second answer is on the first thread only.
  const score = progress(JSON.stringify([B, A]), [[A, B], [C, D]]);
  equal(score.value, 0.5);
  equal(score.why, "steps followed: 2 of 2, 0 of 2");
});

Deno.test("valuesInOrder has no partial credit to give without threads", () => {
  equal(progress(A, []).value, null);
});

Deno.test.each(
  [
    ["the value alone", A, [A], 1],
    ["in quotation marks", `'${A}'`, [A], 1],
    ["the value, then more", `${A} is the value`, [A], 1],
    ["a sentence that ends in the value", `The value is ${A}`, [A], 0],
    ["a list, compared entry by entry", `['${A}', "${C}"]`, [A, B], 0.5],
    ["in another order", list(B, A), [A, B], 0],
    ["nothing", " ", [A], 0],
    ["no references", A, [], null],
  ] as [string, string, string[], number | null][],
)("valuesAsPrinted compares first characters: %s", (_name, reply, references, value) => {
  equal(valuesAsPrinted.grade(reply, { references }).score.value, value);
});

Deno.test("the knob scorer changes how replies are scored, and nothing of a sample but its id", async () => {
  const materials = await openTestMaterials("cl100k_base");
  const request = { length: 2048, seed: "1", index: 0, materials };
  const knobs = { kind: "multi_needle", needles: 2 } as const;
  const [own, any, original] = [{}, { scorer: "any" }, { scorer: "original" }].map((scorer) =>
    THREADING.make({ ...knobs, ...scorer as { scorer: "any" } })
  );
  const samples = [own!, any!, original!].map((task) => task.sample(request));
  equal(new Set(samples.map(({ prompt }) => userText(prompt))).size, 1);
  equal(new Set(samples.map(({ id }) => id)).size, 3);
  const swapped = list(...samples[0]!.references.toReversed());
  const values = [own!, any!, original!].map(({ scorer }) => scorer.grade(swapped, samples[0]!).score.value);
  deepEqual(values, [0, 1, 0]);
});

Deno.test.each([["two colons", "::"], ["a word", " is "]])(
  "readValueReply() takes what stands before %s for a value",
  (_name, link) => {
    deepEqual(readValueReply(`${B}${link}${A}`).values, [B, A]);
  },
);
