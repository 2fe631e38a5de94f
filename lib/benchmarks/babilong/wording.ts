import PROMPTS from "./prompts.json" with { type: "json" };
import type { StoryKind } from "./story.ts";

/** The text before the context of a prompt, and the text between the context and the question. */
export const [OPENING, CLOSING] = ["<context>\n", "\n</context>\n\nQuestion: "] as const;

/** The parts of a prompt before its context, in their order. */
const PROMPT_PARTS = ["instruction", "examples", "postPrompt"] as const;

/** Which parts a prompt has. */
export type PromptParts = Readonly<Record<typeof PROMPT_PARTS[number], "on" | "off">>;

/** Returns the authors' prompt up to the context, as `get_formatted_input` of prompts.py formats it. */
export function promptOpening(kind: StoryKind, parts: PromptParts): string {
  const texts = PROMPT_PARTS.map((part) => parts[part] === "on" ? PROMPTS[kind][part] : "");
  return `${texts.join("\n\n")}\n\n${OPENING}`.trimStart();
}

/** How questions of each kind begin, as far as others do not. */
const BEGINNINGS: readonly (readonly [RegExp, StoryKind])[] = [
  [/^Where is [A-Z]/, "qa1"],
  [/^Where is the /, "qa2"],
  [/^Where was the \w+ before the /, "qa3"],
  [/^What is (?:the \w+ )?(?:north|south|east|west) of/, "qa4"],
  [/^(?:What did \w+ give|Who did \w+ give|Who gave|Who received) /, "qa5"],
];

/** Returns the task that a question is of; `undefined` if it is of none of qa1 to qa5. */
export function kindOfQuestion(question: string): StoryKind | undefined {
  return BEGINNINGS.find(([beginning]) => beginning.test(question))?.[1];
}
