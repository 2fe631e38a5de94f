import { shuffle, stream } from "@/lib/random/mod.ts";
import { measure, type Tokenizer } from "@/lib/text/mod.ts";
import { cdmeReferences, checkNeedles, needleFacts } from "./_cdme_fixed.ts";
import { placeInGrid } from "./_cdme_grid.ts";
import { type CdmeSettings, itemOf } from "./_cdme_settings.ts";
import { CDME_FRAMES, guideQuestion } from "./_cdme_wording.ts";
import { cdmePlaces } from "./cdme_places.ts";
import type { Part } from "../_layout.ts";
import type { Materials } from "../materials.ts";
import type { Recipe } from "../_recipe.ts";
import { CDME_SUITE } from "../suite.ts";
import type { SampleRequest } from "../task.ts";

/** Lays a sample out as OpenCompass does: tokens are cut and joined wherever the numbers fall, inside characters too. */
export function originalCdmeRecipe(settings: CdmeSettings, request: SampleRequest): Recipe {
  const { materials, length, seed, index } = request;
  const { tokenizer } = materials;
  const { name, language, guide, diff, lengthBuffer } = settings;
  const { depth, repeat } = placeInGrid(settings, index);
  const item = itemOf(settings, repeat);
  const essays = materials.essaysIn(language);
  checkNeedles(item, { task: name, essays, materials });
  const needles = item.needles.map((needle) => tokenizer.count(needle));
  const budget = Math.max(0, length - lengthBuffer - needles.reduce((sum, tokens) => sum + tokens, 0));
  const encode = openEncoder(tokenizer, name);
  const { texts } = essays;
  const encodeOnce = (number: number): TokenText =>
    materials.remember(`cdme tokens/${essays.name}/${number}`, () => encode(texts[number]!));
  const text = joinTexts(orderTexts(texts.length, { seed, repeat }), { budget, encode: encodeOnce });
  const { original } = cdmePlaces({ tokens: text.ends.length, depth, diff, needles });
  const facts = needleFacts(item, settings);
  const context: Part[] = [];
  let filled = 0;
  const fill = (to: number): void => {
    const cut = cutTokens(text, filled, to);
    if (cut !== "") context.push({ measured: measure(cut, tokenizer) });
    filled = to;
  };
  original.forEach((place, at) => {
    fill(place);
    context.push({ measured: measure(item.needles[at]!, tokenizer), fact: facts[at]! });
  });
  fill(text.ends.length);
  const { opening, asking } = CDME_FRAMES[language];
  const question = guide ? guideQuestion(item.question, { language, losesRest: true }) : item.question;
  const [before, after] = [opening, asking + question].map((words) => [{ measured: measure(words, tokenizer) }]);
  return {
    least: 0,
    most: 0,
    fixedSize: 0,
    layOut: () => ({ before: before!, context, after: after! }),
    answerPrefix: "",
    references: () => cdmeReferences(item),
    depth: depth / 100,
    source: essays.name,
  };
}

/** The least length at which the original has any context. */
export function leastOriginalLength(settings: CdmeSettings, { tokenizer }: Materials): number {
  const tokens = itemOf(settings, 0).needles.reduce((sum, needle) => sum + tokenizer.count(needle), 0);
  return Math.ceil((settings.lengthBuffer + tokens + 1) / 8) * 8;
}

/** UTF-8 bytes, and how many of them stand before the end of each token. */
interface TokenText {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

function openEncoder(tokenizer: Tokenizer, task: string): (text: string) => TokenText {
  const { tokenEnds } = tokenizer;
  if (tokenEnds === undefined) {
    throw new RangeError(
      `Cannot make task ${task} in the original edition as the tokenizer must be an encoding that comes with Fathom, such as ` +
        `cl100k_base: current value is "${tokenizer.name}"`,
    );
  }
  const encoder = new TextEncoder();
  return (text) => ({ bytes: encoder.encode(text), ends: tokenEnds(text) });
}

/** Shuffles the numbers of texts once for each repeat so far, each time from the order before. */
function orderTexts(
  texts: number,
  { seed, repeat }: { readonly seed: string; readonly repeat: number },
): readonly number[] {
  let order = Array.from({ length: texts }, (_, number) => number);
  for (let round = 0; round <= repeat; round++) order = shuffle(stream(seed, CDME_SUITE, "texts", round), order);
  return order;
}

/** Joins texts up to a number of tokens; the last text is cut, and where the texts are too short the number is not reached. */
function joinTexts(
  texts: readonly number[],
  { budget, encode }: { readonly budget: number; readonly encode: (text: number) => TokenText },
): TokenText {
  const pieces: Uint8Array[] = [];
  const ends: number[] = [];
  let bytes = 0;
  for (const text of texts) {
    if (ends.length >= budget) break;
    const piece = encode(text);
    const taken = piece.ends.slice(0, budget - ends.length);
    for (const end of taken) ends.push(bytes + end);
    pieces.push(piece.bytes.subarray(0, taken.at(-1) ?? 0));
    bytes += taken.at(-1) ?? 0;
  }
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return { bytes: joined, ends };
}

/** Decodes tokens; what is left of a character that is cut in two is U+FFFD. */
function cutTokens({ bytes, ends }: TokenText, from: number, to: number): string {
  const byteAt = (token: number): number => token === 0 ? 0 : ends[token - 1]!;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(byteAt(from), byteAt(to)));
}
