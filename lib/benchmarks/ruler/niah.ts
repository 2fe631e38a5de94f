import { needleFiller } from "./needle_lines.ts";
import { type Needle, needleSentence, needleTexts, noiseFiller, readTexts } from "./needles.ts";
import { REPEAT, RULER_SUITE, VARIANT_KNOB, type Wording } from "./wording.ts";
import wordings from "./wordings.json" with { type: "json" };
import {
  also,
  askAll,
  type Asked,
  checkEssays,
  checkWhole,
  essayFiller,
  family,
  fillBy,
  type Filler,
  type Layout,
  measureOnce,
  type Named,
  number,
  oneOf,
  type PartFact,
  type Planted,
  plantFacts,
  plantOnce,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { integer, spreadDepths, stream } from "@/lib/random/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The knobs of needle tasks; sample ids list them in this order. */
const KNOBS = {
  variant: VARIANT_KNOB,
  haystack: also(oneOf(["essay", "noise", "needle"], "what the needles are hidden in"), ["type_haystack"], REPEAT),
  keyType: also(oneOf(["words", "numbers", "uuids"], "what keys are made of"), ["type_needle_k"]),
  valueType: also(oneOf(["numbers", "words", "uuids"], "what values are made of"), ["type_needle_v"]),
  keys: also(whole({ from: 1, to: 1000, byDefault: 1 }, "keys; those not asked for are distractors"), ["num_needle_k"]),
  values: also(whole({ from: 1, to: 100, byDefault: 1 }, "values of each key"), ["num_needle_v"]),
  queries: also(whole({ from: 1, to: 100, byDefault: 1 }, "keys asked for"), ["num_needle_q"]),
  depth: number({ from: 0, to: 1 }, "depth of the asked needles; spread evenly unless given"),
  questions: QUESTIONS,
};

type Settings = Named<typeof KNOBS>;

/**
 * Needles in a haystack: keys with values are hidden in a text, and the question asks for the values of some keys (RULER,
 * section 3.1; niah.py).
 *
 * Unlike the reference, no key or value equals another or is part of one, essays can start anywhere, depths are spread evenly,
 * and a needle can come last. RULER dropped the last three tasks after its correlation study (appendix C).
 */
export const NIAH = family({
  suite: RULER_SUITE,
  name: "niah",
  about: "asks for the values of keys hidden in a text",
  asks: /What (?:is|are all) the special magic .+? mentioned in the provided text\?/,
  category: "retrieval",
  knobs: KNOBS,
  tasks: {
    "niah_single_1": { haystack: "noise" },
    "niah_single_2": {},
    "niah_single_3": { valueType: "uuids" },
    "niah_multikey_1": { keys: 4 },
    "niah_multikey_2": { haystack: "needle" },
    "niah_multikey_3": { haystack: "needle", keyType: "uuids", valueType: "uuids" },
    "niah_multivalue": { values: 4 },
    "niah_multiquery": { queries: 4 },
    "niah_single_words": { valueType: "words" },
    "niah_multivalue_2": { values: 2 },
    "niah_multiquery_2": { queries: 2 },
  },
  // Table 7 prints words as the values of niah_single_3; the code has UUIDs.
  adapt: (task, { variant }) => task === "niah_single_3" && variant === "paper" ? { valueType: "words" } : {},
  scorers: [allFound],
  answerRoom: 128,
  settle(given): Settings {
    const asked = given.queries * given.questions;
    checkWhole(asked, { task: given.name, knob: "queries times questions", low: 1, high: 1000 });
    return { ...given, keys: Math.max(given.keys, asked) };
  },
  // In a haystack of needles, every line is a distractor.
  harder: ({ haystack }) => ({ ...(haystack === "needle" ? {} : { keys: "up" }), queries: "up", values: "up" }),
  recipe: niahRecipe,
});

function niahRecipe(settings: Settings, request: RecipeRequest): Recipe {
  const { materials, length, seed, index, template, options } = request;
  const { tokenizer } = materials;
  const { name, haystack, keyType, valueType, values, queries, questions, depth: fixedDepth } = settings;
  // Subtle: the order of the knobs is part of the path of every draw.
  const path = [seed, RULER_SUITE, name, JSON.stringify(options), length];
  const draw = stream(...path, index);
  const texts = needleTexts(draw, { keyType, valueType, materials });
  const [newKey, newValue] = [readTexts(texts.newKey, materials), readTexts(texts.newValue, materials)];
  const keys = Array.from({ length: settings.keys }, () => newKey());
  const targets = queries * values;
  // Each question asks for keys of its own.
  const depths = Array.from({ length: questions }, (_, question) => {
    if (fixedDepth !== undefined) return Array<number>(targets).fill(fixedDepth);
    return spreadDepths(path, { index: index * questions + question, count: targets, remember: materials.remember });
  }).flat();
  // The first keys are asked for; the needles of all others are anywhere.
  const placed = keys.flatMap((key, keyNumber) =>
    Array.from({ length: values }, (_, valueNumber): Placed => {
      const value = newValue();
      const depth = depths[keyNumber * values + valueNumber];
      if (depth === undefined) return { key, value, role: "distractor", depth: draw() };
      const answers = { [Math.floor(keyNumber / queries)]: value };
      return { key, value, role: "target", depth, answers };
    })
  );
  const filler = {
    essay: () => {
      const { essays } = materials;
      materials.remember(`niah/${essays.name}`, () => checkEssays(essays, { task: name, ...NEEDLE_LIKE }));
      return essayFiller(essays, { start: integer(draw, { low: 0, high: essays.size - 1 }), tokenizer });
    },
    noise: () => noiseFiller(materials),
    needle: () => needleFiller({ keyType, valueType, ...texts, materials }),
  }[haystack]();
  const needles = placed.map(({ depth, ...needle }) => {
    const text = needleSentence(valueType, needle);
    return { depth, part: plantOnce(filler, { text, ...needle }) };
  });
  const wordings = Array.from({ length: questions }, (_, question) => {
    const asked = keys.slice(question * queries, (question + 1) * queries);
    return niahWording({ ...settings, queries: asked });
  });
  const { opening, isSingular } = wordings[0]!;
  const asked = wordings.map(({ question, answerPrefix }, number): Asked => {
    const references = placed.slice(number * targets, (number + 1) * targets).map(({ value }) => value);
    const after = [{ measured: measure(filler.beforeQuestion + question, tokenizer) }];
    return { after, answerPrefix, references: () => references };
  });
  const before = [{ measured: measureOnce(opening, materials) }];
  const { after } = asked[0]!;
  const layOut = (size: number, by: Filler): Layout => {
    const planted = needles.map(({ depth, part }): Planted => ({ at: Math.round(depth * size), part }));
    const inOrder = planted.toSorted((left, right) => left.at - right.at);
    return { before, context: plantFacts(inOrder, { filler: by, size }), after };
  };
  return {
    // The first sentence of an essay may not fit; then a shorter one closes the gap.
    ...fillBy(filler, layOut, { least: haystack === "essay" ? 0 : 1 }),
    ...askAll(asked),
    ...(isSingular && template.singular ? { wrapping: template.singular } : {}),
    ...(haystack === "essay" ? { source: materials.essays.name } : {}),
  };
}

/** Text that reads like a needle; an essay that has some could answer the question. */
const NEEDLE_LIKE = {
  mark: /special magic (?:number|word|uuid)s?/i,
  called: "needles of the task's own form",
} as const;

/** A needle and its depth: the share of the filler before it. */
interface Placed extends Needle, Pick<PartFact, "role" | "answers"> {
  readonly depth: number;
}

/** Returns the words of a needle question (niah.py; paper, Tables 7 and 8), and whether the code makes the whole prompt singular. */
export function niahWording(
  { queries, values, valueType, keyType, variant }:
    & Pick<Settings, "values" | "valueType" | "keyType" | "variant">
    & { readonly queries: readonly string[] },
): Wording & { readonly isSingular: boolean } {
  const keys = queries.length === 1 ? queries[0]! : `${queries.slice(0, -1).join(", ")}, and ${queries.at(-1)}`;
  const isOne = queries.length * values === 1;
  const singular = valueType.slice(0, -1);
  // The code changes the chat template too; the paper prints a plural opening above a singular question.
  const isSingular = isOne && variant !== "paper";
  // Table 7 asks for "number" if keys and values are UUIDs.
  const asked = variant === "paper" && keyType === "uuids" && valueType === "uuids" ? "number" : singular;
  const fill = (template: string, type: string): string =>
    template.replaceAll("{type}", type).replace("{keys}", () => keys);
  const { one, several } = wordings.niah;
  const { question, answerPrefix } = isOne ? one : several;
  return {
    opening: isSingular ? fill(one.opening, singular) : fill(several.opening, valueType),
    question: fill(question, isOne ? asked : valueType),
    answerPrefix: fill(answerPrefix, isOne ? asked : valueType),
    isSingular,
  };
}
