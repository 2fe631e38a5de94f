/** Returns the words of a text in lower case, without common English endings: `Sitting in parks` is sit, in, park. */
export function stemWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map(stem);
}

/** Returns the stems of a text's content words, each once: no articles, prepositions, pronouns, auxiliaries or words of degree. */
export function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(stem))];
}

/** Returns the stems of the needle that are not in the question, or all if the question has them all. */
export function wantedWords(needle: string, question: string): readonly string[] {
  const asked = new Set(contentWords(question));
  const own = contentWords(needle);
  const wanted = own.filter((word) => !asked.has(word));
  return wanted.length > 0 ? wanted : own;
}

/** Strips common English endings: `sitting` is `sit`; `received` and `receive` are `receiv`. */
function stem(word: string): string {
  const bare = word.replace(/['’]s$/, "");
  if (bare.length < 4) return bare;
  const cut = bare.replace(/(?:ing|ed|es|s|e)$/, "");
  if (cut.length < 3) return bare;
  return /([b-df-hj-np-tv-z])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

const EMPTY_WORDS = new Set(
  ("a an the of in on at to for from by with and or but is are was were be been being it its this that these those as " +
    "do does did what which who whom whose where when why how tell me there their they he she his her i you we my your our best most more")
    .split(" "),
);
