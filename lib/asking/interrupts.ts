import process from "node:process";

/** A signal that stops a run. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** The signals by which the user or the system stops a run. */
export interface Interrupts extends Disposable {
  /** Aborted by the first: no more calls begin, and those in flight are awaited. */
  readonly stop: AbortSignal;
  /** Aborted by the second, or when the time is up that a termination leaves: calls in flight are ended. */
  readonly end: AbortSignal;
  /** Whether the system asked this process to end. */
  readonly isTerminated: () => boolean;
}

/** How long calls in flight are awaited after a termination: a cluster that sends it kills soon afterwards. */
const GRACE_MS = 20_000;

/**
 * Takes the interrupts that this process gets, by Ctrl-C in a shell or by the stop button of a notebook, until it is disposed: the
 * first stops a run after the calls in flight, a second one at once.
 *
 * @param onStop Called at the first.
 * @param options `terminations`: whether SIGTERM is taken too, with which Slurm and others announce that a process will be killed. It
 *   stops a run as the first interrupt does, and ends it `graceMs` later, after 20 seconds by default.
 */
export function takeInterrupts(
  onStop: (signal: StopSignal) => void = () => {},
  { terminations = false, graceMs = GRACE_MS }: { readonly terminations?: boolean; readonly graceMs?: number } = {},
): Interrupts {
  const [stop, end] = [new AbortController(), new AbortController()];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTerminated = false;
  const take = (signal: StopSignal): void => {
    if (stop.signal.aborted) return end.abort();
    if (signal === "SIGTERM") {
      isTerminated = true;
      timer = setTimeout(() => end.abort(), graceMs);
    }
    stop.abort();
    onStop(signal);
  };
  const signals: readonly StopSignal[] = terminations ? ["SIGINT", "SIGTERM"] : ["SIGINT"];
  const listeners = signals.map((signal) => ({ signal, listener: (): void => take(signal) }));
  for (const { signal, listener } of listeners) process.on(signal, listener);
  return {
    stop: stop.signal,
    end: end.signal,
    isTerminated: () => isTerminated,
    [Symbol.dispose](): void {
      clearTimeout(timer);
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}
