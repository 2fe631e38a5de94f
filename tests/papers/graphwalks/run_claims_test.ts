import { deepEqual, equal } from "node:assert/strict";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { checkRunClaims } from "@/lib/reports/mod.ts";
import { GRAPHWALKS_PAPER } from "@/lib/papers/graphwalks/paper.ts";

const TASKS = {
  "graphwalks_parents": { options: { operation: "parents" } },
  "graphwalks_bfs": { options: { operation: "bfs", depth: 2 } },
  "deep": { options: { operation: "bfs", depth: 4 } },
} as const;

type TaskName = keyof typeof TASKS;

/** Replies of a made model: 40 of each task at each length, each with its score. */
function repliesOf(scoreOf: (task: TaskName, length: number) => number, lengths = [4096, 65_536]): ScoredReply[] {
  return lengths.flatMap((length) =>
    (Object.keys(TASKS) as TaskName[]).flatMap((task) =>
      Array.from({ length: 40 }, (_, index): ScoredReply => ({
        ...{ task, length, value: scoreOf(task, length), failed: false, noAnswer: false, score: null, penalised: null },
        record: { index, seed: "1" } as unknown as ScoredReply["record"],
      }))
    )
  );
}

function verdicts(replies: readonly ScoredReply[]): string[] {
  return checkRunClaims(GRAPHWALKS_PAPER, [{ replies, manifest: { tasks: TASKS } }]).map(({ verdict }) => verdict);
}

Deno.test("run claims hold for a model that loses length, steps and depth", () => {
  const scoreOf = (task: TaskName, length: number): number =>
    (task === "graphwalks_parents" ? 0.9 : task === "deep" ? 0.3 : 0.6) - (length > 5000 ? 0.3 : 0);
  deepEqual(verdicts(repliesOf(scoreOf)), ["holds", "holds", "holds"]);
});

Deno.test("run claims fail for a model that gains with them, and are open where nothing differs", () => {
  const scoreOf = (task: TaskName, length: number): number =>
    (task === "graphwalks_parents" ? 0.1 : task === "deep" ? 0.7 : 0.4) + (length > 5000 ? 0.3 : 0);
  deepEqual(verdicts(repliesOf(scoreOf)), ["fails", "fails", "fails"]);
  // Forty replies a score do not show that two are equal.
  deepEqual(verdicts(repliesOf(() => 0.5)), ["cannot tell", "cannot tell", "cannot tell"]);
  // At the ceiling nothing could differ.
  deepEqual(verdicts(repliesOf(() => 1)), ["cannot tell", "cannot tell", "cannot tell"]);
  equal(verdicts(repliesOf(scoreOf, [4096]))[0], "cannot tell");
});

Deno.test("run claims leave out the questions without a right node, and a knob of one task alone is not varied", () => {
  // Only parents that do not exist are found, by a model that lists nothing.
  const replies = repliesOf(() => 0).map((reply) => {
    const isNone = reply.task === "graphwalks_parents" && reply.record.index < 10;
    const references = isNone ? [] : ["a"];
    return { ...reply, value: isNone ? 1 : 0, record: { ...reply.record, references } };
  });
  deepEqual(verdicts(replies), ["cannot tell", "cannot tell", "cannot tell"]);
  const shallow = replies.filter(({ task }) => task !== "deep");
  const [, , depth] = checkRunClaims(GRAPHWALKS_PAPER, [{ replies: shallow, manifest: { tasks: TASKS } }]);
  equal(depth!.observed, "The knob depth was not varied.");
});
