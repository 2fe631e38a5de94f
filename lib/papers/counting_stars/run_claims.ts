import { STAR_CLAIMS } from "./claims.ts";
import { THIRDS } from "./published.ts";
import {
  cannotTell,
  type Claim,
  decidedBySign,
  type Finding,
  independent,
  inPercent,
  meanInterval,
  meanOfRepeats,
  pairedComparison,
  pointsText,
  quoteOf,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** The share of stars that a run finds in a third of the text, in percent. */
export interface StarThird extends ScoreWithInterval {
  readonly task: string;
  readonly third: "first" | "middle" | "last";
  /** Samples with a reply. */
  readonly n: number;
}

/**
 * Returns the share of stars found in each third of the text by task, in percent with a 95% interval over samples.
 *
 * Star i of M is in third floor(3 (i - 1) / M). Prompts with fewer than three stars, failed calls and replies to other benchmarks
 * are left out.
 */
export function starThirds(replies: readonly RunReply[]): readonly StarThird[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) =>
    THIRDS.flatMap((third): StarThird[] => {
      const shares = foundIn(ofTask, third);
      return shares.length === 0
        ? []
        : [{ task, third, n: shares.length, ...inPercent(meanInterval(independent(shares))) }];
    })
  );
}

/** The claims about the places of lost stars, checked on a run; open unless the 95% interval decides them. */
export const STAR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "S12",
    source: "as C12",
    quote: quoteOf(STAR_CLAIMS, "C12"),
    statement:
      "Stars are lost in the tail (our measure: those of the last third are found less often than the others, in prompts of three stars or more that are spread evenly).",
    check: (run) => compareThird(run, "last"),
  },
  {
    id: "S12c",
    source: "as C12c",
    statement: "Stars are lost in the middle, as in other tests: those of the middle third are found less often.",
    check: (run) => compareThird(run, "middle"),
  },
];

/** Compares a third with the other two, reply by reply; holds if fewer of its stars are found. */
function compareThird({ replies, tasks }: RunEvidence, third: StarThird["third"]): Finding {
  const rest = THIRDS.filter((other) => other !== third);
  // With places chosen by the user, a third of the stars is not a third of the text.
  const even = replies.filter(({ task }) => tasks[task]?.options["places"] === undefined);
  const [inside, outside] = [foundIn(even, third), foundIn(even, ...rest)];
  if (inside.length === 0) return cannotTell("No prompt of three stars or more has a score.");
  const pairs = outside.map((first, at) => ({ first, second: inside[at]! }));
  const { difference, low, high } = pairedComparison([pairs]);
  const points = pointsText({ score: difference, low, high });
  return decidedBySign({ low, high }, `Of ${inside.length} replies, the others less the ${third} third: ${points}.`);
}

/** Returns the share of the stars in some thirds that each reply found. */
function foundIn(replies: readonly RunReply[], ...thirds: readonly StarThird["third"][]): readonly number[] {
  return meanOfRepeats(replies).flatMap(({ score }) => {
    const cells = score?.cells ?? [];
    if (cells.length < THIRDS.length) return [];
    const within = cells.filter((_, star) => thirds.includes(THIRDS[Math.floor(THIRDS.length * star / cells.length)]!));
    return [within.reduce((sum, cell) => sum + cell, 0) / within.length];
  });
}
