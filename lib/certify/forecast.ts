import { type CertificateDesign, ruleOf } from "./design.ts";
import { expectedPairs } from "./expected_pairs.ts";
import { mean, plural, timeText } from "@/lib/base/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { busySeconds } from "@/lib/studies/mod.ts";
import { readRun } from "@/lib/records/mod.ts";

/** Describes the mix, the base against itself, and the pairs and the time that a verdict is expected to take. */
export async function expectations(
  design: CertificateDesign,
  { path, benchmarks }: { readonly path: string; readonly benchmarks: readonly Benchmark[] },
): Promise<readonly string[]> {
  const { mix, dropped, itself, samples, questions } = design;
  const { records } = await readRun(`${path}/calibration`, { benchmarks });
  const secondsEach = records.length === 0 ? 0 : busySeconds(records) / records.length;
  const timeOf = (pairs: number): string => timeText(1000 * secondsEach * pairs * (1 + design.again));
  const lines = [
    `Mix: ${mix.length} ${plural(mix.length, "cell")}, base ${
      mean(mix.map(({ score }) => score)).toFixed(0)
    }%; ${dropped.length} dropped`,
  ];
  if (itself === null) return [...lines, `At most ${samples} pairs, ${timeOf(samples)}`];
  const { pairs, identical, better, worse } = itself;
  // One more of each, as a few samples without a flip do not prove that none flips.
  const discordance = design.flips ?? 100 * (better + worse + 1) / (pairs + 2);
  const expected = expectedPairs(ruleOf(design), { discordance, clusterSize: questions });
  return [
    ...lines,
    `Base against itself: ${identical} of ${pairs} replies identical, ${better} better and ${worse} worse`,
    `Expected: about ${Math.round(expected.mean)} pairs if nothing is lost (${
      timeOf(expected.mean)
    }), at most ${samples} (${timeOf(samples)})`,
  ];
}
