import { countMode } from "./ablation_findings.ts";
import { COMMON_WORDS } from "./ablations.ts";
import { type ExplainedModel, isNamed, MODEL_REPLY_CLAIMS, PRESENT } from "./reply_claims.ts";
import { findRow, type RulerPublished, scoreAt } from "./published.ts";
import { allOf, judge, type ScoreLine, written } from "./score_lines.ts";
import {
  cannotTell,
  differenceInterval,
  type ExplainedReply,
  type Finding,
  type PublishedClaim,
  type ScoreWithInterval,
  shareInPercent,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

const COPYING = "section 5, copying";
const [AT_32K, AT_128K] = [32_768, 131_072];
/** The tasks that begin with a worked example. */
const WITH_EXAMPLE = /^(cwe$|vt)/;
const OPPOSITE = { "holds": "fails", "fails": "holds", "cannot tell": "cannot tell" } as const;

/** What section 5 says of one model that copies, Yi-34B in the paper, checked on its lines and replies. */
export const OWN_COPYING_CLAIMS: readonly PublishedClaim<{
  readonly lines: readonly ScoreLine[];
  readonly replies: readonly ExplainedReply[] | null;
}>[] = [
  {
    id: "R17",
    source: COPYING,
    quote: "Over 80% of Yi’s output in the CWE task at 128K is simply a string copied from the one-shot example",
    statement: "Over 80% of replies to common words at 128K copy the worked example.",
    expected: "cannot tell",
    check: ({ lines, replies }) => {
      const finding = countMode(replies, { class: "example copied", tasks: /^cwe$/, atLeast: 80, length: AT_128K });
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
    source: COPYING,
    quote: "whereas the copying is nonexistent for short sequences",
    statement:
      `For short sequences no reply to common words copies it (our measure: fewer than ${PRESENT}% at the shortest length).`,
    expected: "cannot tell",
    check: ({ replies }) => {
      const finding = countMode(replies, {
        class: "example copied",
        tasks: /^cwe$/,
        atLeast: PRESENT,
        length: Math.min(...(replies ?? []).filter(({ task }) => task === "cwe").map(({ length }) => length)),
      });
      return { ...finding, verdict: OPPOSITE[finding.verdict] };
    },
  },
  {
    id: "R18",
    source: "section 5, footnote 7",
    quote:
      "We also experimented with removing the one-shot example. The model will simply copy the string of the beginning of the input",
    statement:
      "Without the worked example the model copies the beginning of the input (our measure: in half or more of its replies " +
      "to common words a stretch of the prompt stands in place of an answer).",
    expected: "cannot tell",
    check: ({ replies }) => countMode(replies, { class: "context copied", tasks: /^cwe_no_example$/, atLeast: 50 }),
  },
];

/** One of several models whose copying is compared. */
export interface CopyingModel extends ExplainedModel {
  /** The mean of common and frequent words at 32K that the paper prints, in percent. */
  readonly aggregation?: number;
}

/** The models of the paper that section 5 names: their replies were not published, Table 15 was. */
export function publishedCopying({ rows }: Pick<RulerPublished, "rows">): readonly CopyingModel[] {
  return ["Yi", "LWM", "LongAlpaca", "Mixtral"].map((model) => {
    const aggregation = scoreAt(findRow(rows, { edition: "v1", category: "aggregation", model }), AT_32K)!;
    return { model, replies: null, aggregation };
  });
}

/** What sections 1 and 5 say of other models than Yi-34B, checked on the replies of several models. */
export const COPYING_CLAIMS: readonly PublishedClaim<readonly CopyingModel[]>[] = [
  ...["LWM", "LongAlpaca"].map((name) => ({
    id: `R17-${name.toLowerCase()}`,
    source: COPYING,
    quote: "This copying behavior is also present in the LWM model and LongAlpaca",
    statement:
      `${name} copies the worked example too (our measure: in ${PRESENT}% or more of its replies to common words and ` +
      "variable tracking at the longest length).",
    expected: "cannot tell" as const,
    check: (models: readonly CopyingModel[]): Finding => {
      const asked = models.find((model) => isNamed(model, name));
      if (asked === undefined) return cannotTell(`${name} was not asked.`);
      const share = copiesOf(asked);
      return share === null
        ? unknown([asked])
        : { verdict: judge(share, PRESENT), observed: `${said(asked, share)} percent of its replies.` };
    },
  })),
  {
    id: "R17-mixtral",
    source: COPYING,
    quote: "however it is less prevalent in other models, such as Mixtral",
    statement:
      "Mixtral copies less (our measure: a smaller share of its replies to common words and variable tracking at the longest " +
      "length than of those of Yi, LWM and LongAlpaca, beyond chance).",
    expected: "cannot tell",
    check: (models): Finding => {
      const mixtral = models.find((model) => isNamed(model, "Mixtral"));
      const others = models.filter((model) => ["Yi", "LWM", "LongAlpaca"].some((name) => isNamed(model, name)));
      if (mixtral === undefined || others.length === 0) {
        return cannotTell("Mixtral and a model that is said to copy were not both asked.");
      }
      const share = copiesOf(mixtral);
      const shares = others.flatMap((model) => {
        const share = copiesOf(model);
        return share === null ? [] : [{ model, share }];
      });
      if (share === null || shares.length === 0) return unknown([mixtral, ...others]);
      return {
        verdict: allOf(shares.map((other) => judge(differenceInterval(other.share, share), 0))),
        observed: `${said(mixtral, share)} percent; ${
          shares.map((other) => said(other.model, other.share)).join("; ")
        }.`,
      };
    },
  },
  ...MODEL_REPLY_CLAIMS,
];

/** The share of replies that copy the worked example at the longest length, in percent; `null` if unknown. */
function copiesOf({ replies }: CopyingModel): Copies | null {
  const asked = (replies ?? []).filter(({ task, failed }) => WITH_EXAMPLE.test(task) && !failed);
  if (asked.length === 0) return null;
  const length = Math.max(...asked.map((reply) => reply.length));
  const longest = asked.filter((reply) => reply.length === length);
  const copies = longest.filter(({ modes }) => modes.some((mode) => mode.class === "example copied")).length;
  return { length, n: longest.length, ...shareInPercent(copies, longest.length) };
}

interface Copies extends ScoreWithInterval {
  readonly length: number;
  readonly n: number;
}

function said({ model }: CopyingModel, share: Copies): string {
  return `${model} copies it at ${lengthText(share.length)} in ${written(share)} of ${share.n}`;
}

/** What the printed scores leave room for: a copied example scores nothing, and the mean of two tasks bounds one of them. */
function unknown(models: readonly CopyingModel[]): Finding {
  const rooms = models.flatMap(({ model, aggregation }) =>
    aggregation === undefined ? [] : [`${Math.min(100, 200 - 2 * aggregation).toFixed(0)}% of ${model}'s`]
  );
  return cannotTell(
    rooms.length === 0
      ? "No reply to a task with a worked example is known."
      : `The models' replies were not published. A copy scores nothing, so by Table 15 at most ${
        rooms.join(", ")
      } replies to common words at 32K can be copies.`,
  );
}
