import { checkEssays, essayFiller, type Filler } from "./fillers.ts";
import { breakAt, type Layout, type Planted, plantFacts } from "./layout.ts";
import { fillBy, type Recipe } from "./recipe.ts";
import type { Fact } from "./sample.ts";
import type { SampleRequest } from "./task.ts";
import { spread } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** A sentence to be hidden in the essays. */
export interface HiddenFact extends Omit<Fact, "tokenOffset"> {
  /** Where it is to stand, as a share of the context; it comes to stand between the two sentences that are nearest. */
  readonly depth: number;
}

/** What a prompt says round the essays. */
export interface HideFactsOptions {
  /** Instructions, before the essays; a line of their own. */
  readonly instructions: string;
  /** The question, after the essays; a line of its own. */
  readonly question: string;
  /** The start of the answer, which the model continues, beginning with a space; none unless given. */
  readonly answerPrefix?: string;
  /** What the essays must not hold already, as two answers would be right then: a text, or a pattern without flags. */
  readonly mark?: string | RegExp;
  /** The right answers; the values of the targets unless given. */
  readonly references?: readonly string[];
}

/**
 * Hides sentences in the essays and asks about them: all that the recipe of a needle task needs.
 *
 * The essays begin somewhere else for each sample. The prompt is filled to its length by whole sentences, of which the last is
 * chosen to leave the fewest tokens over.
 *
 * @param facts The sentences, each with its role, key, value and depth.
 * @param request Which sample is wanted.
 * @param options What the prompt says before and after the essays, and what is right.
 * @returns The recipe of the sample.
 * @throws {RangeError} If the essays hold the mark.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openMaterials } from "@/lib/runs/mod.ts";
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
    const check = { task: `with ${mark}`, mark, called: "what is hidden in them" };
    materials.remember(`hidden facts/${essays.name}/${mark}`, () => checkEssays(essays, check));
  }
  const hidden = facts.toSorted((left, right) => left.depth - right.depth);
  const [start] = spread([seed, "hidden facts", "start"], { index, dimensions: 1 }) as [number];
  const filler = essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer });
  const [before, after] = [`${instructions}\n`, `\n${question}`].map((
    text,
  ) => [{ measured: measure(text, tokenizer) }]);
  const layOut = (size: number, by: Filler): Layout => {
    const planted = hidden.map(({ depth, ...fact }): Planted => ({
      at: breakAt(depth, { filler: by, size, tokenizer }),
      part: (isFirst) => ({ measured: by.needle(fact.text, isFirst), fact }),
    }));
    return { before: before!, context: plantFacts(planted, { filler: by, size }), after: after! };
  };
  return {
    ...fillBy(filler, layOut),
    answerPrefix,
    references: () => references ?? facts.filter(({ role }) => role === "target").map(({ value }) => value),
    source: essays.name,
  };
}
