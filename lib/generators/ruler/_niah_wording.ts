import type { NeedleType } from "../_needles.ts";
import type { Variant } from "./variant.ts";

/** The words round the context, and the start of the answer. */
export interface Wording {
  readonly opening: string;
  readonly question: string;
  readonly answerPrefix: string;
}

/** The words of a needle question. */
export interface NiahWording extends Wording {
  /** Whether the code made the whole prompt singular, any chat template included. */
  readonly isSingular: boolean;
}

/** Words a needle question (niah.py; paper, Tables 7 and 8). */
export function niahWording(
  { queries, values, valueType, keyType, variant }: {
    readonly queries: readonly string[];
    readonly values: number;
    readonly valueType: NeedleType;
    readonly keyType: NeedleType;
    readonly variant: Variant;
  },
): NiahWording {
  const query = listQueries(queries);
  const one = queries.length * values === 1;
  const singular = valueType.slice(0, -1);
  // The code makes the whole prompt singular; the paper prints a plural opening above a singular question.
  const isSingular = one && variant !== "paper";
  const opening = isSingular
    ? `A special magic ${singular} is hidden within the following text. Make sure to memorize it. I will quiz you about the ${singular} afterwards.\n`
    : `Some special magic ${valueType} are hidden within the following text. Make sure to memorize it. I will quiz you about the ${valueType} afterwards.\n`;
  // Table 7 asks for "number" where keys and values are UUIDs.
  const asked = variant === "paper" && keyType === "uuids" && valueType === "uuids" ? "number" : singular;
  const question = one
    ? `What is the special magic ${asked} for ${query} mentioned in the provided text?`
    : `What are all the special magic ${valueType} for ${query} mentioned in the provided text?`;
  const answerPrefix = one
    ? ` The special magic ${asked} for ${query} mentioned in the provided text is`
    : ` The special magic ${valueType} for ${query} mentioned in the provided text are`;
  return { opening, question, answerPrefix, isSingular };
}

function listQueries(queries: readonly string[]): string {
  if (queries.length === 1) return queries[0]!;
  return `${queries.slice(0, -1).join(", ")}, and ${queries.at(-1)}`;
}
