import { deepEqual } from "node:assert/strict";
import { STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import { BABILONG_RUN_CLAIMS } from "@/lib/papers/babilong/claims.ts";
import { checkClaims, summarise, type Verdict } from "@/lib/statistics/mod.ts";

/** The verdicts on a run with a share of right answers for each task at 2,048 and at 8,192 tokens. */
function verdicts(
  shares: Readonly<Partial<Record<typeof STORY_KINDS[number], readonly [number, number]>>>,
  samples = 200,
): readonly Verdict[] {
  const records = STORY_KINDS.flatMap((kind) =>
    [2048, 8192].flatMap((length, at) =>
      Array.from({ length: shares[kind] === undefined ? 0 : samples }, (_, index) => ({
        ...{ task: `babilong_${kind}`, length, failed: false, noAnswer: false },
        value: index < shares[kind]![at]! * samples ? 1 : 0,
      }))
    )
  );
  const evidence = { rows: summarise(records), replies: [], tasks: {}, claimedLength: null };
  return checkClaims(BABILONG_RUN_CLAIMS, evidence).map(({ verdict }) => verdict);
}

const level = { qa2: [0.8, 0.8], qa4: [0.8, 0.8], qa5: [0.8, 0.8] } as const;
const falling = { qa2: [0.8, 0.4], qa4: [0.8, 0.4], qa5: [0.8, 0.4] } as const;

Deno.test("a run that loses accuracy with length and with facts supports the paper", () => {
  deepEqual(verdicts({ ...falling, qa1: [0.9, 0.3], qa3: [0.5, 0.1] }), ["holds", "holds"]);
  deepEqual(verdicts({ qa1: [0.9, 0.3] }), ["holds", "cannot tell"]);
});

Deno.test("a run that gains with length, and answers three facts as well as one, contradicts it", () => {
  deepEqual(verdicts({ ...level, qa1: [0.6, 0.9], qa3: [0.6, 0.9] }), ["fails", "fails"]);
});

Deno.test("few samples, scores at the ceiling and missing tasks leave the claims open", () => {
  deepEqual(verdicts({ ...falling, qa1: [0.9, 0.8], qa3: [0.8, 0.7] }, 10), ["cannot tell", "cannot tell"]);
  deepEqual(verdicts({ qa1: [1, 1], qa2: [1, 1], qa3: [1, 1], qa4: [1, 1], qa5: [1, 1] }), [
    "cannot tell",
    "cannot tell",
  ]);
});
