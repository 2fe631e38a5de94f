/** Words that say nothing of their own. */
const EMPTY_WORDS = new Set(
  ("a an the of in on at to for from by with and or but is are was were be been being it its this that these those as " +
    "do does did what which who whom whose where when why how tell me there their they he she his her i you we my your our best most more")
    .split(" "),
);

/**
 * Parts a text into its words, lower case, without the common endings of number and tense.
 *
 * @param text Any text.
 * @returns The words in order.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(stemWords("Sitting in parks"), ["sit", "in", "park"]);
 * ```
 */
export function stemWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map(stem);
}

/**
 * Lists the words of a text that say something of their own, each once, as {@linkcode stemWords} gives them.
 *
 * @param text Any text.
 * @returns The words in order; articles, prepositions, pronouns, auxiliaries and words of degree are left out.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(contentWords("What did PistachioAI receive?"), ["pistachioai", "receiv"]);
 * ```
 */
export function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(stem))];
}

/**
 * Lists the words that an answer must hold: those of the needle that are not in the question, each once.
 *
 * @param needle The sentence that was planted.
 * @param question The question about it.
 * @returns The words, as {@linkcode stemWords} gives them; all of the needle's where the question has them all.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(wantedWords("PistachioAI received a patent.", "What did PistachioAI receive?"), ["patent"]);
 * ```
 */
export function wantedWords(needle: string, question: string): readonly string[] {
  const asked = new Set(contentWords(question));
  const own = contentWords(needle);
  const wanted = own.filter((word) => !asked.has(word));
  return wanted.length > 0 ? wanted : own;
}

/** Parts a reply into sentences; lines end them too. */
export function splitReply(reply: string): string[] {
  return reply.split(/(?<=[.!?。！？]["”’)]*)\s+|\n+/u).map((part) => part.trim()).filter((part) => part !== "");
}

/** Takes common English endings off: `sitting` is `sit`, `received` is `receiv` as `receive` is. */
function stem(word: string): string {
  const bare = word.replace(/['’]s$/, "");
  if (bare.length < 4) return bare;
  const cut = bare.replace(/(?:ing|ed|es|s|e)$/, "");
  if (cut.length < 3) return bare;
  return /([b-df-hj-np-tv-z])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}
