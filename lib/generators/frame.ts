/** Text round a task's prompt, as a chat template puts it there. */
export interface Wrapping {
  /** Text before the task's prompt. */
  readonly before: string;
  /** Text after the task's prompt and before the answer prefix. */
  readonly after: string;
}

/**
 * What stands round a task's prompt when it is sent, all of it inside the token budget.
 *
 * For plain completions that is a chat template's text; for chat endpoints a system message and the tokens that the
 * server's own template adds.
 */
export interface Frame extends Wrapping {
  /** What it is called in sample ids and records. */
  readonly name: string;
  /**
   * The template's texts where one needle is asked for: RULER's code makes the whole prompt singular, template included, so
   * that LWM is told "You is a helpful assistant". Left out where nothing changes.
   */
  readonly singular?: Wrapping;
  /** A system message, sent apart. */
  readonly system?: string;
  /** Tokens that the server adds and no text shows, from 0. */
  readonly extraTokens: number;
  /** Whether the answer prefix is sent. */
  readonly answerPrefix: boolean;
}

/** RULER's `base` template: the prompt, then the answer prefix, and nothing else. */
export const BASE_FRAME: Frame = {
  name: "base",
  before: "",
  after: "",
  extraTokens: 0,
  answerPrefix: true,
};

/** Gives all the words of a frame: where answers are made up, none of them is to be found in there. */
export function frameWords({ system = "", before, after }: Frame): string {
  return [system, before, after].join(" ");
}
