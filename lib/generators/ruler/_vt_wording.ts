import type { Wording } from "./_niah_wording.ts";
import type { Variant } from "./variant.ts";

const OPENING = "Memorize and track the chain(s) of variable assignment hidden in the following text.";

/** What is asked of a set of chains. */
export interface TracingQuestion {
  /** The value whose variables are wanted. */
  readonly value: string;
  /** How many variables have it. */
  readonly variables: number;
  readonly variant: Variant;
}

/** Words a tracing question (variable_tracking.py; paper, Table 8). The lines go between opening and question. */
export function vtWording({ value, variables, variant }: TracingQuestion): Wording {
  const assigned = variant === "2024" ? "assgined" : "assigned";
  return {
    opening: `${OPENING}\n\n`,
    question: `${variant === "2024" ? "\n" : ""}${askFor(value)}`,
    answerPrefix:
      ` Answer: According to the chain(s) of variable assignment in the text above, ${variables} variables are ${assigned} the value ${value}, they are:${
        variant === "paper" ? "" : " "
      }`,
  };
}

function askFor(value: string): string {
  return `Question: Find all variables that are assigned the value ${value} in the text above.`;
}

/**
 * Words the solved example that comes before the task; its lines go between the two texts.
 *
 * The code of 2024 takes the chat template off its example by dropping the last word before the answer prefix, and so
 * loses "above." where there is no template, or one that follows without a space; on the way it makes every run of white
 * space a single space.
 *
 * @param names The right answer.
 * @param afterPrompt The chat template's text between prompt and answer prefix, which the code of 2024 takes a word from.
 */
export function vtExampleWording(
  { names, afterPrompt, ...question }: TracingQuestion & {
    readonly names: readonly string[];
    readonly afterPrompt: string;
  },
): { readonly opening: string; readonly ending: string } {
  const wording = vtWording(question);
  const answer = `${wording.answerPrefix} ${names.join(" ")}\n\n`;
  if (question.variant !== "2024") return { opening: wording.opening, ending: wording.question + answer };
  const shortened = (askFor(question.value) + afterPrompt).trim().split(/\s+/).slice(0, -1).join(" ");
  return { opening: ` ${OPENING} `, ending: ` ${shortened}${answer}\n\n` };
}
