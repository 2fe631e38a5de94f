import { equal, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "./_materials.ts";
import { family, type FamilyOptions, type HiddenFact, hideFacts, oneOf, whole } from "@/lib/generators/mod.ts";
import { allFound, type Scorer } from "@/lib/scorers/mod.ts";

const materials = withOther(await openTestMaterials("cl100k_base"), { remember: (_key, make) => make() });
const FACT: HiddenFact = { role: "target", key: "box", value: "31", text: "The box holds 31 keys.", depth: 0.5 };
const ASKED = { instructions: "Read.", question: "What does it hold?" };
type Options = FamilyOptions<Record<never, never>, string, unknown>;

function declare(changes: object, fact: object = {}, recipe: object = {}): ReturnType<typeof family> {
  const given = {
    suite: "box-1",
    name: "box",
    about: "asks for a number",
    category: "retrieval",
    knobs: {},
    tasks: {},
  };
  const options = { ...given, scorers: [allFound], answerRoom: 8, ...changes } as unknown as Options;
  const facts = [{ ...FACT, ...fact } as HiddenFact];
  return family({ ...options, recipe: (_, request) => ({ ...hideFacts(facts, request, ASKED), ...recipe }) });
}

Deno.test.each([
  ["a field of another name", { answerroom: 8 }, /each field must be one of suite, .*: current value is "answerroom"$/],
  ["a name with a slash", { name: "a/b" }, /as names .* must be letters.*: current value is "a\/b"$/],
  ["a task of two words", { tasks: { "one box": {} } }, /must be letters, digits.*: current value is "one box"$/],
  [
    "a default below its range",
    { knobs: { n: whole({ from: 2, to: 9, byDefault: 1 }, "n") } },
    /default of n must be a/,
  ],
  [
    "a choice of none",
    { knobs: { way: { ...oneOf(["a", "b"], "way"), byDefault: "c" } } },
    /must be one of a, b: .*"c"$/,
  ],
  ["a scorer that is a function", { scorers: [() => 1] }, /each of its scorers must be \{ name, about, grade \}: /],
  ["a scorer without a name", { scorers: [{ grade: allFound.grade }] }, /must be \{ name, about, grade \}: .*is \{\}$/],
] as [string, object, RegExp][])("family() refuses %s", (_name, changes, message) => {
  throws(() => declare(changes), {
    name: "RangeError",
    message: new RegExp(`^Cannot declare family .*${message.source}`),
  });
});

const scoring = (grading: unknown): object => ({
  scorers: [{ name: "own", about: "", grade: () => grading } as Scorer],
});
const score = { value: 1, answer: "", why: "" };

Deno.test.each([
  [
    "a value above 1",
    scoring({ score: { ...score, value: 1.5 }, penalised: score }),
    {},
    /scorer "own" as grade.*1\.5/,
  ],
  [
    "no number",
    scoring({ score: { ...score, value: NaN }, penalised: score }),
    {},
    /in \[0, 1\] or null.*"value":"NaN"/,
  ],
  ["a text", scoring({ score, penalised: { ...score, value: "1" } }), {}, /"penalised":\{"value":"1"/],
  ["nothing", scoring(undefined), {}, /value is "undefined"$/],
  ["a promise", scoring(Promise.resolve({ score, penalised: score })), {}, /and no promise.* current value is \{\}$/],
  ["no penalised score", scoring({ score }), {}, /current value is \{"score":/],
  [
    "no value",
    scoring({ score: { answer: "", why: "" }, penalised: score }),
    {},
    /current value is \{"score":\{"answer"/,
  ],
  ["an error of a scorer", { scorers: [{ name: "own", about: "", grade: () => null!["x"] }] }, {}, /Cannot read prop/],
  ["an answer room of NaN", { answerRoom: NaN }, {}, /answerRoom must be a whole number from 1: current value is NaN$/],
  ["a negative answer room", { answerRoom: -8 }, {}, /answerRoom must be a whole number from 1: current value is -8$/],
  ["half an answer room", { answerRoom: 8.5 }, {}, /answerRoom must be a whole number from 1: current value is 8.5$/],
  ["a writer without a text", { write: () => ["31"] }, {}, /write must return a text: current value is \["31"\]$/],
  [
    "a right reply without a score",
    scoring({ score: { ...score, value: null }, penalised: score }),
    {},
    /gave no score: .*"31"$/,
  ],
  ["a depth of 50", {}, { depth: 50 }, /depth must be in \[0, 1\]: current value is 50$/],
  ["a depth that is no number", {}, { depth: NaN }, /depth must be in \[0, 1\]: current value is NaN$/],
  ["a blank value", {}, { value: " " }, /references of the scorer "all" must be a right answer.*1 of them/],
  ["a value that is a number", {}, { value: 31 }, /references must be a list of texts: current value is \[31\]$/],
  ["no target", {}, { role: "distractor" }, /references must have a right answer, unless its scorer has allowsEmpty/],
] as [string, object, object, RegExp][])(
  "a task is refused before its first sample for %s",
  (_name, changes, fact, message) => {
    const task = declare(changes, fact).make();
    throws(() => task.leastLength(materials), ({ message: found }: Error) => {
      return message.test(found) && /\bbox\b/.test(found) || equal(found, message) === undefined;
    });
  },
);

Deno.test.each([
  [
    "references that are a text",
    { references: () => "31" },
    /references must be a list of texts: current value is "31"/,
  ],
  ["an answer prefix that is missing", { answerPrefix: undefined }, /answerPrefix must be a text/],
  ["a size without a layout", { layOut: () => undefined }, /^TypeError: Cannot use task box of box-1: Cannot/],
  [
    "a filler that adds nothing",
    { closeGap: undefined, layOut: () => ({ before: [], context: [], after: [] }) },
    /must add/,
  ],
] as [string, object, RegExp][])("a recipe is refused for %s", (_name, recipe, message) => {
  throws(() => declare({}, {}, recipe).make().sample({ length: 300, seed: "a", index: 0, materials }), message);
});
