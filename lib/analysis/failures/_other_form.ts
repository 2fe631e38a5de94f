import { plainWords } from "./_spelling.ts";

/**
 * Tells whether a reply holds an answer in another form: with separators or spaces inside ("1,234,567", "A B C D E"), without
 * its hyphens, with or without accents. The answer must begin and end where words of the reply do.
 */
export function holdsOtherForm(reply: string, answer: string): boolean {
  const wanted = plainWords(answer).join("");
  // Of shorter answers, the letters can be found by chance.
  if (wanted.length < 4) return false;
  const words = plainWords(reply);
  return words.some((_, start) => {
    let joined = "";
    for (let at = start; at < words.length && joined.length < wanted.length; at++) joined += words[at];
    return joined === wanted;
  });
}
