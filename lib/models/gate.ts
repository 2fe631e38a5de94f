import { endWith } from "./client.ts";
import type { Delay } from "./endpoint_options.ts";

/** One request that the gate has let through. */
export interface Entry {
  /** Its number among all requests, from 1. */
  readonly number: number;
  readonly beganAt: number;
  /** The number of other requests in flight when it began. */
  readonly others: number;
  /** Whether the server was not known to take that number of concurrent requests. */
  readonly isProbe: boolean;
  /** The number of probes since the last refusal, this one included. */
  readonly order: number;
  /** The number of refusals and crowds that the gate had counted before. */
  readonly refusals: number;
  readonly crowds: number;
}

/** Options for {@linkcode openGate}; times are in milliseconds. */
export interface GateOptions {
  /** Maximum requests begun, and tokens sent and written, in a minute; unlimited if left out. */
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly delay: Delay;
  readonly now: () => number;
  /** Draws from [0, 1), to spread waits. */
  readonly random: () => number;
}

/** Options for {@linkcode Gate.enter}. */
export interface EnterOptions {
  /** The tokens of its prompt and answer. */
  readonly tokens: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it was sent before: it then precedes all requests that were not. */
  readonly isAgain?: boolean;
  /** Its minimum wait. */
  readonly waitMs?: number | undefined;
  /** Whether it must be the only request in flight. */
  readonly wantsAlone?: boolean;
}

/**
 * Limits the rate and the concurrency of requests to one server to what the server takes.
 *
 * Two numbers are learned from refusals (429, 503). `held` is the number of concurrent requests that the server takes: below it, a
 * request begins as soon as another ends. Any request above it is a probe, and probes are separated by a distance, `pace`.
 *
 * - A probe is refused: two more follow at once. If both pass, the refusal was an accident. If not, the pace becomes slower,
 *   towards the average distance of accepted requests. Answers make it faster, at first slowly and then quickly (as in CUBIC,
 *   RFC 9438).
 * - The first probe at the slower pace is refused again: the rate is not the reason. `held` becomes the number in flight, and the
 *   next probe waits for the growing `backoff`, which ends when one passes.
 *
 * A rate limit is thus met by `pace`, a concurrency limit by `held`, and an outage by `backoff`.
 */
export interface Gate {
  enter(options: EnterOptions): Promise<Entry>;
  /** Ends a request that shows nothing about the server's limits. Every request ends by this or one of the next three. */
  leave(): void;
  /** Ends a request that was answered. */
  answer(entry: Entry): void;
  /** Ends a refused request, and returns its wait in milliseconds. All wait for `askedMs` if the server asks for it. */
  refuse(entry: Entry, askedMs?: number): number;
  /**
   * Ends a request that was too much for the server together with the others, and lowers the concurrency limit. Returns false if
   * it was alone: the failure is then its own, and the limit that it caused is lifted.
   */
  crowd(entry: Entry): boolean;
  /** Returns the concurrency limit that crowds have shown, or `undefined`. */
  mostTogether(): number | undefined;
  /** Waits; ends early when the signal does, or all waits are ended. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Ends all waits; the requests that wait reject. */
  endWaits(): void;
}

const FIRST_WAIT_MS = 1000;
const MINUTE_MS = 60_000;

/** Constants of the distance between probes; `tests/models/gate_pace_test.ts` measures their effect for many kinds of limits. */
const PACE = {
  // Minimum distance after a refusal, in milliseconds and as a share of the refusal's time; and the maximum.
  min: 2,
  minShare: 1 / 8,
  max: 60_000,
  // Minimum growth of the distance by a refusal.
  slower: 0.05,
  // Answers that halve the distance, and probes that follow a refused one at once.
  answers: 80,
  retests: 2,
  // A probe that is in flight for this multiple of the time of a refusal has passed.
  survival: 2,
  // Growth of the wait of a request that is refused again, and the maximum wait with nothing in flight, in milliseconds.
  backoff: 1.5,
  maxAlone: 8000,
  // A pace slower by the first factor must help: it is reverted if answers become fewer by the second factor.
  trial: { slower: 4, fewer: 2.5 },
};

/** Answers after which the concurrency limit of a crowded server grows by one; doubled after each crowd. */
const UNCROWDED_ANSWERS = 8;

interface Waiting extends Omit<EnterOptions, "waitMs"> {
  /** The earliest time at which it may begin. */
  readonly notBefore: number;
  readonly begin: (entry: Entry) => void;
}

/** Returns the wait before the nth retry, from 1: doubled each time, with jitter. */
export function backoffMs(times: number, random: () => number): number {
  const backoff = Math.min(MINUTE_MS, FIRST_WAIT_MS * 2 ** (times - 1));
  return Math.ceil(backoff * (1 + random()) / 2);
}

/** Opens a gate without limits until the server refuses. */
export function openGate(options: GateOptions): Gate {
  const { requestsPerMinute = Infinity, tokensPerMinute = Infinity, delay, random, now } = options;
  const waiting: Waiting[] = [];
  let [inside, widest, begun, isShut] = [0, 0, 0, false];
  // Learned from refusals; probes and answers are counted from the last one, which took `refusalMs` to come.
  let [held, pace, backoff, isRetesting, lastOthers] = [0, 0, 0, false, 0];
  let [refusals, probes, answers, refusalMs] = [0, 0, 0, 1];
  // Requests let through since a refusal changed the pace.
  let since = { at: now(), begun: 0, refused: 0 };
  // The pace before it became slower, and the average distance of accepted requests then.
  let trial = { pace: PACE.min, measured: 0 };
  // Learned from crowds.
  let [most, mostBefore, crowds, uncrowded, wanted, isRaised] = [Infinity, Infinity, 0, 0, UNCROWDED_ANSWERS, false];
  // Times: the last request, the last probe, the next probe, and the next request by the limits of a minute.
  let [lastAt, probeAt, opensAt, minuteAt] = [-Infinity, -Infinity, -Infinity, -Infinity];
  let ending = new AbortController();
  let alarm: { readonly at: number; readonly stop: AbortController } | undefined;
  let reached = -Infinity;
  // The end of a wait counts as its time: a timer can fire early.
  const time = (): number => Math.max(now(), reached);
  const distance = (): number => {
    if (backoff > 0 && probes === 1) return Math.max(pace, PACE.survival * refusalMs);
    return Math.max(pace, Math.min(backoff, inside > 0 ? PACE.max : PACE.maxAlone));
  };
  const probeFrom = (): number => {
    const isRetest = isRetesting && probes < PACE.retests;
    return isRetest ? opensAt : Math.max(opensAt, lastAt + pace, probeAt + distance());
  };
  const next = (): Waiting | undefined => waiting.find(({ notBefore }) => notBefore <= time()) ?? waiting[0];
  const letIn = (): void => {
    for (let one = next(); one !== undefined; one = next()) {
      if (isShut || inside >= (one.wantsAlone ? 1 : most)) return;
      const at = Math.max(one.notBefore, minuteAt, inside < held ? -Infinity : probeFrom());
      if (at > time()) return wakeAt(at);
      waiting.splice(waiting.indexOf(one), 1);
      begin(one);
    }
    stopAlarm();
  };
  const begin = ({ tokens, wantsAlone = false, begin }: Waiting): void => {
    const isProbe = inside >= held;
    lastAt = time();
    minuteAt = lastAt + Math.max(MINUTE_MS / requestsPerMinute, MINUTE_MS * tokens / tokensPerMinute);
    if (isProbe) {
      // The first probe after a refusal was not refused.
      if (probes === 1) backoff = 0;
      probes++;
      if (!isRetesting || probes <= PACE.retests) probeAt = lastAt;
    }
    begin({ number: ++begun, beganAt: lastAt, others: inside++, isProbe, order: probes, refusals, crowds });
    [widest, isShut] = [Math.max(widest, inside), wantsAlone];
  };
  const end = (): void => {
    inside--;
    isShut = false;
    // After its result is noted.
    queueMicrotask(letIn);
  };
  const stopAlarm = (): void => {
    alarm?.stop.abort();
    alarm = undefined;
  };
  const wakeAt = (at: number): void => {
    if (alarm !== undefined && alarm.at <= at) return;
    stopAlarm();
    const mine = { at, stop: new AbortController() };
    alarm = mine;
    const ring = (): void => {
      if (alarm !== mine) return;
      [alarm, reached] = [undefined, at];
      letIn();
    };
    void delay(Math.max(0, at - time()), mine.stop.signal).then(ring, () => {});
  };
  /** Returns the signal that ends a wait: its own, or the end of all waits. */
  const endsOf = (signal?: AbortSignal): AbortSignal => {
    const ends = endWith(ending.signal, signal);
    ends.throwIfAborted();
    return ends;
  };
  const noteRefusal = ({ order, others }: Entry, askedMs = 0): void => {
    const isRetest = isRetesting && order <= PACE.retests;
    [refusals, probes, probeAt] = [refusals + 1, 0, time()];
    const isAgain = order === 1 && !isRetesting;
    isRetesting = askedMs === 0 && !isRetest && !isAgain;
    if (isRetesting) return;
    pace = Math.max(PACE.min, PACE.minShare * refusalMs, pace);
    if (isAgain && askedMs === 0) backoff = Math.min(PACE.max, PACE.backoff * Math.max(pace, backoff));
    else {
      const measured = (time() - since.at) / Math.max(1, begun - since.begun - since.refused);
      const slower = Math.max(pace * (1 + PACE.slower), Math.sqrt(pace * measured));
      pace = Math.min(PACE.max, slower);
      since = { at: time(), begun, refused: 0 };
      trial.measured ||= measured;
      if (pace > PACE.trial.slower * trial.pace) {
        // Refusals that are equally frequent at any pace have another reason.
        const helps = measured < PACE.trial.fewer * trial.measured;
        if (!helps) pace = trial.pace;
        trial = { pace, measured: helps ? measured : 0 };
      }
    }
    // After a wait, places are free: the same number in flight is then as good as a second refusal.
    if (order === 1 || (askedMs > 0 && others === lastOthers)) held = others;
    [lastOthers, answers] = [others, 0];
  };
  return {
    async enter({ waitMs = 0, ...given }): Promise<Entry> {
      const ends = endsOf(given.signal);
      const { promise, resolve, reject } = Promise.withResolvers<Entry>();
      const place: Waiting = { ...given, notBefore: time() + waitMs, begin: resolve };
      const giveUp = (): void => {
        const at = waiting.indexOf(place);
        // A request that was just let in ends like any other.
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(ends.reason);
        letIn();
      };
      ends.addEventListener("abort", giveUp, { once: true });
      const firstNew = waiting.findIndex(({ isAgain }) => !isAgain);
      waiting.splice(given.isAgain && firstNew >= 0 ? firstNew : waiting.length, 0, place);
      letIn();
      return await promise.finally(() => ends.removeEventListener("abort", giveUp));
    },
    leave: end,
    answer(entry): void {
      end();
      // After n answers, the distance is shorter by the factor 2^((n / PACE.answers)^4).
      pace /= 2 ** (4 * ++answers ** 3 / PACE.answers ** 4);
      if (pace < trial.pace) trial = { pace, measured: 0 };
      if (entry.isProbe && entry.refusals === refusals && held > 0) held++;
      if (entry.others === 0 || most === Infinity || ++uncrowded < wanted) return;
      most = most + 1 >= widest ? Infinity : most + 1;
      [uncrowded, isRaised] = [0, true];
    },
    refuse(entry, askedMs): number {
      end();
      if (entry.number > since.begun) since.refused++;
      // Requests that were in flight together are refused for the same reason, and only the first of them counts.
      if (entry.refusals === refusals) {
        [lastAt, refusalMs] = [time(), Math.max(1, time() - entry.beganAt)];
        if (entry.isProbe) noteRefusal(entry, askedMs);
        // The server takes fewer requests than before.
        else held = 0;
      }
      if (askedMs === undefined) return Math.ceil(inside > 0 ? pace : distance());
      const waitMs = Math.ceil(askedMs + random() * Math.min(FIRST_WAIT_MS, askedMs / 10));
      opensAt = Math.max(opensAt, time() + waitMs);
      return waitMs;
    },
    crowd(entry): boolean {
      end();
      if (entry.others === 0 && entry.number === begun) {
        [most, wanted] = [mostBefore, UNCROWDED_ANSWERS];
        return false;
      }
      if (entry.crowds === crowds) {
        mostBefore = most;
        most = Math.max(1, isRaised ? most - 1 : Math.floor(Math.min(most, inside + 1) / 2));
        [crowds, uncrowded, wanted, isRaised] = [crowds + 1, 0, 2 * wanted, false];
      }
      return true;
    },
    mostTogether: () => most === Infinity ? undefined : most,
    async wait(milliseconds, signal): Promise<void> {
      const ends = endsOf(signal);
      await delay(milliseconds, ends).catch((error) => {
        ends.throwIfAborted();
        throw error;
      });
    },
    endWaits(): void {
      ending.abort(new DOMException("The waits were ended", "AbortError"));
      ending = new AbortController();
      [opensAt, backoff] = [-Infinity, 0];
    },
  };
}
