import { diffArrays } from "diff";

/** A part of two texts: in both of them, or in one alone. */
export interface DiffPart {
  readonly where: "both" | "first" | "second";
  readonly text: string;
}

/** The most words, or characters of a value, that may differ. */
const MAX_CHANGES = 1000;

/** The most characters of a value; a longer text is compared by words alone. */
const MAX_VALUE_CHARS = 40;

/**
 * Returns the parts of two texts in their order, compared by words. A value that replaces another, such as a number or a short answer, is
 * compared by characters if they share at least half of them. `undefined` if more than 1,000 words differ.
 */
export function diffTexts(first: string, second: string): readonly DiffPart[] | undefined {
  const words = diffTokens(wordsOf(first), wordsOf(second));
  return words?.flatMap((part, at) => {
    const [before, next] = [words[at - 1], words[at + 1]];
    if (part.where === "first" && next?.where === "second") return diffValues(part.text, next.text) ?? [part];
    const isReplacing = part.where === "second" && before?.where === "first";
    return isReplacing && diffValues(before.text, part.text) !== undefined ? [] : [part];
  });
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function diffValues(first: string, second: string): readonly DiffPart[] | undefined {
  const longest = Math.max(first.length, second.length);
  if (longest > MAX_VALUE_CHARS) return undefined;
  const parts = diffTokens([...first], [...second])!;
  const shared = parts.reduce((sum, { where, text }) => where === "both" ? sum + text.length : sum, 0);
  return 2 * shared >= longest ? parts : undefined;
}

function diffTokens(first: readonly string[], second: readonly string[]): readonly DiffPart[] | undefined {
  const changes = diffArrays([...first], [...second], { maxEditLength: MAX_CHANGES });
  return changes?.map(({ value, added, removed }) => {
    const alone = added ? "second" : "first";
    return { where: added || removed ? alone : "both", text: value.join("") };
  });
}
