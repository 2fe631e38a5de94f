/** The words of a text in lower case, without common English endings: `Sitting in parks` is sit, in, park. */
export function stemWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map(stem);
}

/** The stems of a text's content words, each once: no articles, prepositions, pronouns, auxiliaries or words of degree. */
export function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(stem))];
}

/** The stems that an answer must have: those of the needle that are not in the question, or all if the question has them all. */
export function wantedWords(needle: string, question: string): readonly string[] {
  const asked = new Set(contentWords(question));
  const own = contentWords(needle);
  const wanted = own.filter((word) => !asked.has(word));
  return wanted.length > 0 ? wanted : own;
}

interface WantedPart {
  readonly words: readonly string[];
  /** 2 for a name, which only the needle tells; 1 for any other. */
  readonly weight: number;
}

/** Groups the wanted words that stand side by side in the needle: `sit` and `Dolores Park`. */
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

/** Words of the same meaning in an everyday needle; the first of each group stands for all. */
const ALIKE: readonly (readonly string[])[] = [
  "eat have had enjoy grab munch devour consume ate eaten picnic",
  "sandwich sub hoagie panini sandwiches",
  "sit sat seat seated relax lounge rest laze recline picnic",
  "sunny sun sunshine sunlit",
  "day afternoon morning weather sun sunshine sunny",
].map((group) => stemWords(group));

/** The wanted words that stems of a reply have, in these words or in others of the same meaning, which count only beside a wanted word. */
export function findWanted(stems: readonly string[], wanted: readonly string[]): readonly string[] {
  const said = new Set(stems);
  if (!wanted.some((word) => said.has(word))) return [];
  return wanted.filter((word) =>
    said.has(word) || ALIKE.some((group) => group[0] === word && group.some((other) => said.has(other)))
  );
}

/** Strips common English endings: `sitting` is `sit`; `received` and `receive` are `receiv`. */
function stem(word: string): string {
  const bare = word.replace(/['’]s$/, "");
  if (bare.length < 4) return bare;
  const cut = bare.replace(/(?:ing|ed|es|s|e)$/, "");
  if (cut.length < 3) return bare;
  return /([b-df-hj-np-tv-z])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Words without content of their own. */
const EMPTY_WORDS = new Set(
  ("a an the of in on at to for from by with and or but is are was were be been being it its this that these those as " +
    "do does did what which who whom whose where when why how tell me there their they he she his her i you we my your our best most more")
    .split(" "),
);
