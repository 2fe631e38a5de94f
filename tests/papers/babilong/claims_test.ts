import { deepEqual, equal, ok } from "node:assert/strict";
import { STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import { BABILONG_RUN_CLAIMS, originalScores, storyAnswer, storyMeans } from "@/lib/papers/babilong/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { checkClaims, mean, summarise, type Verdict } from "@/lib/statistics/mod.ts";

const scores = originalScores(await openEvidence("babilong"));

Deno.test("storyMeans() averages the five tasks with equal weight", () => {
  const means = storyMeans(scores);
  deepEqual(means.map(({ length }) => length).slice(0, 3), [0, 1000, 2000]);
  const ofFirst = scores.filter(({ model, length }) => model === means[0]!.model && length === 0);
  equal(ofFirst.length, STORY_KINDS.length);
  equal(means[0]!.score.toFixed(6), mean(ofFirst.map(({ score }) => score)).toFixed(6));
  ok(means.every(({ score, low, high }) => low! < score && score < high!));
});

Deno.test("storyAnswer() says how far a story is followed, and that no fall is shown where there is none", () => {
  equal(
    storyAnswer(scores),
    "Less and less: the accuracy of gemini-3-flash-preview falls by 46 points from the story alone to the longest text " +
      "around it. " +
      "The mean of the five tasks is 97% on the story alone and 51% at 1M tokens. Questions on 2 facts fall most.",
  );
  const level = scores.map((row) => ({ ...row, score: 50, low: 45, high: 55 }));
  equal(storyAnswer(level).split(".")[0], "No fall with the length of the text is shown");
});

type Shares = readonly [short: number, long: number];

/** The verdicts on a run with a share of right answers at 2,048 and at 8,192 tokens, in one fact, three and the others. */
function verdicts([one, three, others]: readonly [Shares, Shares?, Shares?], samples = 200): readonly Verdict[] {
  const shares = { qa1: one, qa2: others, qa3: three, qa4: others, qa5: others };
  const records = Object.entries(shares).flatMap(([kind, ofKind = []]) =>
    ofKind.flatMap((share, at) =>
      Array.from({ length: samples }, (_, index) => {
        const [length, value] = [[2048, 8192][at]!, index < share * samples ? 1 : 0];
        return { task: `babilong_${kind}`, length, failed: false, noAnswer: false, value };
      })
    )
  );
  const evidence = { rows: summarise(records), replies: [], tasks: {}, claimedLength: null };
  return checkClaims(BABILONG_RUN_CLAIMS, evidence).map(({ verdict }) => verdict);
}

Deno.test("a run that loses accuracy with length and with facts supports the paper, one that gains contradicts it", () => {
  deepEqual(verdicts([[0.9, 0.3], [0.5, 0.1], [0.8, 0.4]]), ["holds", "holds"]);
  deepEqual(verdicts([[0.9, 0.3]]), ["holds", "cannot tell"]);
  deepEqual(verdicts([[0.6, 0.9], [0.6, 0.9], [0.8, 0.8]]), ["fails", "fails"]);
  deepEqual(verdicts([[0.9, 0.8], [0.8, 0.7], [0.8, 0.4]], 10), ["cannot tell", "cannot tell"]);
  deepEqual(verdicts([[1, 1], [1, 1], [1, 1]]), ["cannot tell", "cannot tell"]);
});
