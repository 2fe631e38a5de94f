import { blankListNumbers } from "./_list_numbers.ts";
import { trimMarks } from "./_spelling.ts";

/** Something said again and again. */
export interface Loop {
  /** What is said, once. */
  readonly unit: string;
  /** How often it is said. */
  readonly rounds: number;
}

/** The longest unit looked for, in words and in characters. */
const LONGEST_UNIT = 60;
/** Words and characters of a reply that are looked at; a loop that began later fills less than half of it. */
const MOST_PIECES = 3000;
/** Characters that a loop without spaces has at least: a short word may be a syllable again and again. */
const LEAST_CHARACTERS = 40;

/**
 * Finds a loop that makes up at least half of a text: one word, or a row of them, over and over. The numbers of a numbered
 * list do not break it. A text without spaces is looked at character by character.
 *
 * @param least How many rounds make a loop.
 */
export function findLoop(text: string, least: number): Loop | null {
  const words = blankListNumbers(text).split(/\s+/, 2 * MOST_PIECES).map((word) => trimMarks(word).toLowerCase())
    .filter((word) => word !== "");
  const byWord = findPeriod(words.slice(0, MOST_PIECES), least);
  if (byWord) return { unit: byWord.unit.join(" "), rounds: byWord.rounds };
  const characters = [...text.replaceAll(/\s+/g, "")].slice(0, MOST_PIECES);
  const byCharacter = findPeriod(characters, least);
  if (!byCharacter || byCharacter.rounds * byCharacter.unit.length < LEAST_CHARACTERS) return null;
  return { unit: byCharacter.unit.join(""), rounds: byCharacter.rounds };
}

/** Finds the shortest row of pieces that comes again and again over at least half of them all. */
function findPeriod(
  pieces: readonly string[],
  least: number,
): { readonly unit: string[]; readonly rounds: number } | null {
  for (let period = 1; period <= Math.min(LONGEST_UNIT, pieces.length / least); period++) {
    let run = 0;
    let longest = 0;
    let end = 0;
    for (let at = period; at < pieces.length; at++) {
      run = pieces[at] === pieces[at - period] ? run + 1 : 0;
      if (run <= longest) continue;
      longest = run;
      end = at + 1;
    }
    const length = longest + period;
    const rounds = Math.floor(length / period);
    if (rounds >= least && 2 * length >= pieces.length) return { unit: pieces.slice(end - period, end), rounds };
  }
  return null;
}
