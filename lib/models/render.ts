import type { Frame, Prompt } from "@/lib/generators/mod.ts";

/** One message of a chat. */
export interface ChatMessage {
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

/** Options for {@linkcode renderMessages}. */
export interface RenderOptions {
  /** What stands round the prompt; a chat needs nothing there as a rule, as the server has a template of its own. */
  readonly frame: Frame;
  /**
   * Where the answer prefix goes.
   *
   * @default {"appended"}
   */
  readonly answerPrefix?: PrefixPlace;
}

/**
 * Gives the messages that a chat endpoint is sent for a prompt.
 *
 * @param prompt What is asked.
 * @param options The frame, and the place of the answer prefix.
 * @returns A system message where there is one, the user's, and the start of the assistant's where asked for.
 *
 * @example The answer prefix as the start of the reply
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { BASE_FRAME } from "@/lib/generators/mod.ts";
 *
 * const messages = renderMessages({ user: "1 + 1?", answerPrefix: " It is" }, { frame: BASE_FRAME, answerPrefix: "assistant" });
 * deepEqual(messages, [{ role: "user", content: "1 + 1?" }, { role: "assistant", content: " It is" }]);
 * ```
 */
export function renderMessages(prompt: Prompt, options: RenderOptions): ChatMessage[] {
  const { frame, answerPrefix = "appended" } = options;
  const system = prompt.system ?? frame.system;
  const prefix = prompt.answerPrefix ?? "";
  const { before, after } = prompt.wrapping ?? frame;
  const user = before + prompt.user + after + (answerPrefix === "appended" ? prefix : "");
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
    { role: "user", content: user },
    ...(answerPrefix === "assistant" && prefix !== "" ? [{ role: "assistant", content: prefix } as const] : []),
  ];
}

/**
 * Gives the text that a completions endpoint is sent for a prompt, and that RULER's files have as input and answer prefix.
 *
 * @param prompt What is asked.
 * @param frame The chat template round it; its answer prefix is left out where the frame says so.
 * @throws {TypeError} If the prompt has a system message, for which a plain text has no place.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { BASE_FRAME } from "@/lib/generators/mod.ts";
 *
 * equal(renderText({ user: "1 + 1?", answerPrefix: " It is" }, BASE_FRAME), "1 + 1? It is");
 * ```
 */
export function renderText(prompt: Prompt, frame: Frame): string {
  const system = prompt.system ?? frame.system;
  if (system !== undefined) {
    throw new TypeError(
      `Cannot render a completion as its system message must be part of the template: current value is ${
        JSON.stringify(system)
      }`,
    );
  }
  const { before, after } = prompt.wrapping ?? frame;
  return before + prompt.user + after + (frame.answerPrefix ? prompt.answerPrefix ?? "" : "");
}
