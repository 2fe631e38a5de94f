import type { Haystack, Tokenizer } from "@/lib/text/mod.ts";
import type { DocumentSet } from "./documents/documents.ts";

/** Lists of English words; all lower case, sorted, none twice. */
export interface WordLists {
  /** About a thousand adjectives, the first half of a needle's key; of letters alone, and none ends in another. */
  readonly adjectives: readonly string[];
  /** About a thousand nouns, the second half of a needle's key; of letters alone, and none begins with another. */
  readonly nouns: readonly string[];
  /** The words that common words extraction draws from; enough for 2,000,000 tokens. */
  readonly vocabulary: readonly string[];
}

/** What samples are made of. Opened once for a tokenizer, then shared by every task, length and sample. */
export interface Materials {
  /** Whose tokens are counted. */
  readonly tokenizer: Tokenizer;
  /** The essays that needles are hidden in. */
  readonly essays: Haystack;
  /** Gives the user's own essays, or, where there are none, those in a language that come with Fathom. */
  essaysIn(language: "en" | "zh"): Haystack;
  /** Lists of words for keys and for word-counting tasks. */
  readonly words: WordLists;
  /** Documents and questions of `qa_1` (one hop, SQuAD) and `qa_2` (two hops, HotpotQA). */
  readonly documents: {
    readonly oneHop: DocumentSet;
    readonly twoHop: DocumentSet;
  };
  /** Gives what was made under a key, making it the first time; for things that depend on the materials alone. */
  remember<T>(key: string, make: () => T): T;
}
