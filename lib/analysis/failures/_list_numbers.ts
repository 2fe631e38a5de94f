/** The number before an item of a list. */
export type ListNumber = Pick<RegExpExecArray, 0 | "index">;

/** Finds the numbers of a numbered list: those that count from 1 without a gap. An answer that is a number is none of them. */
export function findListNumbers(text: string): ListNumber[] {
  const numbers: ListNumber[] = [];
  for (const match of text.matchAll(/(?<![^\s(*_])(\d{1,3})[.)、:](?=\s*[^\s.,;:!?])/g)) {
    if (Number(match[1]) === numbers.length + 1) numbers.push(match);
  }
  return numbers;
}

/** Puts spaces where the numbers of a numbered list are. */
export function blankListNumbers(text: string): string {
  let blank = text;
  for (const { 0: number, index } of findListNumbers(text)) {
    blank = blank.slice(0, index) + " ".repeat(number.length) + blank.slice(index + number.length);
  }
  return blank;
}
