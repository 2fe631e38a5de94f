import { ok } from "node:assert/strict";
import { virtualClock } from "./_virtual_clock.ts";
import { openGate } from "@/lib/models/gate.ts";

/** What a server does with a request that arrives at a time in milliseconds; both take `ms` until the caller knows. */
type Verdict = { readonly isAnswer: boolean; readonly ms: number; readonly askedMs?: number | undefined };

/** A server with a limit, in virtual time. */
interface Server {
  arrive(time: number): Verdict;
  /** Notes that a request has ended that it answered. */
  end?(): void;
  /** The requests that it allows from 0 to a time. */
  allowed(time: number): number;
}

/** Numbers in [0, 1), the same in each run (Numerical Recipes' generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const TRIP_MS = 5;
const AT_ONCE = 32;
type Draw = (draw: () => number) => number;
const takes = (ms: number): Draw => () => ms;
const takesAbout = (ms: number): Draw => (draw) => -ms * Math.log(1 - draw());
const MINUTE = 60_000;

/** So many requests a second, and some at once after a pause (nginx's `limit_req` with `burst` and `nodelay`). */
function tokenBucket(
  rate: (time: number) => number,
  { burst, work = takes(10), tripMs = TRIP_MS, asks }: {
    readonly burst: number;
    readonly work?: Draw;
    readonly tripMs?: number;
    readonly asks?: (ms: number) => number;
  },
): Server {
  const draw = numbers(7);
  let [level, last] = [burst + 1, 0];
  return {
    arrive(time): Verdict {
      [level, last] = [Math.min(burst + 1, level + (time - last) * rate(time) / 1000), time];
      if (level < 1 - 1e-9) return { isAnswer: false, ms: tripMs, askedMs: asks?.(1000 * (1 - level) / rate(time)) };
      level--;
      return { isAnswer: true, ms: tripMs + work(draw) };
    },
    allowed: (time) => burst + 1 + sumOf(time, rate) / 1000,
  };
}

/** So many requests in each window of time, which begins at fixed times or with each request. */
function windows(
  most: number,
  { ms, isSliding = false, asks = false }: {
    readonly ms: number;
    readonly isSliding?: boolean;
    readonly asks?: boolean;
  },
): Server {
  const phase = isSliding ? 0 : 0.37 * ms;
  let taken: number[] = [];
  return {
    arrive(time): Verdict {
      const start = isSliding ? time - ms : Math.floor((time + phase) / ms) * ms - phase - 1e-9;
      taken = taken.filter((at) => at > start);
      if (taken.length < most) return taken.push(time), { isAnswer: true, ms: TRIP_MS + 100 };
      const leftMs = isSliding ? taken[0]! - start : start + ms - time;
      return { isAnswer: false, ms: TRIP_MS, askedMs: asks ? 1000 * Math.ceil(leftMs / 1000) : undefined };
    },
    allowed: (time) => most * (1 + Math.floor((time + phase) / ms)),
  };
}

/** So many requests at a time (nginx's `limit_conn`, the queue of a busy server). */
function slots(
  most: (time: number) => number,
  { meanMs, refusalMs = TRIP_MS, askedMs }: {
    readonly meanMs: number;
    readonly refusalMs?: number;
    readonly askedMs?: number;
  },
): Server {
  const draw = numbers(7);
  let taken = 0;
  return {
    arrive(time): Verdict {
      if (taken >= most(time)) return { isAnswer: false, ms: refusalMs, askedMs };
      taken++;
      return { isAnswer: true, ms: TRIP_MS + takesAbout(meanMs)(draw) };
    },
    end: () => void taken--,
    allowed: (time) => sumOf(time, most) / (meanMs + TRIP_MS),
  };
}

/** Refuses a share of all requests, however many they are, as one bad server behind a balancer does. */
function flaky(share: number): Server {
  const draw = numbers(7);
  return {
    arrive: () => draw() < share ? { isAnswer: false, ms: TRIP_MS } : { isAnswer: true, ms: TRIP_MS + 50 },
    allowed: (time) => AT_ONCE * (1 - share) * (1 + time / (TRIP_MS + 50)),
  };
}

/** The sum of what is allowed at each time up to one. */
function sumOf(time: number, allowed: (time: number) => number): number {
  let sum = 0;
  for (let at = 0; at < time; at += 100) sum += allowed(at) * Math.min(100, time - at);
  return sum;
}

interface Asking {
  readonly questions: number;
  /** The least share of the allowed rate; 0.9 if left out. */
  readonly share?: number;
  /** The most refused requests for an answer; 1.5 if left out. */
  readonly refused?: number;
  readonly atOnce?: number;
  /** How late a request arrives at most, in milliseconds. */
  readonly lateMs?: number;
}

interface Asked {
  /** The least time in which the server allows all questions, as a share of the time that they took. */
  readonly share: number;
  /** Refused requests. */
  readonly refused: number;
  /** The longest that a question was told to wait, in milliseconds. */
  readonly longestMs: number;
}

/** Asks a server as `ask()` does, in virtual time. */
async function askAll(
  server: Server,
  { questions, atOnce = AT_ONCE, lateMs = 0 }: Asking,
): Promise<Asked> {
  const { now, delay, run } = virtualClock();
  const [draw, gate] = [numbers(7), openGate({ delay, now, random: numbers(3) })];
  let [left, refused, lastAt, longestMs] = [questions, 0, 0, 0];
  const ask = async (): Promise<void> => {
    let [waitedMs, waitMs]: [number, number | undefined] = [0, undefined];
    for (let isAgain = false;; isAgain = true) {
      const entry = await gate.enter({ tokens: 1, isAgain, waitMs });
      if (lateMs > 0) await delay(lateMs * draw());
      const [at, verdict] = [now(), server.arrive(now())];
      await delay(verdict.ms);
      if (verdict.isAnswer) {
        server.end?.();
        gate.answer(entry);
        [lastAt, longestMs] = [Math.max(lastAt, at), Math.max(longestMs, waitedMs)];
        return;
      }
      refused++;
      const busyMs = gate.refuse(entry, verdict.askedMs);
      waitMs = verdict.askedMs === undefined ? undefined : busyMs;
      waitedMs += busyMs;
    }
  };
  const worker = async (): Promise<void> => {
    while (left-- > 0) await ask();
  };
  await run(Promise.all(Array.from({ length: atOnce }, worker)));
  let [low, high] = [0, lastAt];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (server.allowed(middle) >= questions) high = middle;
    else low = middle;
  }
  return { share: high / lastAt, refused, longestMs };
}

const at = (rate: number) => (): number => rate;
const seconds = (ms: number): number => 1000 * Math.ceil(ms / 1000);

const SERVERS: readonly [string, () => Server, Asking][] = [
  ["20 a second", () => tokenBucket(at(20), { burst: 0 }), { questions: 600 }],
  ["20 a second, replies of about 1.2 s", () => tokenBucket(at(20), { burst: 0, work: takesAbout(1200) }), {
    questions: 600,
  }],
  ["20 a second, bursts of 20", () => tokenBucket(at(20), { burst: 20 }), { questions: 600, lateMs: 3 }],
  ["20 a second, replies of 5 s", () => tokenBucket(at(20), { burst: 20, work: takes(5000) }), {
    questions: 2000,
    atOnce: 256,
  }],
  ["20 a second, refusals take 300 ms", () => tokenBucket(at(20), { burst: 10, tripMs: 300 }), { questions: 600 }],
  ["20 a second, Retry-After in seconds", () => tokenBucket(at(20), { burst: 20, asks: seconds }), { questions: 600 }],
  ["20 a second, Retry-After in ms", () => tokenBucket(at(20), { burst: 20, asks: (ms) => ms }), {
    questions: 600,
    refused: 3,
  }],
  ["200 a second", () => tokenBucket(at(200), { burst: 10 }), { questions: 4000 }],
  ["20 a second, then 5", () => tokenBucket((time) => time < 15_000 ? 20 : 5, { burst: 5 }), { questions: 600 }],
  ["5 a second, then 50", () => tokenBucket((time) => time < 30_000 ? 5 : 50, { burst: 5 }), {
    questions: 2000,
    share: 0.8,
  }],
  ["200 in any 10 seconds", () => windows(200, { ms: 10_000, isSliding: true }), { questions: 2000, share: 0.8 }],
  ["1,200 in any minute", () => windows(1200, { ms: MINUTE, isSliding: true }), { questions: 3600 }],
  ["1,200 in any minute, Retry-After", () => windows(1200, { ms: MINUTE, isSliding: true, asks: true }), {
    questions: 3600,
  }],
  ["600 in each minute", () => windows(600, { ms: MINUTE }), { questions: 1800 }],
  ["600 in each minute, Retry-After", () => windows(600, { ms: MINUTE, asks: true }), { questions: 1800 }],
  ["1 at a time", () => slots(at(1), { meanMs: 300 }), { questions: 300 }],
  ["4 at a time, replies of about 30 s", () => slots(at(4), { meanMs: 30_000 }), { questions: 200 }],
  ["16 at a time, Retry-After", () => slots(at(16), { meanMs: 2000, askedMs: 1000 }), { questions: 1500 }],
  ["8 at a time, refusals take 2 s", () => slots(at(8), { meanMs: 4000, refusalMs: 2000 }), { questions: 400 }],
  ["4 at a time, then 12", () => slots((time) => time < 30_000 ? 4 : 12, { meanMs: 500 }), { questions: 1500 }],
  ["12 at a time, then 4", () => slots((time) => time < 20_000 ? 12 : 4, { meanMs: 500 }), { questions: 900 }],
  [
    "16 at a time, none for 20 s of each minute",
    () => slots((time) => time % MINUTE < 40_000 ? 16 : 0, { meanMs: 1000 }),
    { questions: 4000 },
  ],
  ["1 of 10 refused by accident", () => flaky(0.1), { questions: 3000, share: 0.8 }],
  ["3 of 10 refused by accident", () => flaky(0.3), { questions: 3000, share: 0.02 }],
];

Deno.test.each(SERVERS)("a gate loses nothing and uses what a server allows: %s", async (name, make, asking) => {
  const { share, refused, longestMs } = await askAll(make(), asking);
  const found = `${Math.round(100 * share)}% of the allowed rate, ${refused} refused, waited ${longestMs} ms`;
  console.log(`${name}: ${found}`);
  ok(share >= (asking.share ?? 0.9), found);
  ok(refused <= (asking.refused ?? 1.5) * asking.questions, found);
  // A question is given up after 10 minutes.
  ok(longestMs < 600_000, found);
});
