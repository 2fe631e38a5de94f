import type { Paper } from "@/lib/benchmarks/benchmark.ts";

type ClaimSet = Paper["claims"][number];

const checked = new WeakMap<ClaimSet, ReturnType<ClaimSet["check"]>>();

/** Checks a set of claims on the published numbers; those of Counting-Stars take seconds, so once for all tests. */
export function checkOnce(set: ClaimSet): ReturnType<ClaimSet["check"]> {
  const known = checked.get(set) ?? set.check();
  checked.set(set, known);
  return known;
}
