/** Reads the values of a data file, and refuses those that are not what they should be. */
export interface FileReader {
  /** The whole file. */
  readonly root: unknown;
  /** Gives the items of a list; `what` names it in the refusal. */
  list(value: unknown, what: string): readonly unknown[];
  /** Gives a text. */
  text(value: unknown, what: string): string;
  /** Gives a field of an object, `undefined` where it has none of that name. */
  field(value: unknown, name: string): unknown;
  /** Makes the refusal of the file. */
  refuse(found: string): SyntaxError;
}

/**
 * Opens a data file in JSON.
 *
 * @param json The file's text.
 * @param wanted What the file should be, for the refusal.
 */
export function openDataFile(json: string, wanted: string): FileReader {
  const refuse = (found: string): SyntaxError =>
    new SyntaxError(`Cannot read the documents as the file must be ${wanted}: current ${found}`);
  return {
    root: parse(json, refuse),
    refuse,
    list(value, what): readonly unknown[] {
      if (!Array.isArray(value)) throw refuse(`value of ${what} is ${describe(value)}`);
      return value;
    },
    text(value, what): string {
      if (typeof value !== "string") throw refuse(`value of ${what} is ${describe(value)}`);
      return value;
    },
    field: (value, name) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
  };
}

function parse(json: string, refuse: FileReader["refuse"]): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw refuse("text is not JSON");
  }
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
