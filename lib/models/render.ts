import {
  type ChatTemplate,
  isSingleTurn,
  joinMessages,
  messageFields,
  PLAIN_TEMPLATE,
  type Prompt,
  type Role,
  systemText,
  wrapMessages,
} from "@/lib/generators/mod.ts";

/** One message of a request to a chat endpoint. */
interface ChatMessage {
  readonly role: Role;
  readonly content: string;
}

/**
 * Where the answer prefix goes.
 *
 * - `appended`: at the end of the last user message, as RULER sends it to OpenAI's models; after the template of a completion.
 * - `assistant`: as a last message of the assistant, which the model is to continue. Chat only.
 * - `none`: it is left out.
 */
export type PrefixPlace = "appended" | "assistant" | "none";

/**
 * Returns the messages that a chat endpoint is sent. The template only adds words around the prompt, as the server has a chat
 * template of its own; its system message is used if the prompt has none.
 */
export function renderMessages(
  prompt: Prompt,
  { template, answerPrefix = "appended" }: { readonly template: ChatTemplate; readonly answerPrefix?: PrefixPlace },
): readonly ChatMessage[] {
  const { answerPrefix: prefix = "", ...rest } = prompt;
  const sent = wrapMessages(answerPrefix === "appended" ? prompt : rest, template);
  const system = systemText(prompt) === undefined ? template.system : undefined;
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
    ...messageFields(sent),
    ...(answerPrefix === "assistant" && prefix !== "" ? [{ role: "assistant", content: prefix } as const] : []),
  ];
}

/**
 * Returns the text that a completions endpoint is sent: input and answer prefix in RULER's files. Several turns are joined as
 * the template joins them, by default with labels.
 *
 * @throws {TypeError} If the prompt has a system message or several turns, and the template has no place for them.
 */
export function renderText(prompt: Prompt, template: ChatTemplate): string {
  const system = template.system ?? (isSingleTurn(prompt) && !template.withSystem ? systemText(prompt) : undefined);
  if (system !== undefined) {
    throw new TypeError(
      `Cannot render a completion as its system message must be part of the template: current value is ${
        JSON.stringify(system)
      }`,
    );
  }
  const { answerPrefix, ...rest } = prompt;
  return joinMessages({ ...rest, answerPrefix: template.answerPrefix ? answerPrefix ?? "" : "" }, template);
}

/**
 * Joins a prompt to one text: the system message, the turns, and the answer prefix. The simulated reader reads this text. With a
 * template, its words are around the turns, as they were sent.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { userPrompt } from "@/lib/generators/mod.ts";
 *
 * equal(joinPrompt(userPrompt("1 + 1?", { answerPrefix: " It is" })), "1 + 1? It is");
 * ```
 */
export function joinPrompt(prompt: Prompt, template: ChatTemplate = PLAIN_TEMPLATE): string {
  const { wrapping: _, ...rest } = prompt;
  return joinMessages(template === PLAIN_TEMPLATE ? rest : prompt, template);
}
