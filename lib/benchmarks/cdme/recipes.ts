import { basename } from "node:path";
import { sum } from "@/lib/base/mod.ts";
import { cdmePlaces } from "./grids.ts";
import {
  CDME_SUITE,
  CDME_TEMPLATES,
  type CdmeEdition,
  type CdmeItem,
  cdmeItem,
  type CdmeItemName,
  type CdmeLanguage,
  guideQuestion,
  readAnswerForm,
} from "./items.ts";
import {
  askAll,
  breakAt,
  checkEssays,
  depthGrid,
  type DepthSpacing,
  essayFiller,
  fillBy,
  type Filler,
  type Layout,
  type Materials,
  type Part,
  placeInGrid,
  plantFacts,
  type Recipe,
  type RecipeRequest,
  type SampleRequest,
} from "@/lib/generators/mod.ts";
import { shuffle, spread, stream } from "@/lib/random/mod.ts";
import { type Haystack, makeHaystack, measure, type Tokenizer } from "@/lib/text/mod.ts";

/** The seed of the draws of shared texts; a round of version 3 has the texts of version 2 in another order. */
const DRAWS = "cdme-2";

export interface CdmeSettings {
  readonly name: string;
  readonly language: CdmeLanguage;
  readonly edition: CdmeEdition;
  /** The name of needles that come with Fathom, or the user's own. */
  readonly item: CdmeItemName | CdmeItem;
  readonly depths: number;
  readonly texts: "own" | "shared";
  readonly spacing: DepthSpacing;
  /** The depth of the first needle of every sample in [0, 1], instead of a grid. */
  readonly depth?: number;
  readonly gap: number;
  readonly lengthBuffer: number;
  readonly guide: boolean;
  readonly trim: boolean;
  readonly questions: number;
  readonly files: "mixed" | "each";
}

/** Returns the needles of a question by the number of the context's repeat. */
export function itemOf({ item, language, edition }: CdmeSettings, number: number, question = 0): CdmeItem {
  return typeof item === "string" ? cdmeItem(item, { language, edition, number, question }) : item;
}

/** Lays a sample out without the original's flaws. */
export function fixedCdmeRecipe(settings: CdmeSettings, request: RecipeRequest): Recipe {
  const { materials, index } = request;
  const { tokenizer } = materials;
  const { gap, depths, questions } = settings;
  const { text, turn } = findPlace(settings, index);
  const { essays } = essaysOf(settings, request);
  const [start = 0] = spread([...textPath(settings, request), "start"], { index: text, dimensions: 1 });
  const filler = tryTwice(essayFiller(essays, { start: Math.floor(start * essays.size), tokenizer }));
  const asked = Array.from({ length: questions }, (_, question) => {
    const item = itemOf(settings, turn, question);
    checkNeedles(item, { task: settings.name, essays, materials });
    // The needles of each question go through all depths; those of a text are far from one another.
    const { depth } = findPlace(settings, index + question * Math.ceil(depths / questions));
    const facts = needleFacts(item, settings).map((fact) => ({ ...fact, answers: { [question]: fact.value } }));
    const needles = item.needles.map((needle, at) => {
      const text = (isFirst: boolean): string => isFirst || /^\s/.test(needle) ? needle : essays.separator + needle;
      const part = (isFirst: boolean): Part => ({ measured: measure(text(isFirst), tokenizer), fact: facts[at]! });
      return { depth: Math.min(1, (depth + at * gap) / 100), part };
    });
    const references = (): string[] => cdmeReferences(item);
    const { before, after } = surround(item, settings, tokenizer);
    return { before, needles, question: { after, answerPrefix: "", references, depth: depth / 100 } };
  });
  const [{ before, question: { after } }] = asked as [typeof asked[0]];
  const layOut = (size: number, by: Filler): Layout => {
    const planted = asked.flatMap(({ needles }) => needles).map(({ depth, part }) => ({
      at: breakAt(depth, { filler: by, size, tokenizer }),
      part,
    })).sort((left, right) => left.at - right.at);
    return { before, context: plantFacts(planted, { filler: by, size, breaksLines: true }), after };
  };
  return { ...fillBy(filler, layOut), ...askAll(asked.map(({ question }) => question)), source: essays.name };
}

/** Returns the path of the draws of texts: the same for every length, task and language if depths share them. */
function textPath({ name, texts }: CdmeSettings, { seed, length, options }: RecipeRequest): (string | number)[] {
  return texts === "shared" ? [seed, DRAWS] : [seed, CDME_SUITE, name, JSON.stringify(options), length];
}

/** Returns the essays of a sample, those of one file if each has its own, and the number of the text among those of the file. */
function essaysOf(
  settings: CdmeSettings,
  { materials, index }: SampleRequest,
): { readonly essays: Haystack; readonly round: number } {
  const { files, language } = settings;
  const { text, turn } = findPlace(settings, index);
  const all = materials.essaysIn(language);
  if (files === "mixed") return { essays: all, round: text };
  const { texts, textNames = [] } = all;
  const fileOf = (at: number): string => textNames[at]?.replace(/, line \d+$/, "") ?? `text ${at + 1}`;
  const ofFiles = [...Map.groupBy(texts.keys(), fileOf)];
  const [name, places] = ofFiles[turn % ofFiles.length]!;
  const makeFile = (): Haystack =>
    makeHaystack(places.map((at) => texts[at]!), {
      name: `${all.name}/${basename(name)}`,
      tokenizer: materials.tokenizer,
      locale: all.separator === "" ? "zh" : "en",
    });
  const essays = materials.remember(`cdme file/${all.name}/${name}`, makeFile);
  return { essays, round: settings.texts === "shared" ? Math.floor(text / ofFiles.length) : text };
}

/** Returns the texts around the context: the opening and the question. */
function surround(
  { question }: CdmeItem,
  { language, edition, guide }: CdmeSettings,
  tokenizer: Tokenizer,
): Pick<Layout, "before" | "after"> {
  const { opening, questionLead } = CDME_TEMPLATES[language];
  const asked = guide ? guideQuestion(question, { language, losesRest: edition === "original" }) : question;
  const [before, after] = [opening, questionLead + asked].map((text) => [{ measured: measure(text, tokenizer) }]);
  return { before: before!, after: after! };
}

/** Tokens by which a count can differ at the ends of needles, which move if a sentence is added. */
const LOST_WHERE_SENTENCES_MEET = 4;

/** Closes a gap by a sentence that just fits, or by one that leaves room for the tokens at the joins. */
function tryTwice(filler: Filler): Filler {
  return {
    ...filler,
    *tighten(size, gap): ReturnType<NonNullable<Filler["tighten"]>> {
      yield* filler.tighten!(size, gap);
      yield* filler.tighten!(size, gap - LOST_WHERE_SENTENCES_MEET);
    },
  };
}

function checkNeedles(
  { needles }: CdmeItem,
  { task, essays, materials }: { readonly task: string; readonly essays: Haystack; readonly materials: Materials },
): void {
  for (const needle of needles) {
    materials.remember(
      `cdme haystack/${essays.name}/${needle}`,
      () => checkEssays(essays, { task, mark: needle, called: "the needle" }),
    );
  }
}

function cdmeReferences({ answer, keyword }: CdmeItem): string[] {
  return [answer.trim(), ...(keyword === undefined ? [] : [keyword])];
}

function needleFacts(item: CdmeItem, { language }: CdmeSettings): NonNullable<Part["fact"]>[] {
  const { needles, question, answer, keyword } = item;
  const { before, after } = readAnswerForm(question, language) ?? { before: "", after: "" };
  const filled = answer.trim();
  const isFilled = filled.startsWith(before) && filled.endsWith(after);
  const value = keyword ?? (isFilled ? filled.slice(before.length, filled.length - after.length) : filled);
  return needles.map((needle) => ({ role: "target", text: needle.trim(), key: question, value }));
}

/** Returns the parts of a sample by its number; depths change fastest, from first to last in the original. */
function findPlace(settings: CdmeSettings, index: number): {
  /** The requested depth of the first needle, in percent. */
  readonly depth: number;
  /** The number of the text around the needles, from 0. */
  readonly text: number;
  /** The number by which needles and files take turns: the same at no depth of two rounds. */
  readonly turn: number;
} {
  const { depth, depths, spacing, edition, texts } = settings;
  if (depth !== undefined) return { depth: 100 * depth, text: index, turn: index };
  const isOriginal = edition === "original";
  const { place, round } = placeInGrid(index, depths);
  // The original truncates every depth; the corrected sigmoid reaches both ends and keeps its decimals.
  const isWhole = isOriginal || spacing === "linear";
  const grid = depthGrid({ points: depths, spacing, pinned: !isOriginal, ...(isWhole ? { whole: "floor" } : {}) });
  const at = isOriginal ? index % depths : place;
  // By depth and not by number, which goes back and forth between the halves of the text.
  const numbers = texts === "shared" ? { text: round, turn: round } : { text: index, turn: at + round };
  return { depth: grid[at]!, ...numbers };
}

/** Lays a sample out as OpenCompass does: tokens are cut and joined at any place, even inside characters. */
export function originalCdmeRecipe(settings: CdmeSettings, request: RecipeRequest): Recipe {
  const { materials, length, index } = request;
  const { tokenizer } = materials;
  const { name, gap, lengthBuffer } = settings;
  const { depth, turn } = findPlace(settings, index);
  const item = itemOf(settings, turn);
  const { essays, round } = essaysOf(settings, request);
  checkNeedles(item, { task: name, essays, materials });
  const needles = item.needles.map((needle) => tokenizer.count(needle));
  const budget = Math.max(0, length - lengthBuffer - sum(needles));
  const encode = openEncoder(tokenizer, name);
  const { texts } = essays;
  const encodeOnce = (number: number): TokenText =>
    materials.remember(`cdme tokens/${essays.name}/${number}`, () => encode(texts[number]!));
  const text = joinTexts(orderTexts(texts.length, { path: textPath(settings, request), round }), {
    budget,
    encode: encodeOnce,
  });
  const { original } = cdmePlaces({ tokens: text.ends.length, depth, gap, needles });
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
  const around = surround(item, settings, tokenizer);
  return {
    least: 0,
    most: 0,
    fixedSize: 0,
    layOut: () => ({ ...around, context }),
    answerPrefix: "",
    references: () => cdmeReferences(item),
    depth: depth / 100,
    source: essays.name,
  };
}

/** The least length at which the original has any context. */
export function leastOriginalLength(settings: CdmeSettings, { tokenizer }: Materials): number {
  const tokens = sum(itemOf(settings, 0).needles, (needle) => tokenizer.count(needle));
  return Math.ceil((settings.lengthBuffer + tokens + 1) / 8) * 8;
}

/** UTF-8 bytes, and the number of bytes before the end of each token. */
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

/** Shuffles the numbers of texts once for each text so far, each time from the previous order. */
function orderTexts(
  texts: number,
  { path, round: last }: { readonly path: readonly (string | number)[]; readonly round: number },
): readonly number[] {
  let order = Array.from({ length: texts }, (_, number) => number);
  for (let round = 0; round <= last; round++) order = shuffle(stream(...path, "texts", round), order);
  return order;
}

/** Joins texts up to `budget` tokens and cuts the last one; texts that are too short stay below it. */
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

/** Decodes tokens; each half of a character that is cut in two becomes U+FFFD. */
function cutTokens({ bytes, ends }: TokenText, from: number, to: number): string {
  const byteAt = (token: number): number => token === 0 ? 0 : ends[token - 1]!;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(byteAt(from), byteAt(to)));
}
