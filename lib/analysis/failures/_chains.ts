import type { Fact } from "@/lib/generators/mod.ts";

/**
 * Puts variables in the order of their chain: each gets its value from the one before it.
 *
 * @returns The chain from its beginning; empty where the facts do not make one chain of at least two.
 */
export function readChain(facts: readonly Fact[]): Fact[] {
  const sourceOf = (fact: Fact): Fact | undefined => facts.find(({ key }) => key === fact.value);
  const sources = new Set(facts.map(sourceOf));
  const ends = facts.filter((fact) => !sources.has(fact));
  const chain: Fact[] = [];
  for (let fact = ends[0]; fact && !chain.includes(fact); fact = sourceOf(fact)) chain.push(fact);
  return ends.length === 1 && chain.length === facts.length && chain.length >= 2 ? chain.reverse() : [];
}

/** Counts the steps that lead to a fact through others, each of which says the key of the next. */
export function countSteps(fact: Fact, facts: readonly Fact[]): number {
  let steps = 0;
  for (let at: Fact | undefined = fact; at && steps <= facts.length; steps++) {
    const { key }: Fact = at;
    at = facts.find(({ value }) => value === key);
  }
  return steps - 1;
}

/** Gives what the chain of a variable begins with: the number that its first variable gets. */
export function chainOf(fact: Fact, facts: readonly Fact[]): string {
  let first = fact;
  for (let steps = 0; steps < facts.length; steps++) {
    const source = facts.find(({ key }) => key === first.value);
    if (!source) break;
    first = source;
  }
  return first.value;
}
