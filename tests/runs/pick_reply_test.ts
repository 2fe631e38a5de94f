import { equal, throws } from "node:assert/strict";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { pickReply } from "@/lib/runs/mod.ts";

const of = (task: string, length: number, index: number, rest: Partial<ScoredReply> = {}): ScoredReply => (
  { task, length, value: 1, failed: false, noAnswer: false, record: { index }, ...rest } as ScoredReply
);

const replies = [
  of("vt", 4096, 0),
  of("vt", 4096, 1, { value: 0, noAnswer: true }),
  of("vt", 8192, 0, { value: 0 }),
  of("cwe", 4096, 0, { value: 0.5 }),
  of("cwe", 4096, 1, { value: null, failed: true }),
];

Deno.test.each([
  ["the worst that says something", {}, "vt 8192 0"],
  ["the worst of a task and length", { task: "vt", length: 4096 }, "vt 4096 1"],
  ["the lowest score, not the failed call", { task: "cwe" }, "cwe 4096 0"],
  ["the one named", { task: "vt", length: 4096, index: 0 }, "vt 4096 0"],
  ["the failed call where it is the one named", { task: "cwe", index: 1 }, "cwe 4096 1"],
] as [string, Parameters<typeof pickReply>[1], string][])("pickReply() gives %s", (_name, place, want) => {
  const { task, length, record } = pickReply(replies, place);
  equal(`${task} ${length} ${record.index}`, want);
});

Deno.test.each([
  ["task", { task: "fwe" }, 'its task must be one of vt, cwe: current value is "fwe"'],
  ["length", { task: "cwe", length: 8192 }, "its length must be one of 4K: current value is 8192"],
  ["index", { task: "vt", length: 8192, index: 7 }, "its index must be one of 0: current value is 7"],
] as [string, Parameters<typeof pickReply>[1], string][])(
  "pickReply() refuses a %s that was not asked",
  (_name, place, want) => {
    throws(() => pickReply(replies, place), { name: "RangeError", message: `Cannot pick a reply as ${want}` });
  },
);

Deno.test("pickReply() names the ends where there are many, and refuses an empty run", () => {
  const many = Array.from({ length: 40 }, (_, index) => of("vt", 4096, index + 5));
  throws(() => pickReply(many, { index: 99 }), /its index must be one asked there, from 5 to 44: current value is 99/);
  throws(() => pickReply([]), {
    name: "RangeError",
    message: "Cannot pick a reply as the run must have one: current value is 0",
  });
});
