import type { TextSource, Written } from "./grammar.ts";
import { type KeyParts, readKey, requestOf, type TextKey } from "./transcript.ts";
import { type Draw, shuffle } from "@/lib/random/mod.ts";
import { countTokens, type Haystack, measure, type Measured, type Tokenizer } from "@/lib/text/mod.ts";

/** The most tokens of a kept text; longer ones are left out. */
export const MOST_TOKENS = 496;

/** The texts of a request, by numbers of parts. */
interface KeptKey {
  readonly key: TextKey;
  readonly request: Measured;
  readonly texts: Measured[];
}

/**
 * Reads texts that a model has written, as `fathom texts` keeps them: each begins with its request and a blank line. Texts of other
 * forms are left out. In a conversation each text is used once, and again when those of its request are used up.
 */
export function keptTexts(essays: Haystack, tokenizer: Tokenizer): TextSource {
  const keys = new Map<string, KeptKey>();
  for (const whole of essays.texts) {
    const at = whole.indexOf("\n\n");
    const key = readKey(whole.slice(0, Math.max(0, at)));
    const text = measure(whole.slice(at).trim(), tokenizer);
    if (key === null || text.text === "" || countTokens(text, tokenizer) > MOST_TOKENS) continue;
    const request = requestOf(key);
    keys.getOrInsertComputed(request, () => ({ key, request: measure(request, tokenizer), texts: [] })).texts.push(
      text,
    );
  }
  // Those with the most texts first.
  const sorted = [...keys.values()].toSorted((left, right) => right.texts.length - left.texts.length);
  const ofParts: Readonly<Record<KeyParts, readonly KeptKey[]>> = {
    "2": sorted.filter(({ key }) => key.style === undefined),
    "3": sorted.filter(({ key }) => key.style !== undefined),
  };
  const all = sorted.flatMap(({ texts }) => texts);
  return {
    keyCounts(parts, needles): ReturnType<TextSource["keyCounts"]> {
      const own = ofParts[parts];
      return { all: own.length, asked: own.filter(({ texts }) => texts.length >= needles).length };
    },
    keyAt: (number, parts) => ofParts[parts][number]!.key,
    request: (key) => keys.get(requestOf(key))!.request,
    open(): ReturnType<TextSource["open"]> {
      const left = new Map<string, Measured[]>();
      return (draw, key): Written => {
        const name = requestOf(key);
        if ((left.get(name)?.length ?? 0) === 0) left.set(name, shuffle(draw, keys.get(name)!.texts));
        const measured = left.get(name)!.pop()!;
        const tokens = countTokens(measured, tokenizer);
        return { measured, tokens, lengthen: (more, draw) => lengthen(measured, more, { all, draw, tokenizer }) };
      };
    },
  };
}

/** Adds words of other texts, as many as fit some more tokens. */
function lengthen(
  { text }: Measured,
  more: number,
  { all, draw, tokenizer }: {
    readonly all: readonly Measured[];
    readonly draw: Draw;
    readonly tokenizer: Tokenizer;
  },
): Measured {
  const words: string[] = [];
  while (words.length < more) words.push(...all[Math.floor(draw() * all.length)]!.text.split(/\s+/));
  const most = tokenizer.count(text) + more;
  const write = (size: number): string => size === 0 ? text : `${text} ${words.slice(0, size).join(" ")}`;
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokenizer.count(write(middle)) <= most) low = middle;
    else high = middle - 1;
  }
  return measure(write(low), tokenizer);
}
