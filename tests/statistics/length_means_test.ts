import { deepEqual, equal, ok } from "node:assert/strict";
import { impliedTotal } from "@/lib/benchmarks/ruler/category_identity.ts";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/mod.ts";
import { lengthMeans, type ScoredRecord, summarise } from "@/lib/statistics/mod.ts";

const TASKS = RULER_GROUPS.find((group) => group.name === RULER_OVERALL)!.tasks;

function asked(task: string, given: { readonly value: number | null; readonly failed?: boolean }): ScoredRecord {
  return { task, length: 4096, noAnswer: false, failed: false, ...given };
}

Deno.test("lengthMeans() weighs the 13 tasks alike: the categories count 8, 1, 2 and 2 (RULER, section 4)", () => {
  const rows = lengthMeans(
    summarise(TASKS.flatMap((task, place) =>
      // Ten samples of the first task, two of the others.
      Array.from({ length: place === 0 ? 10 : 2 }, () => asked(task, { value: place / 12 }))
    )),
    { groups: RULER_GROUPS },
  );
  const score = (name: string): number => rows.find((row) => row.task === name)!.score!;
  ok(Math.abs(score(RULER_OVERALL) - 50) < 1e-9);
  ok(Math.abs(score("retrieval") - 100 * (0 + 7) / 2 / 12) < 1e-9);
  ok(Math.abs(score("multi-hop tracing") - 100 * 8 / 12) < 1e-9);
  const implied = impliedTotal({
    retrieval: score("retrieval"),
    "multi-hop tracing": score("multi-hop tracing"),
    aggregation: score("aggregation"),
    "question answering": score("question answering"),
  });
  ok(Math.abs(score(RULER_OVERALL) - implied) < 1e-9);
});

Deno.test("lengthMeans() adds the counts, and its interval is narrower than that of a task", () => {
  const tasks = summarise(TASKS.flatMap((task) => [
    ...[1, 1, 0, 1].map((value) => asked(task, { value })),
    asked(task, { value: null, failed: true }),
  ]));
  const [overall] = lengthMeans(tasks, { groups: RULER_GROUPS });
  deepEqual([overall!.task, overall!.n, overall!.failed, overall!.score], [RULER_OVERALL, 52, 13, 75]);
  ok(overall!.high! - overall!.low! < 0.6 * (tasks[0]!.high! - tasks[0]!.low!));
});

Deno.test("lengthMeans() has no score where a task of the group has none, and says which", () => {
  const rows = lengthMeans(
    summarise([
      asked("cwe", { value: 1 }),
      asked("fwe", { value: null, failed: true }),
      asked("vt", { value: 1 }),
    ]),
    { groups: RULER_GROUPS },
  );
  deepEqual(rows.map(({ task, score, reason }) => [task, score, reason?.slice(0, 48) ?? null]), [
    [RULER_OVERALL, null, "11 of 13 tasks have no score at 4K: niah_single_"],
    ["multi-hop tracing", 100, null],
    ["aggregation", null, "1 of 2 tasks have no score at 4K: fwe"],
  ]);
  equal(rows[0]!.n, 2);
  equal(rows[0]!.failed, 1);
});

Deno.test("lengthMeans() takes any groups", () => {
  const tasks = summarise([asked("niah", { value: 1 }), asked("vt", { value: 0 })]);
  const rows = lengthMeans(tasks, { groups: [{ name: "mine", tasks: ["niah", "vt"] }] });
  deepEqual(rows.map(({ task, length, score, n }) => ({ task, length, score, n })), [
    { task: "mine", length: 4096, score: 50, n: 2 },
  ]);
  deepEqual(lengthMeans([], { groups: RULER_GROUPS }), []);
});
