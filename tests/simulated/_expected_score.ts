import { sum } from "@/lib/base/mod.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Category } from "@/lib/generators/mod.ts";
import type { Profile } from "@/lib/simulated/profiles.ts";
import { type FactFeatures, type PromptFeatures, recallOf } from "@/lib/simulated/recall.ts";
import { type Draw, integer, spread } from "@/lib/random/mod.ts";

/** Returns the expected score of a profile in one of RULER's tasks, in percent. */
export function expectedTaskScore(
  profile: Profile,
  options: { readonly task: string; readonly length: number },
): number {
  if (profile.manner === "stays silent") return 0;
  const prompts = typicalPrompts(options.task, options.length);
  return 100 * sum(prompts, (features) => recallOf(features, profile).expected) / prompts.length;
}

/** Typical prompts for one task and length; the depths of their facts cover the context evenly. */
const PROMPTS = 16;

const PLAIN: FactFeatures = {
  depth: null,
  links: 1,
  isChained: false,
  keyLength: 18,
  valueLength: 7,
  sameKey: 1,
  lead: null,
};

/** Describes typical samples of one of RULER's tasks at a length, without making any. */
export function typicalPrompts(task: string, length: number): PromptFeatures[] {
  const make = SHAPES[task];
  if (!make) {
    throw new RangeError(
      `Cannot describe the task as its name must be one of ${RULER_TASK_NAMES.join(", ")}: current value is "${task}"`,
    );
  }
  const { category, facts, rivals = 0, hasExample = false } = make(length);
  const count = facts.every(({ lead }) => lead !== null) ? 1 : PROMPTS;
  return Array.from({ length: count }, (_, index) => {
    const depths = spread(["typical", task], { index, dimensions: facts.length });
    // The facts of a chain are in its order.
    if (task === "vt") depths.sort((left, right) => left - right);
    return {
      category,
      tokens: length,
      rivals,
      hasExample,
      facts: facts.map((fact, at) => fact.lead === null ? { ...fact, depth: depths[at]! } : fact),
    };
  });
}

interface Shape {
  readonly category: Category;
  readonly facts: readonly FactFeatures[];
  readonly rivals?: number;
  readonly hasExample?: boolean;
}

const SHAPES: Readonly<Record<string, (length: number) => Shape>> = {
  "niah_single_1": () => needles({}),
  "niah_single_2": () => needles({}),
  "niah_single_3": () => needles({ valueLength: 36 }),
  "niah_multikey_1": () => needles({}, { rivals: 3 }),
  // A needle's line has about 20 tokens of cl100k_base, and 61 if key and value are UUIDs.
  "niah_multikey_2": (length) => needles({}, { rivals: length / 20 }),
  "niah_multikey_3": (length) => needles({ keyLength: 36, valueLength: 36 }, { rivals: length / 61 }),
  "niah_multivalue": () => needles({ sameKey: 4 }, { facts: 4 }),
  "niah_multiquery": () => needles({}, { facts: 4, rivals: 3 }),
  "vt": () => ({
    category: "multi-hop tracing",
    hasExample: true,
    facts: Array.from({ length: 5 }, (_, hop) => ({ ...PLAIN, keyLength: 5, valueLength: 5, isChained: hop > 0 })),
  }),
  // 10 words occur 30 times; the rest of the list, 5.4 tokens a word after an example of 1,000, are words that occur 3 times.
  "cwe": (length) => ({
    category: "aggregation",
    hasExample: true,
    rivals: ((length - 1100) / 5.4 - 300) / 3,
    facts: Array.from({ length: 10 }, () => ({ ...PLAIN, lead: Math.log(30 / 3) })),
  }),
  // The word of rank k occurs N / (zeta(2) k^2) times. The dots, 61% of all, have a token each and the others about 4, so that
  // N is the length over 2.2; ranks 2 to 4 are asked for.
  "fwe": (length) => ({
    category: "aggregation",
    rivals: Math.sqrt(0.608 * length / 2.2) - 4,
    facts: [2, 3, 4].map((rank) => ({ ...PLAIN, lead: 2 * Math.log(5 / rank) })),
  }),
  "qa_1": () => ({ category: "question answering", facts: [PLAIN] }),
  "qa_2": () => ({ category: "question answering", facts: [{ ...PLAIN, links: 2 }] }),
};

function needles(
  fact: Partial<FactFeatures>,
  { facts = 1, rivals = 0 }: { readonly facts?: number; readonly rivals?: number } = {},
): Shape {
  return { category: "retrieval", rivals, facts: Array.from({ length: facts }, () => ({ ...PLAIN, ...fact })) };
}

/**
 * Returns a function that draws scores of a profile in one of RULER's tasks without making samples: a thousand runs of a study in
 * seconds.
 *
 * A score is drawn as the simulated reader draws its reply: the depth, then whether the whole reply is lost, then fact by fact; in a
 * chain no fact is found after the first that is lost. The mean is {@linkcode expectedTaskScore}.
 */
export function simulatedScore(
  profile: Profile,
  { task, length }: { readonly task: string; readonly length: number },
): (draw: Draw) => number {
  const prompts = typicalPrompts(task, length).map(({ facts, ...features }) => (
    { facts, recall: recallOf({ facts, ...features }, profile) }
  ));
  if (profile.manner === "stays silent") return () => 0;
  return (draw) => {
    const { facts, recall: { wholeLoss, steps } } = prompts[integer(draw, { low: 0, high: prompts.length - 1 })]!;
    if (draw() < wholeLoss) return 0;
    let isHeld = true;
    let found = 0;
    for (const [at, step] of steps.entries()) {
      isHeld = (!facts[at]!.isChained || isHeld) && draw() < step;
      found += Number(isHeld);
    }
    return found / steps.length;
  };
}
