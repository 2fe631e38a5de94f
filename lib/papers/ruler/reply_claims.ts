import { CLOSED_BOOK_PANEL, COMMON_WORDS, TEN_WORDS } from "./ablations.ts";
import {
  COMMON,
  COPIES,
  judgeReplies,
  judgeShare,
  LARGE,
  LOST_CHAINS,
  PRESENT,
  shareOf,
  shows,
  TRACKING,
  UNKNOWN_REPLIES,
} from "./reply_shares.ts";
import {
  allOf,
  at,
  judge,
  lineNamed,
  meanPoint,
  panelOf,
  type ScoreLine,
  scoreText,
  sharedLengths,
} from "./score_lines.ts";
import { cannotTell, differenceInterval, type PublishedClaim } from "@/lib/statistics/mod.ts";
import type { ExplainedReply } from "@/lib/statistics/failures/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

const AT_128K = 131_072;
/** The mean of Yi-34B's scores on SQuAD and HotpotQA without any context, read from Figure 3. */
const REALISTIC = (28.8 + 31.6) / 2;
const OPPOSITE = { "holds": "fails", "fails": "holds", "cannot tell": "cannot tell" } as const;

/** The evidence for claims about one model of section 5. */
export interface AblationEvidence {
  /** The lines of Figures 2 and 3, printed or of a run. */
  readonly lines: readonly ScoreLine[];
  /** Every reply with its failures; `null` if unknown, like the paper's. */
  readonly replies: readonly ExplainedReply[] | null;
  /**
   * Whether a run's questions are those of SQuAD and HotpotQA and not about the synthetic world.
   *
   * @default {false}
   */
  readonly realQuestions?: boolean;
}

/** Claims of section 5 about one model that copies, Yi-34B in the paper. */
export const OWN_COPYING_CLAIMS: readonly PublishedClaim<AblationEvidence>[] = [
  {
    id: "R17",
    source: "section 5, copying",
    quote: "Over 80% of Yi’s output in the CWE task at 128K is simply a string copied from the one-shot example",
    statement: "Over 80% of replies to common words at 128K copy the worked example.",
    expected: "cannot tell",
    check: ({ lines, replies }) => {
      const finding = judgeReplies(replies, { tasks: COMMON, classes: ["example copied"], at: AT_128K }, 80);
      const points = lines.find(({ series }) => series === COMMON_WORDS)?.points;
      const score = points?.find(({ length }) => length === AT_128K);
      return replies !== null || score === undefined ? finding : cannotTell(
        `${finding.observed} Such a reply scores about 0, so the score of ${
          score.score.toFixed(1)
        } at 128K does not contradict it.`,
      );
    },
  },
  {
    id: "R17-short",
    source: "section 5, copying",
    quote: "whereas the copying is nonexistent for short sequences",
    statement:
      `For short sequences no reply to common words copies it (our measure: fewer than ${PRESENT}% at the shortest length).`,
    expected: "cannot tell",
    check: ({ replies }) => {
      const finding = judgeReplies(replies, { tasks: COMMON, classes: ["example copied"], at: "shortest" }, PRESENT);
      return { ...finding, verdict: OPPOSITE[finding.verdict] };
    },
  },
  {
    id: "R18",
    source: "section 5, footnote 7",
    quote:
      "We also experimented with removing the one-shot example. The model will simply copy the string of the beginning of the input",
    statement:
      "Without the worked example the model copies the beginning of the input (our measure: in half or more of its replies to common words a part of the prompt replaces the answer).",
    expected: "cannot tell",
    check: ({ replies }) => judgeReplies(replies, { tasks: /^cwe_no_example$/, classes: ["context copied"] }, 50),
  },
];

/** Claims about one model's replies, and about the difficulty of two tasks. */
export const OWN_REPLY_CLAIMS: readonly PublishedClaim<AblationEvidence>[] = [
  {
    id: "R17-tasks",
    source: "section 5, copying",
    quote:
      "This tendency is most notable in variable tracking (VT) and common words extraction (CWE) where we include one in-context demonstration at the beginning of the sequence",
    statement:
      "Copying is most notable in variable tracking and common words (our measure: at the longest length a larger share of the replies to each copies example or context than of those to all other tasks, beyond chance).",
    expected: "cannot tell",
    check: ({ replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const [others, ...demonstrated] = [/^(?!vt|cwe)/, TRACKING, COMMON].map((tasks) =>
        shareOf(replies, { tasks, classes: COPIES, at: "longest" })
      );
      const [vt, cwe] = demonstrated;
      if (!others || !vt || !cwe) return cannotTell("Not all of them were asked.");
      return {
        verdict: allOf([vt, cwe].map((share) => judge(differenceInterval(share, others), 0))),
        observed: `Percent of replies at the longest length: variable tracking ${scoreText(vt)}, common words ${
          scoreText(cwe)
        }, other tasks ${scoreText(others)}.`,
      };
    },
  },
  {
    id: "R19-errors",
    source: "section 5, tracking",
    quote:
      "Besides the aforementioned copying issue, Yi makes errors due to incorrectly returning empty strings or variables from other chains",
    statement:
      "Where variable tracking fails without copying, the reply is empty or has variables of other chains (our measure: in half or more of such replies).",
    expected: "cannot tell",
    check: ({ replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const wrong = replies.filter((reply) => reply.value !== null && reply.value < 1 && !shows(reply, COPIES));
      const share = shareOf(wrong, { tasks: TRACKING, classes: LOST_CHAINS });
      return share === null ? cannotTell("There is no such reply.") : judgeShare(share, 50);
    },
  },
  {
    id: "R21-replies",
    source: "section 5, question answering",
    quote:
      "at large context sizes, model predictions sometimes are irrelevant to the question and can coincide with the answers of its no-context baseline",
    statement:
      `At large context sizes wrong answers can be those given without any context (our measure: in ${PRESENT}% or more of the replies to questions at the longest length; how relevant a reply is to its question is not judged).`,
    expected: "cannot tell",
    check: ({ lines, replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const share = shareOf(replies, { tasks: /^qa_[12]$/, classes: ["prior knowledge"], at: "longest" });
      if (share === null || panelOf(lines, CLOSED_BOOK_PANEL).length === 0) {
        return cannotTell("The questions were not asked both with and without context.");
      }
      return judgeShare(share, PRESENT);
    },
  },
  {
    id: "R35",
    source: "section 2; Table 1",
    quote:
      "Compared to realistic benchmarks, synthetic tasks are more flexible to control the setup (e.g., sequence length and task complexity) and less affected by parametric knowledge",
    statement:
      `Synthetic tasks are less affected by a model's knowledge (our measure: without any context it scores less on questions about the synthetic world than Yi-34B's ${
        REALISTIC.toFixed(1)
      } on SQuAD and HotpotQA, beyond chance).`,
    expected: "cannot tell",
    check: ({ lines, replies, realQuestions = false }) => {
      const asked = panelOf(lines, CLOSED_BOOK_PANEL).flatMap(({ points }) => points[0] ?? []);
      if (asked.length === 0) return cannotTell("No question was asked without context.");
      const known = meanPoint(asked);
      const text = `Without context ${scoreText(known)} percent of the questions are answered.`;
      return replies === null || realQuestions
        ? cannotTell(`${text} These are SQuAD's and HotpotQA's; no synthetic question was asked in this way.`)
        : {
          verdict: judge({ score: -known.score, low: -known.high, high: -known.low }, -REALISTIC),
          observed: text,
        };
    },
  },
  {
    id: "R36",
    source: "section 3.3",
    quote: "increasing K leads to poor performance even at small context sizes for most models",
    statement:
      `More frequent words than the paper asks for are hard even in a short context (our measure: to ask for ten costs ${LARGE} points or more at the shortest length).`,
    expected: "cannot tell",
    check: ({ lines }) => {
      const [three, ten] = [lineNamed(lines, "alpha=2.0"), lineNamed(lines, TEN_WORDS)];
      const shortest = three === undefined || ten === undefined ? undefined : sharedLengths([three, ten])[0];
      if (three === undefined || ten === undefined || shortest === undefined) {
        return cannotTell("Ten words were not asked for beside three; the paper shows no other K.");
      }
      const [from, to] = [at(three, shortest)!, at(ten, shortest)!];
      const loss = differenceInterval(from, to);
      return {
        verdict: judge(loss, LARGE),
        observed: `At ${lengthText(shortest)} three words score ${from.score.toFixed(1)} and ten ${
          to.score.toFixed(1)
        }: a loss of ${scoreText(loss)}.`,
      };
    },
  },
];
