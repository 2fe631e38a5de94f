import { largestFit, type Layout, layoutCounter, layoutWrapper } from "./layout.ts";
import type { ChatTemplate } from "./prompt.ts";
import type { Asked, Recipe, RecipeRequest } from "./recipe.ts";
import type { Materials } from "./task.ts";

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
  /** Tokens kept free for the answer. */
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

/** Returns the error of a length that is too short for a task. */
export function tooShort(
  name: string,
  { least, length }: { readonly least: number; readonly length: number },
): RangeError {
  return new RangeError(
    `Cannot generate ${name} as length must be at least ${least} tokens: current value is ${length}`,
  );
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
      throw tooShort(parts.name, { least: length - gap, length });
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
