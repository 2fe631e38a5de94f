import { lengthText } from "@/lib/base/mod.ts";
import { CLOSED_BOOK_PANEL, COMMON_WORDS, TEN_WORDS } from "./ablations.ts";
import { allOf, below, judge, meanPoint, scoreText } from "./line_findings.ts";
import { at, lineNamed, panelOf, type ScoreLine } from "./score_lines.ts";
import {
  cannotTell,
  type Claim,
  differenceInterval,
  type Finding,
  inPercent,
  notAsked,
  type PublishedClaim,
  type ScoreWithInterval,
  verdictOf,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";
import type { ExplainedReply, FailureClass, FailureEvidence } from "@/lib/statistics/failures/mod.ts";

/** The percentage of replies from which a model shows a behaviour; "often", "frequently", "large" also in points. */
const [PRESENT, LARGE] = [5, 10];

const COPIES: readonly FailureClass[] = ["copied"];
const LOST_CHAINS: readonly FailureClass[] = ["empty", "distractor"];
const KNOWLEDGE: readonly FailureClass[] = ["prior knowledge"];
const TRACKING = /^vt/;
const COMMON = /^cwe$/;
/** The worked example is copied, in the tasks that begin with one. */
const EXAMPLE_COPIED: Behaviour = { tasks: /^(cwe$|vt)/, classes: COPIES, kind: "example", at: "longest" };

export const UNKNOWN_REPLIES = "The model's replies were not published.";

/** A way in which replies to some tasks can fail. */
interface Behaviour {
  readonly tasks: RegExp;
  readonly classes: readonly FailureClass[];
  /** The kind of evidence that counts; any by default. */
  readonly kind?: FailureEvidence["kind"];
  /** The length of the replies, in tokens, or an end of the lengths that were asked; all lengths by default. */
  readonly at?: number | "shortest" | "longest";
  /** Only longer prompts count. */
  readonly beyond?: number;
}

/** The share of replies that show a behaviour, in percent. */
interface Share extends ScoreWithInterval {
  readonly shown: number;
  readonly n: number;
  /** The longest of them, in tokens. */
  readonly length: number;
}

function shows({ modes }: ExplainedReply, { classes, kind }: Pick<Behaviour, "classes" | "kind">): boolean {
  return modes.some((mode) =>
    classes.includes(mode.class) && (kind === undefined || mode.evidence.some((each) => each.kind === kind))
  );
}

/** Returns the share of the replies without a failed call that show a behaviour; `null` without any. */
function shareOf(
  replies: readonly ExplainedReply[],
  behaviour: Behaviour,
): Share | null {
  const { tasks, at, beyond = 0 } = behaviour;
  const asked = replies.filter(({ task, length, failed }) => tasks.test(task) && length > beyond && !failed);
  const lengths = new Set(asked.map(({ length }) => length));
  const ends = { shortest: Math.min(...lengths), longest: Math.max(...lengths) };
  const wanted = typeof at === "string" ? ends[at] : at;
  const counted = wanted === undefined ? asked : asked.filter(({ length }) => length === wanted);
  if (counted.length === 0) return null;
  const shown = counted.filter((reply) => shows(reply, behaviour)).length;
  const length = Math.max(...new Set(counted.map(({ length }) => length)));
  return {
    shown,
    n: counted.length,
    length,
    ...inPercent({ mean: shown / counted.length, ...wilsonInterval(shown, counted.length) }),
  };
}

/** Returns the growth of a share from the shortest to the longest length, in points; `null` without two lengths. */
function growthOf(replies: readonly ExplainedReply[], behaviour: Behaviour): ScoreWithInterval | null {
  const [first, last] = (["shortest", "longest"] as const).map((at) => shareOf(replies, { ...behaviour, at }));
  return !first || !last || first.length === last.length ? null : differenceInterval(last, first);
}

/** Checks that at least a percentage of one model's replies show a behaviour; replies may be unknown, like the paper's. */
export function judgeReplies(
  replies: readonly ExplainedReply[] | null,
  behaviour: Behaviour,
  atLeast: number,
): Finding {
  if (replies === null) return cannotTell(UNKNOWN_REPLIES);
  const share = shareOf(replies, behaviour);
  const { at, beyond } = behaviour;
  const far = beyond ? ` beyond ${lengthText(beyond)}` : "";
  const place = typeof at === "number" ? ` at ${lengthText(at)}` : far;
  if (share === null) return notAsked(`There is no such reply${place}.`);
  const observed = `${share.shown} of ${share.n} replies show it: ${scoreText(share)} percent.`;
  return { verdict: judge(share, atLeast), observed };
}

const AT_128K = 131_072;
const COPYING = "section 5, copying";
/** The mean of Yi-34B's scores on SQuAD and HotpotQA without any context, read from Figure 3. */
const REALISTIC = (28.8 + 31.6) / 2;
const OPPOSITE = { "holds": "fails", "mostly holds": "fails", "fails": "holds", "cannot tell": "cannot tell" } as const;

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

/** Adds the verdict of claims that the published numbers leave open, as they are about replies. */
function undecided<Evidence>(claims: readonly Claim<Evidence>[]): readonly PublishedClaim<Evidence>[] {
  return claims.map((claim) => ({ ...claim, expected: "cannot tell" }));
}

/** Claims of section 5 about one model that copies, Yi-34B in the paper. */
export const OWN_COPYING_CLAIMS: readonly PublishedClaim<AblationEvidence>[] = undecided([
  {
    id: "R17",
    source: COPYING,
    quote: "Over 80% of Yi’s output in the CWE task at 128K is simply a string copied from the one-shot example",
    statement: "Over 80% of replies to common words at 128K copy the worked example.",
    check: ({ lines, replies }) => {
      const finding = judgeReplies(replies, { tasks: COMMON, classes: COPIES, kind: "example", at: AT_128K }, 80);
      const line = lineNamed(lines, COMMON_WORDS);
      const score = (line && at(line, AT_128K))?.score.toFixed(1);
      const scored = `Such a reply scores about 0, so the score of ${score} at 128K does not contradict it.`;
      return replies !== null || score === undefined ? finding : cannotTell(`${finding.observed} ${scored}`);
    },
  },
  {
    id: "R17-short",
    source: COPYING,
    quote: "whereas the copying is nonexistent for short sequences",
    statement:
      `For short sequences no reply to common words copies it (our measure: fewer than ${PRESENT}% at the shortest length).`,
    check: ({ replies }) => {
      const behaviour = { tasks: COMMON, classes: COPIES, kind: "example", at: "shortest" } as const;
      const finding = judgeReplies(replies, behaviour, PRESENT);
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
    check: ({ replies }) => judgeReplies(replies, { tasks: /^cwe_no_example$/, classes: COPIES, kind: "context" }, 50),
  },
]);

/** Claims about one model's replies, and about the difficulty of two tasks. */
export const OWN_REPLY_CLAIMS: readonly PublishedClaim<AblationEvidence>[] = undecided([
  {
    id: "R17-tasks",
    source: COPYING,
    quote:
      "This tendency is most notable in variable tracking (VT) and common words extraction (CWE) where we include one in-context demonstration at the beginning of the sequence",
    statement:
      "Copying is most notable in variable tracking and common words (our measure: at the longest length a larger share of the replies to each copies example or context than of those to all other tasks, beyond chance).",
    check: ({ replies }) => {
      if (replies === null) return cannotTell(UNKNOWN_REPLIES);
      const [others, ...demonstrated] = [/^(?!vt|cwe)/, TRACKING, COMMON].map((tasks) =>
        shareOf(replies, { tasks, classes: COPIES, at: "longest" })
      );
      const [vt, cwe] = demonstrated;
      if (!others || !vt || !cwe) return notAsked("Not all of them were asked.");
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
    check: ({ replies }) => {
      const wrong = replies?.filter((reply) =>
        reply.value !== null && reply.value < 1 && !shows(reply, { classes: COPIES })
      );
      return judgeReplies(wrong ?? null, { tasks: TRACKING, classes: LOST_CHAINS }, 50);
    },
  },
  {
    id: "R21-replies",
    source: "section 5, question answering",
    quote:
      "at large context sizes, model predictions sometimes are irrelevant to the question and can coincide with the answers of its no-context baseline",
    statement:
      `At large context sizes wrong answers can be those given without any context (our measure: in ${PRESENT}% or more of the replies to questions at the longest length; how relevant a reply is to its question is not judged).`,
    check: ({ lines, replies }) =>
      replies !== null && panelOf(lines, CLOSED_BOOK_PANEL).length === 0
        ? notAsked("The questions were not asked without context.")
        : judgeReplies(replies, { tasks: /^qa_[12]$/, classes: KNOWLEDGE, at: "longest" }, PRESENT),
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
    check: ({ lines, replies, realQuestions = false }) => {
      const asked = panelOf(lines, CLOSED_BOOK_PANEL).flatMap(({ points }) => points[0] ?? []);
      if (asked.length === 0) return notAsked("No question was asked without context.");
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
    check: ({ lines }) =>
      lineNamed(lines, TEN_WORDS) === undefined
        ? notAsked("No score with K = 10 was published, or ten words were not asked.")
        : below(lines, ["alpha=2.0", TEN_WORDS], { atLeast: LARGE, at: "shortest" }),
  },
]);

/** A model of several that are compared, with every reply and its failures. */
export interface CopyingModel {
  readonly model: string;
  readonly replies: readonly ExplainedReply[];
}

/** Claims of sections 1 and 5 about several models, checked on their replies; on none for the paper's, which were not published. */
export const COPYING_CLAIMS: readonly PublishedClaim<readonly CopyingModel[]>[] = undecided([
  ...["LWM", "LongAlpaca"].map((name): Claim<readonly CopyingModel[]> => ({
    id: `R17-${name.toLowerCase()}`,
    source: COPYING,
    quote: "This copying behavior is also present in the LWM model and LongAlpaca",
    statement:
      `${name} copies the worked example too (our measure: in ${PRESENT}% or more of its replies to common words and variable tracking at the longest length).`,
    check: (models) => judgeModel(models, name, (replies) => judgeReplies(replies, EXAMPLE_COPIED, PRESENT)),
  })),
  {
    id: "R17-mixtral",
    source: COPYING,
    quote: "however it is less prevalent in other models, such as Mixtral",
    statement:
      "Mixtral copies less (our measure: a smaller share of its replies to common words and variable tracking at the longest length than of those of Yi, LWM and LongAlpaca, beyond chance).",
    check: (models) =>
      judgeModel(models, "Mixtral", (replies) => {
        const own = shareOf(replies, EXAMPLE_COPIED);
        const shares = ["Yi", "LWM", "LongAlpaca"].flatMap((name) =>
          models.filter(({ model }) => isNamed(model, name)).flatMap((each) =>
            shareOf(each.replies, EXAMPLE_COPIED) ?? []
          )
        );
        if (own === null || shares.length === 0) return notAsked("No model that copies by the paper was asked.");
        return {
          verdict: allOf(shares.map((share) => judge(differenceInterval(share, own), 0))),
          observed: `It copies in ${scoreText(own)} percent of its replies, the others in ${
            shares.map(scoreText).join(", ")
          }.`,
        };
      }),
  },
  {
    id: "R19-frequent",
    source: "section 5, tracking",
    quote: "These errors are also frequently observed in models that do not exhibit the copying behavior",
    statement:
      `Empty replies and variables of other chains are frequent in models that do not copy, too (our measure: in ${LARGE}% or more of their replies to variable tracking at the longest length; not to copy: in fewer than ${PRESENT}%).`,
    check: (models) =>
      checkNonCopying(
        models,
        (replies) => judgeReplies(replies, { tasks: TRACKING, classes: LOST_CHAINS, at: "longest" }, LARGE),
      ),
  },
  {
    id: "R33",
    source: "section 5, aggregation",
    quote:
      "Models that do not exhibit the copying issue in the CWE task, sometimes ignore the contextual information and instead use parametric knowledge to answer the query, especially at large context sizes",
    statement:
      `Models that do not copy answer common words from their own knowledge, especially in large contexts (our measure: common English words instead of the list's in a larger share of replies at the longest length than at the shortest, beyond chance; not to copy: in fewer than ${PRESENT}%).`,
    check: (models) =>
      checkNonCopying(models, (replies) => {
        const grown = growthOf(replies, { tasks: COMMON, classes: KNOWLEDGE });
        return grown === null
          ? notAsked("Common words were not asked at two lengths.")
          : { verdict: judge(grown, 0), observed: `From shortest to longest the share grows by ${scoreText(grown)}.` };
      }),
  },
  {
    id: "R33-mistral",
    source: "section 5, aggregation",
    quote:
      "Mistral (7b-instruct-v0.2) returns high frequency words, such as “the”, “an”, “a”, as output without counting the words in context",
    statement:
      `Mistral answers common words with words that are frequent in English (our measure: in ${LARGE}% or more of its replies at the longest length).`,
    check: (models) =>
      judgeModel(
        models,
        "Mistral",
        (replies) => judgeReplies(replies, { tasks: COMMON, classes: KNOWLEDGE, at: "longest" }, LARGE),
      ),
  },
  {
    id: "R34-knowledge",
    source: "section 1",
    quote:
      "we observe two behaviors emerging with the scaling of context size across multiple models: the increased reliance on parametric knowledge",
    statement:
      "Across models the reliance on their own knowledge grows with the context (our measure: in several models frequent English words and closed-book answers take a larger share of the replies to common words and questions at the longest length than at the shortest, beyond chance).",
    check: (models) => growsInSeveral(models, { tasks: /^(cwe|qa_[12])$/, classes: KNOWLEDGE }),
  },
  {
    id: "R34-copying",
    source: "section 1",
    quote: "the increased tendency to copy from context for non-retrieval tasks",
    statement:
      "Across models copying grows with the context in tasks other than retrieval (our measure: in several models example or context is copied in a larger share of the replies at the longest length than at the shortest, beyond chance).",
    check: (models) => growsInSeveral(models, { tasks: /^(?!niah)/, classes: COPIES }),
  },
]);

/** Returns whether a model's name has a word with this beginning: Mixtral is not Mistral. */
function isNamed(model: string, name: string): boolean {
  return new RegExp(`(^|[^a-z])${name}`, "i").test(model);
}

/** Checks the replies of one model, if it was asked. */
function judgeModel(
  models: readonly CopyingModel[],
  name: string,
  check: (replies: readonly ExplainedReply[]) => Finding,
): Finding {
  const asked = models.find(({ model }) => isNamed(model, name));
  if (asked !== undefined) return check(asked.replies);
  return models.length > 0 ? notAsked(`${name} was not asked.`) : cannotTell(noReplies(models));
}

/** Checks together the replies of the models whose replies to common words hardly ever copy the example or the context. */
function checkNonCopying(
  models: readonly CopyingModel[],
  check: (replies: readonly ExplainedReply[]) => Finding,
): Finding {
  const known = models.flatMap((model) => {
    const copies = shareOf(model.replies, { tasks: COMMON, classes: COPIES, at: "longest" });
    return copies === null ? [] : [{ ...model, copies: copies.score }];
  });
  if (known.length === 0) return cannotTell(noReplies(models));
  const others = known.filter(({ copies }) => copies < PRESENT);
  if (others.length === 0) return cannotTell("Every model that was asked copies.");
  const { verdict, observed } = check(others.flatMap(({ replies }) => replies));
  return { verdict, observed: `${others.map(({ model }) => model).join(", ")}: ${observed}` };
}

/** Checks that a behaviour grows with the context in two models or more. */
function growsInSeveral(models: readonly CopyingModel[], behaviour: Behaviour): Finding {
  const grown = models.flatMap(({ model, replies }) => {
    const by = growthOf(replies, behaviour);
    return by === null ? [] : [{ model, by, verdict: judge(by, 0) }];
  });
  if (grown.length === 0) return cannotTell(noReplies(models));
  const observed = `Points by which the share grows: ${
    grown.map(({ model, by }) => `${model} ${scoreText(by)}`).join(", ")
  }.`;
  if (grown.length < 2) return cannotTell(`${observed} One model is no evidence about several.`);
  const count = (...wanted: Finding["verdict"][]): number =>
    grown.filter(({ verdict }) => wanted.includes(verdict)).length;
  const verdict = verdictOf(count("holds") >= 2, count("holds", "cannot tell") < 2);
  return { verdict, observed };
}

function noReplies(models: readonly CopyingModel[]): string {
  return models.length > 0 ? "Such tasks were not asked at two lengths." : "The models' replies were not published.";
}
