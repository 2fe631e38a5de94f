import { priorKnowledge } from "./prior_knowledge.ts";
import { pairedRecall } from "./run_claims.ts";
import { signedPoints } from "./_recall_table.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import {
  cannotTell,
  type Claim,
  differenceInterval,
  meanOfClusters,
  pointsText,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** The grade of 1 of 5, and what is above it. */
const LEAST_GRADE = 0.3;

/** How a reply says that the text has no answer. */
const NO_MENTION =
  /\bno (?:mention|information|reference)\b|\b(?:not|never|n't) (?:explicitly |specifically |directly )?(?:mention|state|provide|specif)/i;

/** What the paper says about prior knowledge and about long texts, asked of a run; a verdict needs a 95% interval without doubt. */
export const TRAINING_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "P4",
    source: "as M23",
    kind: "paper",
    quote:
      "recall degrades when a prompt contains information that conflicts with or differs from what a model's training data may contain",
    statement: "The fictional needle is recalled better: recall_thornfield above recall_san_francisco.",
    check: ({ replies }) => {
      const found = pairedRecall(replies, ["recall_thornfield", "recall_san_francisco"]);
      if (found === null) return cannotTell("No cell has a grade in both tests.");
      const { low, high, cells } = found;
      return {
        verdict: low > 0 ? "holds" : high <= 0 ? "fails" : "cannot tell",
        observed: `${signedPoints(found)} over ${cells} cells.`,
      };
    },
  },
  {
    id: "P5",
    source: "as M24",
    kind: "paper",
    quote:
      "the errors that occur only in the San Francisco test come from models suggesting things to do in San Francisco … conversely, models do not make this mistake in the Thornfield Hollow test",
    statement:
      "Answers from prior knowledge occur in the San Francisco test only (our measure: none in the Thornfield Hollow test, and with 95% confidence more in the other).",
    check: ({ replies, tasks }) => {
      const rows = priorKnowledge(replies.filter(isScored), tasks);
      const [conflicting, fictional] = ["recall_san_francisco", "recall_thornfield"].map((test) =>
        rows.find(({ task, fromMemory }) => task === test && fromMemory !== null)
      );
      if (conflicting === undefined || fictional === undefined) {
        return cannotTell("It takes both tests and their questions asked without a text (document: none).");
      }
      const { low } = differenceInterval(conflicting.share!, fictional.share!);
      return {
        verdict: fictional.fromMemory! > 0 ? "fails" : low > 0 ? "holds" : "cannot tell",
        observed:
          [conflicting, fictional].map(({ task, fromMemory, wrong, replies: all }) =>
            `${task}: ${fromMemory} of ${wrong} wrong replies among ${all}`
          ).join("; ") + ".",
      };
    },
  },
  {
    id: "P6",
    source: "as M25",
    kind: "paper",
    quote:
      "Llama 2 13B's slight recall errors on shorter documents give 4/5, and on longer documents it scores 1/5 more often … the replies claim that there is “no mention of Thornfield Hollow”",
    statement:
      "The least grade, 1 of 5, is more frequent in long texts (our measure: the longer half of the lengths against the shorter, in the tests with a text).",
    check: ({ replies, tasks }) => {
      const graded = replies.filter(({ task, value }) =>
        value !== null && tasks[task]?.options["document"] !== "none" && task.startsWith("recall_")
      );
      const lengths = [...new Set(graded.map(({ length }) => length))].sort((one, other) => one - other);
      if (lengths.length < 2) return cannotTell("There are no grades at two lengths.");
      const half = lengths.length / 2;
      const of = (isLong: boolean): readonly RunReply[] =>
        graded.filter(({ length }) => (lengths.indexOf(length) >= half) === isLong);
      const [long, short] = [of(true), of(false)];
      const difference = differenceInterval(leastShare(long), leastShare(short));
      const denied = graded.filter(isScored).filter((reply) =>
        reply.value! < LEAST_GRADE && NO_MENTION.test(scoredAnswer(reply))
      );
      return {
        verdict: difference.low > 0 ? "holds" : difference.high <= 0 ? "fails" : "cannot tell",
        observed: `A grade of 1 in ${
          leastShare(long).score.toFixed(1)
        }% of ${long.length} replies to the longer texts and ${
          leastShare(short).score.toFixed(1)
        }% of ${short.length} to the shorter: ${
          pointsText(difference)
        }. ${denied.length} of them say that nothing is mentioned.`,
      };
    },
  },
];

/** Whether a reply comes with its text, as those of a run do. */
function isScored(reply: RunReply): reply is RunReply & ScoredReply {
  return "reply" in reply.record;
}

/** The share of grades of 1, in percent. */
function leastShare(replies: readonly RunReply[]): ScoreWithInterval {
  const { mean, low, high } = meanOfClusters(
    replies.map(({ cluster, value }) => ({ cell: "all", cluster, values: [value! < LEAST_GRADE ? 1 : 0] })),
  );
  return { score: 100 * mean, low: 100 * low, high: 100 * high };
}
