import { measure, type Tokenizer } from "@/lib/text/mod.ts";
import type { Part } from "../_layout.ts";
import type { StarText } from "./_star_texts.ts";

/** Gives a star's sentence as it stands in the text: on a line of its own. */
export function starLine(pieces: StarText["pieces"]): string {
  return `\n${pieces.map(({ text }) => text).join("")}\n`;
}

/** Gives the same as a part of a layout, each count in it a fact. */
export function starPart(pieces: StarText["pieces"], tokenizer: Tokenizer): Part {
  const parts = pieces.map(({ text, fact }, number) => {
    const before = number === 0 ? "\n" : "";
    const after = number === pieces.length - 1 ? "\n" : "";
    return { measured: measure(before + text + after, tokenizer), fact };
  });
  return { measured: measure(starLine(pieces), tokenizer), parts };
}
