import type { FailureKind, Reply } from "@/lib/models/mod.ts";

/** What must be so for calls to succeed, by the kind of failure that no other sample can mend. */
const WANTED: Readonly<Partial<Record<FailureKind, string>>> = {
  authentication: "its endpoint must accept the key",
  "not_found": "its endpoint must know the address and the model's name",
  connection: "its endpoint must be reachable",
};

/** Failures in a row after which a run stops: few at its start, when nothing has been seen to work, more later. */
const MOST_IN_A_ROW = { start: 3, later: 10 };

/** Watches replies for a model that cannot be asked at all. */
export interface Watch {
  /** Takes a reply into account and gives the error to stop with, if it comes to that. */
  note(reply: Reply): Error | undefined;
  /** Whether every reply so far was a hopeless failure. */
  isUnproven(): boolean;
  /** Gives the error to stop with where the plan ended before anything worked. */
  atEnd(): Error | undefined;
}

/** Begins to watch a model of some name. */
export function watchReplies(model: string): Watch {
  let isProven = false;
  let last: string | undefined;
  let inARow = 0;
  const stop = (): Error | undefined => {
    if (last === undefined) return undefined;
    const times = inARow === 1 ? "" : `, ${inARow} times in a row`;
    const message = `Cannot ask model "${model}" as ${last}${times}`;
    // At the start it is the flags that are wrong; later it is the network's or the server's doing.
    return isProven
      ? new Error(`${message}. What came before is recorded: ask again to go on`)
      : new RangeError(message);
  };
  return {
    note(reply): Error | undefined {
      // A failure without an attempt is a replay's that has no such record.
      const wanted = reply.kind === "failure" && reply.attempts > 0 ? WANTED[reply.failure] : undefined;
      if (reply.kind === "answer" || wanted === undefined) {
        [isProven, inARow, last] = [true, 0, undefined];
        return undefined;
      }
      inARow++;
      last = `${wanted}: the call failed with ${JSON.stringify(reply.message)}`;
      return inARow >= (isProven ? MOST_IN_A_ROW.later : MOST_IN_A_ROW.start) ? stop() : undefined;
    },
    isUnproven: () => !isProven,
    atEnd: () => isProven ? undefined : stop(),
  };
}
