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

/** A stretch of the wanted words that stand side by side in the needle: `sandwich`, `Dolores Park`. */
interface WantedPart {
  /** Its words, as {@linkcode stemWords} gives them. */
  readonly words: readonly string[];
  /** 2 for a name, which nothing but the needle tells; 1 for any other. */
  readonly weight: number;
}

/**
 * Parts the wanted words by what stands together in the needle.
 *
 * @param needle The sentence that was planted.
 * @param wanted Its words that an answer must hold, as {@linkcode wantedWords} lists them.
 * @returns The parts in order; every wanted word is in one of them.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const parts = wantedParts("Sit in Dolores Park.", ["sit", "dolor", "park"]);
 * deepEqual(parts.map(({ words, weight }) => `${words.join(" ")} ${weight}`), ["sit 1", "dolor park 2"]);
 * ```
 */
export function wantedParts(needle: string, wanted: readonly string[]): readonly WantedPart[] {
  const left = new Set(wanted);
  const parts: { words: string[]; weight: number }[] = [];
  let end = -1;
  for (const { 0: word, index } of needle.matchAll(/[\p{L}\p{N}]+/gu)) {
    const stemmed = stemWords(word)[0]!;
    if (!left.delete(stemmed)) continue;
    const isName = index > 0 && /^\p{Lu}/u.test(word);
    if (end < 0 || !/^[\s-]*$/.test(needle.slice(end, index))) parts.push({ words: [], weight: 1 });
    const part = parts.at(-1)!;
    part.words.push(stemmed);
    if (isName) part.weight = 2;
    end = index + word.length;
  }
  return parts;
}

/** Words that tell the same of an everyday needle, each group's first standing for all. */
const ALIKE: readonly (readonly string[])[] = [
  "eat have had enjoy grab munch devour consume ate eaten picnic",
  "sandwich sub hoagie panini sandwiches",
  "sit sat seat seated relax lounge rest laze recline picnic",
  "sunny sun sunshine sunlit",
  "day afternoon morning weather sun sunshine sunny",
].map((group) => stemWords(group));

/**
 * Lists the wanted words that a stretch of a reply has, in these words or in others that mean the same.
 *
 * @param stems The words of the stretch, as {@linkcode stemWords} gives them.
 * @param wanted The words that an answer must hold.
 * @returns The words found. A word that only means the same counts beside one that is wanted itself.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(findWanted(["hav", "a", "sandwich"], ["eat", "sandwich"]), ["eat", "sandwich"]);
 * deepEqual(findWanted(["hav", "fun"], ["eat", "sandwich"]), []);
 * ```
 */
export function findWanted(stems: readonly string[], wanted: readonly string[]): readonly string[] {
  const said = new Set(stems);
  if (!wanted.some((word) => said.has(word))) return [];
  return wanted.filter((word) =>
    said.has(word) || ALIKE.some((group) => group[0] === word && group.some((other) => said.has(other)))
  );
}

/** Takes common English endings off: `sitting` is `sit`, `received` is `receiv` as `receive` is. */
function stem(word: string): string {
  const bare = word.replace(/['’]s$/, "");
  if (bare.length < 4) return bare;
  const cut = bare.replace(/(?:ing|ed|es|s|e)$/, "");
  if (cut.length < 3) return bare;
  return /([b-df-hj-np-tv-z])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Words that say nothing of their own. */
const EMPTY_WORDS = new Set(
  ("a an the of in on at to for from by with and or but is are was were be been being it its this that these those as " +
    "do does did what which who whom whose where when why how tell me there their they he she his her i you we my your our best most more")
    .split(" "),
);
