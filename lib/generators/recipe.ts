import { createHash } from "node:crypto";
import type { Filler } from "./fillers.ts";
import { countLayout, joinLayout, type Layout, locateFacts } from "./layout.ts";
import {
  type ChatTemplate,
  type Fact,
  type Materials,
  PLAIN_TEMPLATE,
  type Prompt,
  type Sample,
  type Wrapping,
} from "./sample.ts";
import type { SampleRequest, Task } from "./task.ts";
import { measure } from "@/lib/text/mod.ts";

/** The longest context that is generated, in tokens. */
const MOST_TOKENS = 2_000_000;

/** One sample's text as a function of its size; everything random in it is already decided. */
export interface Recipe {
  /** The least number of haystack units (sentences, lines, words, documents) that makes a whole sample. */
  readonly least: number;
  /** The greatest number of units there is. */
  readonly most: number;
  /** Lays the sample out with this many units. */
  layOut(size: number): Layout;
  /** Fills the tokens left over by the largest layout that fits, if the parts can. */
  closeGap?(
    size: number,
    gap: number,
    fits: (layout: Layout) => boolean,
  ): Layout;
  /** The start of the answer; empty where a task has none. */
  readonly answerPrefix: string;
  /** What stands around the prompt instead of the template's own texts, where the task changes them. */
  readonly wrapping?: Wrapping;
  /** The name of the texts it is made of, where there is a choice; part of the sample's id. */
  readonly source?: string;
  /** The right answers, once the size is known. */
  references(size: number): readonly string[];
  /** The wrong answer that the text offers beside each reference; empty where it offers none. */
  readonly distractors?: readonly string[];
  /** The size, where it follows from the length itself and not from what fits in it in tokens. */
  readonly fixedSize?: number;
  /** For each reference that is found step by step, the values on the way to it and itself, in order. */
  readonly paths?: readonly (readonly string[])[];
  /** Where the (first) needle is asked for, as a share of the context, in tasks that go through a grid of depths. */
  readonly depth?: number;
  /** Facts with no one place in the context, such as the counts of words. */
  spreadFacts?(size: number): readonly Fact[];
}

/** The part of a recipe that is the same wherever filler takes up the length: as many units as fit, then its own way to close a gap. */
export function fillBy(
  filler: Filler,
  layOut: (size: number, filler: Filler) => Layout,
  { least = 0 }: { readonly least?: number } = {},
): Pick<Recipe, "least" | "most" | "layOut" | "closeGap"> {
  return {
    least,
    most: Infinity,
    layOut: (size) => layOut(size, filler),
    closeGap(size, gap, fits): Layout {
      for (const { filler: tighter, added } of filler.tighten?.(size, gap) ?? []) {
        const layout = layOut(size + added, tighter);
        if (fits(layout)) return layout;
      }
      return layOut(size, filler);
    },
  };
}

/** What is specific to one task; {@linkcode makeTask} does the rest. */
export interface TaskParts extends Pick<Task, "suite" | "name" | "category" | "options" | "answerRoom" | "scorer"> {
  /** Samples probed for the least length, where they are large and so alike that fewer do: within a hundredth in tokens. */
  readonly probes?: number;
  /** Decides everything random about a sample. */
  recipe(request: SampleRequest): Recipe;
  /** Finds the least length where probing some samples does not; `probe` does that. */
  leastLength?(materials: Materials, template: ChatTemplate, probe: () => number): number;
}

/** Makes a task: fits samples to their length, refuses lengths that are too short, names and hashes samples. */
export function makeTask(parts: TaskParts): Task {
  const { suite, name, category, options, answerRoom, scorer } = parts;
  const leastLength = (materials: Materials, template: ChatTemplate = PLAIN_TEMPLATE): number =>
    materials.remember(`least length/${identify(parts)}/${JSON.stringify(template)}`, () => {
      const probe = (): number => findLeastLength(parts, materials, template);
      return parts.leastLength ? parts.leastLength(materials, template, probe) : probe();
    });
  const sample = (request: SampleRequest): Sample => {
    const { materials, template = PLAIN_TEMPLATE } = request;
    checkRequest(request, name, () => leastLength(materials, template));
    return makeSample(parts, { ...request, template });
  };
  return {
    suite,
    name,
    category,
    options,
    answerRoom,
    scorer,
    sample,
    leastLength,
  };
}

function makeSample(
  parts: TaskParts,
  request: SampleRequest & { readonly template: ChatTemplate },
): Sample {
  const { length, index, materials, template } = request;
  const { tokenizer } = materials;
  const recipe = parts.recipe(request);
  const budget = length - parts.answerRoom - template.extraTokens -
    tokenizer.count(template.system ?? "");
  const framed = framing(template, recipe, materials);
  const costOf = (size: number): number => countLayout(framed(recipe.layOut(size)), tokenizer);
  const isFixed = recipe.fixedSize !== undefined;
  const size = recipe.fixedSize ?? largestFit(budget, costOf, recipe);
  let layout = recipe.layOut(size);
  const gap = isFixed ? 0 : budget - countLayout(framed(layout), tokenizer);
  if (gap < 0) throw tooShort(parts.name, { least: length - gap, length });
  const fits = (candidate: Layout): boolean => countLayout(framed(candidate), tokenizer) <= budget;
  if (gap > 0 && recipe.closeGap) layout = recipe.closeGap(size, gap, fits);
  const rendered = framed(layout);
  const facts = [
    ...locateFacts(rendered, tokenizer),
    ...(recipe.spreadFacts?.(size) ?? []),
  ];
  const prompt: Prompt = {
    ...(template.system === undefined ? {} : { system: template.system }),
    user: joinLayout(layout, tokenizer).text,
    ...(template.answerPrefix ? { answerPrefix: recipe.answerPrefix } : {}),
    ...(recipe.wrapping === undefined ? {} : { wrapping: recipe.wrapping }),
  };
  return {
    id: nameSample(parts, request, recipe.source),
    suite: parts.suite,
    task: parts.name,
    index,
    length,
    promptTokens: countLayout(rendered, tokenizer) + length -
      parts.answerRoom - budget,
    answerRoom: parts.answerRoom,
    prompt,
    references: recipe.references(size),
    ...(recipe.distractors === undefined ? {} : { distractors: recipe.distractors }),
    ...(recipe.paths === undefined ? {} : { paths: recipe.paths }),
    ...(recipe.depth === undefined ? {} : { depth: recipe.depth }),
    facts,
    sha256: hashPrompt(prompt, template),
  };
}

/** Puts a template and the answer prefix around layouts. */
function framing(
  template: ChatTemplate,
  { answerPrefix, wrapping = template }: Recipe,
  { tokenizer }: Materials,
): (layout: Layout) => Layout {
  const ending = wrapping.after + (template.answerPrefix ? answerPrefix : "");
  const before = wrapping.before === "" ? [] : [{ measured: measure(wrapping.before, tokenizer) }];
  const after = ending === "" ? [] : [{ measured: measure(ending, tokenizer) }];
  return (layout) => ({
    before: [...before, ...layout.before],
    context: layout.context,
    after: [...layout.after, ...after],
  });
}

/** Samples probed for the least length; their keys and values differ in tokens by a few. */
const PROBES = 64;

function findLeastLength(
  parts: TaskParts,
  materials: Materials,
  template: ChatTemplate,
): number {
  const { tokenizer } = materials;
  let most = 0;
  let sum = 0;
  const { probes = PROBES } = parts;
  for (let index = 0; index < probes; index++) {
    // The length enters some recipes (vocabulary, example); the shortest lengths use the smallest of both.
    const recipe = parts.recipe({
      length: 512,
      seed: "least length",
      index,
      materials,
      template,
    });
    const framed = framing(template, recipe, materials);
    const tokens = countLayout(framed(recipe.layOut(recipe.least)), tokenizer);
    most = Math.max(most, tokens);
    sum += tokens;
  }
  const rest = parts.answerRoom + template.extraTokens +
    tokenizer.count(template.system ?? "");
  // Half as far again above the longest probe as that is above the mean: about six standard deviations. Tokens of keys are
  // skewed, and a task that says its key several times multiplies that: less room was too little for 1 sample in 1,000.
  const room = probes < PROBES ? 0.01 * most : 1.5 * (most - sum / probes);
  return Math.ceil((most + room + rest + 4) / 8) * 8;
}

function checkRequest(
  request: SampleRequest,
  name: string,
  leastLength: () => number,
): void {
  const { length, index } = request;
  if (!Number.isInteger(length) || length > MOST_TOKENS) {
    throw new RangeError(
      `Cannot generate ${name} as length must be a whole number of at most ${MOST_TOKENS} tokens: current value is ${length}`,
    );
  }
  const least = leastLength();
  if (length < least) {
    throw new RangeError(
      `Cannot generate ${name} as length must be at least ${least} tokens: current value is ${length}`,
    );
  }
  if (!Number.isInteger(index) || index < 0) {
    throw new RangeError(
      `Cannot generate ${name} as index must be a whole number from 0: current value is ${index}`,
    );
  }
}

function tooShort(
  name: string,
  { least, length }: { readonly least: number; readonly length: number },
): RangeError {
  return new RangeError(
    `Cannot generate ${name} as length must be at least ${least} tokens: current value is ${length}`,
  );
}

/** Lists the knobs that a sample's name does not imply. */
function identify(parts: TaskParts): string {
  const knobs = Object.entries(parts.options).map(([key, value]) => `${key}=${value}`).join(",");
  return `${parts.suite}/${parts.name}/${knobs}`;
}

function nameSample(
  parts: TaskParts,
  request: SampleRequest & { readonly template: ChatTemplate },
  source?: string,
): string {
  const { materials, template, length, seed, index } = request;
  const texts = source === undefined ? [] : [source];
  return [
    identify(parts),
    ...texts,
    materials.tokenizer.name,
    template.name,
    length,
    seed,
    index,
  ].join("/");
}

function hashPrompt(prompt: Prompt, template: ChatTemplate): string {
  const hash = createHash("sha256");
  const { before, after } = prompt.wrapping ?? template;
  // A character that no prompt holds keeps the parts apart.
  for (
    const text of [
      prompt.system ?? "",
      before,
      prompt.user,
      after,
      prompt.answerPrefix ?? "",
    ]
  ) hash.update(text).update("\0");
  return hash.digest("hex");
}

/**
 * Finds the greatest size whose cost is within a budget, for a cost that grows with size.
 *
 * Costs of prompts grow almost in proportion to size, so the next size is guessed by the straight line through the two
 * ends of the bracket: a handful of layouts instead of the scan of every size that RULER makes.
 */
function largestFit(
  budget: number,
  costOf: (size: number) => number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  let low = least;
  let lowCost = costOf(low);
  let high = Math.min(most, 2 * least + 1);
  let highCost = costOf(high);
  while (highCost <= budget) {
    if (high === most) return most;
    const slope = Math.max((highCost - lowCost) / (high - low), 1e-9);
    const guess = Math.ceil(high + 1.02 * (budget - highCost) / slope) + 1;
    [low, lowCost] = [high, highCost];
    high = Math.min(most, Math.max(guess, high + 1));
    highCost = costOf(high);
  }
  for (let round = 0; high - low > 1; round++) {
    const share = (budget - lowCost) / (highCost - lowCost);
    // Every third round halves the bracket, so that a nonlinear cost cannot slow the search.
    const guess = round % 3 === 2 ? (low + high) >> 1 : Math.floor(low + share * (high - low));
    const middle = Math.min(high - 1, Math.max(low + 1, guess));
    const cost = costOf(middle);
    if (cost <= budget) [low, lowCost] = [middle, cost];
    else [high, highCost] = [middle, cost];
  }
  return low;
}
