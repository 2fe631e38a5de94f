import type { Frame, Wrapping } from "@/lib/generators/mod.ts";

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
  // Printed in the paper alone; its code sends GPT-4 the base template.
  "gpt-4": "{task_template} Do not provide any explanation. Please directly give me the answer. ",
};

/**
 * The names of the chat templates, `base` first: those of RULER's template.py, and `gpt-4`, which the paper alone prints
 * (arXiv 2404.06654, Table 6).
 */
export const CHAT_TEMPLATES: readonly string[] = Object.keys(TEMPLATES);

/**
 * Gives a chat template as the text before and after a task's prompt, for plain completions.
 *
 * RULER, template.py at e40fae1 and c3f5e3b, which adds `nemotron5-instruct`, and the paper's Table 6. The answer prefix
 * follows the template, so that the model continues it.
 *
 * @param name One of {@linkcode CHAT_TEMPLATES}.
 * @throws {RangeError} If there is no such template; the message names those there are.
 *
 * @example The template of Llama 2 and Mistral
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { before, after } = frameOf("meta-chat");
 * equal(`${before}Hello${after}`, "[INST] Hello [/INST]");
 * ```
 */
export function frameOf(name: string): Frame {
  const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined;
  if (template === undefined) {
    throw new RangeError(
      `Cannot choose a chat template as its name must be one of ${
        CHAT_TEMPLATES.join(", ")
      }: current value is "${name}"`,
    );
  }
  const singular = makeSingular(template);
  return {
    name,
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
