import type { Fact, Sample } from "@/lib/generators/mod.ts";

/** Options for {@linkcode factSurroundings}. */
export interface FactSurroundingsOptions {
  /**
   * The most characters on each side of a fact. Range: 0 up.
   *
   * @default {160}
   */
  readonly characters?: number;
}

/** A planted fact with the text on both sides of it. */
export interface SurroundedFact extends Fact {
  /** The text right before it, other facts included. */
  readonly before: string;
  /** The text right behind it. */
  readonly after: string;
}

/**
 * Shows each planted fact of a sample with the text that stands round it in the prompt.
 *
 * @param sample The sample.
 * @param options How much of the text.
 * @returns The facts that stand in one place of the context, in the order of the prompt; counted words and what is told outside
 * the context have none.
 * @throws {RangeError} If a fact's text is not in the prompt in that order.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const sample = niahTask({ depth: 0.5 }).sample({ length: 512, seed: "42", index: 0, materials: await openMaterials() });
 * const [needle] = factSurroundings(sample, { characters: 20 });
 * equal(needle?.role, "target");
 * equal(sample.prompt.user.includes(needle!.before + needle!.text + needle!.after), true);
 * ```
 */
export function factSurroundings(
  sample: Pick<Sample, "id" | "prompt" | "facts">,
  options: FactSurroundingsOptions = {},
): SurroundedFact[] {
  const { characters = 160 } = options;
  const { user } = sample.prompt;
  let end = 0;
  return sample.facts.filter(({ depth }) => depth !== null).map((fact) => {
    // The facts come in the order of the prompt, so that what the instructions quote before them is passed over.
    const at = user.indexOf(fact.text, end);
    if (at < 0) {
      throw new RangeError(
        `Cannot show a fact of ${sample.id} as its text must stand in the prompt: current value is "${fact.text}"`,
      );
    }
    end = at + fact.text.length;
    return {
      ...fact,
      before: lastCharacters(user.slice(0, at), characters),
      after: [...user.slice(end, end + 2 * characters)].slice(0, characters).join(""),
    };
  });
}

/** Whole characters only: half of one is no text. */
function lastCharacters(text: string, count: number): string {
  return count === 0 ? "" : [...text.slice(-2 * count)].slice(-count).join("");
}
