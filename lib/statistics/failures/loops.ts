/** The fewest rounds of a loop in a reply without an answer, or that the output limit ended. */
export const LEAST_ROUNDS = 3;

// The longest repeated unit, in words or characters.
const MAX_UNIT = 60;

// The words or characters of a reply that are searched; a loop that starts later fills less than half of it.
const MAX_PIECES = 3000;

// The least length of a loop without spaces, in characters: a short word may repeat a syllable.
const MIN_LOOP = 24;

export interface Loop {
  readonly unit: string;
  readonly rounds: number;
}

/** Whether a text repeats itself over at least half of its length, or only counts: more tokens would not complete its answer. */
export function isLooping(text: string): boolean {
  const isCount = text.trim() !== "" && trimMarks(blankListNumbers(text)) === "";
  return isCount || findLoop(text, LEAST_ROUNDS) !== null;
}

/** Finds words or, in a text without spaces, characters that repeat over at least half of a text; list numbers do not count. */
export function findLoop(text: string, least: number): Loop | null {
  const words = blankListNumbers(text).split(/\s+/, 2 * MAX_PIECES).map((word) => trimMarks(word).toLowerCase())
    .filter((word) => word !== "");
  const byWord = findPeriod(words.slice(0, MAX_PIECES), { least, joint: " " });
  if (byWord) return byWord;
  const byCharacter = findPeriod([...text.replaceAll(/\s+/g, "")].slice(0, MAX_PIECES), { least, joint: "" });
  return byCharacter && byCharacter.rounds * byCharacter.unit.length >= MIN_LOOP ? byCharacter : null;
}

/** Finds the shortest row of pieces that repeats over at least half of them all. */
function findPeriod(
  pieces: readonly string[],
  { least, joint }: { readonly least: number; readonly joint: string },
): Loop | null {
  for (let period = 1; period <= Math.min(MAX_UNIT, pieces.length / least); period++) {
    let [run, longest, end] = [0, 0, 0];
    for (let at = period; at < pieces.length; at++) {
      run = pieces[at] === pieces[at - period] ? run + 1 : 0;
      if (run > longest) [longest, end] = [run, at + 1];
    }
    const length = longest + period;
    const rounds = Math.floor(length / period);
    if (rounds >= least && 2 * length >= pieces.length) {
      return { unit: pieces.slice(end - period, end).join(joint), rounds };
    }
  }
  return null;
}

/** Replaces the numbers of a numbered list, which count from 1 without a gap, by spaces. */
export function blankListNumbers(text: string): string {
  let [blank, end, count] = ["", 0, 0];
  for (const { 0: mark, 1: number, index } of text.matchAll(LIST_NUMBER)) {
    // A number at the end belongs to the list if that has begun.
    const isEnd = index + mark.length === text.length;
    if (Number(number) !== count + 1 || isEnd && count < 2) continue;
    blank += text.slice(end, index) + " ".repeat(mark.length);
    end = index + mark.length;
    count++;
  }
  return blank + text.slice(end);
}

const LIST_NUMBER = /(?<![^\s(*_])(\d{1,3})(?:[.)、:](?=\s*[^\s.,;:!?])|[.)]?\s*$)/g;

/** Trims everything but letters and digits from both ends. */
export function trimMarks(text: string): string {
  // Loops, as a regular expression takes quadratic time on mostly punctuation.
  let [start, end] = [0, text.length];
  while (end > 0 && !isLetter(text, end - 1)) end--;
  while (start < end && !isLetter(text, start)) start++;
  return text.slice(start, end);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Half of a surrogate pair counts as a letter's.
  return code >= 0xd800 && code <= 0xdfff || /[\p{L}\p{N}\p{M}]/u.test(text[at]!);
}
