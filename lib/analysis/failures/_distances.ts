import type { Fact } from "@/lib/generators/mod.ts";
import type { Attempt } from "./_attempt.ts";
import type { FailureEvidence } from "./failure_mode.ts";

/**
 * Tells how far a fact that was given stands from the nearest target that was not, and how many others stand nearer to that.
 *
 * @param others All facts that could have been given in its place, itself included.
 */
export function measureDistance(
  fact: Fact,
  { sample, shape, missing }: Attempt,
  others: Iterable<Fact | null>,
): Pick<FailureEvidence, "away" | "nearer"> {
  const { depth } = fact;
  const wanted = missing.map((answer) => shape.targets.get(answer)).filter((target) => target !== undefined);
  const targets = wanted.length > 0 ? wanted : sample.facts.filter(({ role }) => role === "target");
  const depths = targets.map((target) => target.depth).filter((at) => at !== null);
  if (depth === null || depths.length === 0) return {};
  const distance = (from: number, to: number): number => Math.abs(from - to);
  const target = depths.reduce((best, at) => distance(depth, at) < distance(depth, best) ? at : best);
  const rest = [...others].filter((other) => other !== null && other !== fact && other.depth !== null);
  const nearer = rest.filter((other) => distance(other!.depth!, target) < distance(depth, target));
  return { away: depth - target, ...(rest.length === 0 ? {} : { nearer: nearer.length / rest.length }) };
}
