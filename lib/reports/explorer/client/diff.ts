/** A part of two texts: in both of them, or in one alone. */
export interface DiffPart {
  readonly where: "both" | "first" | "second";
  readonly text: string;
}

/** The most words, or characters of a value, that are compared. */
const MAX_TOKENS = 3000;

/** The most characters of a value; a longer text is compared by words. */
const MAX_VALUE_CHARS = 40;

/**
 * Returns the parts of two texts in their order, compared by words; a word that another one replaces, such as a number, is compared by
 * characters if they share at least half of them. `undefined` if more than 3,000 words differ.
 */
export function diffTexts(first: string, second: string): readonly DiffPart[] | undefined {
  const words = diffTokens(wordsOf(first), wordsOf(second));
  return words && joinParts(words.flatMap((part, at) => {
    const next = words[at + 1];
    if (part.where === "second" && words[at - 1]?.where === "first") {
      return diffValues(words[at - 1]!.text, part.text) === undefined ? [part] : [];
    }
    if (part.where !== "first" || next?.where !== "second") return [part];
    return diffValues(part.text, next.text) ?? [part];
  }));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** Returns the parts of two values by characters; `undefined` if they are texts or have little in common. */
function diffValues(first: string, second: string): readonly DiffPart[] | undefined {
  const longest = Math.max(first.length, second.length);
  if (longest > MAX_VALUE_CHARS || /\s/.test(first + second)) return undefined;
  const parts = diffTokens([...first], [...second])!;
  const shared = parts.reduce((sum, { where, text }) => where === "both" ? sum + text.length : sum, 0);
  return 2 * shared >= longest ? parts : undefined;
}

function diffTokens(first: readonly string[], second: readonly string[]): readonly DiffPart[] | undefined {
  const least = Math.min(first.length, second.length);
  let start = 0;
  while (start < least && first[start] === second[start]) start++;
  let end = 0;
  while (end < least - start && first.at(-1 - end) === second.at(-1 - end)) end++;
  const left = first.slice(start, first.length - end);
  const right = second.slice(start, second.length - end);
  if (Math.max(left.length, right.length) > MAX_TOKENS) return undefined;
  const both = (tokens: readonly string[]): DiffPart => ({ where: "both", text: tokens.join("") });
  return joinParts([
    both(first.slice(0, start)),
    ...diffMiddles(left, right),
    both(first.slice(first.length - end)),
  ]);
}

/** Compares by the longest common subsequence. */
function diffMiddles(left: readonly string[], right: readonly string[]): DiffPart[] {
  const width = right.length + 1;
  // Its length from each pair of places on.
  const common = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const skipped = Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
      common[i * width + j] = left[i] === right[j] ? common[(i + 1) * width + j + 1]! + 1 : skipped;
    }
  }
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const hasBoth = i < left.length && j < right.length;
    if (hasBoth && left[i] === right[j]) {
      parts.push({ where: "both", text: left[i++]! });
      j++;
    } else if (hasBoth ? common[(i + 1) * width + j]! >= common[i * width + j + 1]! : i < left.length) {
      parts.push({ where: "first", text: left[i++]! });
    } else {
      parts.push({ where: "second", text: right[j++]! });
    }
  }
  return parts;
}

/** Joins neighbours of one kind; between two common parts, those of the first text come before those of the second. */
function joinParts(parts: readonly DiffPart[]): readonly DiffPart[] {
  const joined: DiffPart[] = [];
  const texts = { both: "", first: "", second: "" };
  const flush = (kinds: readonly DiffPart["where"][]): void => {
    for (const where of kinds) {
      if (texts[where] !== "") joined.push({ where, text: texts[where] });
      texts[where] = "";
    }
  };
  for (const { where, text } of parts) {
    if (text !== "") flush(where === "both" ? ["first", "second"] : ["both"]);
    texts[where] += text;
  }
  flush(["both", "first", "second"]);
  return joined;
}
