import type { Delay } from "./endpoint_options.ts";

/** What a question met when it was let through. */
export interface Entry {
  /** How many could be under way then. */
  readonly limit: number;
  /** How often the gate had been narrowed or closed before. */
  readonly turn: number;
}

/** What the gate of an endpoint is made from. */
export interface GateOptions {
  /** The most requests begun in a minute; any number if left out. */
  readonly requestsPerMinute?: number | undefined;
  /** The most tokens sent and written in a minute; any number if left out. */
  readonly tokensPerMinute?: number | undefined;
  readonly delay: Delay;
  /**
   * The time, in milliseconds.
   *
   * @default {performance.now()}
   */
  readonly now?: () => number;
  /** Draws from [0, 1), to spread waits. */
  readonly random: () => number;
}

/**
 * Lets the questions to one server through, as many at a time and as fast as it can take, for all who ask it.
 *
 * A server that says it is busy is left alone by all of them for a while, and gets half as many at a time afterwards; while it
 * answers, they grow again (additive increase, multiplicative decrease, as TCP does; Chiu and Jain 1989).
 */
export interface Gate {
  /** Waits for its turn, which costs so many tokens of a minute. */
  enter(tokens: number, signal?: AbortSignal): Promise<Entry>;
  leave(): void;
  /** Lets few through at first, then twice as many as long as the server does more work in the same time. */
  climb(): void;
  /** Notes that the server answered a question of so much work. */
  noteAnswer(work: number): void;
  /** Whether the server has answered anything. */
  hasAnswered(): boolean;
  /** How long a question that met a busy server waits, in milliseconds: as the server asks, or longer each time. */
  waitFor(waitMs: number | undefined): number;
  /** Closes the gate for all, as the server is busy, and lets fewer through later. */
  close(entry: Entry, waitMs: number): void;
  /** Notes that the questions under way were too much together, for good; false where one alone was too much. */
  narrow(entry: Entry): boolean;
  /** How many the server could hold together; `undefined` where it held all. */
  mostTogether(): number | undefined;
  /** Waits; ends early when the signal does, or all waits are ended. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Ends all waits; the questions that wait reject. */
  endWaits(): void;
}

const FIRST_WAIT_MS = 1000;
const MOST_BACKOFF_MS = 60_000;
const MINUTE_MS = 60_000;

/** How many a climb begins with, how many it ends at, and how much faster the server must be for it to go on. */
const CLIMB = { first: 4, most: 256, faster: 1.1 };

/** How far a climb is. */
interface Climb {
  /** The best so far: how much work in a millisecond, with how many at a time. */
  best: { rate: number; limit: number };
  /** What was answered since the last step, and when that was. */
  work: number;
  answers: number;
  startMs: number;
}

/** How long to wait the nth time, from 1: twice as long each time, spread so that questions do not come back together. */
export function backoffMs(times: number, random: () => number): number {
  const backoff = Math.min(MOST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (times - 1));
  return Math.ceil(backoff * (1 + random()) / 2);
}

/** Opens a gate that lets all through, until the server says that they are too many. */
export function openGate(options: GateOptions): Gate {
  const { requestsPerMinute, tokensPerMinute, delay, random, now = (): number => performance.now() } = options;
  const waiting: (() => void)[] = [];
  let [limit, most, inside, widest] = [Infinity, Infinity, 0, 0];
  let [turn, closings, sinceChange, busyInARow] = [0, 0, 0, 0];
  let [isClosed, opensAt, hasAnswered] = [false, 0, false];
  let climb: Climb | undefined;
  // How many at a time a climb found to be best.
  let ceiling = Infinity;
  let ending = new AbortController();
  // When the next question may begin, so that no minute has more than its share.
  let nextStart = 0;
  const letIn = (): void => {
    while (!isClosed && inside < Math.min(limit, most) && waiting.length > 0) {
      widest = Math.max(widest, ++inside);
      waiting.shift()!();
    }
  };
  /** What ends a wait: its own signal, or the end of all waits. */
  const endsOf = (signal?: AbortSignal): AbortSignal => {
    const ends = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    ends.throwIfAborted();
    return ends;
  };
  const wait = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    const ends = endsOf(signal);
    await delay(milliseconds, ends).catch((error) => {
      ends.throwIfAborted();
      throw error;
    });
  };
  const reserve = (tokens: number): number => {
    const spacing = Math.max(
      requestsPerMinute === undefined ? 0 : MINUTE_MS / requestsPerMinute,
      tokensPerMinute === undefined ? 0 : MINUTE_MS * tokens / tokensPerMinute,
    );
    const start = Math.max(now(), nextStart);
    nextStart = start + spacing;
    return start - now();
  };
  const goIn = async (signal?: AbortSignal): Promise<void> => {
    const ends = endsOf(signal);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const at = waiting.indexOf(resolve);
      // One that was just let in stays in, and leaves as any other.
      if (at < 0) return;
      waiting.splice(at, 1);
      reject(ends.reason);
    };
    ends.addEventListener("abort", giveUp, { once: true });
    waiting.push(resolve);
    letIn();
    await promise.finally(() => ends.removeEventListener("abort", giveUp));
  };
  const climbOn = (at: Climb, work: number): void => {
    at.work += work;
    if (++at.answers < 2 * limit) return;
    const rate = at.work / Math.max(now() - at.startMs, 1);
    const isFaster = rate > CLIMB.faster * at.best.rate;
    if (isFaster && limit < CLIMB.most) {
      at.best = { rate, limit };
      limit = Math.min(2 * limit, CLIMB.most);
      [at.work, at.answers, at.startMs] = [0, 0, now()];
    } else {
      limit = ceiling = isFaster ? limit : at.best.limit;
      climb = undefined;
    }
  };
  const openLater = async (closing: number, waitMs: number): Promise<void> => {
    // Whoever waits is told by their own signals; here an end means open.
    await delay(waitMs, ending.signal).catch(() => {});
    if (closing !== closings) return;
    isClosed = false;
    letIn();
  };
  return {
    async enter(tokens, signal): Promise<Entry> {
      const paceMs = reserve(tokens);
      if (paceMs > 0) await wait(paceMs, signal);
      await goIn(signal);
      return { limit: Math.min(limit, most), turn };
    },
    leave(): void {
      inside--;
      letIn();
    },
    climb(): void {
      [limit, ceiling] = [CLIMB.first, CLIMB.most];
      climb = { best: { rate: 0, limit: CLIMB.first }, work: 0, answers: 0, startMs: now() };
    },
    noteAnswer(work): void {
      [hasAnswered, busyInARow] = [true, 0];
      if (climb !== undefined) climbOn(climb, work);
      else if (limit < ceiling && ++sinceChange >= limit) {
        limit = Math.min(limit + Math.max(1, Math.floor(limit / 10)), ceiling);
        sinceChange = 0;
        if (limit >= widest && ceiling === Infinity) limit = Infinity;
      }
      letIn();
    },
    hasAnswered: () => hasAnswered,
    waitFor: (waitMs) =>
      waitMs === undefined ? backoffMs(busyInARow + 1, random) : Math.ceil(waitMs + random() * FIRST_WAIT_MS),
    close(entry, waitMs): void {
      // Questions that were under way together say the same thing, and only the first of them counts.
      if (entry.turn === turn) {
        [turn, busyInARow, sinceChange] = [turn + 1, busyInARow + 1, 0];
        // A climb has found its top, though the server may have more room again later.
        if (climb !== undefined) [ceiling, climb] = [limit, undefined];
        limit = Math.max(1, Math.floor(Math.min(limit, inside + 1) / 2));
      }
      const until = now() + waitMs;
      if (isClosed && until <= opensAt) return;
      [isClosed, opensAt] = [true, until];
      void openLater(++closings, waitMs);
    },
    narrow(entry): boolean {
      if (entry.limit === 1) return false;
      if (entry.turn === turn) {
        most = Math.max(1, Math.floor(Math.min(limit, most, inside + 1) / 2));
        turn++;
      }
      return true;
    },
    mostTogether: () => most === Infinity ? undefined : most,
    wait,
    endWaits(): void {
      ending.abort(new DOMException("The waits were ended", "AbortError"));
      ending = new AbortController();
    },
  };
}
