import { match } from "node:assert/strict";
import { openTestMaterials, withOther } from "./_materials.ts";
import { family, type FamilyOptions, type HiddenFact, hideFacts, oneOf, whole } from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";

const materials = withOther(await openTestMaterials("cl100k_base"), { remember: (_key, make) => make() });
const FACT: HiddenFact = { role: "target", key: "box", value: "31", text: "The box holds 31 keys.", depth: 0.5 };
const ASKED = { instructions: "Read.", question: "What does it hold?" };
const BOX = { suite: "box-1", name: "box", about: "", category: "retrieval", knobs: {}, tasks: {}, answerRoom: 8 };
type Options = FamilyOptions<Record<never, never>, string, unknown>;

/** Makes a sample of a family that is declared wrongly, or returns why that is refused. */
function refusalOf(changes: object, fact: object = {}, recipe: object = {}): string {
  try {
    const options = { ...BOX, scorers: [allFound], ...changes } as unknown as Options;
    const facts = [{ ...FACT, ...fact } as HiddenFact];
    const made = family({ ...options, recipe: (_, request) => ({ ...hideFacts(facts, request, ASKED), ...recipe }) });
    made.make().sample({ length: 300, seed: "a", index: 0, materials });
  } catch (error) {
    return String(error);
  }
  return "none";
}

const own = (grade: unknown): object => ({ scorers: [{ name: "own", about: "", grade: () => grade }] });
const score = { value: 1, answer: "", why: "" };
const graded = (value: unknown): object => own({ score: { ...score, value }, penalised: score });
const RESERVED = ["task", "name", "knobs", "grid"].map((name) =>
  [
    `a knob called ${name}`,
    { knobs: { [name]: whole({ to: 9 }, "") } },
    /none of task, name, knobs, grid: .*"$/,
  ] as const
);
const empty = () => ({ before: [], context: [], after: [] });

Deno.test.each([
  ...RESERVED,
  ["nothing", {}, /^none$/],
  ["a field of another name", { answerroom: 8 }, /family box as each field must be one of suite, .*"answerroom"$/],
  ["a name with a slash", { name: "a/b" }, /family a\/b as names .* must be letters.*"a\/b"$/],
  ["a task of two words", { tasks: { "one box": {} } }, /family box as names .*"one box"$/],
  [
    "a default below its range",
    { knobs: { n: whole({ from: 2, to: 9, byDefault: 1 }, "") } },
    /box as the default of n/,
  ],
  ["a choice of none", { knobs: { way: { ...oneOf(["a"], ""), byDefault: "c" } } }, /box .* must be one of a: .*"c"$/],
  [
    "a scorer that is a function",
    { scorers: [() => 1] },
    /box as each of its scorers must be \{ name, about, grade \}/,
  ],
  ["a scorer without a name", { scorers: [{ grade: () => score }] }, /box as each of its scorers .*is \{\}$/],
  ["a value above 1", graded(1.5), /task box .*scorer "own" as grade.*1\.5/],
  ["no number", graded(NaN), /task box .*in \[0, 1\] or null.*"value":"NaN"/],
  ["a text", graded("1"), /task box .*"score":\{"value":"1"/],
  ["no value", graded(undefined), /task box .*"score":\{"value":"undefined"/],
  ["nothing returned", own(undefined), /task box .* value is "undefined"$/],
  [
    "a promise",
    own(Promise.resolve({ score, penalised: score })),
    /task box .*and no promise.* current value is \{\}$/,
  ],
  ["no penalised score", own({ score }), /task box .* current value is \{"score":/],
  ["a right reply without a score", graded(null), /task box .*gave no score: .*"31"$/],
  [
    "an error of a scorer",
    { scorers: [{ name: "own", grade: () => null!["x"] }] },
    /Cannot use task box .*Cannot read/,
  ],
  ["an answer room of NaN", { answerRoom: NaN }, /task box as answerRoom must be a whole number from 1.*NaN$/],
  ["a negative answer room", { answerRoom: -8 }, /task box as answerRoom must be .* -8$/],
  ["half an answer room", { answerRoom: 8.5 }, /task box as answerRoom must be .* 8\.5$/],
  ["a writer without a text", { write: () => ["31"] }, /task box as write must return a text: .* \["31"\]$/],
] as [string, object, RegExp][])("a family is refused before a model is asked for %s", (_name, changes, message) => {
  match(refusalOf(changes), message);
});

Deno.test.each([
  ["a depth of 50", { depth: 50 }, {}, /task box .*depth must be in \[0, 1\]: current value is 50$/],
  ["a depth that is no number", { depth: NaN }, {}, /task box .*depth must be in \[0, 1\]: current value is NaN$/],
  ["a blank value", { value: " " }, {}, /task box .*must be a right answer.*1 of them/],
  ["a value that is a number", { value: 31 }, {}, /task box as references must be a list of texts: .*\[31\]$/],
  ["no target", { role: "distractor" }, {}, /task box as references must have a right answer, unless its scorer/],
  ["references that are a text", {}, { references: () => "31" }, /task box as references must be a list of texts/],
  ["an answer prefix that is missing", {}, { answerPrefix: undefined }, /task box as answerPrefix must be a text/],
  ["a size without a layout", {}, { layOut: () => undefined }, /^TypeError: Cannot use task box of box-1: Cannot/],
  ["a filler that adds nothing", {}, { closeGap: undefined, layOut: empty }, /Cannot use task box .*must add tokens/],
] as [string, object, object, RegExp][])("a recipe is refused for %s", (_name, fact, recipe, message) => {
  match(refusalOf({}, fact, recipe), message);
});
