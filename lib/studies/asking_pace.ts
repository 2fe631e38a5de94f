import type { RunRecord, ServerReport } from "@/lib/models/mod.ts";

/** The size of a set of questions, for estimating the time. */
export interface AskedTokens {
  /** The token budget of each sample. */
  readonly length: number;
  /** How many are asked. */
  readonly questions: number;
  /** Tokens of all prompts. */
  readonly promptTokens: number;
  /** Tokens of all answers. */
  readonly answerTokens: number;
}

/** The speed of a model's server. */
export interface AskingPace {
  /** The source of the estimate, such as `at the pace of run "first"`. */
  readonly source: string;
  /** The time that something takes, in seconds. */
  secondsFor(asked: AskedTokens): number;
}

/**
 * Returns the pace for a given rate.
 *
 * @param tokensPerSecond Prompt tokens a second of all calls together, answers being written meanwhile. Range: above 0.
 */
export function statedPace(tokensPerSecond: number): AskingPace {
  if (!(tokensPerSecond > 0)) {
    throw new RangeError(
      `Cannot estimate the time as the rate must be above 0 tokens a second: current value is ${tokensPerSecond}`,
    );
  }
  return {
    source: `at ${grouped(tokensPerSecond)} prompt tokens a second`,
    secondsFor: ({ promptTokens }) => promptTokens / tokensPerSecond,
  };
}

/**
 * The pace that a look at a server measured with single calls: the time that takes one call after another, which is the most, as
 * servers answer several at a time faster. `undefined` where it measured no speed of reading.
 */
export function paceOfServer(
  { readsPerSecond, writesPerSecond }: Pick<ServerReport, "readsPerSecond" | "writesPerSecond">,
): AskingPace | undefined {
  if (!readsPerSecond) return undefined;
  const writes = writesPerSecond ? `, writes ${grouped(writesPerSecond)}` : "";
  return {
    source: `one call after another, as its server reads ${grouped(readsPerSecond)} tokens a second${writes}`,
    secondsFor: ({ promptTokens, answerTokens }) =>
      promptTokens / readsPerSecond + (writesPerSecond ? answerTokens / writesPerSecond : 0),
  };
}

/** Limits per minute. */
export interface MinuteCaps {
  /** Requests begun in a minute. */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens a minute, prompts and what their answers may have together. */
  readonly tokensPerMinute?: number | undefined;
}

/** Returns a pace within limits per minute; without a pace, the limits alone; `undefined` without either. */
export function cappedPace(
  pace: AskingPace | undefined,
  { requestsPerMinute = Infinity, tokensPerMinute = Infinity }: MinuteCaps,
): AskingPace | undefined {
  if (requestsPerMinute === Infinity && tokensPerMinute === Infinity) return pace;
  const caps = [
    ...(requestsPerMinute === Infinity ? [] : [`${grouped(requestsPerMinute)} requests`]),
    ...(tokensPerMinute === Infinity ? [] : [`${grouped(tokensPerMinute)} tokens`]),
  ].join(" and ");
  return {
    source: `${pace === undefined ? "" : `${pace.source}, `}at most ${caps} a minute`,
    secondsFor(asked): number {
      const { questions, promptTokens, answerTokens } = asked;
      const least = 60 * Math.max(questions / requestsPerMinute, (promptTokens + answerTokens) / tokensPerMinute);
      return Math.max(least, pace?.secondsFor(asked) ?? 0);
    },
  };
}

/** The fields of a record that its time depends on. */
export type TimedRecord = Pick<RunRecord, "time" | "length" | "promptTokens" | "batch"> & {
  readonly reply: Pick<RunRecord["reply"], "latencyMs">;
};

/**
 * The pace of a run: at each length its prompt tokens by the time in which at least one call was under way, so that pauses between
 * sessions do not count. Another length takes the pace of the one nearest to it. `undefined` where no record took any time.
 *
 * @param name What the pace is called by.
 */
export function paceOfRecords(records: readonly TimedRecord[], name: string): AskingPace | undefined {
  // Times of batches are not times of calls.
  const alone = records.filter(({ batch }) => batch === undefined);
  const rates = [...Map.groupBy(alone, ({ length }) => length)].flatMap(([length, ofLength]) => {
    const tokens = ofLength.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
    const seconds = busySeconds(ofLength);
    return seconds > 0 && tokens > 0 ? [{ length, rate: tokens / seconds }] : [];
  });
  if (rates.length === 0) return undefined;
  const distance = (left: number, right: number): number => Math.abs(Math.log(left / right));
  return {
    source: `at the pace of run "${name}"`,
    secondsFor({ length, promptTokens }): number {
      const nearest = rates.reduce((best, each) =>
        distance(each.length, length) < distance(best.length, length) ? each : best
      );
      return promptTokens / nearest.rate;
    },
  };
}

/** Returns the time with at least one call in flight, in seconds. */
export function busySeconds(records: readonly Pick<TimedRecord, "time" | "reply">[]): number {
  const spans = records.map(({ time, reply }) => {
    const end = Date.parse(time);
    return { start: end - reply.latencyMs, end };
  }).sort((left, right) => left.start - right.start);
  let [busyMs, until] = [0, -Infinity];
  for (const { start, end } of spans) {
    busyMs += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return busyMs / 1000;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
