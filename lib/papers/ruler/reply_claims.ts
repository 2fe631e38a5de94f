import { CLOSED_BOOK_PANEL, TEN_WORDS } from "./ablations.ts";
import { lineNamed, UNKNOWN_REPLIES } from "./ablation_findings.ts";
import { allOf, at, judge, meanPoint, panelOf, type ScoreLine, sharedLengths, written } from "./score_lines.ts";
import {
  cannotTell,
  differenceInterval,
  type ExplainedReply,
  type FailureClass,
  type Finding,
  type PublishedClaim,
  type ScoreWithInterval,
  shareInPercent,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** From this percentage of the replies on a model shows a behaviour. */
export const PRESENT = 5;
/** "Often", "frequently", "large": in percent of the replies, or in points. */
const LARGE = 10;
/** What Yi-34B scores on SQuAD and HotpotQA without any context, read from Figure 3. */
const REALISTIC = [28.8, 31.6] as const;

const COPIES: readonly FailureClass[] = ["example copied", "context copied"];
const KNOWLEDGE: readonly FailureClass[] = ["prior knowledge"];
const LOST_CHAINS: readonly FailureClass[] = ["empty", "distractor"];
const TRACKING = /^vt/;
const COMMON = /^cwe$/;
const QUESTIONS = /^qa_[12]$/;

/** What claims about the replies of one model are checked on. */
export interface AblationEvidence {
  /** The lines of Figures 2 and 3, printed or of a run. */
  readonly lines: readonly ScoreLine[];
  /** Every reply and how it failed; `null` if unknown, like the paper's. */
  readonly replies: readonly ExplainedReply[] | null;
  /**
   * Whether a run's questions are SQuAD's and HotpotQA's own, not those about the synthetic world.
   *
   * @default {false}
   */
  readonly realQuestions?: boolean;
}

/** What the paper says of one model's replies, and of what makes two tasks as they are. */
export const OWN_REPLY_CLAIMS: readonly PublishedClaim<AblationEvidence>[] = [
  {
    id: "R17-tasks",
    source: "section 5, copying",
    quote:
      "This tendency is most notable in variable tracking (VT) and common words extraction (CWE) where we include one in-context demonstration at the beginning of the sequence",
    statement:
      "Copying is most notable in variable tracking and common words (our measure: at the longest length a larger share of " +
      "the replies to each copies example or context than of those to all other tasks, beyond chance).",
    expected: "cannot tell",
    check: ({ replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const [others, ...demonstrated] = [/^(?!vt|cwe)/, TRACKING, COMMON].map((tasks) =>
        shareAt(replies, { tasks, classes: COPIES, end: "longest" })
      );
      const [vt, cwe] = demonstrated;
      if (!others || !vt || !cwe) return cannotTell("Not all of them were asked.");
      return {
        verdict: allOf([vt, cwe].map((share) => judge(differenceInterval(share, others), 0))),
        observed: `Percent of replies at the longest length: variable tracking ${written(vt)}, common words ${
          written(cwe)
        }, other tasks ${written(others)}.`,
      };
    },
  },
  {
    id: "R19-errors",
    source: "section 5, tracking",
    quote:
      "Besides the aforementioned copying issue, Yi makes errors due to incorrectly returning empty strings or variables from other chains",
    statement:
      "Where variable tracking fails without copying, the reply is empty or has variables of other chains (our measure: in " +
      "half or more of such replies).",
    expected: "cannot tell",
    check: ({ replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const wrong = replies.filter((reply) =>
        TRACKING.test(reply.task) && reply.value !== null && reply.value < 1 && !shows(reply, COPIES)
      );
      const share = shareOf(wrong, LOST_CHAINS);
      return share === null ? cannotTell("There is no such reply.") : counted(share, 50);
    },
  },
  {
    id: "R21-replies",
    source: "section 5, question answering",
    quote:
      "at large context sizes, model predictions sometimes are irrelevant to the question and can coincide with the answers of its no-context baseline",
    statement:
      `At large context sizes wrong answers can be those given without any context (our measure: in ${PRESENT}% or more of ` +
      "the replies to questions at the longest length; how relevant a reply is to its question is not judged).",
    expected: "cannot tell",
    check: ({ lines, replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const share = shareAt(replies, { tasks: QUESTIONS, classes: ["prior knowledge"], end: "longest" });
      if (share === null || panelOf(lines, CLOSED_BOOK_PANEL).length === 0) {
        return cannotTell("The questions were not asked both with and without context.");
      }
      return counted(share, PRESENT);
    },
  },
  {
    id: "R35",
    source: "section 2; Table 1",
    quote:
      "Compared to realistic benchmarks, synthetic tasks are more flexible to control the setup (e.g., sequence length and task complexity) and less affected by parametric knowledge",
    statement:
      "Synthetic tasks are less affected by what a model knows (our measure: without any context it scores less on questions " +
      `about the synthetic world than the ${
        mean(REALISTIC).toFixed(1)
      } that Yi-34B has on SQuAD and HotpotQA, beyond chance).`,
    expected: "cannot tell",
    check: ({ lines, replies, realQuestions = false }) => {
      const asked = panelOf(lines, CLOSED_BOOK_PANEL).flatMap(({ points }) => points[0] ?? []);
      if (asked.length === 0) return cannotTell("No question was asked without context.");
      const known = meanPoint(asked);
      const said = `Without context ${written(known)} percent of the questions are answered.`;
      return replies === null || realQuestions
        ? cannotTell(`${said} These are SQuAD's and HotpotQA's; no synthetic question was asked so.`)
        : {
          verdict: judge({ score: -known.score, low: -known.high, high: -known.low }, -mean(REALISTIC)),
          observed: said,
        };
    },
  },
  {
    id: "R36",
    source: "section 3.3",
    quote: "increasing K leads to poor performance even at small context sizes for most models",
    statement:
      "More frequent words than the paper asks for are hard even in a short context (our measure: to ask for ten costs " +
      `${LARGE} points or more at the shortest length).`,
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
        }: a loss of ${written(loss)}.`,
      };
    },
  },
];

/** A model by name and what it replied. */
export interface ExplainedModel {
  /** Its name; claims look for names such as `Yi` or `Mistral` in it. */
  readonly model: string;
  /** Every reply and how it failed; `null` if unknown, like the paper's. */
  readonly replies: readonly ExplainedReply[] | null;
}

/** What the paper says of the replies of several models; the paper's own were not published. */
export const MODEL_REPLY_CLAIMS: readonly PublishedClaim<readonly ExplainedModel[]>[] = [
  {
    id: "R19-frequent",
    source: "section 5, tracking",
    quote: "These errors are also frequently observed in models that do not exhibit the copying behavior",
    statement:
      "Empty replies and variables of other chains are frequent in models that do not copy, too (our measure: in " +
      `${LARGE}% or more of their replies to variable tracking at the longest length; not to copy: in fewer than ${PRESENT}%).`,
    expected: "cannot tell",
    check: (models) =>
      ofThoseThatDoNotCopy(models, (replies) => {
        const share = shareAt(replies, { tasks: TRACKING, classes: LOST_CHAINS, end: "longest" });
        return share === null ? cannotTell("Variable tracking was not asked.") : counted(share, LARGE);
      }),
  },
  {
    id: "R33",
    source: "section 5, aggregation",
    quote:
      "Models that do not exhibit the copying issue in the CWE task, sometimes ignore the contextual information and instead use parametric knowledge to answer the query, especially at large context sizes",
    statement:
      "Models that do not copy answer common words by what they know, especially in large contexts (our measure: common " +
      "English words in place of the list's in a larger share of replies at the longest length than at the shortest, beyond " +
      `chance; not to copy: in fewer than ${PRESENT}%).`,
    expected: "cannot tell",
    check: (models) =>
      ofThoseThatDoNotCopy(models, (replies) => {
        const grown = growth(replies, { tasks: COMMON, classes: ["prior knowledge"] });
        return grown === null
          ? cannotTell("Common words were not asked at two lengths.")
          : { verdict: judge(grown, 0), observed: `From shortest to longest the share grows by ${written(grown)}.` };
      }),
  },
  {
    id: "R33-mistral",
    source: "section 5, aggregation",
    quote:
      "Mistral (7b-instruct-v0.2) returns high frequency words, such as “the”, “an”, “a”, as output without counting the words in context",
    statement:
      `Mistral answers common words with words that are frequent in English (our measure: in ${LARGE}% or more of its ` +
      "replies at the longest length).",
    expected: "cannot tell",
    check: (models) => {
      const mistral = models.find((model) => isNamed(model, "Mistral"));
      if (mistral === undefined) return cannotTell("Mistral was not asked.");
      if (mistral.replies === null) return cannotTell(UNKNOWN_REPLIES);
      const share = shareAt(mistral.replies, { tasks: COMMON, classes: ["prior knowledge"], end: "longest" });
      return share === null ? cannotTell("It was not asked for common words.") : counted(share, LARGE);
    },
  },
  {
    id: "R34-knowledge",
    source: "section 1",
    quote:
      "we observe two behaviors emerging with the scaling of context size across multiple models: the increased reliance on parametric knowledge",
    statement:
      "Across models the reliance on what they know grows with the context (our measure: in several models frequent English " +
      "words and closed-book answers take a larger share of the replies to common words and questions at the longest length " +
      "than at the shortest, beyond chance).",
    expected: "cannot tell",
    check: (models) => growsInSeveral(models, { tasks: /^(cwe|qa_[12])$/, classes: KNOWLEDGE }),
  },
  {
    id: "R34-copying",
    source: "section 1",
    quote: "the increased tendency to copy from context for non-retrieval tasks",
    statement:
      "Across models copying grows with the context in tasks other than retrieval (our measure: in several models example or " +
      "context is copied in a larger share of the replies at the longest length than at the shortest, beyond chance).",
    expected: "cannot tell",
    check: (models) => growsInSeveral(models, { tasks: /^(?!niah)/, classes: COPIES }),
  },
];

/** Whether a model has a name, as a word's beginning: Mixtral is no Mistral. */
export function isNamed({ model }: Pick<ExplainedModel, "model">, name: string): boolean {
  return new RegExp(`(^|[^a-z])${name}`, "i").test(model);
}

/** Replies to look at: those to some tasks, and the failures that are counted. */
interface Behaviour {
  readonly tasks: RegExp;
  readonly classes: readonly FailureClass[];
}

/** A share of replies, in percent. */
interface Share extends ScoreWithInterval {
  readonly shown: number;
  readonly n: number;
}

function shows({ modes }: ExplainedReply, classes: readonly FailureClass[]): boolean {
  return modes.some((mode) => classes.includes(mode.class));
}

function shareOf(replies: readonly ExplainedReply[], classes: readonly FailureClass[]): Share | null {
  if (replies.length === 0) return null;
  const shown = replies.filter((reply) => shows(reply, classes)).length;
  return { shown, n: replies.length, ...shareInPercent(shown, replies.length) };
}

/** The share of the replies to some tasks at the shortest or the longest of their lengths; `null` without any. */
function shareAt(
  replies: readonly ExplainedReply[],
  { tasks, classes, end }: Behaviour & { readonly end: "shortest" | "longest" },
): Share | null {
  const asked = replies.filter(({ task, failed }) => tasks.test(task) && !failed);
  const lengths = asked.map(({ length }) => length);
  const length = end === "shortest" ? Math.min(...lengths) : Math.max(...lengths);
  return shareOf(asked.filter((reply) => reply.length === length), classes);
}

/** By how many points a behaviour grows from the shortest to the longest length; `null` if there are not two. */
function growth(replies: readonly ExplainedReply[], behaviour: Behaviour): ScoreWithInterval | null {
  const asked = replies.filter(({ task, failed }) => behaviour.tasks.test(task) && !failed);
  if (new Set(asked.map(({ length }) => length)).size < 2) return null;
  const share = (end: "shortest" | "longest"): Share => shareAt(asked, { ...behaviour, end })!;
  return differenceInterval(share("longest"), share("shortest"));
}

function counted(share: Share, atLeast: number): Finding {
  return {
    verdict: judge(share, atLeast),
    observed: `${share.shown} of ${share.n} replies show it: ${written(share)} percent.`,
  };
}

/** Checks the replies of those models together whose replies to common words hardly ever copy the example or the context. */
function ofThoseThatDoNotCopy(
  models: readonly ExplainedModel[],
  check: (replies: readonly ExplainedReply[]) => Finding,
): Finding {
  const known = models.flatMap(({ model, replies }) => {
    const copies = shareAt(replies ?? [], { tasks: COMMON, classes: COPIES, end: "longest" });
    return replies === null || copies === null ? [] : [{ model, replies, copies: copies.score }];
  });
  if (known.length === 0) return cannotTell(noReplies(models));
  const others = known.filter(({ copies }) => copies < PRESENT);
  if (others.length === 0) return cannotTell("Every model that was asked copies.");
  const { verdict, observed } = check(others.flatMap(({ replies }) => replies));
  return { verdict, observed: `${others.map(({ model }) => model).join(", ")}: ${observed}` };
}

/** Whether a behaviour grows with the context in two models or more. */
function growsInSeveral(models: readonly ExplainedModel[], behaviour: Behaviour): Finding {
  const grown = models.flatMap(({ model, replies }) => {
    const by = growth(replies ?? [], behaviour);
    return by === null ? [] : [{ model, by }];
  });
  if (grown.length === 0) return cannotTell(noReplies(models));
  const said = grown.map(({ model, by }) => `${model} ${written(by)}`).join(", ");
  const observed = `Points by which the share grows: ${said}.`;
  if (grown.length < 2) return cannotTell(`${observed} One model says nothing of several.`);
  const verdicts = grown.map(({ by }) => judge(by, 0));
  const count = (wanted: Finding["verdict"]): number => verdicts.filter((verdict) => verdict === wanted).length;
  const isOpen = count("holds") + count("cannot tell") >= 2;
  return { verdict: count("holds") >= 2 ? "holds" : isOpen ? "cannot tell" : "fails", observed };
}

function noReplies(models: readonly ExplainedModel[]): string {
  return models.some(({ replies }) => replies !== null)
    ? "Such tasks were not asked at two lengths."
    : "The models' replies were not published.";
}

function mean([first, second]: readonly [number, number]): number {
  return (first + second) / 2;
}
