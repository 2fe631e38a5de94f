import { deepEqual } from "node:assert/strict";
import { userPrompt } from "@/lib/generators/mod.ts";
import { readAttempt } from "@/lib/statistics/failures/attempt.ts";
import { listItems } from "@/lib/statistics/failures/items.ts";
import type { FailedSample } from "@/lib/statistics/failures/mod.ts";

const target = { role: "target", text: "", depth: 0.4, tokenOffset: 1 } as const;
const distractor = { role: "distractor", text: "", depth: 0.7, tokenOffset: 1 } as const;

function makeSample(user: string, references: readonly string[], facts: FailedSample["facts"]): FailedSample {
  return { prompt: userPrompt(user), promptTokens: 100, answerRoom: 60, references, facts };
}

/** Words for keys, of which one is a right answer and one a wrong one as well. */
const linked = makeSample(
  "The word for calm-river is: tall-tree. The word for dark-lake is: calm-river. The word for old-lamp is: dark-lake.\n" +
    "What are the words for calm-river and dark-lake?",
  ["tall-tree", "calm-river"],
  [
    { ...target, key: "calm-river", value: "tall-tree" },
    { ...target, key: "dark-lake", value: "calm-river" },
    { ...distractor, key: "old-lamp", value: "dark-lake" },
  ],
);

/** Three numbers. */
const three = makeSample(
  "The number for one is: 1111111. The number for two is: 2222222. The number for six is: 6666666.\nWhat are the numbers?",
  ["1111111", "2222222", "6666666"],
  ["1", "2", "6"].map((digit) => ({ ...target, key: digit, value: digit.repeat(7) })),
);

const ITEMS: readonly (readonly [FailedSample, string, readonly string[]])[] = [
  // A key that leads to a value is none, unless it is a right or wrong answer itself.
  [linked, "old-lamp is tall-tree", ["tall-tree"]],
  [linked, "calm-river is tall-tree", ["calm-river", "tall-tree"]],
  [linked, "For old-lamp and dark-lake: tall-tree", ["dark-lake", "tall-tree"]],
  [linked, '{"old-lamp": "tall-tree"}', ["tall-tree"]],
  [linked, "old-lamp: tall-tree", ["tall-tree"]],
  [linked, "old-lamp]: tall-tree", ["tall-tree"]],
  [linked, "old-lamp] tall-tree", ["old-lamp", "tall-tree"]],
  [linked, "old-lamp, tall-tree", ["old-lamp", "tall-tree"]],
  [linked, "old-lamp\ntall-tree", ["old-lamp", "tall-tree"]],
  [linked, "old-lamp tall-tree old-lamp", ["tall-tree", "old-lamp"]],
  [linked, "old-lamp", ["old-lamp"]],
  [linked, "The word for old-lamp is dark", []],
  [linked, "The word for old-lamp: unknown", []],
  // A sentence that only repeats what was given is left out; on a line of its own, once the list is whole or all of it is repeated.
  [three, "It is 1111111 and 2222222. So it is 2222222.", ["1111111", "2222222"]],
  [three, "It is 1111111 and 2222222. So it is 2222222 and 6666666.", ["1111111", "2222222", "2222222", "6666666"]],
  [three, "It is 1111111 and 2222222. 2222222.", ["1111111", "2222222", "2222222"]],
  [three, "It is 1111111 and 2222222\nSo it is 2222222.", ["1111111", "2222222", "2222222"]],
  [three, "It is 1111111 and 2222222\nSo it is 2222222 and 1111111.", ["1111111", "2222222"]],
  [three, "It is 1111111, 2222222, 5555555,\nSo it is 2222222.", ["1111111", "2222222", "5555555"]],
];

Deno.test("listItems() lists the values of a reply, without keys and repetitions", () => {
  for (const [sample, reply, items] of ITEMS) {
    const outcome = {
      reply: { kind: "answer", text: reply, finishReason: "stop" },
      value: 0.5,
      rule: {},
    } as const;
    const attempt = { ...readAttempt(sample, outcome)!, reply };
    deepEqual(listItems(attempt).map(({ text }) => text), items, reply);
  }
});
