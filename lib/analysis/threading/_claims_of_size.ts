import { decided } from "../_claim_words.ts";
import type { Claim } from "../claims.ts";
import {
  charactersPerToken,
  modelsOf,
  PAIR_CHARACTERS,
  supportedBy,
  type ThreadingEvidence,
} from "./_threading_words.ts";
import { PUBLISHED_THREADING_TASKS, type ThreadingPublished } from "./published_threading.ts";

/** Limits in tokens that the paper's text gives, and of which Table 2 prints the characters. */
const [LLAMA_LIMIT, GPT_4O_LIMIT, GEMINI_PRO_LIMIT] = [128_000, 128_000, 2_000_000];
/** Tokens of a pair that the paper gives for Gemini 1.5. */
const GEMINI_PAIR_CLAIMED = 75;
/** What is taken for "about": within a tenth. */
const ABOUT = 0.1;

/** Claims about how much was tested, and about tokens. */
export const CLAIMS_OF_SIZE: readonly Claim<ThreadingEvidence>[] = [
  {
    id: "N1",
    source: "abstract; experiments",
    kind: "paper",
    quote: "a set of retrieval experiments designed to evaluate the capabilities of 17 leading LLMs",
    statement: "17 models are evaluated (our measure: some table has a score of each).",
    check: ({ published }) => {
      const counts = PUBLISHED_THREADING_TASKS.map((task) =>
        `${task.replace("_", " ")} ${modelsOf(published.scores.filter((row) => row.task === task)).length}`
      );
      const all = modelsOf(published.scores).length;
      const everywhere = modelsOf(published.scores.filter(({ task }) => task === "overall")).length;
      return decided(
        all === 17,
        `Models with scores: ${counts.join(", ")}. ${everywhere} have all five tasks and stand in Tables 1 and 2.`,
      );
    },
  },
  {
    id: "N2",
    source: "experiments",
    kind: "paper",
    quote:
      "experiments are carried out on haystacks of 12 different sizes, from 1k to 630k tokens (measured in LLaMA 3.1 tokens)",
    statement: "Haystacks have 12 sizes, from 1K to 630K tokens of LLaMA 3.1.",
    check: ({ published }) => {
      const sizes = [...new Set(published.scores.map(({ length }) => length))].toSorted((left, right) => left - right);
      return decided(
        sizes.length === 12 && sizes[0]! >= 1000 && sizes[0]! < 1500 && sizes.at(-1) === 630_000,
        `The tables have ${sizes.length} sizes: ${sizes.map((size) => `${size / 1000}K`).join(", ")}.`,
      );
    },
  },
  {
    id: "N3",
    source: "introduction",
    kind: "paper",
    quote: "involving context sizes up to 900k (Gemini 1.5) tokens",
    statement:
      "Contexts go up to 900K tokens of Gemini 1.5 (our measure: to within a tenth, by the tokens of a pair that the paper gives in two places).",
    check: ({ published }) => {
      const pairs = 630_000 * charactersPerToken(published, "LLaMA 3.1 8b", LLAMA_LIMIT) / PAIR_CHARACTERS;
      const counts = [geminiPairTokens(published), GEMINI_PAIR_CLAIMED].map((tokens) => pairs * tokens);
      return decided(
        counts.every((count) => Math.abs(count / 900_000 - 1) < ABOUT),
        `630K tokens of LLaMA 3.1 are ${Math.round(pairs).toLocaleString("en")} pairs by Table 2: ${
          counts.map((count) => `${Math.round(count / 1000)}K`).join(" or ")
        } tokens of Gemini, at ${
          geminiPairTokens(published).toFixed(1)
        } a pair (Table 2) or ${GEMINI_PAIR_CLAIMED} (text).`,
      );
    },
  },
  {
    id: "N4",
    source: "introduction against figure 1",
    kind: "inconsistency",
    quote: [
      "at over 300k tokens, the classic novel Moby Dick could fit almost 5 times into the 2M token context window of Gemini 1.5 Pro",
      "Figure 1: Moby Dick 0.307, Gemini 1.5 Pro 2.0 million tokens",
    ],
    statement: "Both make Moby Dick fit almost 5 times (our measure: between 4.5 and 5 times).",
    check: ({ published }) => {
      const million = (name: string): number => published.contexts.find((bar) => bar.name === name)!.millionTokens;
      const times = million("Gemini 1.5 Pro") / million("Moby Dick");
      return decided(
        times > 4.5 && times < 5,
        `By Figure 1's ${million("Moby Dick")}M and ${million("Gemini 1.5 Pro")}M tokens it fits ${
          times.toFixed(1)
        } times.`,
      );
    },
  },
  {
    id: "N5",
    source: "tokenisation; figure 3",
    kind: "paper",
    quote: "a UUID pair is represented by ∼50 tokens by GPT-4o, while Gemini 1.5 uses 75",
    statement: "A UUID pair is about 50 tokens of GPT-4o (our measure: to within a tenth).",
    check: ({ gpt4oPairTokens }) =>
      decided(
        Math.abs(gpt4oPairTokens / 50 - 1) < ABOUT,
        `Counted here with o200k_base: ${gpt4oPairTokens.toFixed(1)} tokens a pair of 80 characters.`,
      ),
  },
  {
    id: "N5b",
    source: "tokenisation and figure 3 against table 2",
    kind: "inconsistency",
    quote: [
      "a UUID pair is represented by ∼50 tokens by GPT-4o, while Gemini 1.5 uses 75",
      "Table 2: Gemini 1.5 Pro, context limit 2472 thousand characters",
    ],
    statement: "Both give Gemini 1.5 as many tokens for a UUID pair (our measure: to within a tenth).",
    check: ({ published }) => {
      const tokens = geminiPairTokens(published);
      return decided(
        Math.abs(tokens / GEMINI_PAIR_CLAIMED - 1) < ABOUT,
        `Table 2 gives Gemini 1.5 Pro ${
          supportedBy(published, "Gemini 1.5 Pro")
        } thousand characters for 2M tokens, which is ${
          tokens.toFixed(1)
        } tokens a pair. Its tokenizer is not public; one of the two numbers is off.`,
      );
    },
  },
  {
    id: "N6",
    source: "tokenisation",
    kind: "paper",
    quote: "Gemini 1.5 Flash's reported context limit of 1M tokens is equivalent to ∼700k GPT-4o tokens",
    statement:
      "1M tokens of Gemini 1.5 Flash are about 700K tokens of GPT-4o (our measure: to within a tenth, both by the characters of Table 2 and by the tokens of a pair).",
    check: ({ published, gpt4oPairTokens }) => {
      const byTable = 1000 * supportedBy(published, "Gemini 1.5 Flash") /
        charactersPerToken(published, "GPT-4o", GPT_4O_LIMIT);
      const byPairs = 1_000_000 * gpt4oPairTokens / GEMINI_PAIR_CLAIMED;
      return decided(
        [byTable, byPairs].every((tokens) => Math.abs(tokens / 700_000 - 1) < ABOUT),
        `${Math.round(byTable / 1000)}K by the characters of Table 2, ${
          Math.round(byPairs / 1000)
        }K by the tokens of a pair ` +
          `(${gpt4oPairTokens.toFixed(1)} counted here, ${GEMINI_PAIR_CLAIMED} as claimed).`,
      );
    },
  },
];

function geminiPairTokens(published: ThreadingPublished): number {
  return PAIR_CHARACTERS / charactersPerToken(published, "Gemini 1.5 Pro", GEMINI_PRO_LIMIT);
}
