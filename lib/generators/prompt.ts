import { createHash } from "node:crypto";
import { defined } from "@/lib/base/mod.ts";

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
  readonly before: string;
  readonly after: string;
}

/** Makes a single-turn prompt: one user message, after a system message if one is given. */
export function userPrompt(
  user: string,
  { system, answerPrefix, wrapping }: Partial<Omit<Prompt, "messages">> & { readonly system?: string | undefined } = {},
): Prompt {
  const message: Message = { role: "user", text: user };
  return {
    messages: system === undefined ? [message] : [{ role: "system", text: system }, message],
    ...defined({ answerPrefix, wrapping }),
  };
}

/** Returns the text of the user message of a single-turn prompt; refuses several turns, of which it would drop all but one. */
export function userText(prompt: Prompt): string {
  const [message] = turnsOf(prompt);
  if (isSingleTurn(prompt)) return message!.text;
  throw new TypeError(
    `Cannot use the prompt as one text as it must have one user message: current value is ${prompt.messages.length} messages`,
  );
}

/** Returns whether a prompt has one user message and at most a system message. */
export function isSingleTurn(prompt: Prompt): boolean {
  return turnsOf(prompt).length === 1;
}

/** Returns the text of the system message; `undefined` if the prompt begins with another message. */
export function systemText({ messages: [first] }: Prompt): string | undefined {
  return first?.role === "system" ? first.text : undefined;
}

/** Returns the messages after the system message. */
export function turnsOf({ messages }: Prompt): readonly Message[] {
  return messages[0]?.role === "system" ? messages.slice(1) : messages;
}

/** Returns the text of the last message, which asks the question. */
export function lastText({ messages }: Prompt): string {
  return messages.at(-1)?.text ?? "";
}

/** Returns a prompt without its system message, for formats that send it separately. */
export function withoutSystem(prompt: Prompt): Prompt {
  return { ...prompt, messages: turnsOf(prompt) };
}

/** Returns a prompt as JSON files hold it: `system` and `user` if it has a single turn, otherwise `messages`. */
export function promptFields(prompt: Prompt): Readonly<Record<string, unknown>> {
  const { messages, ...rest } = prompt;
  if (!isSingleTurn(prompt)) return { messages: messageFields(messages), ...rest };
  return { ...defined({ system: systemText(prompt) }), user: userText(prompt), ...rest };
}

/** Returns messages in the form of chat endpoints, which JSON files use too. */
export function messageFields(messages: readonly Message[]): { readonly role: Role; readonly content: string }[] {
  return messages.map(({ role, text }) => ({ role, content: text }));
}

/** Refuses messages other than an optional system message, then user and assistant in turns, with the user's as the last. */
export function checkMessages(messages: readonly Message[], where: string): readonly Message[] {
  const turns = turnsOf({ messages });
  if (turns.length % 2 === 1 && turns.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant"))) {
    return messages;
  }
  throw new RangeError(
    `Cannot use the messages of ${where} as they must be user and assistant in turns, the first and last of the user, after at most one system message: current value is ${
      messages.map(({ role }) => role).join(", ") || "none"
    }`,
  );
}

/**
 * Returns the SHA-256 of a prompt as a template sends it, in hexadecimal: of the system message or nothing, the text before,
 * the user message, the text after and the answer prefix, with U+0000 after each. For several turns, the first and the third
 * are replaced by the role and text of each message.
 */
export function hashPrompt(prompt: Prompt, template: Wrapping): string {
  const { before, after } = prompt.wrapping ?? template;
  const { answerPrefix = "" } = prompt;
  // No prompt contains U+0000, which keeps the parts apart.
  const hash = createHash("sha256");
  if (!isSingleTurn(prompt)) {
    for (const { role, text } of prompt.messages) hash.update(`${role}\0`).update(text).update("\0");
    return hash.update(`${before}\0${after}\0${answerPrefix}\0`).digest("hex");
  }
  const [system, user] = [systemText(prompt) ?? "", userText(prompt)];
  return hash.update(`${system}\0${before}\0`).update(user).update(`\0${after}\0${answerPrefix}\0`).digest("hex");
}
