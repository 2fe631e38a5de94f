import { createHash } from "node:crypto";
import { isFields } from "./reply.ts";
import type { ChatTemplate, Prompt, Wrapping } from "@/lib/generators/mod.ts";

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
  const system = prompt.system ?? template.system;
  const prefix = prompt.answerPrefix ?? "";
  const { before, after } = prompt.wrapping ?? template;
  const user = before + prompt.user + after + (answerPrefix === "appended" ? prefix : "");
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
  const system = prompt.system ?? template.system;
  if (system !== undefined) {
    throw new TypeError(
      `Cannot render a completion as its system message must be part of the template: current value is ${
        JSON.stringify(system)
      }`,
    );
  }
  const { before, after } = prompt.wrapping ?? template;
  return before + prompt.user + after + (template.answerPrefix ? prompt.answerPrefix ?? "" : "");
}

/** Where the task's prompt stands in a template. */
const TASK = "{task_template}";

/** The templates by name, to the byte: several end in a space or begin a line with one. */
const TEMPLATES: Readonly<Record<string, string>> = {
  base: "{task_template}",
  "meta-chat": "[INST] {task_template} [/INST]",
  "vicuna-chat":
    "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions. USER: {task_template} ASSISTANT:",
  "lwm-chat": "You are a helpful assistant. USER: {task_template} ASSISTANT: ",
  "command-r-chat":
    "<BOS_TOKEN><|START_OF_TURN_TOKEN|><|USER_TOKEN|>{task_template}<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
  "chatglm-chat": "[gMASK]sop<|user|> \n {task_template}<|assistant|> \n ",
  Phi3: "<|user|>\n{task_template}<|end|>\n<|assistant|>\n",
  "meta-llama3":
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\n{task_template}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
  RWKV:
    "User: hi\n\nAssistant: Hi. I am your assistant and I will provide expert full response in full details. Please feel free to ask any question and I will always answer it\n\nUser: {task_template}\n\nAssistant:",
  jamba: "<|startoftext|><|bom|><|system|> <|eom|><|bom|><|user|> {task_template}<|eom|><|bom|><|assistant|>",
  "nemotron5-instruct": "<SPECIAL_10>System\n\n<SPECIAL_11>User\n{task_template}\n<SPECIAL_11>Assistant\n",
  // Only the paper prints it; its code sends GPT-4 the base template.
  "gpt-4": "{task_template} Do not provide any explanation. Please directly give me the answer. ",
};

/**
 * The names of the chat templates, `base` first: those of RULER's template.py, and `gpt-4`, which only the paper prints
 * (arXiv 2404.06654, Table 6).
 */
export const CHAT_TEMPLATES: readonly string[] = Object.keys(TEMPLATES);

/**
 * A chat template by name, or a text with `{task_template}` where the prompt goes, for plain completions.
 *
 * RULER, template.py at e40fae1 and c3f5e3b, which adds `nemotron5-instruct`, and the paper's Table 6. The answer prefix
 * follows the template, so that the model continues it.
 *
 * @throws {RangeError} If there is no such template; the message lists them.
 */
export function chatTemplate(name: string): ChatTemplate {
  const template = readTemplate(name);
  if (template !== undefined) return template;
  throw new RangeError(
    `Cannot choose a chat template as its name must be one of ${CHAT_TEMPLATES.join(", ")}: current value is "${name}"`,
  );
}

/** Reads a chat template: one as it is, the name of one, or a text with `{task_template}` where the prompt goes. */
export function readTemplate(value: unknown): ChatTemplate | undefined {
  if (typeof value !== "string") return isFields(value) ? value as unknown as ChatTemplate : undefined;
  if (!Object.hasOwn(TEMPLATES, value)) {
    if (!value.includes(TASK)) return undefined;
    const name = `own-${createHash("sha256").update(value).digest("hex").slice(0, 8)}`;
    return { name, ...wrap(value), extraTokens: 0, answerPrefix: true };
  }
  const template = TEMPLATES[value]!;
  const singular = makeSingular(template);
  return {
    name: value,
    ...wrap(template),
    ...(singular === template ? {} : { singular: wrap(singular) }),
    extraTokens: 0,
    answerPrefix: true,
  };
}

function wrap(template: string): Wrapping {
  const at = template.indexOf(TASK);
  return { before: template.slice(0, at), after: template.slice(at + TASK.length) };
}

/** What niah.py replaces, in this order and all through the prompt, where it asks for one needle. */
const SINGULAR: readonly (readonly [string, string])[] = [
  ["Some", "A"],
  ["are all", "is"],
  ["are", "is"],
  ["answers", "answer"],
];

function makeSingular(template: string): string {
  return SINGULAR.reduce((text, [plural, singular]) => text.replaceAll(plural, singular), template);
}

/**
 * Joins a prompt to one text, as the simulated reader gets it: the system message, the user's message, and the answer prefix.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(joinPrompt({ user: "1 + 1?", answerPrefix: " It is" }), "1 + 1? It is");
 * ```
 */
export function joinPrompt({ system, user, answerPrefix = "" }: Prompt): string {
  return (system === undefined ? "" : `${system}\n\n`) + user + answerPrefix;
}
