import { editMatch } from "@/lib/scorers/mod.ts";

// The least share of an answer that counts as a part of it, at its start and elsewhere.
const LEAST_HEAD = 0.25;
const LEAST_PIECE = 0.5;

// The least number of characters of a stretch that is no coincidence, however long the answer is.
const LEAST_STRETCH = 8;

// The least number of equal characters at one end of two codes that is no coincidence.
const LEAST_COMMON = 6;

/**
 * The share of an answer that a text gives: its start, its end, a stretch of it, or one end of it before or after something
 * else.
 */
export function pieceShare(text: string, answer: string): number | null {
  if (text === answer || text.length < 2) return null;
  const share = text.length / answer.length;
  if (answer.startsWith(text)) return share >= LEAST_HEAD ? share : null;
  if (answer.includes(text)) return share >= LEAST_PIECE || text.length >= LEAST_STRETCH ? share : null;
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

// The least length of an answer of which a slip can be told from another answer.
const LEAST_SLIPPED = 5;

/**
 * The share of an answer that a text gives with a slip: all of it, but at most a third of its characters are wrong, left out or
 * added; `null` for a mere piece of it.
 */
export function slipShare(text: string, answer: string): number | null {
  const most = Math.floor(answer.length / 3);
  if (answer.length < LEAST_SLIPPED || Math.abs(text.length - answer.length) > most) return null;
  if (answer.includes(text)) return null;
  const { distance } = editMatch(text, answer);
  return distance <= most ? 1 - distance / answer.length : null;
}
