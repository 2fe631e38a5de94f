/**
 * Checks a knob that counts something.
 *
 * @throws {RangeError} If it is not a whole number in [`low`, `high`].
 */
export function checkWhole(
  value: number,
  { task, knob, low, high }: {
    readonly task: string;
    readonly knob: string;
    readonly low: number;
    readonly high: number;
  },
): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new RangeError(
    `Cannot make task ${task} as ${knob} must be a whole number from ${low} to ${high}: current value is ${value}`,
  );
}
