import {
  type ChatTemplate,
  firstTargetOffset,
  joinMessages,
  messageFields,
  type Sample,
  type Task,
} from "@/lib/generators/mod.ts";

/** A line of RULER's data files. */
export interface RulerRow {
  readonly index: number;
  /** The prompt as one text; missing if it is written as messages. */
  readonly input?: string;
  /** The messages of a prompt of several turns, or of one with a system message. */
  readonly messages?: ReturnType<typeof messageFields>;
  readonly outputs: readonly string[];
  readonly length: number;
  readonly "length_w_model_temp": number;
  readonly "answer_prefix": string;
  readonly "token_position_answer": number | null;
}

/** Returns a sample as a line of RULER's data files, in a chat template. */
export function rulerRow(task: Task, sample: Sample, template: ChatTemplate): RulerRow {
  const { answerPrefix = "", ...prompt } = sample.prompt;
  const tokens = sample.promptTokens + sample.answerRoom;
  const prefixInside = task.options.variant === "2024";
  return {
    index: sample.index,
    ...(prompt.messages.length > 1 && template.before + template.after === ""
      ? { messages: messageFields(prompt.messages) }
      : { input: joinMessages(prompt, template) + (prefixInside ? answerPrefix : "") }),
    outputs: sample.references,
    length: tokens - template.extraTokens,
    length_w_model_temp: tokens,
    answer_prefix: prefixInside ? "" : answerPrefix,
    token_position_answer: firstTargetOffset(sample),
  };
}
