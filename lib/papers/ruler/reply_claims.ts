import { allFindings, scoreText } from "./line_findings.ts";
import {
  cannotTell,
  differenceInterval,
  type Finding,
  inPercent,
  notAsked,
  type PublishedClaim,
  type ScoreWithInterval,
  verdictOf,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";
import type { ExplainedReply, FailureClass } from "@/lib/statistics/failures/mod.ts";

export interface ExplainedModel {
  readonly model: string;
  readonly replies: readonly ExplainedReply[];
}

/**
 * The claim of the RULER paper about replies, checked on those of real models. The published numbers leave it open, as the replies of the
 * paper's models were not published.
 */
export const REPLY_CLAIMS: readonly PublishedClaim<readonly ExplainedModel[]>[] = [
  {
    id: "R34",
    source: "section 1",
    quote:
      "we observe two behaviors emerging with the scaling of context size across multiple models: the increased reliance on parametric knowledge and the increased tendency to copy from context for non-retrieval tasks",
    quantifier: { of: "some", word: "multiple" },
    statement:
      "In several models two failures grow with the context: answers from their own knowledge, and copies from the context in tasks other than retrieval (our measure: each has a larger share of the replies at the longest length than at the shortest, beyond chance, in two models or more).",
    expected: "cannot tell",
    check: checkGrowth,
  },
];

/** Replies to some tasks that fail in a way. */
interface Behaviour {
  readonly what: string;
  readonly tasks: RegExp;
  readonly failure: FailureClass;
}

const BEHAVIOURS: readonly Behaviour[] = [
  { what: "own knowledge", tasks: /^(cwe|qa_[12])$/, failure: "prior knowledge" },
  { what: "copies", tasks: /^(?!niah)/, failure: "copied" },
];

function checkGrowth(models: readonly ExplainedModel[]): Finding {
  if (models.length === 0) return cannotTell("The models' replies were not published.");
  return allFindings(BEHAVIOURS.map((behaviour) => growsInSeveral(models, behaviour)));
}

/** Checks that a behaviour grows with the context in two models or more. */
function growsInSeveral(models: readonly ExplainedModel[], behaviour: Behaviour): Finding {
  const grown = models.flatMap(({ model, replies }) => {
    const by = growthOf(replies, behaviour);
    return by === null ? [] : [{ model, by }];
  });
  if (grown.length === 0) return notAsked(`Tasks that show ${behaviour.what} were not asked at two lengths.`);
  const texts = grown.map(({ model, by }) => `${model} ${scoreText(by)}`).join(", ");
  const does = grown.filter(({ by }) => by.low > 0).length;
  // Two models are no evidence against "multiple models".
  const isNone = grown.length > 2 && grown.every(({ by }) => by.high < 0);
  return {
    verdict: verdictOf(does >= 2, isNone),
    observed: `Points by which the share of ${behaviour.what} grows: ${texts}.`,
  };
}

/** Returns the growth of a share from the shortest to the longest length, in points; `null` without two lengths. */
function growthOf(replies: readonly ExplainedReply[], { tasks, failure }: Behaviour): ScoreWithInterval | null {
  const asked = replies.filter(({ task, failed }) => tasks.test(task) && !failed);
  const lengths = asked.map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (shortest >= longest) return null;
  const [first, last] = [shortest, longest].map((length) => {
    const counted = asked.filter((reply) => reply.length === length);
    const shown = counted.filter(({ modes }) => modes.some((mode) => mode.class === failure)).length;
    return inPercent({ mean: shown / counted.length, ...wilsonInterval(shown, counted.length) });
  });
  return differenceInterval(last!, first!);
}
