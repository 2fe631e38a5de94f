const KIBI = 1024;

/** Formats a context length: 4096 as `4K`, 1048576 as `1M`, lengths that are no multiple of 1,024 in full. */
export function lengthText(tokens: number): string {
  if (!Number.isInteger(tokens) || tokens < 1) {
    throw new RangeError(`Cannot write a length as tokens must be a whole number from 1: current value is ${tokens}`);
  }
  if (tokens % (KIBI * KIBI) === 0) return `${tokens / (KIBI * KIBI)}M`;
  if (tokens % KIBI === 0) return `${tokens / KIBI}K`;
  return tokens.toLocaleString("en-US");
}

/** Reads a context length such as `128k`, `1M` or `4096`; K is 1,024 tokens and M 1,048,576. */
export function readLengthText(text: string): number {
  const match = /^(\d+)([KkMm]?)$/.exec(text);
  if (match === null || Number(match[1]) === 0) {
    throw new SyntaxError(`Cannot read a length as it must be like "4K", "1M" or "4096": current value is "${text}"`);
  }
  const unit = { "": 1, K: KIBI, M: KIBI * KIBI }[match[2]!.toUpperCase()]!;
  return Number(match[1]) * unit;
}

/** Formats a number as a whole one with commas between thousands. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Formats a share as percent: 0.123 as `12%`. */
export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/** Formats the least and the most of some numbers: `7 to 9`, or `7` if they are the same. */
export function rangeText(values: readonly number[], write: (value: number) => string = grouped): string {
  const [least, most] = [write(Math.min(...values)), write(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
}

/** Returns the singular noun for 1 and its plural otherwise: `sample`, `samples`; `reply`, `replies`. */
export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun.replace(/(?<=[^aeiou])y$/, "ie")}s`;
}

/** Formats at most `max` names and the number of others. */
export function someOf(names: readonly string[], max = 5): string {
  const more = names.length - max;
  return `${names.slice(0, max).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Formats a time, such as `4 min` or `2 h 10 min`. */
export function timeText(timeMs: number): string {
  const seconds = Math.ceil(timeMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** Formats a number of tokens, such as `12 thousand tokens` or `1.2 million tokens`. */
export function tokensText(tokens: number): string {
  return tokens < 1e6 ? `${grouped(tokens / 1000)} thousand tokens` : `${(tokens / 1e6).toFixed(1)} million tokens`;
}
