import type { PromptMark, PromptPart, Stretch } from "../marked_prompt.ts";

/** A part of a prompt as it is stored: the length of its text, and the stretches of it that are there. */
export type StoredPart = readonly [
  role: PromptPart["role"],
  length: number,
  texts: readonly string[],
  kept: readonly Stretch[],
  marks: readonly PromptMark[],
];

/** Returns the parts of a prompt as they are stored: whole, or only the stretches that a shortened prompt keeps. */
export function storePrompt(parts: readonly PromptPart[], { isWhole }: { readonly isWhole: boolean }): StoredPart[] {
  return parts.map(({ role, text, marks, kept }) => {
    if (isWhole) return [role, text.length, [text], kept, marks];
    const isKept = ([start, end]: PromptMark): boolean => kept.some(([from, to]) => start < to && end > from);
    return [role, text.length, kept.map(([from, to]) => text.slice(from, to)), kept, marks.filter(isKept)];
  });
}

/** Reads the parts of a prompt back. Where a text was not kept there are spaces, so that marks and stretches keep their places. */
export function readPrompt(stored: readonly StoredPart[]): { parts: readonly PromptPart[]; isWhole: boolean } {
  const isWhole = stored.every(([, length, texts]) => texts.length === 1 && texts[0]!.length === length);
  const parts = stored.map(([role, length, texts, kept, marks]) => {
    let text = isWhole ? texts[0]! : "";
    if (!isWhole) { for (const [at, [from]] of kept.entries()) text = text.padEnd(from) + texts[at]!; }
    return { role, text: text.padEnd(length), marks, kept };
  });
  return { parts, isWhole };
}
