import type { Category } from "@/lib/generators/mod.ts";
import type { Finding, Reading } from "./reading.ts";

/** What makes one fact of a prompt easy or hard to find. */
export interface FactOutline {
  /** The share of the prompt before it, in [0, 1]; `null` where it is spread over the prompt. */
  readonly depth: number | null;
  /** How many places must be put together. */
  readonly links: number;
  /** Whether it can only be found through the fact before it. */
  readonly isChained: boolean;
  /** Characters of its key and of its value. */
  readonly keyLength: number;
  readonly valueLength: number;
  /** How many facts asked for have the same key. */
  readonly sameKey: number;
  /** The logarithm of its count over the greatest count that is not asked for; `null` where nothing is counted. */
  readonly lead: number | null;
}

/** What makes a prompt easy or hard, without its words. */
export interface Outline {
  readonly category: Category;
  /** Its length in tokens. */
  readonly tokens: number;
  /** How many other things of the same kind any fact asked for can be mistaken for. */
  readonly rivals: number;
  /** Whether it begins with a worked example. */
  readonly hasExample: boolean;
  readonly facts: readonly FactOutline[];
}

/**
 * Outlines a reading: all that a profile's forgetting depends on.
 *
 * @param reading The prompt, read.
 * @param tokens The prompt's length in tokens.
 * @returns Its outline, its facts in the order of `reading.wanted`.
 */
export function outlineReading(reading: Reading, tokens: number): Outline {
  const { category, wanted, rivals, example } = reading;
  const keys = new Map<string, number>();
  for (const { key } of wanted) keys.set(key, (keys.get(key) ?? 0) + 1);
  const nextCount = rivals[0]?.count ?? 1;
  const outlineFact = (finding: Finding): FactOutline => ({
    depth: finding.depth,
    links: finding.links ?? 1,
    isChained: (finding.hop ?? 0) > 0,
    keyLength: finding.key.length,
    valueLength: finding.value.length,
    sameKey: keys.get(finding.key)!,
    lead: finding.count === undefined ? null : Math.log(finding.count / nextCount),
  });
  return {
    category,
    tokens,
    rivals: rivals.length + (category === "retrieval" ? keys.size - 1 : 0),
    hasExample: example.length > 0,
    facts: wanted.map(outlineFact),
  };
}
