import { grouped, sum } from "@/lib/base/mod.ts";
import type { ServerReport } from "@/lib/models/mod.ts";

/** The speed of a model's server. */
export interface AskingPace {
  /** The source of the estimate, such as `at the pace of run "first"`. */
  readonly source: string;
  /** Returns the time for samples of one length. */
  secondsFor(asked: Readonly<Record<"length" | "questions" | "promptTokens" | "answerTokens", number>>): number;
}

/**
 * Returns the pace that a preflight measured with single calls, an upper bound of the time, as servers answer several calls at a time
 * faster; `undefined` if it measured no speed of reading.
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

/**
 * Returns a pace within limits per minute, of requests and of tokens, prompts and answers together; without a pace, the limits alone;
 * `undefined` without either.
 */
export function cappedPace(
  pace: AskingPace | undefined,
  { requestsPerMinute = Infinity, tokensPerMinute = Infinity }: {
    readonly requestsPerMinute?: number | undefined;
    readonly tokensPerMinute?: number | undefined;
  },
): AskingPace | undefined {
  const caps = [[requestsPerMinute, "requests"], [tokensPerMinute, "tokens"]] as const;
  const given = caps.filter(([cap]) => cap !== Infinity).map(([cap, unit]) => `${grouped(cap)} ${unit}`);
  if (given.length === 0) return pace;
  return {
    source: `${pace === undefined ? "" : `${pace.source}, `}at most ${given.join(" and ")} a minute`,
    secondsFor(asked): number {
      const { questions, promptTokens, answerTokens } = asked;
      const least = 60 * Math.max(questions / requestsPerMinute, (promptTokens + answerTokens) / tokensPerMinute);
      return Math.max(least, pace?.secondsFor(asked) ?? 0);
    },
  };
}

/** A record, as far as the pace of a run follows from it. */
export interface TimedRecord {
  readonly time: string;
  readonly length: number;
  readonly promptTokens: number;
  readonly batch?: string;
  readonly reply: { readonly latencyMs: number };
}

/**
 * Returns the pace of a run: at each length its prompt tokens by the time in which at least one call was in flight, so that pauses
 * between sessions do not count. Another length takes the pace of the nearest one. `undefined` if no record took any time.
 */
export function paceOfRecords(records: readonly TimedRecord[], name: string): AskingPace | undefined {
  // Times of batches are not times of calls.
  const alone = records.filter(({ batch }) => batch === undefined);
  const rates = [...Map.groupBy(alone, ({ length }) => length)].flatMap(([length, ofLength]) => {
    const tokens = sum(ofLength.map(({ promptTokens }) => promptTokens));
    const seconds = busySeconds(ofLength);
    return seconds > 0 && tokens > 0 ? [{ length, rate: tokens / seconds }] : [];
  });
  if (rates.length === 0) return undefined;
  return {
    source: `at the pace of run "${name}"`,
    secondsFor({ length, promptTokens }): number {
      const distance = (rate: { readonly length: number }): number => Math.abs(Math.log(rate.length / length));
      const nearest = rates.reduce((best, each) => distance(each) < distance(best) ? each : best);
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
