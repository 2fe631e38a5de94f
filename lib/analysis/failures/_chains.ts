import type { Fact } from "@/lib/generators/mod.ts";

/**
 * Puts facts in the order of the chain that they make: a variable gets its value from the one before it, and what is said
 * under one key is the next one.
 *
 * @param isKey Whether the keys are what the chain is made of, as variables are, and not the values.
 * @returns The chain from its beginning; empty where the facts do not make one chain of at least two.
 */
export function readChain(facts: readonly Fact[], isKey: boolean): Fact[] {
  const next = (fact: Fact): Fact | undefined => facts.find(({ key }) => key === fact.value);
  const followed = new Set(facts.map(next));
  const ends = facts.filter((fact) => !followed.has(fact));
  if (ends.length !== 1) return [];
  const chain: Fact[] = [];
  for (let fact = ends[0]; fact && !chain.includes(fact); fact = next(fact)) chain.push(fact);
  if (chain.length !== facts.length || chain.length < 2) return [];
  return isKey ? chain.toReversed() : chain;
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
