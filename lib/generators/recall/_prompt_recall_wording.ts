import type { RecallAsking, RecallSystem, RecallTemplate, RecallTest } from "./prompt_recall.ts";

/** A needle and the question about it. */
export interface RecallPair {
  /** The sentence that is planted. */
  readonly needle: string;
  /** The question, in each of its wordings; the first is the published one. */
  readonly questions: readonly [string, ...string[]];
}

/** The three tests of the paper (Table 2), with two further wordings of each question that are Fathom's. */
export const RECALL_TESTS: Readonly<Record<RecallTest, RecallPair>> = {
  pistachio: {
    needle: "PistachioAI received a patent before its Series A.",
    questions: [
      "What did PistachioAI receive before its Series A?",
      "Tell me what PistachioAI received before its Series A.",
      "Which asset was PistachioAI granted ahead of the Series A round?",
    ],
  },
  "san_francisco": {
    needle: "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day.",
    questions: [
      "What is the best thing to do in San Francisco?",
      "Tell me the best thing to do in San Francisco.",
      "How should a visitor to San Francisco spend the time, ideally?",
    ],
  },
  thornfield: {
    needle:
      "The best thing to do in Thornfield Hollow is eat a sandwich and sit in Harmony Glen Nature Preserve on a sunny day.",
    questions: [
      "What is the best thing to do in Thornfield Hollow?",
      "Tell me the best thing to do in Thornfield Hollow.",
      "How should a visitor to Thornfield Hollow spend the time, ideally?",
    ],
  },
};

/** The wordings of a question: the paper's, a request, and one that shares few words with the needle. */
export const RECALL_ASKINGS: readonly RecallAsking[] = ["published", "request", "distant"];

/** The system messages: the paper's, that of Kamradt's test, and none. */
export const RECALL_SYSTEMS: Readonly<Record<RecallSystem, string>> = {
  published: "You are a helpful AI assistant that answers a question using only the provided information.",
  short: "You are a helpful AI bot that answers questions for a user. Keep your response short and direct",
  none: "",
};

/** What stands round document and question. */
interface Frame {
  readonly opening: (system: string) => string;
  readonly between: string;
  readonly closing: string;
}

/** The templates of the paper's Table 6; the system block of Llama's stands outside the instruction, as it is printed. */
export const RECALL_TEMPLATES: Readonly<Record<RecallTemplate, Frame>> = {
  openai: { opening: line, between: "\n", closing: "" },
  llama: {
    opening: (system) => system === "" ? "<s>" : `<s><<SYS>>\n${system}\n<</SYS>>\n`,
    between: "\n[INST]",
    closing: "[/INST]",
  },
  mistral: { opening: (system) => `[INST]\n${line(system)}`, between: "\n", closing: "\n[/INST]" },
};

function line(system: string): string {
  return system === "" ? "" : `${system}\n`;
}
