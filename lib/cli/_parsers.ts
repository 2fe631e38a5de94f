import { InvalidArgumentError } from "commander";

/** Parses a whole number in a range, for a flag. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text.trim()) || value < least || value > most) {
      throw new InvalidArgumentError(
        `It must be a whole number ${most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`}.`,
      );
    }
    return value;
  };
}

/** Parses a number in a range, for a flag. */
export function number(least: number, most = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `It must be a number ${most === Infinity ? `from ${least}` : `from ${least} to ${most}`}.`,
      );
    }
    return value;
  };
}

/** Parses lengths such as `4096`, `4K` (1,024 tokens a K) or `1M`, parted by commas. */
export function lengths(text: string): number[] {
  return text.split(",").map((part) => length(part));
}

/** Parses one length. */
export function length(text: string): number {
  const [, digits, unit] = /^\s*(\d+)\s*([kKmM]?)\s*$/.exec(text) ?? [];
  if (digits === undefined) {
    throw new InvalidArgumentError(`A length must be a whole number of tokens, such as 4096 or 4K.`);
  }
  const factor = { "": 1, k: 1024, m: 1024 * 1024 }[unit!.toLowerCase()]!;
  return Number(digits) * factor;
}

/** Parses names parted by commas. */
export function names(text: string): string[] {
  const found = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (found.length === 0) throw new InvalidArgumentError("It must be at least one name.");
  return found;
}
