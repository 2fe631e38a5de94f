import { deepEqual, equal, match } from "node:assert/strict";
import { readTable } from "./replies/_table.ts";
import type { FailureKind } from "@/lib/models/mod.ts";
import { addResent } from "@/lib/models/protocols/protocol.ts";
import { type FailedOutcome, judgeServerError } from "@/lib/models/protocols/refusals.ts";
import type { Resent } from "@/lib/models/reply.ts";

/** Words of servers as their users reported them, or as their source has them. */
interface Refusal {
  readonly server: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Parts of the outcome; `null` for a part that it must not have. */
  readonly wanted: Readonly<Partial<Record<keyof FailedOutcome, unknown>>>;
}

Deno.test.each([...readTable<Refusal>("refusals")])("a refusal is known by the words of %s", (_server, row) => {
  const { status, headers = {}, body, wanted } = row;
  const outcome = judgeServerError({ status, body, headers: new Headers(headers) });
  const names = Object.keys(wanted) as (keyof FailedOutcome)[];
  deepEqual(Object.fromEntries(names.map((name) => [name, outcome[name] ?? null])), wanted);
});

Deno.test("a server whose model is not ready is asked again", () => {
  const body = { error: { message: "ModelNotReadyException" } };
  for (const status of [424, 425, 503]) equal(judgeServerError({ status, body }).busy, "limited");
});

Deno.test("a status for legal reasons is of the text alone", () => {
  const body = { error: { message: "The content was outputted and is blocked", type: "censorship_blocked" } };
  for (const status of [451, 400]) equal(judgeServerError({ status, body }).failure, "filtered");
});

Deno.test("words that are not known are shown with all facts of the error", () => {
  const body = { error: { message: "It did not work", code: "E77", details: { part: "the third" }, param: null } };
  const { message, isUnexplained } = judgeServerError({ status: 400, body });
  match(message, /It did not work \{"code":"E77","details":\{"part":"the third"\}\}$/);
  equal(isUnexplained, true);
  const listed = { detail: [{ loc: ["body", "top_k"], msg: "Extra inputs are not permitted" }] };
  match(judgeServerError({ status: 422, body: listed }).message, /not permitted \["body","top_k"\]/);
});

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
