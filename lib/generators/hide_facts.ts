import { fillBy, type Recipe } from "./recipe.ts";
import { checkEssays, essayFiller, type Filler } from "./fillers.ts";
import { breakAt, type Layout, type Planted, plantFacts } from "./layout.ts";
import type { Fact } from "./sample.ts";
import type { SampleRequest } from "./task.ts";
import { spread } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** A sentence to hide in the essays. */
export interface HiddenFact extends Omit<Fact, "tokenOffset"> {
  /** Its place as a share of the context, in [0, 1]; it is put at the nearest break between two sentences. */
  readonly depth: number;
}

/** What a prompt says around the essays. */
export interface HideFactsOptions {
  /** Instructions before the essays, on a line of their own. */
  readonly instructions: string;
  /** The question after the essays, on a line of its own. */
  readonly question: string;
  /** The start of the answer, which the model continues, beginning with a space; none by default. */
  readonly answerPrefix?: string;
  /** What the essays must not contain, as there would be two answers: a text, or a pattern without flags. */
  readonly mark?: string | RegExp;
  /** The right answers; the values of the targets by default. */
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
    cluster: `text:hidden/${seed}/${index}`,
  };
}
