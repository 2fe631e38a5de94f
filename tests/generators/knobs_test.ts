import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { omitDefaults, readKnobs, settledKnobs } from "@/lib/generators/knob_values.ts";
import {
  also,
  joinTexts,
  type Knob,
  knobInId,
  maybe,
  number,
  oneOf,
  ownNames,
  splitTexts,
  text,
  texts,
  whole,
} from "@/lib/generators/mod.ts";

const KNOBS = {
  variant: oneOf(["2026", "2024"], "whose wording"),
  keys: whole({ from: 1, to: 1000, byDefault: 1 }, "keys"),
  alpha: number({ above: 1, to: 10, byDefault: 2 }, "exponent"),
  depth: number({ from: 0, to: 1 }, "place"),
  order: maybe(oneOf(["rising", "shuffled"], "order")),
  needle: text("a sentence"),
};

Deno.test("readKnobs() fills in defaults in the order of the knobs, and leaves out what has none", () => {
  const values = readKnobs(KNOBS, {}, "t");
  deepEqual(Object.entries(values), [["variant", "2026"], ["keys", 1], ["alpha", 2]]);
});

Deno.test("readKnobs() reads values as YAML has them and as the shell does, to the same values", () => {
  const given = { variant: 2024, keys: 8, alpha: 1.5, depth: 0, order: "shuffled", needle: " A line. " };
  const typed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const values = { ...given, variant: "2024" };
  deepEqual(readKnobs(KNOBS, given, "t"), values);
  deepEqual(readKnobs(KNOBS, typed, "t"), values);
});

Deno.test.each(
  [
    [{ hops: 1 }, 'each knob must be one of variant, keys, alpha, depth, order, needle: current value is "hops"'],
    [{ keys: 0 }, "keys must be a whole number from 1 to 1000: current value is 0"],
    [{ keys: "" }, 'keys must be a whole number from 1 to 1000: current value is ""'],
    [{ alpha: NaN }, "alpha must be above 1 and at most 10: current value is NaN"],
    [{ depth: 1.5 }, "depth must be in [0, 1]: current value is 1.5"],
    [{ variant: "1999" }, 'variant must be one of 2026, 2024: current value is "1999"'],
    [{ order: "falling" }, 'order must be one of rising, shuffled: current value is "falling"'],
    [{ needle: "  " }, 'needle must be a text: current value is "  "'],
  ] as [Record<string, unknown>, string][],
)("readKnobs() refuses %j", (given, reason) => {
  throws(() => readKnobs(KNOBS, given, "t"), { name: "RangeError", message: `Cannot make task t as ${reason}` });
});

Deno.test("omitDefaults() leaves out the defaults of just the knobs that say so", () => {
  const knobs = {
    ...KNOBS,
    padding: whole({ to: 9, byDefault: 2 }, "lines", { omitDefault: true }),
    form: oneOf(["long", "short"], "form", { omitDefault: true }),
  };
  const values = readKnobs(knobs, {}, "t");
  deepEqual([values.padding, values.form], [2, "long"]);
  deepEqual(omitDefaults(knobs, values), { variant: "2026", keys: 1, alpha: 2 });
  const changed = readKnobs(knobs, { padding: "3", form: "short" }, "t");
  deepEqual(omitDefaults(knobs, changed), { variant: "2026", keys: 1, alpha: 2, padding: 3, form: "short" });
});

Deno.test("texts() takes a list or one text with | between them, and splitTexts() gives the list back", () => {
  const needles = texts("needles");
  deepEqual(splitTexts(needles.read(["a|b", "\\n"])!), ["a|b", "\\n"]);
  equal(needles.read(["a", "b"]), needles.read("a|b"));
  for (const wrong of [[], ["a", " "], ["a", 1], 1, ""]) equal(needles.read(wrong), undefined);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "|", "\\", "\n") }), { minLength: 1 }), (list) => {
      deepEqual(splitTexts(joinTexts(list)), list);
    }),
  );
});

Deno.test.each(
  [
    ["whole", whole({ from: -3, to: 3 }, "h"), [-3, 0, "3", " 2 "], [-4, 4, 0.5, "", " ", "x", NaN, true, null, [1]]],
    ["number", number({ from: -1, to: 1 }, "h"), [-1, "0.5", 1], [-1.01, 1.01, "", "x", Infinity, NaN, true, null]],
    ["number above", number({ above: 0, to: 1 }, "h"), [1e-9, "1"], [0, -1, "0", 1.01]],
    ["oneOf", oneOf(["1", "two"], "h"), [1, "1", "two"], [2, "Two", "", null, undefined]],
    ["text", text("h"), ["a", " a "], ["", " ", 1, null, ["a"]]],
    ["texts", texts("h"), ["a", ["a"], ["a", "b"]], ["", [], ["a", ""], [1], 1, null]],
  ] as [string, Knob, unknown[], unknown[]][],
)("%s() takes its values and nothing else", (_name, knob, taken, refused) => {
  for (const value of taken) ok(knob.read(value) !== undefined, JSON.stringify(value));
  for (const value of refused) equal(knob.read(value), undefined, JSON.stringify(value));
});

Deno.test("settledKnobs() lists settled values before given ones, in the order of the knobs, and no others", () => {
  const values = { needle: "a", keys: 8, name: "mine" };
  deepEqual(Object.entries(settledKnobs(KNOBS, { settings: { depth: 0, needle: "b", more: 1 }, values })), [
    ["keys", 8],
    ["depth", 0],
    ["needle", "b"],
  ]);
  // What is settled as anything but a value is no value.
  deepEqual(settledKnobs(KNOBS, { settings: { keys: [8, 9], depth: undefined, order: null }, values }), {
    keys: 8,
    needle: "a",
  });
});

Deno.test("also() gives a knob the names and words of the reference; the knob itself is not changed", () => {
  const keys = also(KNOBS.keys, ["num_needle_k"]);
  const haystack = also(oneOf(["essay", "noise"], "the text"), ["type_haystack"], { repeat: "noise" });
  equal(keys.help, "keys (also num_needle_k)");
  deepEqual(ownNames({ keys, haystack }, { num_needle_k: 8, haystack: "repeat" }), { keys: 8, haystack: "repeat" });
  deepEqual(["repeat", "noise", "toString"].map(haystack.read), ["noise", "noise", undefined]);
  equal(KNOBS.keys.also, undefined);
});

Deno.test("ownNames() leaves a knob that is given by both names, which is then refused", () => {
  const knobs = { keys: also(KNOBS.keys, ["num_needle_k"]) };
  const both = ownNames(knobs, { keys: 1, num_needle_k: 8 });
  throws(() => readKnobs(knobs, both, "t"), /each knob must be one of keys: current value is "num_needle_k"/);
});

const ID = "ruler-2/niah/keys=4,depth=0.5,haystack=essay/essays_en/cl100k_base/base/4096/seed=9/17";

Deno.test.each(
  [
    ["keys", "4"],
    ["depth", "0.5"],
    ["haystack", "essay"],
    ["key", undefined],
    ["stack", undefined],
    ["hay", undefined],
    ["values", undefined],
  ] as [string, string | undefined][],
)("knobInId() reads the knob %s in whole words", (knob, value) => {
  equal(knobInId(ID, knob), value);
});
