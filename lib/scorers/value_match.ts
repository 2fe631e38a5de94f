import { readValueReply, type ValueForm } from "./value_reply.ts";
import type { Score } from "./score.ts";

/** Options for {@linkcode valueMatch}. */
export interface ValueMatchOptions {
  /**
   * Whether each value must stand in its place; if not, each counts once, wherever it stands.
   *
   * @default {true}
   */
  readonly inOrder?: boolean;
}

/** The score of a reply that should give values, with what it is made of. */
export interface ValueScore extends Score {
  /** How the values were found in the reply; `none` where it cannot be read. */
  readonly form: ValueForm;
  /** How many answers the reply gives; those beyond the number of references do not count. */
  readonly given: number;
  /** Whether each reference is found, in their order. */
  readonly found: readonly boolean[];
  /** The share of references among the answers that count, whatever their order, in [0, 1]; `null` without references. */
  readonly inAnyOrder: number | null;
  /** The share found where the reply is in the asked form, over all that it gives; 0 in another form. */
  readonly asAsked: number | null;
}

/**
 * Scores a reply as Needle Threading does: as many of its first answers as there are references count, by exact match.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The paper has a language model rewrite replies before they are
 * matched; here values are read by rule, and `parseByModel` does it as the paper.
 *
 * @param reply What a model wrote.
 * @param references The right values, in the order asked for.
 * @param options Whether order matters.
 * @returns The share of references found, in [0, 1]; 0 and `no answer` for an empty reply; `null` without references.
 *
 * @example The third answer of a reply that should give two does not count
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const [a, b] = ["0e7bbda8-78e4-8982-dbec-b7b4a4c0c665", "cdf6c32a-f0c7-4198-24ed-3d4bf0959271"];
 * equal(valueMatch(JSON.stringify([a, b]), [a, b]).value, 1);
 * const score = valueMatch(`I found ${b}, ${b} and ${a}.`, [a, b]);
 * equal(score.value, 0.5);
 * deepEqual(score.found, [false, true]);
 * ```
 */
export function valueMatch(
  reply: string,
  references: readonly string[],
  options: ValueMatchOptions = {},
): ValueScore {
  const { inOrder = true } = options;
  const { form, values } = readValueReply(reply);
  const counted = values.slice(0, references.length);
  const among = new Set(counted);
  const found = references.map((reference, at) => inOrder ? counted[at] === reference : among.has(reference));
  const wanted = references.length;
  const right = found.filter(Boolean).length;
  const details = { form, given: values.length, found };
  const answer = form === "none" ? reply.trim() : counted.join(", ");
  if (wanted === 0) {
    const why = "nothing to score: there are no references";
    return { value: null, answer, why, ...details, inAnyOrder: null, asAsked: null };
  }
  return {
    value: right / wanted,
    answer,
    why: explain({ answer, form, right, wanted, given: values.length }),
    ...details,
    inAnyOrder: references.filter((reference) => among.has(reference)).length / wanted,
    asAsked: form === "asked" ? right / Math.max(wanted, values.length) : 0,
  };
}

const FORMS: Readonly<Record<ValueForm, string>> = {
  asked: "as asked",
  json: "from JSON in the reply",
  text: "from the reply's text",
  none: "",
};

function explain(
  { answer, form, right, wanted, given }: {
    readonly answer: string;
    readonly form: ValueForm;
    readonly right: number;
    readonly wanted: number;
    readonly given: number;
  },
): string {
  if (answer === "" && form === "none") return "no answer";
  if (form === "none") return `unparsable: no value found, ${wanted} wanted`;
  const extra = given > wanted ? `; ${given - wanted} more not counted` : "";
  return `found ${right} of ${wanted}, read ${FORMS[form]}${extra}`;
}
