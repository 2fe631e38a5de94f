import type { CertificatePair } from "./decision.ts";
import { cellName, type CertificateDesign } from "./design.ts";
import { defined, mean } from "@/lib/base/mod.ts";
import type { AskedSample } from "@/lib/asking/mod.ts";

/**
 * Pairs the scores of base and change by context, in rounds of one context of each cell. A context with a question that one of the
 * two was not asked yet is left out.
 */
export function certificatePairs(
  design: Pick<CertificateDesign, "mix" | "firstPair" | "questions">,
  { base, change }: { readonly base: readonly AskedSample[]; readonly change: readonly AskedSample[] },
): readonly CertificatePair[] {
  const [left, right] = [contextsOf(base, design), contextsOf(change, design)];
  const pairs = design.mix.flatMap((cell): CertificatePair[] => {
    const name = cellName(cell);
    return [...left.get(name) ?? []].flatMap(([round, before]) => {
      const after = right.get(name)?.get(round) ?? [];
      if (before.length < design.questions || after.length < design.questions) return [];
      return [pairOf({ cell: name, round }, before, after)];
    });
  });
  // The sort is stable, so cells keep their order.
  return pairs.sort((one, other) => one.round - other.round);
}

type Contexts = ReadonlyMap<string, ReadonlyMap<number, readonly AskedSample[]>>;

/** Groups scores by cell and by the number of their context. */
function contextsOf(
  scores: readonly AskedSample[],
  { firstPair, questions }: Pick<CertificateDesign, "firstPair" | "questions">,
): Contexts {
  const compared = scores.filter(({ index }) => index >= firstPair);
  return new Map(
    [...Map.groupBy(compared, cellName)].map(([name, ofCell]) =>
      [name, Map.groupBy(ofCell, ({ index }) => Math.floor((index - firstPair) / questions))] as const
    ),
  );
}

function pairOf(
  place: Pick<CertificatePair, "cell" | "round">,
  before: readonly AskedSample[],
  after: readonly AskedSample[],
): CertificatePair {
  const scored = before.flatMap(({ index, value }): [number, number][] => {
    const other = after.find((each) => each.index === index)?.value ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
  const meanOf = (at: 0 | 1): number | null => scored.length === 0 ? null : mean(scored, (pair) => pair[at]);
  const flips = (way: 1 | -1): number => scored.filter(([base, change]) => Math.sign(change - base) === way).length;
  return {
    ...place,
    base: meanOf(0),
    change: meanOf(1),
    questions: before.length,
    ...defined({ cluster: before[0]!.cluster }),
    flips: { better: flips(1), worse: flips(-1) },
  };
}
