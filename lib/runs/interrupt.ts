/** What the user's interrupts say to a run. */
export interface Interrupts extends Disposable {
  /** Aborted by the first: no more calls begin, and those in flight are awaited. */
  readonly stop: AbortSignal;
  /** Aborted by the second: calls in flight are ended. */
  readonly end: AbortSignal;
}

/**
 * Takes the interrupts that this process gets, by Ctrl-C in a shell or by the stop button of a notebook, until it is disposed: the
 * first stops a run after the calls in flight, a second one at once.
 *
 * @param onStop Called at the first.
 */
export function takeInterrupts(onStop: () => void = () => {}): Interrupts {
  const [stop, end] = [new AbortController(), new AbortController()];
  const listener = (): void => {
    if (stop.signal.aborted) return end.abort();
    stop.abort();
    onStop();
  };
  Deno.addSignalListener("SIGINT", listener);
  return { stop: stop.signal, end: end.signal, [Symbol.dispose]: () => Deno.removeSignalListener("SIGINT", listener) };
}
