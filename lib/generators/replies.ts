import type { ReplyForm, Sample } from "./task.ts";

/** Writes values with commas between them: `one, two`. */
export const commas = (values: readonly string[]): string => values.join(", ");

/** Writes the first value alone, where the further references are other spellings or belong to the scorer. */
export const firstAlone = ([first = ""]: readonly string[]): string => first;

/** Writes a JSON list: `["one", "two"]`. */
export const jsonList = (values: readonly string[]): string =>
  `[${values.map((value) => JSON.stringify(value)).join(", ")}]`;

/** Writes a last line as GraphWalks asks for it: `Final Answer: [one, two]`. */
export const finalAnswer = (values: readonly string[]): string => `Final Answer: [${values.join(", ")}]`;

/** The form of the replies to a sample. */
export interface SampleForm extends ReplyForm {
  /** Whether the question is asked without a context, so that there is nothing to read. */
  readonly isClosedBook: boolean;
}

const FORM = Symbol("reply form");

/** Keeps the form of replies with a sample; it is no part of what is written or compared. */
export function keepForm<T extends object>(
  sample: T,
  form: ReplyForm,
  { isClosedBook = false }: { readonly isClosedBook?: boolean } = {},
): T {
  return Object.defineProperty(sample, FORM, { value: { ...form, isClosedBook } satisfies SampleForm });
}

/** Returns the form of replies to a sample; commas between values for a sample that was not made by a task. */
export function formOf(sample: Sample): SampleForm {
  const { [FORM]: form } = sample as { readonly [FORM]?: SampleForm };
  return form ?? { category: "retrieval", settings: undefined, write: commas, isClosedBook: false };
}

/** Writes the reply that gives some values to a sample. */
export function writeReply(sample: Sample, values: readonly string[], total?: number): string {
  const { write, settings } = formOf(sample);
  return write(values, { settings: settings as never, total });
}
