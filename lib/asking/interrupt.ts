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

/** Options for {@linkcode takeInterrupts}. */
export interface InterruptOptions {
  /**
   * Whether SIGTERM is taken too, with which Slurm and others announce that a process will be killed: it stops a run as the
   * first interrupt does, and ends it 20 seconds later.
   *
   * @default {false}
   */
  readonly terminations?: boolean;
  /**
   * How long calls in flight are awaited after a termination, in milliseconds.
   *
   * @default {20000}
   */
  readonly graceMs?: number;
}

/**
 * Takes the interrupts that this process gets, by Ctrl-C in a shell or by the stop button of a notebook, until it is disposed: the
 * first stops a run after the calls in flight, a second one at once.
 *
 * @param onStop Called at the first.
 */
export function takeInterrupts(
  onStop: (signal: Deno.Signal) => void = () => {},
  { terminations = false, graceMs = GRACE_MS }: InterruptOptions = {},
): Interrupts {
  const [stop, end] = [new AbortController(), new AbortController()];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTerminated = false;
  const take = (signal: Deno.Signal): void => {
    if (stop.signal.aborted) return end.abort();
    if (signal === "SIGTERM") {
      isTerminated = true;
      timer = setTimeout(() => end.abort(), graceMs);
    }
    stop.abort();
    onStop(signal);
  };
  const signals: readonly Deno.Signal[] = terminations ? ["SIGINT", "SIGTERM"] : ["SIGINT"];
  const listeners = signals.map((signal) => ({ signal, listener: (): void => take(signal) }));
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return {
    stop: stop.signal,
    end: end.signal,
    isTerminated: () => isTerminated,
    [Symbol.dispose](): void {
      clearTimeout(timer);
      for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
    },
  };
}
