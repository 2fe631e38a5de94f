import type { Finding } from "../claims.ts";
import type { FailureClass } from "../failures/failure_class.ts";
import type { ExplainedReply } from "../failures/failure_rows.ts";
import { wilsonInterval } from "../intervals/interval.ts";
import { lengthText } from "../length_text.ts";
import { cannotTell, judge, written } from "./_line_findings.ts";
import { meanInterval } from "../intervals/mean_interval.ts";

const UNKNOWN = "The model's replies were not published.";

/** Whether at least so many percent of the replies to some tasks show a way of failing. */
export function countMode(
  replies: readonly ExplainedReply[] | null,
  options: {
    readonly class: FailureClass;
    readonly tasks: RegExp;
    /** Percent. */
    readonly atLeast: number;
    /** The length to look at; all unless given. */
    readonly length?: number;
    /** Only lengths beyond this one are looked at. */
    readonly beyond?: number;
  },
): Finding {
  if (replies === null) return cannotTell(UNKNOWN);
  const { class: name, tasks, atLeast, length, beyond = 0 } = options;
  const asked = replies.filter((reply) =>
    tasks.test(reply.task) && !reply.failed && (length === undefined || reply.length === length) &&
    reply.length > beyond
  );
  if (asked.length === 0) {
    const at = length === undefined || !Number.isFinite(length) ? "" : ` at ${lengthText(length)}`;
    const where = beyond === 0 ? at : ` beyond ${lengthText(beyond)}`;
    return cannotTell(`No such task was asked${where}, or every call failed.`);
  }
  const shown = asked.filter(({ modes }) => modes.some((mode) => mode.class === name)).length;
  const { low, high } = wilsonInterval(shown, asked.length);
  const share = { score: (100 * shown) / asked.length, low: 100 * low, high: 100 * high };
  return {
    verdict: judge(share, atLeast),
    observed: `${shown} of ${asked.length} replies show it: ${written(share)} percent.`,
  };
}

/** Whether the distractors given in place of a target stand nearer to it than distractors picked at random would. */
export function distanceOf(replies: readonly ExplainedReply[] | null, task: string): Finding {
  if (replies === null) return cannotTell(UNKNOWN);
  const nearer = replies.filter((reply) => reply.task === task).flatMap(({ modes }) =>
    modes.filter((mode) => mode.class === "distractor").flatMap(({ evidence }) =>
      evidence.flatMap((one) => one.nearer === undefined ? [] : [one.nearer])
    )
  );
  if (nearer.length === 0) return cannotTell("No reply gave a distractor's value.");
  const { mean, low, high } = meanInterval(nearer);
  const share = { score: 100 * mean, low: 100 * low, high: 100 * high };
  return {
    verdict: share.high < 50 ? "holds" : share.low >= 50 ? "fails" : "cannot tell",
    observed: `In ${nearer.length} wrong values, ${
      written(share)
    } percent of the other needles stand nearer to the target on average; at random it would be 50.`,
  };
}
