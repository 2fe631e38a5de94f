import type { Wording } from "./_niah_wording.ts";
import type { Variant } from "./variant.ts";

/** Words a question about frequent words (freq_words_extraction.py; paper, Table 8). The words follow the opening, a space before each. */
export const FWE_WORDING: Wording = {
  opening:
    "Read the following coded text and track the frequency of each coded word. Find the three most frequently appeared coded words.",
  question:
    "\nQuestion: Do not provide any explanation. Please ignore the dots '....'. What are the three most frequently appeared words in the above coded text?",
  answerPrefix: " Answer: According to the coded text above, the three most frequently appeared words are:",
};

/** The most frequent word of all, which is to be ignored: three dots in the code, a single sign in the paper. */
export function noiseWord(variant: Variant): string {
  return variant === "paper" ? "…" : "...";
}
