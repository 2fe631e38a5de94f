import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { sharedReplies } from "@/lib/runs/mod.ts";

const of = (task: string, index: number, sha256: string): ScoredReply => (
  { task, length: 4096, record: { index, sha256 } } as ScoredReply
);

Deno.test("sharedReplies() keeps the same texts, and counts other texts and samples of one run alone", () => {
  const first = [of("vt", 0, "a"), of("vt", 1, "b"), of("cwe", 0, "c")];
  const second = [of("vt", 1, "other"), of("vt", 0, "a"), of("fwe", 0, "d"), of("fwe", 1, "e")];
  const shared = sharedReplies(first, second);
  deepEqual(shared.first, [first[0]]);
  deepEqual(shared.second, [second[1]]);
  deepEqual([shared.changed, shared.alone], [1, 3]);
});

Deno.test("sharedReplies() of a run with itself is the whole run, and with none is nothing", () => {
  const run = [of("vt", 0, "a"), of("vt", 1, "b")];
  deepEqual(sharedReplies(run, run), { first: run, second: run, changed: 0, alone: 0 });
  deepEqual(sharedReplies(run, []), { first: [], second: [], changed: 0, alone: 2 });
});

Deno.test("sharedReplies() counts every sample once, whichever run comes first", () => {
  const replies = fc.uniqueArray(fc.record({ index: fc.nat(9), sha256: fc.constantFrom("a", "b") }), {
    selector: ({ index }) => index,
  });
  fc.assert(
    fc.property(replies, replies, (left, right) => {
      const [one, other] = [left, right].map((run) => run.map(({ index, sha256 }) => of("vt", index, sha256)));
      const shared = sharedReplies(one!, other!);
      const back = sharedReplies(other!, one!);
      equal(2 * (shared.first.length + shared.changed) + shared.alone, left.length + right.length);
      deepEqual([shared.first, shared.changed, shared.alone], [back.second, back.changed, back.alone]);
    }),
  );
});
