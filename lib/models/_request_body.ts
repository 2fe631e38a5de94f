import type { Frame, Sample } from "@/lib/generators/mod.ts";
import type { CheckedOptions } from "./_endpoint_options.ts";
import { renderMessages, renderText } from "./render.ts";

/** Gives the JSON body of one request: an endpoint's settings and a sample's prompt. */
export function makeBody(sample: Sample, options: CheckedOptions, frame: Frame): Readonly<Record<string, unknown>> {
  const { model, api, answerPrefix, continueFlags, temperature, topP, seed, stop, extraBody } = options;
  const budget = (options.maxTokens ?? sample.answerRoom) + options.thinkingTokens;
  return {
    model,
    ...(api === "chat"
      ? { messages: renderMessages(sample.prompt, { frame, answerPrefix }) }
      : { prompt: renderText(sample.prompt, frame) }),
    [options.budgetField]: budget,
    ...(temperature === null ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(continueFlags ? { continue_final_message: true, add_generation_prompt: false } : {}),
    ...extraBody,
  };
}
