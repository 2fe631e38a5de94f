import { type Draw, integer } from "@/lib/random/mod.ts";
import type { Profile } from "./profile.ts";
import { type Recall, recallOf } from "./recall.ts";
import { typicalOutlines } from "./typical_outlines.ts";

/**
 * Makes a source of scores such as a profile reaches in one of RULER's tasks, without making a sample: a thousand runs of
 * a study in seconds.
 *
 * Each score is drawn as the simulated reader draws its reply: the depth first, then whether the reply is lost as a
 * whole, then fact by fact. Its mean is `expectedTaskScore`, and it takes the same values: 0 or 1 where there is one
 * fact, shares of the facts where there are several.
 *
 * @param profile Who reads.
 * @param options `task`, one of RULER's thirteen; `length`, the token budget, from 4,096.
 * @returns A function that draws the score of one sample, in [0, 1].
 * @throws {RangeError} If there is no such task.
 *
 * @example Four needles in a sample: quarters
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { openProfile } from "@/lib/models/mod.ts";
 * import { stream } from "@/lib/random/mod.ts";
 *
 * const score = simulatedScore(openProfile("yi-34b"), { task: "niah_multivalue", length: 131_072 });
 * ok([0, 0.25, 0.5, 0.75, 1].includes(score(stream("42"))));
 * ```
 */
export function simulatedScore(
  profile: Profile,
  options: { readonly task: string; readonly length: number },
): (draw: Draw) => number {
  const recalls = typicalOutlines(options.task, options.length).map((outline) => ({
    recall: recallOf(outline, profile),
    isChained: outline.facts.map((fact) => fact.isChained),
  }));
  if (profile.manner === "says nothing") return () => 0;
  return (draw) => {
    const { recall, isChained } = recalls[integer(draw, { low: 0, high: recalls.length - 1 })]!;
    return draw() < recall.wholeLoss ? 0 : foundShare(recall, { isChained, draw });
  };
}

/** The share of facts that are found; in a chain, none after the first that is lost. */
function foundShare(
  { steps }: Recall,
  { isChained, draw }: { readonly isChained: readonly boolean[]; readonly draw: Draw },
): number {
  let isHeld = true;
  let found = 0;
  steps.forEach((step, at) => {
    isHeld = (!isChained[at] || isHeld) && draw() < step;
    found += Number(isHeld);
  });
  return found / steps.length;
}
