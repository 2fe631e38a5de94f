import { deepEqual, equal, ok } from "node:assert/strict";
import { NEEDLE_THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import type { RunRecord, ScoredReply } from "@/lib/records/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const [A, B] = ["0e7bbda8-78e4-8982-dbec-b7b4a4c0c665", "cdf6c32a-f0c7-4198-24ed-3d4bf0959271"] as const;
const [EXTRACTOR] = NEEDLE_THREADING.regraders!;
const record = { references: [A, B], scoring: "values in order" } as unknown as RunRecord;

Deno.test("the extractor is sent the request, then the reply, with room for twice the values expected", () => {
  const user = userText(EXTRACTOR!.prompt(`It is ${A}.`, record)!);
  ok(user.startsWith("Rewrite the answer below as a JSON list of the values"));
  ok(user.endsWith(`\n\nAnswer:\nIt is ${A}.`));
  equal(EXTRACTOR!.answerRoom(record), 60 + 40 * 4);
});

Deno.test("the extractor is sent no empty reply", () => {
  equal(EXTRACTOR!.prompt(" \n", record), null);
});

Deno.test("the extractor's list is scored in the reply's place, in the way of the record", () => {
  const scored = { record } as ScoredReply;
  equal(EXTRACTOR!.grade(`["${A}", "${B}"]`, scored)!.score.value, 1);
  equal(EXTRACTOR!.grade(`["${B}", "${A}"]`, scored)!.score.value, 0);
  const anyOrder = { record: { ...record, scoring: "values in any order" } } as ScoredReply;
  equal(EXTRACTOR!.grade(`["${B}", "${A}"]`, anyOrder)!.score.value, 1);
});

Deno.test("an extractor that agrees rewrites a reply as the rules read it", () => {
  const agree = (reply: string): unknown => JSON.parse(EXTRACTOR!.agree(reply, { record, score: null }));
  deepEqual(agree(`${B}: ${A}`), [A]);
  deepEqual(agree("I do not know."), []);
  deepEqual(
    agree(`Answer:
{"x": "${A}", "y": "${B}"}`),
    [A, B],
  );
});
