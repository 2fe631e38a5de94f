/** Calls in flight at a time, unless the user or the model's entry sets another number. */
export const DEFAULT_CONCURRENCY = 8;
/** The largest number of calls in flight. */
export const MAX_CONCURRENCY = 256;

/**
 * Asks about each item, several at a time, and waits for all calls in flight.
 *
 * @throws {unknown} The first error of a call.
 */
export async function askEach<Item>(
  items: Iterator<Item>,
  ask: (item: Item) => Promise<void>,
  { concurrency, isEnding = () => false, onError }: {
    /** Calls in flight at a time. Range: 1 to 256. */
    readonly concurrency: number;
    /** Whether no more items are begun. */
    readonly isEnding?: () => boolean;
    /** Called at an error, after which no more items are begun. */
    readonly onError?: () => void;
  },
): Promise<void> {
  const errors: unknown[] = [];
  const askOneByOne = async (): Promise<void> => {
    try {
      for (let next = items.next(); !next.done && !isEnding(); next = items.next()) {
        if (errors.length > 0) return;
        await ask(next.value);
      }
    } catch (error) {
      errors.push(error);
      onError?.();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, askOneByOne));
  if (errors.length > 0) throw errors[0];
}

/**
 * Checks a number of calls in flight.
 *
 * @throws {RangeError} If it is outside its range.
 */
export function checkConcurrency(doing: string, concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MAX_CONCURRENCY) return;
  throw new RangeError(
    `Cannot ${doing} as concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}: current value is ${concurrency}`,
  );
}
