import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { replies, TASKS } from "./_knob_replies.ts";
import { taskLimit } from "@/lib/benchmarks/needle_threading/mod.ts";

Deno.test("taskLimit() gives the limit at a value between those asked, as a share of the greatest size", () => {
  const options = { tasks: TASKS, knob: "steps", unit: 2, name: "one thread" };
  const [at2, at3, at5] = [2, 3, 5].map((at) => taskLimit(replies(), { ...options, at }));
  ok(at2!.limit >= at3!.limit && at3!.limit >= at5!.limit);
  equal(at5!.tested, 65_536);
  equal(at5!.percent, 100 * at5!.limit / 65_536);
  deepEqual([at3!.task, at3!.at], ["one thread", "steps = 3"]);
});

Deno.test("taskLimit() refuses a value outside those asked, and replies without the knob", () => {
  throws(() => taskLimit(replies(), { tasks: TASKS, knob: "steps", at: 25, name: "t" }), {
    name: "RangeError",
    message: "Cannot find a context limit as each difficulty must be one from 2 to 10: current value is 25",
  });
  throws(() => taskLimit(replies(), { tasks: TASKS, knob: "needles", at: 2, name: "t" }), RangeError);
});
