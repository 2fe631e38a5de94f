import {
  type Behaviour,
  COMMON,
  COPIES,
  growthOf,
  judgeShare,
  LARGE,
  LOST_CHAINS,
  PRESENT,
  type Share,
  shareOf,
  TRACKING,
  UNKNOWN_REPLIES,
} from "./reply_shares.ts";
import { findRow, type RulerPublished, scoreAt } from "./published.ts";
import { allOf, judge, scoreText } from "./score_lines.ts";
import { cannotTell, differenceInterval, type Finding, type PublishedClaim } from "@/lib/statistics/mod.ts";
import type { ExplainedReply, FailureClass } from "@/lib/statistics/failures/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

const COPYING = "section 5, copying";
const AT_32K = 32_768;
/** The tasks that begin with a worked example. */
const WITH_EXAMPLE = /^(cwe$|vt)/;
const KNOWLEDGE: readonly FailureClass[] = ["prior knowledge"];

/** A model of several that are compared. */
export interface CopyingModel {
  /** Its name; claims look for names such as `Yi` or `Mistral` in it. */
  readonly model: string;
  /** Every reply with its failures; `null` if unknown, like the paper's. */
  readonly replies: readonly ExplainedReply[] | null;
  /** The printed mean of common and frequent words at 32K, in percent. */
  readonly aggregation?: number;
}

/** Returns the models that section 5 names, whose replies were not published but whose scores are in Table 15. */
export function publishedCopying({ rows }: Pick<RulerPublished, "rows">): readonly CopyingModel[] {
  return ["Yi", "LWM", "LongAlpaca", "Mixtral"].map((model) => {
    const aggregation = scoreAt(findRow(rows, { edition: "v1", category: "aggregation", model }), AT_32K)!;
    return { model, replies: null, aggregation };
  });
}

/** Claims of sections 1 and 5 about several models, checked on their replies. */
export const COPYING_CLAIMS: readonly PublishedClaim<readonly CopyingModel[]>[] = [
  ...["LWM", "LongAlpaca"].map((name) => ({
    id: `R17-${name.toLowerCase()}`,
    source: COPYING,
    quote: "This copying behavior is also present in the LWM model and LongAlpaca",
    statement:
      `${name} copies the worked example too (our measure: in ${PRESENT}% or more of its replies to common words and variable tracking at the longest length).`,
    expected: "cannot tell" as const,
    check: (models: readonly CopyingModel[]): Finding => {
      const asked = models.find((model) => isNamed(model, name));
      if (asked === undefined) return cannotTell(`${name} was not asked.`);
      const share = copiesOf(asked);
      return share === null
        ? unknown([asked])
        : { verdict: judge(share, PRESENT), observed: `${copiesText(asked, share)} percent of its replies.` };
    },
  })),
  {
    id: "R17-mixtral",
    source: COPYING,
    quote: "however it is less prevalent in other models, such as Mixtral",
    statement:
      "Mixtral copies less (our measure: a smaller share of its replies to common words and variable tracking at the longest length than of those of Yi, LWM and LongAlpaca, beyond chance).",
    expected: "cannot tell",
    check: (models): Finding => {
      const mixtral = models.find((model) => isNamed(model, "Mixtral"));
      const others = models.filter((model) => ["Yi", "LWM", "LongAlpaca"].some((name) => isNamed(model, name)));
      if (mixtral === undefined || others.length === 0) {
        return cannotTell("Mixtral and a model that copies by the paper were not both asked.");
      }
      const share = copiesOf(mixtral);
      const shares = others.flatMap((model) => {
        const share = copiesOf(model);
        return share === null ? [] : [{ model, share }];
      });
      if (share === null || shares.length === 0) return unknown([mixtral, ...others]);
      return {
        verdict: allOf(shares.map((other) => judge(differenceInterval(other.share, share), 0))),
        observed: `${copiesText(mixtral, share)} percent; ${
          shares.map((other) => copiesText(other.model, other.share)).join("; ")
        }.`,
      };
    },
  },
  {
    id: "R19-frequent",
    source: "section 5, tracking",
    quote: "These errors are also frequently observed in models that do not exhibit the copying behavior",
    statement:
      `Empty replies and variables of other chains are frequent in models that do not copy, too (our measure: in ${LARGE}% or more of their replies to variable tracking at the longest length; not to copy: in fewer than ${PRESENT}%).`,
    expected: "cannot tell",
    check: (models) =>
      checkNonCopying(models, (replies) => {
        const share = shareOf(replies, { tasks: TRACKING, classes: LOST_CHAINS, at: "longest" });
        return share === null ? cannotTell("Variable tracking was not asked.") : judgeShare(share, LARGE);
      }),
  },
  {
    id: "R33",
    source: "section 5, aggregation",
    quote:
      "Models that do not exhibit the copying issue in the CWE task, sometimes ignore the contextual information and instead use parametric knowledge to answer the query, especially at large context sizes",
    statement:
      `Models that do not copy answer common words from their own knowledge, especially in large contexts (our measure: common English words instead of the list's in a larger share of replies at the longest length than at the shortest, beyond chance; not to copy: in fewer than ${PRESENT}%).`,
    expected: "cannot tell",
    check: (models) =>
      checkNonCopying(models, (replies) => {
        const grown = growthOf(replies, { tasks: COMMON, classes: ["prior knowledge"] });
        return grown === null
          ? cannotTell("Common words were not asked at two lengths.")
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
    expected: "cannot tell",
    check: (models) => {
      const mistral = models.find((model) => isNamed(model, "Mistral"));
      if (mistral === undefined) return cannotTell("Mistral was not asked.");
      if (mistral.replies === null) return cannotTell(UNKNOWN_REPLIES);
      const share = shareOf(mistral.replies, { tasks: COMMON, classes: ["prior knowledge"], at: "longest" });
      return share === null ? cannotTell("It was not asked for common words.") : judgeShare(share, LARGE);
    },
  },
  {
    id: "R34-knowledge",
    source: "section 1",
    quote:
      "we observe two behaviors emerging with the scaling of context size across multiple models: the increased reliance on parametric knowledge",
    statement:
      "Across models the reliance on their own knowledge grows with the context (our measure: in several models frequent English words and closed-book answers take a larger share of the replies to common words and questions at the longest length than at the shortest, beyond chance).",
    expected: "cannot tell",
    check: (models) => growsInSeveral(models, { tasks: /^(cwe|qa_[12])$/, classes: KNOWLEDGE }),
  },
  {
    id: "R34-copying",
    source: "section 1",
    quote: "the increased tendency to copy from context for non-retrieval tasks",
    statement:
      "Across models copying grows with the context in tasks other than retrieval (our measure: in several models example or context is copied in a larger share of the replies at the longest length than at the shortest, beyond chance).",
    expected: "cannot tell",
    check: (models) => growsInSeveral(models, { tasks: /^(?!niah)/, classes: COPIES }),
  },
];

/** Returns whether a model's name has a word with this beginning: Mixtral is no Mistral. */
function isNamed({ model }: CopyingModel, name: string): boolean {
  return new RegExp(`(^|[^a-z])${name}`, "i").test(model);
}

/** Returns the share of replies that copy the worked example at the longest length; `null` if unknown. */
function copiesOf({ replies }: CopyingModel): Share | null {
  return shareOf(replies ?? [], { tasks: WITH_EXAMPLE, classes: ["example copied"], at: "longest" });
}

function copiesText({ model }: CopyingModel, share: Share): string {
  return `${model} copies it at ${lengthText(share.length)} in ${scoreText(share)} of ${share.n}`;
}

/** Bounds the copies by the printed scores: a copied example scores nothing, and the mean of two tasks bounds each of them. */
function unknown(models: readonly CopyingModel[]): Finding {
  const bounds = models.flatMap(({ model, aggregation }) =>
    aggregation === undefined ? [] : [`${Math.min(100, 200 - 2 * aggregation).toFixed(0)}% of ${model}'s`]
  );
  return cannotTell(
    bounds.length === 0
      ? "No reply to a task with a worked example is known."
      : `The models' replies were not published. A copy scores nothing, so by Table 15 at most ${
        bounds.join(", ")
      } replies to common words at 32K can be copies.`,
  );
}

/** Checks together the replies of the models whose replies to common words hardly ever copy the example or the context. */
function checkNonCopying(
  models: readonly CopyingModel[],
  check: (replies: readonly ExplainedReply[]) => Finding,
): Finding {
  const known = models.flatMap(({ model, replies }) => {
    const copies = shareOf(replies ?? [], { tasks: COMMON, classes: COPIES, at: "longest" });
    return replies === null || copies === null ? [] : [{ model, replies, copies: copies.score }];
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
    const by = growthOf(replies ?? [], behaviour);
    return by === null ? [] : [{ model, by, verdict: judge(by, 0) }];
  });
  if (grown.length === 0) return cannotTell(noReplies(models));
  const observed = `Points by which the share grows: ${
    grown.map(({ model, by }) => `${model} ${scoreText(by)}`).join(", ")
  }.`;
  if (grown.length < 2) return cannotTell(`${observed} One model says nothing of several.`);
  const count = (...wanted: Finding["verdict"][]): number =>
    grown.filter(({ verdict }) => wanted.includes(verdict)).length;
  const verdict = count("holds") >= 2 ? "holds" : count("holds", "cannot tell") >= 2 ? "cannot tell" : "fails";
  return { verdict, observed };
}

function noReplies(models: readonly CopyingModel[]): string {
  return models.some(({ replies }) => replies !== null)
    ? "Such tasks were not asked at two lengths."
    : "The models' replies were not published.";
}
