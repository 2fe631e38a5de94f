import { defined, quoteText } from "@/lib/base/mod.ts";
import type { ChatTemplate } from "./chat_template.ts";
import {
  breakAt,
  checkEssays,
  essayFiller,
  type Filler,
  findMark,
  type Planted,
  plantFacts,
  plantOnce,
} from "./fillers.ts";
import { cannotMake } from "./knob_values.ts";
import { hasTurns, joinTurns, type Layout, layoutCounter, layoutWrapper, writeLayout } from "./layout.ts";
import type { Wrapping } from "./prompt.ts";
import type { Fact, Materials, PromptWords, SampleRequest, Task } from "./task.ts";
import { spread } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** Which sample a recipe is to make, the template filled in; `index` is that of the context, if several questions share it. */
export interface RecipeRequest extends SampleRequest {
  readonly template: ChatTemplate;
  /** The knobs as the sample's id lists them, without omitted defaults; use these to seed a draw. */
  readonly options: Task["options"];
  /** How often the sample was drawn before and did not fit; none by default. */
  readonly attempt?: number;
}

/** One sample's text as a function of its size; everything random in it is already decided. */
export interface Recipe {
  /** The fewest units (sentences, lines, words, documents) that make a whole sample. */
  readonly least: number;
  readonly most: number;
  /** The number of units, if the length decides it rather than the tokens that fit. */
  readonly fixedSize?: number;
  /**
   * Estimates the size at which a layout takes the given number of tokens more than the least one; the search for the size starts
   * there. Only if a larger size never has fewer tokens.
   */
  guess?(tokens: number): number;
  /** Set if a sample that does not fit is drawn again, because few do not fit, and only because of their words. */
  readonly canBeDrawnAgain?: true;
  /** Lays the sample out with `size` units. */
  layOut(size: number): Layout;
  /** Uses up the tokens left over by the largest layout that fits, if the parts can. */
  closeGap?(size: number, gap: number, fits: (layout: Layout) => boolean): Layout;
  /** Returns the tokens kept free for the answer to a layout of `size` units, if they depend on it; by default the task's. */
  answerRoom?(size: number): number;
  /** Tokens of the prompt and its answer room that the length does not count; none by default. */
  readonly uncounted?: number;
  readonly answerPrefix: string;
  /** Text around the prompt instead of the template's own, if the task changes that. */
  readonly wrapping?: Wrapping;
  /** The name of the texts it is made of, if there is a choice; part of the sample's id. */
  readonly source?: string;
  /** The right answers. */
  references(size: number): readonly string[];
  /** A wrong answer in the text for each reference; empty if there is none. */
  readonly distractors?: readonly string[];
  /** For each reference that is found step by step, the values on the way and itself, in order. */
  readonly paths?: readonly (readonly string[])[];
  /** The requested depth of the (first) needle in [0, 1], in tasks with a grid of depths. */
  readonly depth?: number;
  /** The question or text that the sample shares with others, if `clusterOf` cannot derive it from the id. */
  readonly cluster?: string;
  /** Facts without a single place in the context, such as word counts. */
  spreadFacts?(size: number): readonly Fact[];
  /** All questions about the context, if the task asks several; the recipe's own is the first. */
  readonly questions?: readonly Asked[];
}

/** A question about a context, and its answer. */
export interface Asked extends Pick<Recipe, "answerPrefix" | "references" | "distractors" | "paths" | "depth"> {
  readonly after: Layout["after"];
}

/** Returns the part of a recipe that its questions decide; the layouts end with the first. */
export function askAll(asked: readonly Asked[]): Omit<Asked, "after"> & Pick<Recipe, "questions"> {
  const { after: _, ...first } = asked[0]!;
  return { ...first, ...(asked.length > 1 ? { questions: asked } : {}) };
}

/** Makes the part of a recipe that most share: as much filler as fits the length, with the last gap closed by the filler. */
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

/** A sentence to hide in the essays. */
export interface HiddenFact extends Omit<Fact, "tokenOffset"> {
  /** Its place as a share of the context, in [0, 1]; it is put at the nearest break between two sentences. */
  readonly depth: number;
  /** The number of the question that asks for it, if several are asked about the essays; it is a distractor for the others. */
  readonly question?: number;
}

/** The texts of a prompt around the essays. */
export interface HideFactsOptions {
  /** Instructions before the essays, on their own line. */
  readonly instructions: string;
  /** The question after the essays, on its own line; a list if the family has the knob `questions`. */
  readonly question: string | readonly string[];
  /** The start of the answer, which the model continues, beginning with a space; none by default. */
  readonly answerPrefix?: string;
  /** A text, or a pattern without flags, that the essays must not contain, as there would be two answers. */
  readonly mark?: string | RegExp;
  /** The right answers; the values of the targets of the question by default. */
  readonly references?: readonly string[];
}

/**
 * Hides sentences in the essays and asks about them: the whole recipe of a needle task.
 *
 * Each sample begins somewhere else in the essays. Whole sentences fill the prompt to its length; the last is chosen to leave
 * the fewest tokens over.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openMaterials } from "@/lib/studies/mod.ts";
 *
 * const fact = { role: "target", key: "door", value: "amber", text: "The door opens at amber.", depth: 0.5 } as const;
 * const request = { length: 1024, seed: "42", index: 0, materials: await openMaterials() };
 * const recipe = hideFacts([fact], request, { instructions: "Read this.", question: "What opens the door?" });
 * equal(recipe.references(0)[0], "amber");
 * ```
 */
export function hideFacts(facts: readonly HiddenFact[], request: SampleRequest, options: HideFactsOptions): Recipe {
  const { materials, seed, index } = request;
  const { essays, tokenizer } = materials;
  const { instructions, question, answerPrefix = "", mark, references } = options;
  if (mark !== undefined) {
    const task = `with ${quoteText(String(mark), 60)}`;
    const check = { task, mark, called: "what is hidden in them" };
    if (facts.length > 0 && facts.every(({ text }) => findMark(text, mark) === null)) {
      throw cannotMake(task, "mark must match the text of a fact", facts[0]!.text);
    }
    materials.remember(`hidden facts/${essays.name}/${mark}`, () => checkEssays(essays, check));
  }
  const hidden = facts.toSorted((left, right) => left.depth - right.depth);
  const [start] = spread([seed, "hidden facts", "start"], { index, dimensions: 1 }) as [number];
  const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer });
  const before = [{ measured: measure(`${instructions}\n`, tokenizer) }];
  const asked = [question].flat().map((text, number): Asked => {
    const targets = facts.filter((fact) => fact.role === "target" && (fact.question ?? number) === number);
    const found = references ?? targets.map(({ value }) => value);
    return { after: [{ measured: measure(`\n${text}`, tokenizer) }], answerPrefix, references: () => found };
  });
  const { after } = asked[0]!;
  const layOut = (size: number, by: Filler): Layout => {
    const planted = hidden.map(({ depth, question, ...fact }): Planted => {
      const answers = question === undefined ? undefined : { [question]: fact.value };
      const part = { ...fact, ...defined({ answers }) };
      const at = breakAt(depth, { filler: by, size, tokenizer });
      return { at, part: plantOnce(by, part) };
    });
    return { before, context: plantFacts(planted, { filler: by, size }), after };
  };
  const cluster = `text:hidden/${seed}/${index}`;
  return { ...fillBy(filler, layOut), ...askAll(asked), source: essays.name, cluster };
}

/** The parts of a task that decide how much of a recipe fits. */
interface FitParts {
  readonly name: string;
  readonly answerRoom: number;
  recipe(request: RecipeRequest): Recipe;
}

/** A recipe laid out as large as fits with each of its questions. */
export interface Fitted {
  readonly recipe: Recipe;
  readonly size: number;
  readonly answerRoom: number;
  /** Returns the prompt with a question, by its number. */
  ask(question: number): Laid;
}

/** The layout of a prompt, the same with the template around it, and its tokens. */
interface Laid {
  readonly asked: Asked;
  readonly layout: Layout;
  readonly wrapped: Layout;
  readonly promptTokens: number;
}

/** A layout, and its tokens with the text around it. */
interface Counted {
  readonly layout: Layout;
  readonly tokens: number;
}

/** Returns the error of a sample that cannot be made. */
export function cannotGenerate(name: string, wanted: string, value: number): RangeError {
  return new RangeError(`Cannot generate ${name} as ${wanted}: current value is ${value}`);
}

/** Counts the tokens that a template adds outside the user's message. */
export function hiddenTokens({ extraTokens, system = "" }: ChatTemplate, { tokenizer }: Materials): number {
  return extraTokens + tokenizer.count(system);
}

/** Counts the tokens of the least layout of a recipe with its longest question, and of an answer room of its own, as a length does. */
export function countLeast(recipe: Recipe, around: Pick<RecipeRequest, "template" | "materials">): number {
  const layout = recipe.layOut(recipe.least);
  const most = Math.max(...openEndings(recipe, around).map(({ count }) => count(layout).tokens));
  return most + (recipe.answerRoom?.(recipe.least) ?? 0) - (recipe.uncounted ?? 0);
}

/** How often a sample is drawn that can be drawn again. */
const MOST_DRAWN = 100;

/** Draws a sample, or a context that several questions are asked about, and lays it out as large as fits. */
export function fitSample(parts: FitParts, request: RecipeRequest): Fitted {
  const { length, materials, template, attempt = 0 } = request;
  const recipe = parts.recipe(request);
  const whole = length + (recipe.uncounted ?? 0) - hiddenTokens(template, materials);
  const budgetAt = (size: number): number => whole - (recipe.answerRoom?.(size) ?? parts.answerRoom);
  const endings = openEndings(recipe, request);
  const longest = (layOut: () => Layout): Ending => {
    if (endings.length === 1) return endings[0]!;
    const layout = layOut();
    const counts = endings.map(({ count }) => count(layout).tokens);
    return endings[counts.indexOf(Math.max(...counts))]!;
  };
  const fitted = [longest(() => recipe.layOut(recipe.fixedSize ?? recipe.least))];
  for (;;) {
    const { size, largest, gap } = fitEndings(recipe, fitted, budgetAt);
    if (gap < 0) {
      if (recipe.canBeDrawnAgain && attempt + 1 < MOST_DRAWN) {
        return fitSample(parts, { ...request, attempt: attempt + 1 });
      }
      throw cannotGenerate(parts.name, `length must be at least ${length - gap} tokens`, length);
    }
    // The tokens where context and question meet can differ, so that another question can be the longest there.
    const last = longest(() => largest.layout);
    if (fitted.includes(last) || last.count(largest.layout).tokens <= budgetAt(size)) {
      return { recipe, size, answerRoom: whole - budgetAt(size), ask: (question) => endings[question]!.lay(largest) };
    }
    fitted.push(last);
  }
}

/** Finds the largest layout that fits with each of some endings; `gap` is below 0 if none does. */
function fitEndings(
  recipe: Recipe,
  endings: readonly Ending[],
  budgetAt: (size: number) => number,
): { readonly size: number; readonly largest: Counted; readonly gap: number } {
  const count = (layout: Layout): Counted => {
    const [first, ...others] = endings.map((ending) => ending.count(layout));
    return others.reduce((most, next) => next.tokens > most.tokens ? next : most, first!);
  };
  let fitting: Counted | undefined;
  const costOf = (layout: Layout, budget: number): number => {
    const counted = count(layout);
    if (counted.tokens <= budget) fitting = counted;
    return counted.tokens;
  };
  // An answer room that grows with the size counts as a part of its cost.
  const most = budgetAt(recipe.least);
  const costAt = (size: number): number => {
    const budget = budgetAt(size);
    return costOf(recipe.layOut(size), budget) + most - budget;
  };
  const size = recipe.fixedSize ?? largestFit(most, costAt, recipe);
  const budget = budgetAt(size);
  // The last layout that fits is the largest.
  const largest = fitting ?? count(recipe.layOut(size));
  const gap = recipe.fixedSize === undefined ? budget - largest.tokens : 0;
  if (gap <= 0) return { size, largest, gap };
  const layout = recipe.closeGap?.(size, gap, (candidate) => costOf(candidate, budget) <= budget) ?? largest.layout;
  return { size, largest: fitting?.layout === layout ? fitting : count(layout), gap };
}

/** A question, with what is sent around and after the context. */
interface Ending {
  count(layout: Layout): Counted;
  lay(counted: Counted): Laid;
}

/** Opens the questions of a recipe; most have one. */
function openEndings(recipe: Recipe, { template, materials }: Pick<RecipeRequest, "template" | "materials">): Ending[] {
  const { tokenizer } = materials;
  const questions: readonly (Omit<Asked, "after"> & Partial<Asked>)[] = recipe.questions ?? [recipe];
  return questions.map((asked): Ending => {
    const wrap = layoutWrapper({ ...recipe, answerPrefix: asked.answerPrefix, template, tokenizer });
    const countTokens = layoutCounter(tokenizer);
    const own = (layout: Layout): Layout => asked.after === undefined ? layout : { ...layout, after: asked.after };
    const count = (layout: Layout): Counted => ({ layout, tokens: countTokens(wrap(own(layout))) });
    return {
      count,
      lay({ layout, tokens }): Laid {
        const promptTokens = asked.after === undefined ? tokens : count(layout).tokens;
        const laid = own(layout);
        return { asked: { ...asked, after: laid.after }, layout: laid, wrapped: wrap(laid), promptTokens };
      },
    };
  });
}

/** The most units that add no token, before a filler is refused. */
const MOST_EMPTY = 10_000;

/**
 * Finds the greatest size whose cost is within a budget, for a cost that grows with size.
 *
 * The cost of a prompt grows almost in proportion to its size, so each guess follows the straight line through the two ends
 * of the bracket. That takes a handful of layouts; RULER tries every size.
 */
export function largestFit(
  budget: number,
  costOf: (size: number) => number,
  { least, most, guess }: Pick<Recipe, "least" | "most" | "guess">,
): number {
  let low = least;
  const leastCost = costOf(low);
  let lowCost = leastCost;
  const start = guess === undefined ? 2 * least : Math.max(least, guess(budget - lowCost));
  if (guess !== undefined && start > least && start < most) {
    const cost = costOf(start);
    if (cost <= budget) [low, lowCost] = [start, cost];
  }
  let high = Math.min(most, start + 1);
  let highCost = costOf(high);
  while (highCost <= budget) {
    if (high === most) return most;
    const slope = (highCost - lowCost) / (high - low);
    if (highCost <= leastCost && high > MOST_EMPTY) {
      throw new RangeError(`Cannot fill a prompt as units of its filler must add tokens: ${high} add none`);
    }
    // Some units add no token, such as a blank line after another one.
    const guess = slope <= 0 ? 2 * high : Math.ceil(high + 1.02 * (budget - highCost) / slope) + 1;
    [low, lowCost] = [high, highCost];
    high = Math.min(most, Math.max(guess, high + 1));
    highCost = costOf(high);
  }
  for (let step = 0; high - low > 1; step++) {
    const share = (budget - lowCost) / (highCost - lowCost);
    // Every third step halves the bracket, so that a nonlinear cost cannot slow the search.
    const guess = step % 3 === 2 ? (low + high) >> 1 : Math.floor(low + share * (high - low));
    const middle = Math.min(high - 1, Math.max(low + 1, guess));
    const cost = costOf(middle);
    if (cost <= budget) [low, lowCost] = [middle, cost];
    else [high, highCost] = [middle, cost];
  }
  return low;
}

/** Returns the text before and after the context of the smallest layout. */
export function findWords(recipe: Recipe, template: ChatTemplate, { tokenizer }: Materials): PromptWords {
  const layout = recipe.layOut(recipe.fixedSize ?? recipe.least);
  const isChat = hasTurns(layout);
  const { before, context, after } = isChat ? joinTurns(layout, { ...recipe, template, tokenizer }) : layout;
  const wrapping = isChat ? { before: "", after: "" } : recipe.wrapping ?? template;
  const answerPrefix = template.answerPrefix ? recipe.answerPrefix : "";
  const [opening, ending] = [wrapping.before + writeLayout({ before }), writeLayout({ after }) + wrapping.after];
  if (context.length === 0) return { before: opening + ending, after: null, answerPrefix };
  // A context can begin with the space that parts it from the words, or end with the break of its last line.
  const text = writeLayout({ context });
  const space = /^ /.test(text) && /\S$/.test(opening) ? " " : "";
  const lineBreak = /\n$/.test(text) && /^\S/.test(ending) ? "\n" : "";
  return { before: opening + space, after: lineBreak + ending, answerPrefix };
}
