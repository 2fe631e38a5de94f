import { InvalidArgumentError } from "commander";

export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

export function wholeNumber(min: number, max = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number ${rangeText(min, max)}.`);
  };
}

export function number(min: number, max = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a number ${rangeText(min, max)}.`);
  };
}

function rangeText(min: number, max: number): string {
  return max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
}

/** Parses a number of tokens, such as `500K` or `20M`. */
export function tokenBudget(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text) ?? [];
  const tokens = Number(number) * { "": 1, K: 1e3, M: 1e6, G: 1e9 }[unit.toUpperCase() as "" | "K" | "M" | "G"];
  if (tokens >= 1) return tokens;
  throw new InvalidArgumentError("It must be a number of tokens, such as 500K or 20M.");
}

/** Parses comma-separated lengths such as `4096`, `4K` (1,024 tokens per K) or `1M`. */
export function lengths(text: string): number[] {
  return text.split(",").map((part) => length(part));
}

export function length(text: string): number {
  const [, digits, unit] = /^\s*(\d+)\s*([kKmM]?)\s*$/.exec(text) ?? [];
  if (digits === undefined) {
    throw new InvalidArgumentError(`A length must be a whole number of tokens, such as 4096 or 4K.`);
  }
  const factor = { "": 1, k: 1024, m: 1024 * 1024 }[unit!.toLowerCase()]!;
  return Number(digits) * factor;
}

/** Parses samples by length, such as `64K=20,128K=10`. */
export function samplesAt(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [tokens, count, ...others] = part.split("=");
      if (count === undefined || others.length > 0) {
        throw new InvalidArgumentError("It must be lengths with samples, such as 64K=20,128K=10.");
      }
      return [String(length(tokens!)), wholeNumber(1)(count)];
    }),
  );
}

export function names(text: string): string[] {
  const found = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (found.length === 0) throw new InvalidArgumentError("It must be at least one name.");
  return found;
}
