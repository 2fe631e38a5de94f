import PROMPTS from "./prompts.json" with { type: "json" };
import { STORY_KINDS, type StoryKind } from "./story.ts";
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { userText } from "@/lib/generators/mod.ts";

/** The text before the context of a prompt, and the text between the context and the question. */
export const [OPENING, CLOSING] = ["<context>\n", "\n</context>\n\nQuestion: "] as const;

/** The parts of a prompt before its context, in their order. */
const PROMPT_PARTS = ["instruction", "examples", "postPrompt"] as const;

/** Returns the authors' prompt up to the context, as `get_formatted_input` of prompts.py formats it, with some of its parts. */
export function promptOpening(
  kind: StoryKind,
  parts: Readonly<Record<typeof PROMPT_PARTS[number], "on" | "off">>,
): string {
  const texts = PROMPT_PARTS.map((part) => parts[part] === "on" ? PROMPTS[kind][part] : "");
  return `${texts.join("\n\n")}\n\n${OPENING}`.trimStart();
}

/** How questions of each kind begin, as far as others do not. */
const BEGINNINGS: Readonly<Record<StoryKind, RegExp>> = {
  qa1: /^Where is [A-Z]/,
  qa2: /^Where is the /,
  qa3: /^Where was the \w+ before the /,
  qa4: /^What is (?:the \w+ )?(?:north|south|east|west) of/,
  qa5: /^(?:What did \w+ give|Who did \w+ give|Who gave|Who received) /,
};

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
    const input = text.slice(text.lastIndexOf(OPENING) + OPENING.length, text.lastIndexOf(CLOSING));
    return { input, question, target };
  },
  read({ input, question, target }): TestLine | null {
    if (typeof input !== "string" || typeof question !== "string" || typeof target !== "string") return null;
    const kind = STORY_KINDS.find((each) => BEGINNINGS[each].test(question));
    if (kind === undefined) return null;
    const opening = promptOpening(kind, { instruction: "on", examples: "on", postPrompt: "on" });
    const whole = `${opening}${input.trim()}${CLOSING}${question}`.trim();
    return { task: `babilong_${kind}`, input: whole, references: [target, question.trim()] };
  },
};
