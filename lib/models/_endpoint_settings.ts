import type { CheckedOptions } from "./_endpoint_options.ts";
import type { ModelSettings } from "./model.ts";
import type { Redact } from "./_redact.ts";

/**
 * Lists everything that shapes an endpoint's answers, for the record.
 *
 * How long is waited and how often is asked are not among them: they decide whether there is an answer, not which one, and a
 * run may be resumed with others.
 */
export function listSettings(options: CheckedOptions, baseUrl: string, redact: Redact): ModelSettings {
  const { stop, extraBody } = options;
  const headers = Object.keys(options.headers).sort().join(", ");
  return {
    baseUrl,
    model: options.model,
    api: options.api,
    template: options.template.name,
    system: options.system ?? null,
    answerPrefix: options.answerPrefix,
    continueFlags: options.continueFlags,
    temperature: options.temperature,
    topP: options.topP ?? null,
    seed: options.seed ?? null,
    stop: stop.length === 0 ? null : JSON.stringify(stop),
    maxTokens: options.maxTokens ?? "answer room",
    thinkingTokens: options.thinkingTokens,
    thinkingInside: options.thinkingInside,
    budgetField: options.budgetField,
    templateTokens: options.templateTokens,
    extraBody: Object.keys(extraBody).length === 0 ? null : redact(JSON.stringify(extraBody)),
    // Left out where there are none, so that runs go on that were begun before there could be any.
    ...(headers === "" ? {} : { headers }),
  };
}
