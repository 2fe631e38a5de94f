import { deepEqual } from "node:assert/strict";
import type { FailureKind } from "@/lib/models/mod.ts";
import type { Resent } from "@/lib/models/reply.ts";
import { addResent } from "@/lib/models/protocols/protocol.ts";

const one = (message: string, failure: FailureKind = "server"): Resent => ({
  ...{ failure, message, times: 1, waitedMs: 500 },
});
const LONG = "x".repeat(200);

Deno.test.each([
  ["numbers", one("wait 1.5 s"), one("wait 20 s"), [[2, 1000, "wait 1.5 s"]]],
  ["what follows 200 characters", one(`${LONG}a`), one(`${LONG}b`), [[2, 1000, `${LONG}…`]]],
  ["nothing, of 200 characters", one(LONG), one(LONG), [[2, 1000, LONG]]],
  ["a word", one("a"), one("b"), [[1, 500, "a"], [1, 500, "b"]]],
  ["their kind", one("a"), one("a", "connection"), [[1, 500, "a"], [1, 500, "a"]]],
] as [string, Resent, Resent, [number, number, string][]][])(
  "addResent() counts two reasons that differ in %s",
  (_name, first, second, wanted) => {
    const reasons = addResent(addResent([], first), second);
    deepEqual(reasons.map(({ times, waitedMs, message }) => [times, waitedMs, message]), wanted);
    // A third is added to its own reason alone.
    const third = addResent(reasons, first);
    deepEqual(third.map(({ times }) => times), wanted.map(([times], at) => at === 0 ? times + 1 : times));
  },
);
