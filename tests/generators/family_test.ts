import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { BENCHMARKS, findScorer, listFamilies } from "@/lib/benchmarks/mod.ts";
import { identify } from "@/lib/generators/family.ts";
import {
  family,
  type Layout,
  PLAIN_TEMPLATE,
  type Recipe,
  type RecipeRequest,
  type Sample,
  whole,
} from "@/lib/generators/mod.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { allFound, anyFound } from "@/lib/scorers/mod.ts";
import { measure } from "@/lib/text/mod.ts";
import { openTestMaterials } from "./_materials.ts";

const materials = await openTestMaterials("cl100k_base");

/** A family of one word that stands so often as it fits, with the number that is asked for. */
const COUNTED = family({
  suite: "counted-1",
  name: "counted",
  nameOf: ({ number = 1 }) => `counted_${number}`,
  about: "a number is asked for",
  category: "retrieval",
  knobs: { number: whole({ from: 1, to: 9, byDefault: 1 }, "the number") },
  tasks: { "counted_low": {}, "counted_high": { number: 9 } },
  adapt: (task, { number }) => task === "counted_low" && number === 9 ? { number: 9 } : {},
  scorers: [allFound, anyFound],
  scorerOf: ({ number }) => number > 5 ? anyFound : allFound,
  answerRoom: ({ number }) => 8 + number,
  recipe: ({ number }, { materials: { tokenizer } }): Recipe => ({
    least: 1,
    most: Infinity,
    layOut: (size) => ({
      before: [{ measured: measure(`The number is ${number}.`, tokenizer) }],
      context: [{ measured: measure(" word".repeat(size), tokenizer) }],
      after: [{ measured: measure("\nWhich number?", tokenizer) }],
    }),
    answerPrefix: "",
    references: () => [`${number}`],
  }),
});

Deno.test("family() makes tasks whose name, options, scorer and answer room follow from the knobs", () => {
  const [own, named, high] = [
    COUNTED.make({ number: 7 }),
    COUNTED.make({ name: "mine" }),
    COUNTED.task("counted_high"),
  ];
  deepEqual([own.name, named.name, high.name], ["counted_7", "mine", "counted_high"]);
  deepEqual([own.options, high.options], [{ number: 7 }, { number: 9 }]);
  deepEqual([own.scorer.name, named.scorer.name], ["any", "all"]);
  deepEqual([own.answerRoom, named.answerRoom], [15, 9]);
});

Deno.test("leastLength() takes what the materials know for a template that adds nothing, and finds it for any other", () => {
  const task = COUNTED.task("counted_low");
  const known = { ...materials, leastLengths: { [identify(task)]: 77 } };
  equal(task.leastLength(known), 77);
  equal(task.leastLength(known, { ...PLAIN_TEMPLATE, name: "mine" }), 77);
  const found = task.leastLength(materials);
  notEqual(found, 77);
  for (const added of [{ extraTokens: 16 }, { before: "<s>" }, { after: "</s>" }, { system: "Be brief." }]) {
    ok(task.leastLength(known, { ...PLAIN_TEMPLATE, ...added }) >= found, JSON.stringify(added));
    notEqual(task.leastLength(known, { ...PLAIN_TEMPLATE, ...added }), 77);
  }
  equal(task.leastLength(known, { ...PLAIN_TEMPLATE, answerPrefix: false }), found, "its answer prefix is empty");
});

Deno.test("a sample that does not fit is drawn again where its recipe allows it, and refused where it does not or never fits", () => {
  const drawn: number[] = [];
  const make = (again: Pick<Recipe, "canBeDrawnAgain">, fitsAt: number): Sample =>
    family({
      suite: "again-1",
      name: "again",
      about: "a word is asked for",
      category: "retrieval",
      knobs: {},
      tasks: {},
      scorers: [allFound],
      answerRoom: 8,
      leastLength: () => 20,
      recipe(_, { attempt = 0, seed, materials: { tokenizer } }): Recipe {
        if (seed === "a") drawn.push(attempt);
        const text = measure(" word".repeat(attempt < fitsAt ? 200 : 50), tokenizer);
        const layOut = (): Layout => ({ before: [{ measured: text }], context: [], after: [] });
        return { least: 1, most: 1, layOut, answerPrefix: "", references: () => [`${attempt}`], ...again };
      },
    }).make().sample({ length: 100, seed: "a", index: 0, materials });
  deepEqual(make({ canBeDrawnAgain: true }, 2).references, ["2"]);
  deepEqual(drawn, [0, 1, 2]);
  const refusal = { name: "RangeError", message: /^Cannot generate again as length must be at least 208 tokens/ };
  throws(() => make({}, 2), refusal);
  throws(() => make({ canBeDrawnAgain: true }, Infinity), refusal);
  equal(drawn.at(-1), 99);
});

Deno.test("family() refuses a task that it has not, and knobs that it has not", () => {
  throws(() => COUNTED.task("counted_middle" as "counted_low"), {
    message:
      'Cannot make the task as its name must be one of counted_low, counted_high: current value is "counted_middle"',
  });
  throws(() => COUNTED.make({ keys: 1 } as never), { message: /each knob must be one of number/ });
});

const DRAWN = {
  suite: "drawn-1",
  name: "drawn",
  about: "a drawn number is asked for",
  category: "retrieval",
  tasks: {},
  scorers: [allFound],
  answerRoom: 8,
} as const;

const keys = whole({ from: 1, to: 9, byDefault: 1 }, "keys");
const pages = whole({ from: 1, to: 9, byDefault: 1 }, "pages", { omitDefault: true });

/** Pages that give a number, drawn with a seed path of all knobs. */
function drawnRecipe({ materials: { tokenizer }, seed, index, options }: RecipeRequest, pages = 1): Recipe {
  const number = String(integer(stream(seed, JSON.stringify(options), index), { low: 100, high: 999 }));
  return {
    least: 1,
    most: Infinity,
    layOut: (size) => ({
      before: [],
      context: [{ measured: measure(`It is ${number}. `.repeat(pages) + "word ".repeat(size), tokenizer) }],
      after: [{ measured: measure("Which number?", tokenizer) }],
    }),
    answerPrefix: "",
    references: () => [number],
  };
}

Deno.test("a knob that omits its default leaves samples and ids as they were before it, and changes both otherwise", () => {
  const before = family({ ...DRAWN, knobs: { keys }, recipe: (_settings, request) => drawnRecipe(request) });
  const after = family({
    ...DRAWN,
    knobs: { keys, pages },
    recipe: (settings, request) => drawnRecipe(request, settings.pages),
  });
  const request = { length: 100, seed: "a", index: 0, materials };
  const sample = before.make().sample(request);
  for (const given of [{}, { pages: 1 }]) deepEqual(after.make(given).sample(request), sample);
  deepEqual(after.make().options, { keys: 1 });
  const two = after.make({ pages: 2 });
  deepEqual(two.options, { keys: 1, pages: 2 });
  ok(two.sample(request).id.startsWith("drawn-1/drawn/keys=1,pages=2/"));
  notEqual(two.sample(request).references[0], sample.references[0]);
});

Deno.test("BENCHMARKS have families, tasks and scorers of different names, and every scorer is found by its name", () => {
  const families = listFamilies();
  const names = families.flatMap(({ name, tasks }) => [name, ...tasks.filter((task) => task !== name)]);
  equal(new Set(names).size, names.length);
  equal(new Set(BENCHMARKS.map(({ name }) => name)).size, BENCHMARKS.length);
  for (const scorer of families.flatMap(({ scorers }) => scorers)) {
    equal(findScorer(scorer.name).unguarded, scorer.unguarded, scorer.name);
  }
  throws(() => findScorer("toString"), { name: "RangeError" });
  for (const { tasks, families } of BENCHMARKS) {
    ok(tasks.every((task) => families.some((each) => each.tasks.includes(task))));
    // A suite without tasks is one of its authors' files.
    ok(tasks.length > 0 || families.every((family) => family.tasks.length === 0 && "overlong" in family.knobs));
  }
});
