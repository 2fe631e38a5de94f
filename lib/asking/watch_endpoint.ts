import type { FailureKind, Reply } from "@/lib/models/mod.ts";

/** What calls need, by the kind of failure that every other sample would meet too. */
const WANTED: Readonly<Partial<Record<FailureKind, string>>> = {
  authentication: "its endpoint must accept the key",
  "not_found": "its endpoint must know the address and the model's name",
  connection: "its endpoint must be reachable",
};

/** Failures of single samples, which say nothing about the next one. */
const OF_ONE_SAMPLE: readonly FailureKind[] = ["context_length", "unsolved"];

/** Failures in a row after which a run stops: few before anything has worked, more later, where some may be under way together. */
const MOST_IN_A_ROW = { start: 3, later: 10 };

/** The share of questions that may fail where nobody says, and how many may in any case. */
const MOST_FAILURES = { share: 0.2, least: 20 };

/** What {@linkcode watchEndpoint} goes by. */
export interface WatchOptions {
  /** The most calls that may fail: a count, or a share of the questions below 1; 20%, and at least 20, by default. */
  readonly maxFailures?: number | undefined;
  /** Calls in flight at a time. */
  readonly concurrency?: number;
  /** How many there are in all; without it only failures in a row stop. */
  readonly questions?: number;
}

interface Watch {
  /** Counts a reply; gives the error to stop with, where there have been too many failures. */
  note(reply: Reply): Error | undefined;
  /** Whether nothing has worked so far. */
  isUnproven(): boolean;
  /** Gives the error to stop with, where the plan ended before anything worked. */
  atEnd(): Error | undefined;
}

/** A model cannot be asked at all: its server is not there, refuses the key, or does not know the model. */
export class ModelNotAskable extends RangeError {}

/** Watches for an endpoint that cannot be asked, or fails too often. */
export function watchEndpoint(model: string, options: WatchOptions = {}): Watch {
  const { concurrency = 1, questions = Infinity, maxFailures } = options;
  const most = maxFailures === undefined
    ? Math.max(MOST_FAILURES.least, MOST_FAILURES.share * questions)
    : maxFailures < 1
    ? maxFailures * questions
    : maxFailures;
  const mostInARow = MOST_IN_A_ROW.later + concurrency - 1;
  let isProven = false;
  let last: string | undefined;
  let [inARow, failed] = [0, 0];
  const times = (): string => inARow === 1 ? "" : `, ${inARow} times in a row`;
  const goOn = "What came before is recorded: ask again to resume";
  const notAskable = (): Error | undefined =>
    last === undefined ? undefined : new ModelNotAskable(`Cannot ask model "${model}" as ${last}${times()}`);
  return {
    note(reply): Error | undefined {
      // A call that was ended before its first attempt, as a run was stopped, says nothing about the server.
      const isOfOne = reply.kind === "failure" && (reply.attempts === 0 || OF_ONE_SAMPLE.includes(reply.failure));
      if (reply.kind === "answer" || isOfOne) {
        [isProven, inARow, last] = [true, 0, undefined];
        return undefined;
      }
      inARow++;
      failed++;
      const wanted = WANTED[reply.failure];
      const said = `the call failed with ${JSON.stringify(reply.message)}`;
      last = `${wanted ?? "its calls must be answered"}: ${said}`;
      if (wanted === undefined) isProven = true;
      if (!isProven) return inARow >= MOST_IN_A_ROW.start ? notAskable() : undefined;
      if (inARow >= mostInARow) return new Error(`Cannot ask model "${model}" as ${last}${times()}. ${goOn}`);
      if (failed <= most) return undefined;
      return new Error(
        `Cannot ask model "${model}" on as at most ${
          Math.floor(most)
        } calls may fail: current value is ${failed}, the last with ${
          JSON.stringify(reply.message)
        }. ${goOn}, and --max-failures allows more`,
      );
    },
    isUnproven: () => !isProven,
    atEnd: () => isProven ? undefined : notAskable(),
  };
}
