import type { Category } from "@/lib/generators/mod.ts";
import { spread } from "@/lib/random/mod.ts";
import type { FactOutline, Outline } from "./outline.ts";
import { RULER_TASKS } from "./ruler_tasks.ts";

/** Outlines made for one task and length; their depths cover the context evenly. */
const OUTLINES = 16;

const PLAIN: FactOutline = {
  depth: null,
  links: 1,
  isChained: false,
  keyLength: 18,
  valueLength: 7,
  sameKey: 1,
  lead: null,
};

/**
 * Outlines RULER's samples of one task and length without making them, so that a profile's score can be told beforehand.
 *
 * @param task One of RULER's thirteen tasks, in its published configuration.
 * @param length The token budget. Range: 4,096 and more, as shorter lists of words have other counts.
 * @returns Outlines like those of the task's samples.
 * @throws {RangeError} If there is no such task.
 *
 * @example A needle among a few others
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(typicalOutlines("niah_multikey_1", 4096)[0]!.rivals, 3);
 * ```
 */
export function typicalOutlines(task: string, length: number): Outline[] {
  const make = SHAPES[task];
  if (!make) {
    throw new RangeError(
      `Cannot outline the task as its name must be one of ${
        Object.values(RULER_TASKS).flat().join(", ")
      }: current value is "${task}"`,
    );
  }
  const { category, facts, rivals = 0, hasExample = false } = make(length);
  const count = facts.every(({ lead }) => lead !== null) ? 1 : OUTLINES;
  return Array.from({ length: count }, (_, index) => {
    const depths = spread(["typical", task], {
      index,
      dimensions: facts.length,
    });
    // The facts of a chain stand in its order.
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
  readonly facts: readonly FactOutline[];
  readonly rivals?: number;
  readonly hasExample?: boolean;
}

const SHAPES: Readonly<Record<string, (length: number) => Shape>> = {
  "niah_single_1": () => needles({}),
  "niah_single_2": () => needles({}),
  "niah_single_3": () => needles({ valueLength: 36 }),
  "niah_multikey_1": () => needles({}, { rivals: 3 }),
  // A needle's line has about 20 tokens of cl100k_base, and 61 where key and value are UUIDs.
  "niah_multikey_2": (length) => needles({}, { rivals: length / 20 }),
  "niah_multikey_3": (length) => needles({ keyLength: 36, valueLength: 36 }, { rivals: length / 61 }),
  "niah_multivalue": () => needles({ sameKey: 4 }, { facts: 4 }),
  "niah_multiquery": () => needles({}, { facts: 4, rivals: 3 }),
  "vt": () => ({
    category: "multi-hop tracing",
    hasExample: true,
    facts: Array.from({ length: 5 }, (_, hop) => ({
      ...PLAIN,
      keyLength: 5,
      valueLength: 5,
      isChained: hop > 0,
    })),
  }),
  // 10 words stand 30 times; the rest of the list, 5.4 tokens a word after an example of 1,000, are words standing 3 times.
  "cwe": (length) => ({
    category: "aggregation",
    hasExample: true,
    rivals: ((length - 1100) / 5.4 - 300) / 3,
    facts: Array.from({ length: 10 }, () => ({
      ...PLAIN,
      lead: Math.log(30 / 3),
    })),
  }),
  // The word of rank k stands N / (zeta(2) k^2) times. The dots, 61% of all, have a token each and the others about 4, so that
  // N is the length over 2.2; ranks 2 to 4 are asked for.
  "fwe": (length) => ({
    category: "aggregation",
    rivals: Math.sqrt(0.608 * length / 2.2) - 4,
    facts: [2, 3, 4].map((rank) => ({
      ...PLAIN,
      lead: 2 * Math.log(5 / rank),
    })),
  }),
  "qa_1": () => ({ category: "question answering", facts: [PLAIN] }),
  "qa_2": () => ({
    category: "question answering",
    facts: [{ ...PLAIN, links: 2 }],
  }),
};

function needles(
  fact: Partial<FactOutline>,
  { facts = 1, rivals = 0 }: {
    readonly facts?: number;
    readonly rivals?: number;
  } = {},
): Shape {
  return {
    category: "retrieval",
    rivals,
    facts: Array.from({ length: facts }, () => ({ ...PLAIN, ...fact })),
  };
}
