import { deepEqual, equal, match } from "node:assert/strict";
import type { FailureKind, Reply } from "@/lib/models/mod.ts";
import { watchEndpoint, type WatchOptions } from "@/lib/asking/watch.ts";

const ANSWER = { kind: "answer", text: "17", finishReason: "stop", latencyMs: 1, attempts: 1 } as const;
const failed = (failure: FailureKind, attempts = 1): Reply => (
  { kind: "failure", failure, message: "no", latencyMs: 1, attempts }
);

/** Gives the number of the failure, from 1, at which a watch stops, and its message; an answer comes after every few of them. */
function stopsAt(
  options: WatchOptions,
  { failure = "server", attempts = 1, answerAfter = Infinity, isProven = false }: {
    readonly failure?: FailureKind;
    readonly attempts?: number;
    readonly answerAfter?: number;
    readonly isProven?: boolean;
  } = {},
): readonly [number | undefined, string] {
  const watch = watchEndpoint("m", options);
  if (isProven) watch.note(ANSWER);
  for (let count = 1; count <= 2000; count++) {
    const error = watch.note(failed(failure, attempts));
    if (error !== undefined) return [count, error.message];
    if (count % answerAfter === 0) watch.note(ANSWER);
  }
  return [undefined, ""];
}

Deno.test.each([
  ["3 at the start, where every other call would fail too", {}, { failure: "connection" }, 3],
  ["10 in a row of other kinds", {}, {}, 10],
  ["10 in a row after an answer", {}, { failure: "connection", isProven: true }, 10],
  ["one more for each further call in flight", { concurrency: 4 }, {}, 13],
  ["no number, with answers between them and no number of questions", {}, { answerAfter: 9 }, undefined],
  ["20 of few questions", { questions: 50 }, { answerAfter: 1 }, 21],
  ["20 of 100 questions", { questions: 100 }, { answerAfter: 1 }, 21],
  ["20% of more questions", { questions: 200 }, { answerAfter: 1 }, 41],
  ["a share", { questions: 50, maxFailures: 0.5 }, { answerAfter: 1 }, 26],
  ["a share of 0", { questions: 50, maxFailures: 0 }, { answerAfter: 1 }, 1],
  ["a count of 1", { questions: 50, maxFailures: 1 }, { answerAfter: 1 }, 2],
  ["a count", { questions: 50, maxFailures: 30 }, { answerAfter: 1 }, 31],
  ["all calls that were never sent", {}, { failure: "not_found", attempts: 0 }, undefined],
  ["no failure of one sample", { questions: 50 }, { failure: "context_length" }, undefined],
] as [string, WatchOptions, Parameters<typeof stopsAt>[1], number | undefined][])(
  "watchEndpoint() lets %s fail",
  (_name, options, failures, wanted) => equal(stopsAt(options, failures)[0], wanted),
);

Deno.test("watchEndpoint() says how many calls may fail, in whole calls", () => {
  const [, message] = stopsAt({ questions: 55, maxFailures: 0.5 }, { answerAfter: 1 });
  match(message, /on as at most 27 calls may fail: current value is 28, the last with "no"/);
});

Deno.test("watchEndpoint() at the end of a plan says why nothing worked", () => {
  const watch = watchEndpoint("m");
  equal(watch.atEnd(), undefined);
  equal(watch.isUnproven(), true);
  watch.note(failed("authentication"));
  match(watch.atEnd()!.message, /its endpoint must accept the key: the call failed with "no"$/);
  watch.note(failed("authentication"));
  match(watch.atEnd()!.message, /"no", 2 times in a row$/);
  // Calls that were never sent say nothing about the server, and an answer proves it.
  watch.note(ANSWER);
  equal(watch.isUnproven(), false);
  equal(watch.note(failed("authentication")), undefined);
  equal(watch.atEnd(), undefined);
});

Deno.test("watchEndpoint() lets all calls of one cell fail alike while another is answered, and no more", () => {
  const watch = watchEndpoint("m", { questions: 60, concurrency: 4 });
  watch.note(ANSWER, "a at 1024");
  for (let count = 0; count < 40; count++) equal(watch.note(failed("bad_request"), "a at 4096"), undefined);
  // They count neither towards the row nor towards all failures.
  for (let count = 0; count < 12; count++) equal(watch.note(failed("server")), undefined);
  match(watch.note(failed("server"))!.message, /13 times in a row/);
});

Deno.test.each([
  ["fail differently", ["bad_request", "server"], true],
  ["are of kinds that every cell meets", ["rate_limit"], true],
  ["are the only ones", ["bad_request"], false],
] as [string, FailureKind[], boolean][])(
  "watchEndpoint() ends a run by the calls of one cell that %s",
  (_name, failures, isAnswered) => {
    const watch = watchEndpoint("m");
    if (isAnswered) watch.note(ANSWER, "another");
    const errors = Array.from({ length: 10 }, (_, at) => watch.note(failed(failures[at % failures.length]!), "a cell"));
    deepEqual(errors.map((error) => error !== undefined), [...Array(9).fill(false), true]);
  },
);
