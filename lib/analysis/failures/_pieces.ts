/** How much of an answer a text must begin with to be a part of it, and how much it must hold where it begins elsewhere. */
const LEAST_BEGINNING = 0.25;
const LEAST_PIECE = 0.5;
/** How many characters two codes have in common at one end that are no chance: ten to the sixth values differ in six digits. */
const LEAST_COMMON = 6;

/**
 * Tells how much of an answer a text gives: its beginning, its end, a stretch of it, or all of it but some wrong characters at
 * one end.
 *
 * @returns The share of the answer's characters, in (0, 1); `null` where the text is no part of it, or all.
 */
export function pieceShare(text: string, answer: string): number | null {
  if (text === answer || text.length < 2) return null;
  const share = text.length / answer.length;
  if (answer.startsWith(text)) return share >= LEAST_BEGINNING ? share : null;
  if (answer.includes(text)) return share >= LEAST_PIECE ? share : null;
  if (!/\d/.test(answer) || text.length > answer.length + 2) return null;
  const common = Math.max(commonStart(text, answer), commonStart(reverse(text), reverse(answer)));
  return common >= LEAST_COMMON ? common / answer.length : null;
}

function commonStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
