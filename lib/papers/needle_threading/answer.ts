import { curvesOf, type PublishedThreadingTask, type ThreadingPublished } from "./published.ts";
import { rangeText } from "@/lib/base/mod.ts";
import type { CheckedClaim } from "@/lib/statistics/mod.ts";

/** Returns how far models follow threads by the published numbers, and how the paper's statements come out. */
export function threadingAnswer(
  published: Pick<ThreadingPublished, "limits" | "scores">,
  claims: readonly Pick<CheckedClaim, "verdict">[],
): string {
  const shares = published.limits.filter(({ task }) => task === "threading").map(({ percent }) => percent);
  const shortest = (task: PublishedThreadingTask): readonly number[] =>
    [...curvesOf(published, task).values()].map(([first]) => first!.score);
  const count = (...wanted: readonly CheckedClaim["verdict"][]): number =>
    claims.filter(({ verdict }) => wanted.includes(verdict)).length;
  return [
    `No published model follows a thread through more than ${Math.max(...shares)}% of the context that it accepts.`,
    `In the shortest haystack the models find a single value in ${
      rangeText(shortest("single_needle"), whole)
    }% of prompts, ` +
    `and the end of a thread in ${rangeText(shortest("threading"), whole)}%.`,
    `Of ${claims.length} statements of the paper, its own numbers support ${count("holds", "mostly holds")}, ` +
    `contradict ${count("fails") || "none"} and leave ${count("cannot tell") || "none"} open.`,
  ].join(" ");
}

function whole(score: number): string {
  return score.toFixed(0);
}
