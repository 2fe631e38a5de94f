/**
 * Writes a number with the digits that matter to a reader, the same on every machine.
 *
 * Whole numbers are grouped by thousands; others have no decimals from a million up, one from 10 up, two from 1 up, and
 * below that three significant digits.
 *
 * @param value A finite number.
 * @returns The number in plain characters.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual([131072, 96.64, 3.14159, 0.87349].map(numberText), ["131,072", "96.6", "3.14", "0.873"]);
 * ```
 */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return grouped(String(value));
  if (size >= 1e15 || size < 1e-6) return value.toExponential(2);
  if (size >= 10) return grouped(value.toFixed(size >= 1e6 ? 0 : 1));
  return size >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(3)));
}

function grouped(digits: string): string {
  return digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
}
