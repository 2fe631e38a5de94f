import type { Resent } from "./reply.ts";

/** The most characters of a message that the reason of a retry keeps. */
const MOST_WORDS = 200;

/**
 * Adds a reason to those for which questions were sent again; messages that differ in numbers alone are the same reason.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const limit = (seconds: number) => (
 *   { failure: "rate_limit", message: `Try again in ${seconds}s`, times: 1, waitedMs: 1000 * seconds } as const
 * );
 * deepEqual(addResent([limit(2)], limit(4.5)), [{ ...limit(2), times: 2, waitedMs: 6500 }]);
 * ```
 */
export function addResent(before: readonly Resent[], added: Resent): readonly Resent[] {
  const isSame = ({ failure, message }: Resent): boolean =>
    failure === added.failure && withoutNumbers(message) === withoutNumbers(added.message);
  if (!before.some(isSame)) return [...before, { ...added, message: shorten(added.message) }];
  return before.map((one) =>
    isSame(one) ? { ...one, times: one.times + added.times, waitedMs: one.waitedMs + added.waitedMs } : one
  );
}

function shorten(message: string): string {
  return message.length > MOST_WORDS ? `${message.slice(0, MOST_WORDS)}…` : message;
}

function withoutNumbers(message: string): string {
  return message.slice(0, MOST_WORDS).replaceAll(/\d+(\.\d+)?/g, "#");
}
