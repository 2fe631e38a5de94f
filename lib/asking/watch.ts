import type { FailureKind, Reply } from "@/lib/models/mod.ts";

/** Requirements of an endpoint, by the kind of failure that every other sample would meet too. */
const WANTED: Readonly<Partial<Record<FailureKind, string>>> = {
  authentication: "its endpoint must accept the key",
  "not_found": "its endpoint must know the address and the model's name",
  connection: "its endpoint must be reachable",
};

/** Failures of single samples, which do not predict the next one. */
const SAMPLE_FAILURES: readonly FailureKind[] = ["context_length", "filtered", "unsolved"];

/** Failures that can be those of one cell, whose prompts have one length and form: they do not predict the other cells. */
const CELL_FAILURES: readonly FailureKind[] = ["bad_request", "bad_reply", "server", "timeout"];

/** Consecutive failures after which a run stops: before the first success, and later, when concurrent calls may fail together. */
const MAX_IN_A_ROW = { start: 3, later: 10 };

/** The default limit of failures: a share of the questions, and a minimum. */
const MAX_FAILURES = { share: 0.2, min: 20 };

/** Options for {@linkcode watchEndpoint}. */
export interface WatchOptions {
  /** The maximum number of failed calls: a count, or a share of the questions below 1; 20%, and at least 20, by default. */
  readonly maxFailures?: number | undefined;
  /** Concurrent calls. */
  readonly concurrency?: number;
  /** The number of all questions; without it only consecutive failures stop a run. */
  readonly questions?: number;
}

/** Counts the replies of an endpoint. */
export interface Watch {
  /** Counts a reply, of a task at a length, and returns the error to stop with, if there are too many failures. */
  note(reply: Reply, cell?: string): Error | undefined;
  /** Returns whether no call has succeeded so far. */
  isUnproven(): boolean;
  /** Returns the error to throw if the plan ended before a call succeeded. */
  atEnd(): Error | undefined;
}

/** A model cannot be asked: its server is unreachable, refuses the key, or does not know the model. */
export class ModelNotAskable extends RangeError {}

/** Detects an endpoint that cannot be asked, or fails too often. */
export function watchEndpoint(model: string, options: WatchOptions = {}): Watch {
  const { concurrency = 1, questions = Infinity, maxFailures } = options;
  const mostFailures = maxFailures ?? Math.max(MAX_FAILURES.min, MAX_FAILURES.share * questions);
  const maxFailed = mostFailures < 1 ? mostFailures * questions : mostFailures;
  const maxInARow = MAX_IN_A_ROW.later + concurrency - 1;
  let isProven = false;
  let last: string | undefined;
  let [inARow, failed] = [0, 0];
  // The failures of each cell by kind, as long as none of its calls is answered; `null` after an answer.
  const cells = new Map<string, Map<FailureKind, number> | null>();
  /** Counts a failure of a cell whose calls all fail alike while other cells are answered; `undefined` as long as they are few. */
  const countAlike = (failure: FailureKind, cell: string): number | undefined => {
    if (!cells.has(cell)) cells.set(cell, new Map());
    const kinds = cells.get(cell);
    const isAlone = [...cells.values()].includes(null);
    if (!kinds || !CELL_FAILURES.includes(failure)) return undefined;
    const count = (kinds.get(failure) ?? 0) + 1;
    kinds.set(failure, count);
    return isAlone && kinds.size === 1 && count >= MAX_IN_A_ROW.later ? count : undefined;
  };
  const times = (): string => inARow === 1 ? "" : `, ${inARow} times in a row`;
  const advice = "All replies so far are recorded: ask again to resume";
  const notAskable = (): Error | undefined =>
    last === undefined ? undefined : new ModelNotAskable(`Cannot ask model "${model}" as ${last}${times()}`);
  return {
    note(reply, cell): Error | undefined {
      // A call that ended before its first attempt, as its run was stopped, proves nothing.
      const isOfOne = reply.kind === "failure" && (reply.attempts === 0 || SAMPLE_FAILURES.includes(reply.failure));
      if (reply.kind === "answer" || isOfOne) {
        [isProven, inARow, last] = [true, 0, undefined];
        if (reply.kind === "answer" && cell !== undefined) cells.set(cell, null);
        return undefined;
      }
      const alike = cell === undefined ? undefined : countAlike(reply.failure, cell);
      if (alike !== undefined) {
        // Those before it were counted as failures of the whole run.
        if (alike === MAX_IN_A_ROW.later) [inARow, failed] = [0, Math.max(0, failed - alike + 1)];
        return undefined;
      }
      inARow++;
      failed++;
      const wanted = WANTED[reply.failure];
      last = `${wanted ?? "its calls must be answered"}: the call failed with ${JSON.stringify(reply.message)}`;
      if (wanted === undefined) isProven = true;
      if (!isProven) return inARow >= MAX_IN_A_ROW.start ? notAskable() : undefined;
      if (inARow >= maxInARow) return new Error(`Cannot ask model "${model}" as ${last}${times()}. ${advice}`);
      if (failed <= maxFailed) return undefined;
      return new Error(
        `Cannot ask model "${model}" on as at most ${
          Math.floor(maxFailed)
        } calls may fail: current value is ${failed}, the last with ${
          JSON.stringify(reply.message)
        }. ${advice}, and --max-failures allows more`,
      );
    },
    isUnproven: () => !isProven,
    atEnd: () => isProven ? undefined : notAskable(),
  };
}
