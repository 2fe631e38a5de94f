import { type ChatTemplate, PLAIN_TEMPLATE, type Prompt, systemText, userText } from "@/lib/generators/mod.ts";

/** One message of a chat. */
interface ChatMessage {
  /** Whose turn it is. */
  readonly role: "system" | "user" | "assistant";
  /** What is said. */
  readonly content: string;
}

/**
 * Where the answer prefix goes.
 *
 * - `appended`: at the end of the user's message, as RULER sends it to OpenAI's models; after the template of a completion.
 * - `assistant`: as a last message of the assistant's, which the model is to continue. Chat only.
 * - `none`: it is left out.
 */
export type PrefixPlace = "appended" | "assistant" | "none";

/**
 * The messages that a chat endpoint is sent: the system message, the user's, and the start of the assistant's, where there are
 * such. The template only adds words around the prompt; the server has a chat template of its own.
 */
export function renderMessages(
  prompt: Prompt,
  { template, answerPrefix = "appended" }: { readonly template: ChatTemplate; readonly answerPrefix?: PrefixPlace },
): ChatMessage[] {
  const system = systemText(prompt) ?? template.system;
  const prefix = prompt.answerPrefix ?? "";
  const { before, after } = prompt.wrapping ?? template;
  const user = before + userText(prompt) + after + (answerPrefix === "appended" ? prefix : "");
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
    { role: "user", content: user },
    ...(answerPrefix === "assistant" && prefix !== "" ? [{ role: "assistant", content: prefix } as const] : []),
  ];
}

/**
 * The text that a completions endpoint is sent: input and answer prefix in RULER's files.
 *
 * @throws {TypeError} If the prompt has a system message, for which plain text has no place.
 */
export function renderText(prompt: Prompt, template: ChatTemplate): string {
  const system = systemText(prompt) ?? template.system;
  if (system !== undefined) {
    throw new TypeError(
      `Cannot render a completion as its system message must be part of the template: current value is ${
        JSON.stringify(system)
      }`,
    );
  }
  const { before, after } = prompt.wrapping ?? template;
  return before + userText(prompt) + after + (template.answerPrefix ? prompt.answerPrefix ?? "" : "");
}

/**
 * Joins a prompt to one text: the system message, the user's message, and the answer prefix. That is what the simulated reader
 * gets; with a template the user's message has its words around it, as they were sent.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { userPrompt } from "@/lib/generators/mod.ts";
 *
 * equal(joinPrompt(userPrompt("1 + 1?", { answerPrefix: " It is" })), "1 + 1? It is");
 * ```
 */
export function joinPrompt(prompt: Prompt, template?: ChatTemplate): string {
  const { answerPrefix = "", wrapping } = prompt;
  const system = systemText(prompt);
  const { before, after } = template === undefined ? PLAIN_TEMPLATE : wrapping ?? template;
  return (system === undefined ? "" : `${system}\n\n`) + before + userText(prompt) + after + answerPrefix;
}
