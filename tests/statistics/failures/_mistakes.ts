import type { Task } from "@/lib/generators/mod.ts";
import type { Mistake, MistakeKind } from "@/lib/models/mod.ts";
import { FAILURE_CLASSES, type FailureClass } from "@/lib/statistics/mod.ts";

/** What the reader does to a fact or a reply, by the class that it must be told by. */
const CLASSES: Readonly<Partial<Record<MistakeKind, FailureClass>>> = {
  empty: "empty",
  refused: "refusal",
  looped: "loop",
  example: "example copied",
  prior: "not in context",
  invented: "not in context",
  distractor: "distractor",
  miscounted: "less frequent word",
  partial: "partial value",
  repeated: "repeated answer",
  "left_out": "incomplete list",
  "lost_hop": "chain lost",
  stopped: "chain lost",
};

/**
 * Gives the classes of the failure that the reader says it made, in order of precedence.
 *
 * What it makes up for common words are frequent words of English; another variable is one of another chain; and whatever it
 * says in place of a variable of RULER's, the chain was lost there.
 */
export function trueClasses(mistakes: readonly Mistake[], task: Task): FailureClass[] {
  const isTracing = task.category === "multi-hop tracing" && task.scorer.name === "all";
  const classes = mistakes.flatMap(({ kind, fact }): FailureClass[] => {
    const isMadeUp = kind === "invented" || kind === "prior";
    const told: FailureClass | undefined = isMadeUp && task.options["commonFrequency"] !== undefined
      ? "frequent words"
      : isTracing && kind === "distractor"
      ? "other chain"
      : CLASSES[kind];
    if (told === undefined) return [];
    return isTracing && (fact !== null || kind === "prior") ? [told, "chain lost"] : [told];
  });
  return FAILURE_CLASSES.filter((name) => classes.includes(name));
}
