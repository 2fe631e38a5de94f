import { judge, scoreText } from "./score_lines.ts";
import {
  cannotTell,
  differenceInterval,
  type Finding,
  type ScoreWithInterval,
  shareInPercent,
} from "@/lib/statistics/mod.ts";
import type { ExplainedReply, FailureClass } from "@/lib/statistics/failures/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** A model shows a behaviour from this percentage of its replies. */
export const PRESENT = 5;
/** "Often", "frequently", "large": in percent of the replies, or in points. */
export const LARGE = 10;

export const COPIES: readonly FailureClass[] = ["example copied", "context copied"];
export const LOST_CHAINS: readonly FailureClass[] = ["empty", "distractor"];
export const TRACKING = /^vt/;
export const COMMON = /^cwe$/;

export const UNKNOWN_REPLIES = "The model's replies were not published.";

/** A way in which replies to some tasks can fail. */
export interface Behaviour {
  readonly tasks: RegExp;
  readonly classes: readonly FailureClass[];
  /** The length of the replies, in tokens, or an end of the lengths that were asked; all lengths by default. */
  readonly at?: number | "shortest" | "longest";
  /** Only longer prompts count. */
  readonly beyond?: number;
}

/** The share of replies that show a behaviour, in percent. */
export interface Share extends ScoreWithInterval {
  readonly shown: number;
  readonly n: number;
  /** The longest of them, in tokens. */
  readonly length: number;
}

export function shows({ modes }: ExplainedReply, classes: readonly FailureClass[]): boolean {
  return modes.some((mode) => classes.includes(mode.class));
}

/** Returns the share of the replies without a failed call that show a behaviour; `null` without any. */
export function shareOf(
  replies: readonly ExplainedReply[],
  { tasks, classes, at, beyond = 0 }: Behaviour,
): Share | null {
  const asked = replies.filter(({ task, length, failed }) => tasks.test(task) && length > beyond && !failed);
  const lengths = asked.map(({ length }) => length);
  const wanted = at === "shortest" ? Math.min(...lengths) : at === "longest" ? Math.max(...lengths) : at;
  const counted = wanted === undefined ? asked : asked.filter(({ length }) => length === wanted);
  if (counted.length === 0) return null;
  const shown = counted.filter((reply) => shows(reply, classes)).length;
  const length = Math.max(...counted.map(({ length }) => length));
  return { shown, n: counted.length, length, ...shareInPercent(shown, counted.length) };
}

/** Returns the growth of a share from the shortest to the longest length, in points; `null` without two lengths. */
export function growthOf(replies: readonly ExplainedReply[], behaviour: Behaviour): ScoreWithInterval | null {
  const [first, last] = (["shortest", "longest"] as const).map((at) => shareOf(replies, { ...behaviour, at }));
  return !first || !last || first.length === last.length ? null : differenceInterval(last, first);
}

/** Checks that a share is at least a percentage. */
export function judgeShare(share: Share, atLeast: number): Finding {
  return {
    verdict: judge(share, atLeast),
    observed: `${share.shown} of ${share.n} replies show it: ${scoreText(share)} percent.`,
  };
}

/** Checks that at least a percentage of one model's replies show a behaviour; replies may be unknown, like the paper's. */
export function judgeReplies(
  replies: readonly ExplainedReply[] | null,
  behaviour: Behaviour,
  atLeast: number,
): Finding {
  if (replies === null) return cannotTell(UNKNOWN_REPLIES);
  const share = shareOf(replies, behaviour);
  if (share !== null) return judgeShare(share, atLeast);
  const { at, beyond } = behaviour;
  const place = typeof at === "number" ? ` at ${lengthText(at)}` : beyond ? ` beyond ${lengthText(beyond)}` : "";
  return cannotTell(`No such task was asked${place}, or every call failed.`);
}
