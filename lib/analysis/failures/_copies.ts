import type { Attempt } from "./_attempt.ts";
import { spell } from "./_spelling.ts";

/** A stretch of the context in a reply. */
export interface Copy {
  readonly text: string;
  /** The share of the context before it. */
  readonly depth: number;
}

/** The characters that a stretch has at least; planted sentences and answers are shorter or are found before. */
const LEAST = 48;
/** The share of the reply that it makes up at least. */
const LEAST_SHARE = 0.6;

/**
 * Finds the stretch of the context that makes up most of a reply, word for word. A stretch that begins within the first two
 * fifths of the reply is found, as a shorter one could not make up most of it.
 */
export function findCopy({ reply, context, shape }: Attempt): Copy | null {
  const text = spell(reply).replaceAll(/\s+/g, " ");
  if (text.length < LEAST) return null;
  const source = context().replaceAll(/\s+/g, " ");
  for (let start = 0; start <= text.length * (1 - LEAST_SHARE); start++) {
    if (start > 0 && text[start - 1] !== " ") continue;
    const at = source.indexOf(text.slice(start, start + LEAST));
    if (at < 0 || start + LEAST > text.length) continue;
    let length = LEAST;
    while (start + length < text.length && source[at + length] === text[start + length]) length++;
    if (length < LEAST_SHARE * text.length) continue;
    const copied = text.slice(start, start + length);
    // A planted sentence that was repeated is told by what it says.
    const isPlanted = !shape.isCounted &&
      [...shape.rivals.keys(), ...shape.targets.keys()].some((said) => copied.includes(said));
    return isPlanted ? null : { text: copied, depth: at / source.length };
  }
  return null;
}
