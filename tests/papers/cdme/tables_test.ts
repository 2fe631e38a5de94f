import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  type KindedReply,
  modelReplyCounts,
  modelTwinRows,
  modelTwinTable,
  replyCounts,
  replyCountTable,
  twinRows,
} from "@/lib/papers/cdme/tables.ts";
import { stream } from "@/lib/random/mod.ts";
import type { RunReply } from "@/lib/statistics/mod.ts";

const WANTED = "小明最喜欢的实习地点就是上海人工智能实验室。";

function reply(text: string | null, length = 1000, task = "cdme_zh"): KindedReply {
  const received = text === null ? { kind: "failure" } as const : { kind: "answer", text } as const;
  return { task, length, record: { references: [WANTED], reply: received } };
}

Deno.test("replyCounts() counts every kind of reply, and failed calls apart", () => {
  const rows = replyCounts([
    reply(WANTED, 2000),
    reply(WANTED),
    reply("小明最喜欢的实习地点就是北京大学。"),
    reply(""),
    reply(" \n"),
    reply("抱歉，文中没有提到。"),
    reply("I cannot find it."),
    reply("His favourite place was in Shanghai."),
    reply(null),
  ]);
  deepEqual(rows, [
    { task: "cdme_zh", length: 1000, asked: 8, answers: 2, empty: 2, refusals: 2, otherLanguage: 1, failed: 1 },
    { task: "cdme_zh", length: 2000, asked: 1, answers: 1, empty: 0, refusals: 0, otherLanguage: 0, failed: 0 },
  ]);
  for (const row of rows) {
    equal(row.answers + row.empty + row.refusals + row.otherLanguage + row.failed, row.asked);
  }
});

Deno.test("replyCounts() reads the first answer where that is scored", () => {
  const said = `问题：小明最喜欢的实习地点是哪里？\n${WANTED}`;
  const first = { text: "", rest: said, endedBy: "a new question" } as const;
  const kinds = (scored: "first" | "whole"): readonly number[] =>
    replyCounts([{ ...reply(said), scored, first }]).flatMap(({ answers, empty }) => [answers, empty]);
  deepEqual([kinds("first"), kinds("whole")], [[0, 1], [1, 0]]);
});

function scored(task: string, index: number, changes: Partial<RunReply> = {}): RunReply {
  return { task, length: 4000, value: 1, failed: false, noAnswer: false, record: { index, seed: "42" }, ...changes };
}

const TWINS = { first: "cdme_zh", second: "cdme_en" };

Deno.test("twinRows() pairs samples by length and number, and leaves other tasks and unpaired samples out", () => {
  const rows = twinRows([
    scored("cdme_zh", 0, { value: 0.5 }),
    scored("cdme_en", 0),
    scored("cdme_zh", 1),
    scored("cdme_en", 2),
    scored("vt", 0, { value: 0 }),
    scored("cdme_zh", 3, { failed: true, value: null }),
    scored("cdme_en", 3),
    scored("cdme_zh", 0, { length: 8000 }),
    scored("cdme_en", 0, { length: 8000 }),
  ], TWINS);
  deepEqual(rows.map(({ length, n, difference, dropped, unmatched }) => [length, n, difference, dropped, unmatched]), [
    [4000, 1, -50, 1, 2],
    [8000, 1, 0, 0, 0],
  ]);
});

Deno.test("twinRows() shows a difference that is there, and none where there is none", () => {
  const draw = stream("twins");
  const replies = Array.from({ length: 200 }, (_, index) => {
    const base = draw() < 0.7 ? 1 : 0.2;
    return [
      scored("cdme_zh", index, { value: draw() < 0.15 ? 0.2 : base }),
      scored("cdme_en", index, { value: base }),
      scored("cdme_zh", index, { value: base, length: 8000 }),
      scored("cdme_en", index, { value: base, length: 8000 }),
    ];
  }).flat();
  const [worse, same] = twinRows(replies, TWINS);
  equal(worse?.higher, "second");
  ok(worse!.high! < 0);
  equal(same?.higher, null);
  equal(same?.difference, 0);
});

Deno.test("modelReplyCounts() adds up lengths, model by model and task by task", () => {
  const counts = modelReplyCounts([
    { model: "a", replies: [reply(WANTED), reply("", 2000), reply(null, 2000)] },
    { model: "b", replies: [reply(WANTED, 1000, "cdme_multi_zh")] },
  ]);
  deepEqual(
    counts.map(({ model, task, asked, answers, empty, failed }) => [model, task, asked, answers, empty, failed]),
    [
      ["a", "cdme_zh", 3, 1, 1, 1],
      ["b", "cdme_multi_zh", 1, 1, 0, 0],
    ],
  );
  const { text } = replyCountTable(counts, { title: "Two models", origin: "measured" });
  match(text, /^Model +Task +Asked/m);
  match(text, /^b +cdme_multi_zh +1 +1 +0/m);
});

Deno.test("modelTwinRows() has a row for each model over all lengths, corrected for the number of models", () => {
  const asked = (task: string, value: number): RunReply[] =>
    [4000, 8000].flatMap((length) => [0, 1, 2, 3].map((index) => scored(task, index, { length, value })));
  const rows = modelTwinRows([
    { model: "reads Chinese", replies: [...asked("cdme_zh", 1), ...asked("cdme_en", 0)] },
    { model: "reads both", replies: [...asked("cdme_zh", 1), ...asked("cdme_en", 1), scored("vt", 0)] },
  ], TWINS);
  deepEqual(rows.map(({ task, n, difference, higher }) => [task, n, difference, higher]), [
    ["reads Chinese", 8, 100, "first"],
    ["reads both", 8, 0, null],
  ]);
  equal(rows[0]!.adjusted, 2 * rows[0]!.p!);
  const table = modelTwinTable(rows, { title: "One of two", origin: "measured", names: ["Chinese", "English"] });
  match(table.text, /^reads Chinese +8 +100\.0 +0\.0 +100\.0 \[.*Chinese$/m);
  match(table.note, /16 pairs/);
});
