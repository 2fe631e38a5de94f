import { CLOSING, kindOfQuestion, OPENING, promptOpening } from "./wording.ts";
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { userText } from "@/lib/generators/mod.ts";

/**
 * BABILong's own data, such as `qa1/16k.json` of its create_tasks.py or a row of its sets on Hugging Face: the context (`input`), the
 * question and the answer (`target`). The prompt around the context is the authors' own. Rows of other tasks than qa1 to qa5
 * are not read. A row does not state its length.
 */
export const BABILONG_TEST_FILES: TestFiles = {
  taskOf(name): string | undefined {
    const [, kind] = /^(?:babilong[-_])?(qa[1-5])(?:[-_].*)?$/i.exec(name) ?? [];
    return kind === undefined ? undefined : `babilong_${kind.toLowerCase()}`;
  },
  write({ prompt, references: [target, question] }): Readonly<Record<string, unknown>> {
    const text = userText(prompt);
    return {
      input: text.slice(text.lastIndexOf(OPENING) + OPENING.length, text.lastIndexOf(CLOSING)),
      question,
      target,
    };
  },
  read({ input, question, target }): TestLine | null {
    if (typeof input !== "string" || typeof question !== "string" || typeof target !== "string") return null;
    const kind = kindOfQuestion(question);
    if (kind === undefined) return null;
    const opening = promptOpening(kind, { instruction: "on", examples: "on", postPrompt: "on" });
    return {
      task: `babilong_${kind}`,
      input: `${opening}${input.trim()}${CLOSING}${question}`.trim(),
      references: [target, question.trim()],
    };
  },
};
