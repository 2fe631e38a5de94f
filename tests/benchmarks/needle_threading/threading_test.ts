import { deepEqual, equal, ok } from "node:assert/strict";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { cases } from "../../_cases.ts";
import { OTHER_ENCODINGS } from "../../generators/_encodings.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { readPairs, waysFrom } from "../../generators/_uuid_object.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { userText } from "@/lib/generators/mod.ts";

for (const [encoding, { countTokens }] of OTHER_ENCODINGS) {
  Deno.test(`THREADING.make() fills 4,096 tokens and more to 99% as gpt-tokenizer counts them in ${encoding}, and is never over`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of THREADING.tasks) {
      const task = THREADING.task(name);
      for (const length of [Math.max(1024, task.leastLength(materials)), 4096, 32_768]) {
        const { prompt, promptTokens } = task.sample({ length, seed: "count", index: 3, materials });
        equal(countTokens(userText(prompt)), promptTokens, `${name} at ${length}`);
        const used = promptTokens + task.answerRoom;
        ok(used <= length && (length < 4096 || used >= 0.99 * length), `${name} uses ${used} of ${length}`);
      }
    }
  });
}

Deno.test("THREADING.make() makes very long prompts, every key of it different and its threads whole", async () => {
  const materials = await openTestMaterials("o200k_base");
  const length = cases(131_072, 2_000_000);
  const task = THREADING.make({ kind: "multi_thread", threads: 5, steps: 5, direction: "backward" });
  const { prompt, promptTokens, references } = task.sample({ length, seed: "2M", index: 0, materials });
  equal(o200k.countTokens(userText(prompt)), promptTokens);
  equal(promptTokens + task.answerRoom, length);
  const pairs = readPairs(userText(prompt));
  ok(pairs.length > length / 50);
  equal(new Set(pairs.map(([key]) => key)).size, pairs.length);
  const asked: string[] = JSON.parse(/Keys: (\[.*\])/.exec(userText(prompt))![1]!);
  const ends = asked.map((key) => waysFrom(key, pairs));
  deepEqual(ends, references.map((end) => [{ end, steps: 5 }]));
});

Deno.test("THREADING.make() leaves room for each value asked for, of needles and of threads alike", () => {
  const roomFor = (knobs: Parameters<typeof THREADING.make>[0]): number => THREADING.make(knobs).answerRoom;
  const rooms = [1, 2, 3, 5].map((needles) => roomFor({ kind: "multi_needle", needles }));
  deepEqual(rooms, rooms.toSorted((left, right) => left - right));
  equal(new Set(rooms).size, 4);
  deepEqual([1, 2, 3, 5].map((threads) => roomFor({ kind: "multi_thread", threads })), rooms);
  deepEqual([roomFor({ kind: "single_needle" }), roomFor({ kind: "single_thread", steps: 7 })], [rooms[0], rooms[0]]);
});
