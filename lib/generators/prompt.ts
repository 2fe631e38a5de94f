/** Who writes a message. */
export type Role = "system" | "user" | "assistant";

/** One message of a prompt. */
export interface Message {
  readonly role: Role;
  readonly text: string;
}

/** The messages sent to a model, before a chat template or an endpoint wraps them. */
export interface Prompt {
  /**
   * An optional system message, then turns of user and assistant. The last message is the user's. A single-turn prompt has
   * one user message: instructions, context and question.
   */
  readonly messages: readonly Message[];
  /** The start of the answer, which the model continues; most begin with a space. */
  readonly answerPrefix?: string;
  /** Text around the user's message that replaces the template's own, as RULER's code does for some tasks. */
  readonly wrapping?: Wrapping;
}

/** Text around a task's prompt, as a chat template puts it there. */
export interface Wrapping {
  /** Text before the task's prompt. */
  readonly before: string;
  /** Text after the task's prompt and before the answer prefix. */
  readonly after: string;
}

/**
 * What stands around a task's prompt when it is sent; its tokens count towards the length.
 *
 * For plain completions that is the text of a chat template; for chat endpoints, a system message and the tokens that the
 * server's own template adds.
 */
export interface ChatTemplate extends Wrapping {
  /** Its name in sample ids and records. */
  readonly name: string;
  /**
   * Its texts when one needle is asked for: RULER's code makes the whole prompt singular, template included, so that LWM is
   * told "You is a helpful assistant". Left out where nothing changes.
   */
  readonly singular?: Wrapping;
  /** Its texts with a system message, as `{system}`, for templates that have a place for one; filled in before samples are made. */
  readonly withSystem?: Wrapping;
  /** A system message, sent separately. */
  readonly system?: string;
  /** Tokens that the server adds without showing them, from 0. */
  readonly extraTokens: number;
  /** Whether the answer prefix is sent. */
  readonly answerPrefix: boolean;
}

/** RULER's `base` template: the prompt, then the answer prefix, and nothing else. */
export const PLAIN_TEMPLATE: ChatTemplate = {
  name: "base",
  before: "",
  after: "",
  extraTokens: 0,
  answerPrefix: true,
};

/** Lists all words of a template, so that made-up answers can avoid them. */
export function templateWords({ system = "", before, after }: ChatTemplate): string {
  return [system, before, after].join(" ");
}

/** The form of a single-turn prompt in files: one user message, and a system message if there is one. */
interface SingleTurn {
  readonly system?: string;
  readonly user: string;
}

/** Makes a single-turn prompt: one user message, after a system message if one is given. */
export function userPrompt(
  user: string,
  { system, answerPrefix, wrapping }: Partial<Omit<Prompt, "messages">> & { readonly system?: string | undefined } = {},
): Prompt {
  const messages: readonly Message[] = [{ role: "user", text: user }];
  return {
    messages: system === undefined ? messages : [{ role: "system", text: system }, ...messages],
    ...(answerPrefix === undefined ? {} : { answerPrefix }),
    ...(wrapping === undefined ? {} : { wrapping }),
  };
}

/** Returns the texts of a single-turn prompt; `null` for a prompt of several turns. */
export function singleTurn({ messages }: Prompt): SingleTurn | null {
  const [first, second] = messages;
  if (messages.length === 1 && first!.role === "user") return { user: first!.text };
  if (messages.length !== 2 || first!.role !== "system" || second!.role !== "user") return null;
  return { system: first!.text, user: second!.text };
}

/**
 * Returns the text of the user message of a single-turn prompt.
 *
 * @throws {TypeError} If the prompt has several turns, of which one text would drop all but one.
 */
export function userText(prompt: Prompt): string {
  const single = singleTurn(prompt);
  if (single !== null) return single.user;
  throw new TypeError(
    `Cannot read the prompt as one text as it must have one user message: current value is ${prompt.messages.length} messages`,
  );
}

/** Counts the characters of all messages. */
export function promptLength({ messages }: Prompt): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

/** Returns a prompt as files hold it: `system` and `user` if it has a single turn, otherwise its messages. */
export function promptFields(prompt: Prompt): Readonly<Record<string, unknown>> {
  const single = singleTurn(prompt);
  if (single === null) return { ...prompt };
  const { messages: _, ...rest } = prompt;
  return { ...single, ...rest };
}

/** Returns a prompt without its system message, for formats that send it separately. */
export function withoutSystem(prompt: Prompt): Prompt {
  return { ...prompt, messages: turnsOf(prompt) };
}

/** Returns the text of the system message; `undefined` if the prompt begins with another message. */
export function systemText({ messages: [first] }: Prompt): string | undefined {
  return first?.role === "system" ? first.text : undefined;
}

/** Returns the messages after the system message. */
export function turnsOf({ messages }: Prompt): readonly Message[] {
  return messages[0]?.role === "system" ? messages.slice(1) : messages;
}
