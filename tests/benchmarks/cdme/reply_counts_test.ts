import { deepEqual, equal } from "node:assert/strict";
import { type KindedReply, replyCounts } from "@/lib/benchmarks/cdme/mod.ts";

const WANTED = "小明最喜欢的实习地点就是上海人工智能实验室。";

function of(text: string | null, length = 1000, task = "cdme_zh"): KindedReply {
  const reply = text === null ? { kind: "failure" } as const : { kind: "answer", text } as const;
  return { task, length, record: { references: [WANTED], reply } };
}

Deno.test("replyCounts() counts every kind of reply, and failed calls apart", () => {
  const rows = replyCounts([
    of(WANTED, 2000),
    of(WANTED),
    of("小明最喜欢的实习地点就是北京大学。"),
    of(""),
    of(" \n"),
    of("抱歉，文中没有提到。"),
    of("I cannot find it."),
    of("His favourite place was in Shanghai."),
    of(null),
  ]);
  deepEqual(rows, [
    { task: "cdme_zh", length: 1000, asked: 8, answers: 2, empty: 2, refusals: 2, otherLanguage: 1, failed: 1 },
    { task: "cdme_zh", length: 2000, asked: 1, answers: 1, empty: 0, refusals: 0, otherLanguage: 0, failed: 0 },
  ]);
  for (const row of rows) {
    equal(row.answers + row.empty + row.refusals + row.otherLanguage + row.failed, row.asked);
  }
});

Deno.test("replyCounts() keeps tasks apart, and counts nothing of nothing", () => {
  deepEqual(replyCounts([of(WANTED), of(WANTED, 1000, "b")]).map(({ task }) => task), ["cdme_zh", "b"]);
  deepEqual(replyCounts([]), []);
});
