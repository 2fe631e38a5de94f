import type { Output } from "./output.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

/** Prints why calls failed, each reason once and in full, the most frequent first; nothing where none failed. */
export async function printFailedCalls({ replies }: Pick<ScoredRun, "replies">, output: Output): Promise<void> {
  const reasons = replies.flatMap(({ record: { reply } }) =>
    reply.kind === "failure" ? [`${reply.failure}: ${reply.message}`] : []
  );
  if (reasons.length === 0) return;
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => ({ reason, length }))
    .toSorted((left, right) => right.length - left.length);
  await output.write(`\nWhy calls failed:\n`);
  for (const { reason, length } of counted) {
    await output.write(`${String(length).padStart(6)} × ${reason.replaceAll("\n", "\n         ")}\n`);
  }
}
