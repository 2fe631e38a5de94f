import { deepEqual, equal, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import type { Model, Reply } from "@/lib/models/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";

const TASK = { tasks: ["niah_single_1"], lengths: [512], samples: 2 };

/** Right the first time it is asked a sample, empty the second, and so on. */
function moody(): Model {
  const asked = new Map<string, number>();
  const ideal = simulatedModel("ideal");
  return {
    ...ideal,
    async ask(sample, signal): Promise<Reply> {
      const time = asked.get(sample.id) ?? 0;
      asked.set(sample.id, time + 1);
      const reply = await ideal.ask(sample, signal);
      return reply.kind === "answer" && time % 2 === 1 ? { ...reply, text: "" } : reply;
    },
  };
}

Deno.test("a run asks each sample as often as the study says, keeps which time it was, and can be asked more later", async () => {
  await inFolder(async (folder) => {
    const asking = { name: "again", model: moody(), folder, concurrency: 1 };
    const once = await runStudy(checkStudy(TASK), asking);
    deepEqual(once.records.map(({ repeat }) => repeat), [undefined, undefined]);
    const { summary, records, manifest, replies } = await runStudy(checkStudy({ ...TASK, repeats: 3 }), asking);
    deepEqual([summary.total, summary.answered, summary.asked], [6, 6, 4]);
    deepEqual(records.map(({ index, repeat = 0 }) => `${index}.${repeat}`), ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]);
    deepEqual([manifest.study.repeats, manifest.samples.count], [3, 2]);
    // Right, empty, right: two samples of two thirds, not six answers.
    const [row] = summarise(replies);
    deepEqual([row?.n, row?.score?.toFixed(1)], [2, "66.7"]);
    // The same line again asks nothing, and fewer repeats read fewer.
    equal((await runStudy(checkStudy({ ...TASK, repeats: 3 }), asking)).summary.asked, 0);
    equal((await runStudy(checkStudy(TASK), asking)).replies.length, 2);
  });
});

Deno.test("a search step by step refuses repeats", async () => {
  await inFolder(async (folder) => {
    const asking = { name: "try", model: moody(), folder, choose: (): RunRecord[] => [] };
    await rejects(runStudy(checkStudy({ ...TASK, repeats: 2 }), asking), {
      name: "RangeError",
      message: "Cannot choose samples step by step as repeats must be 1: current value is 2",
    });
  });
});
