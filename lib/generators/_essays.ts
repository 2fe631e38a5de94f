import { type Haystack, normaliseSpace } from "@/lib/text/mod.ts";

/** What essays are looked through for. */
export interface Forbidden {
  /** The task, as messages name it. */
  readonly task: string;
  /** A text, or a pattern in which all white space is one space. */
  readonly mark: string | RegExp;
  /** What it is to the task, such as `the needle`. */
  readonly called: string;
}

/**
 * Refuses essays that hold what a task hides in them: a question about it would have two answers.
 *
 * @throws {RangeError} If they do; the message names the text, the place and what to do.
 */
export function checkEssays(essays: Haystack, { task, mark, called }: Forbidden): true {
  // Round the circle once and a little on, so that the seam is looked at too.
  const wanted = typeof mark === "string" ? normaliseSpace(mark) : mark;
  const place = findMark(essays.run(0, essays.size + 2).text, wanted);
  if (place === null) return true;
  const number = essays.texts.findIndex((text) => findMark(normaliseSpace(text), wanted) !== null);
  const file = essays.textNames?.[number];
  throw new RangeError(
    `Cannot make task ${task} as the essays ${essays.name} must not hold ${called}: current value is "${place}"` +
      `${file === undefined ? "" : ` in ${file}`} (take it out of that text, or leave the text out)`,
  );
}

/** Gives a mark with some words round it, or `null` where it is not in a text. */
function findMark(text: string, mark: string | RegExp): string | null {
  const at = typeof mark === "string" ? text.indexOf(mark) : text.search(mark);
  if (at < 0) return null;
  const length = typeof mark === "string" ? mark.length : mark.exec(text)![0].length;
  const [start, end] = [Math.max(0, at - 20), Math.min(text.length, at + length + 20)];
  return `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
}
