import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { repliesOf } from "./_shares.ts";
import { RULER } from "@/lib/benchmarks/ruler/tasks.ts";
import { modelMeans } from "@/lib/papers/suites/run_leaderboard.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";

const ANSWER = { kind: "answer", text: "A", finishReason: "stop", promptTokens: 1000, latencyMs: 9, attempts: 1 };
const GROUP = { name: "both tasks", tasks: ["vt", "cwe"] };

/** A run of two tasks with a share of right answers at each length. */
function runOf(model: string, shares: Readonly<Record<number, number>>, claimedWindow?: number): ScoredRun {
  const replies = repliesOf(shares, { tasks: GROUP.tasks, reply: ANSWER });
  return { manifest: { model, origin: "measured", claimedWindow }, replies } as unknown as ScoredRun;
}

const RUNS = [runOf("one", { 1024: 0.5, 2048: 0.5, 4096: 0.1 }, 8192), runOf("two", { 1024: 1, 2048: 0.2 })];

Deno.test("modelMeans() gives each model's effective length at RULER's threshold and at 85% of its own score", () => {
  const { rows, effective } = modelMeans(RUNS, { group: GROUP, threshold: RULER.threshold });
  deepEqual(rows.map(({ task, length, score }) => [task, length, score]), [
    ["one", 1024, 50],
    ["one", 2048, 50],
    ["one", 4096, 10],
    ["two", 1024, 100],
    ["two", 2048, 20],
  ]);
  deepEqual(effective.map(({ model, threshold, found }) => [model, threshold, found]), [
    ["one, 8K claimed: 85.6", 85.6, "<1K"],
    ["one, 8K claimed: 85% of its own", 42.5, "2K"],
    ["two: 85.6", 85.6, "1K"],
    ["two: 85% of its own", 85, "1K"],
  ]);
});

Deno.test("modelMeans() says what the lengths are in each model's own tokens", () => {
  const { curves, lengths } = modelMeans(RUNS, { group: GROUP, threshold: RULER.threshold });
  match(lengths.text, /one, 8K claimed: 85% of its own +42\.5 +2K \?? +2,276/);
  for (const { note } of [curves, lengths]) match(note, /one: 4K is 4,551 .* \(\+11%\); two: 2K is 2,276 /);
});

Deno.test("modelMeans() draws published models beside, and says which numbers come from where", () => {
  const row = { task: "GPT-4", length: 4096, n: 6500, score: 96.6, low: null, high: null, failed: 0, noAnswer: 0 };
  const { curves } = modelMeans(RUNS, { group: GROUP, published: { rows: [row], n: "500 samples a task" } });
  match(
    curves.note,
    /^Published: GPT-4; measured: one, two · 40 samples of each of 2 tasks at a length; published: 500 samples a task · /,
  );
  deepEqual(curves.origins, ["published", "measured"]);
});

Deno.test("modelMeans() leaves out lengths that lack a task, and refuses where no length has them all", () => {
  const run = { ...RUNS[0]!, replies: RUNS[0]!.replies.filter(({ task, length }) => task === "vt" || length < 4096) };
  const { rows } = modelMeans([run], { group: GROUP });
  ok(rows.every(({ length }) => length < 4096));
  equal(rows.length, 2);
  throws(() => modelMeans(RUNS, { group: { name: "needles", tasks: ["niah_single_1"] } }), {
    name: "RangeError",
    message:
      "Cannot average needles as each of its tasks must have a score at some length: current value is none (one, two)",
  });
});
