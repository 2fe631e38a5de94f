import { type Fields, isFields } from "@/lib/base/mod.ts";

/** Returns a value as fields; empty if it is no JSON object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns the JSON objects of a list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Levels of nesting that a value may have: recursion over deeper ones, as in JSON.stringify, would overflow the stack. */
const MAX_LEVELS = 200;

/** Parses a text; `undefined` if it is no JSON, or nested deeper than any answer. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    let level = [value];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > MAX_LEVELS) return undefined;
      level = level.flatMap((each) => typeof each === "object" && each !== null ? Object.values(each) : []);
    }
    return value;
  } catch {
    return undefined;
  }
}

/** Returns a positive whole number; `undefined` for any other value. */
export function wholeOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}
