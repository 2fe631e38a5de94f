import { type ChatTemplate, PLAIN_TEMPLATE, type Sample, userPrompt } from "@/lib/generators/mod.ts";

/** A small sample with all that an endpoint looks at. */
export function smallSample(template: ChatTemplate = PLAIN_TEMPLATE, changes: Partial<Sample> = {}): Sample {
  return {
    id: `ruler-2/niah/cl100k_base/${template.name}/4096/42/0`,
    suite: "ruler-2",
    task: "niah_single_1",
    index: 0,
    length: 4096,
    promptTokens: 120,
    answerRoom: 128,
    prompt: userPrompt("The grass is green.\nWhat is the number?", {
      ...(template.system === undefined ? {} : { system: template.system }),
      ...(template.answerPrefix ? { answerPrefix: " The number is" } : {}),
    }),
    question: "What is the number?",
    references: ["1234567"],
    facts: [],
    sha256: "0".repeat(64),
    ...changes,
  };
}
