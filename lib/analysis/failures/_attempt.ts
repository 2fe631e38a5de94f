import { cleanPrediction } from "@/lib/scorers/mod.ts";
import { type AnswerShape, readShape } from "./_answer_shape.ts";
import type { FailedOutcome, FailedSample } from "./failure_mode.ts";
import { holdsOtherForm } from "./_other_form.ts";
import { countWords } from "./_word_counts.ts";
import { spell } from "./_spelling.ts";

/** An answer with the sample it is an answer to, understood as far as that takes no judgement. */
export interface Attempt {
  readonly sample: FailedSample;
  readonly shape: AnswerShape;
  /** The reply, cleaned as RULER does. */
  readonly reply: string;
  /** The answers that are in it. */
  readonly found: readonly string[];
  /** The answers that are in it in another form only. */
  readonly otherForm: readonly string[];
  /** The answers that are not, in the order in which they are wanted. */
  readonly missing: readonly string[];
  /** Whether the output budget ended it. */
  readonly isCut: boolean;
  /** Whether the provider's filter ended it. */
  readonly isFiltered: boolean;
  /** What the model says without any context. */
  readonly noContextAnswer: string | undefined;
  /** The prompt as far as the line of the question, spelled for comparison. */
  readonly context: () => string;
  /** How often each word stands in the list or text whose words are counted. */
  readonly counts: () => ReadonlyMap<string, number>;
  /** The line of the question, spelled for comparison. */
  readonly question: string;
}

/** Prepares an answer for its classes to be told. */
export function readAttempt(sample: FailedSample, outcome: FailedOutcome): Attempt | null {
  const { reply: answer, scoring, noContextAnswer } = outcome;
  if (answer.kind === "failure") return null;
  const { finishReason, completionTokens = 0 } = answer;
  const reply = cleanPrediction(answer.text);
  const shape = readShape(sample, scoring);
  const wanted = [...new Set(sample.references.map(spell))];
  const said = spell(reply);
  const [found, lacking] = part(wanted, (text) => said.includes(text));
  const [otherForm, missing] = part(lacking, (text) => holdsOtherForm(reply, text));
  const { user } = sample.prompt;
  const end = user.lastIndexOf("\n");
  let spelled: string | undefined;
  let counted: ReadonlyMap<string, number> | undefined;
  const context = (): string => spelled ??= spell(user.slice(0, Math.max(0, end)));
  return {
    sample,
    shape,
    reply,
    found,
    otherForm,
    missing,
    isCut: finishReason === "length" || finishReason === "unknown" && completionTokens >= sample.answerRoom,
    isFiltered: finishReason === "content_filter",
    noContextAnswer,
    context,
    counts: () => counted ??= countWords(context()),
    question: spell(user.slice(end + 1)),
  };
}

function part(texts: readonly string[], holds: (text: string) => boolean): [string[], string[]] {
  return [texts.filter(holds), texts.filter((text) => !holds(text))];
}
