import { deepEqual, equal, match } from "node:assert/strict";
import { judgeRecall } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import type { Model, Reply } from "@/lib/models/mod.ts";

const ASKED = { reply: "A patent.", needle: "It received a patent.", question: "What did it receive?" };

/** A judge that gives these replies one after the other. */
function judge(...replies: readonly string[]): { readonly model: Model; readonly prompts: string[] } {
  const prompts: string[] = [];
  const model: Model = {
    name: "judge",
    origin: "measured",
    settings: {},
    frame: PLAIN_TEMPLATE,
    ask({ prompt }): Promise<Reply> {
      const text = replies[prompts.length] ?? "";
      prompts.push(prompt.user);
      const times = { latencyMs: 1, attempts: 1 };
      return Promise.resolve(
        text === "FAIL"
          ? { kind: "failure", failure: "server", message: "500", ...times }
          : { kind: "answer", text, finishReason: "stop", ...times },
      );
    },
  };
  return { model, prompts };
}

Deno.test.each(
  [
    ["takes a verdict at once", ["Rating: [[5]]"], { grade: 5, asked: 1, unscored: null }],
    ["asks once more where there is none", ["five", "[[3]]"], { grade: 3, asked: 2, unscored: null }],
    ["asks once more where the call fails", ["FAIL", "[[1]]"], { grade: 1, asked: 2, unscored: null }],
    ["leaves unscored what failed twice", ["[[5]", "FAIL"], { grade: null, asked: 2, unscored: "500" }],
    ["does not ask a third time", ["[[9]]", "", "[[4]]"], {
      grade: null,
      asked: 2,
      unscored: "the verdict holds no grade from 1 to 5 in double brackets",
    }],
  ] as [string, string[], { grade: number | null; asked: number; unscored: string | null }][],
)("judgeRecall() %s", async (_name, replies, wanted) => {
  const { model, prompts } = judge(...replies);
  const { grade, asked, unscored } = await judgeRecall(model, ASKED);
  deepEqual({ grade, asked, unscored }, wanted);
  equal(prompts.length, asked);
  match(prompts[0]!, /It received a patent\./);
});
