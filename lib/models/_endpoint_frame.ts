import { createHash } from "node:crypto";
import type { Frame } from "@/lib/generators/mod.ts";
import type { CheckedOptions } from "./_endpoint_options.ts";

/**
 * Makes the frame that an endpoint's samples are fitted with.
 *
 * A frame's name stands in sample ids, so it tells everything that changes a sample's text or its length.
 */
export function makeFrame(options: CheckedOptions): Frame {
  const { api, template, system, answerPrefix, templateTokens, thinkingInside, thinkingTokens } = options;
  const extraTokens = template.extraTokens + templateTokens + (thinkingInside ? thinkingTokens : 0);
  const base = api === "completions" ? template.name : template.name === "base" ? "chat" : `chat-${template.name}`;
  const hasPrefix = template.answerPrefix && answerPrefix !== "none";
  const parts = [
    base,
    ...(system === undefined ? [] : [`system-${hash(system)}`]),
    ...(extraTokens === 0 ? [] : [`extra-${extraTokens}`]),
    ...(hasPrefix ? [] : ["no-prefix"]),
  ];
  return {
    name: parts.join("+"),
    before: template.before,
    after: template.after,
    ...(template.singular === undefined ? {} : { singular: template.singular }),
    ...(system === undefined ? {} : { system }),
    extraTokens,
    answerPrefix: hasPrefix,
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
