import { starShares, type StarText, writeExampleStars, writeStars } from "./counts.ts";
import { COUNTING_STARS_SUITE, type StarLanguage, type StarSettings } from "./knobs.ts";
import { STAR, starAnswer, starAnswerPrefix, starQuestion, starWords } from "./sentences.ts";
import {
  checkEssays,
  essayFiller,
  type Layout,
  type Part,
  plantFacts,
  type Recipe,
  type RecipeRequest,
} from "@/lib/generators/mod.ts";
import { type Draw, integer, stream } from "@/lib/random/mod.ts";
import { type Haystack, makeHaystack, measure, splitSentences, type Tokenizer } from "@/lib/text/mod.ts";

export function starRecipe(settings: StarSettings, request: RecipeRequest): Recipe {
  const { name } = settings;
  const { materials, length, seed, index, options } = request;
  // Subtle: the order of the knobs is part of the path of every draw. The scorer changes no text.
  const { stars: count, language, sentence, ask, order, values, edition, scorer: _, ...later } = options;
  const knobs = { stars: count, language, sentence, ask, order, values, edition, ...later };
  const { tokenizer } = materials;
  const draw = stream(seed, COUNTING_STARS_SUITE, name, JSON.stringify(knobs), length, index);
  const { texts, references, distractors } = writeStars(settings, draw);
  const { thing } = starWords(settings);
  const all = materials.essaysIn(settings.language);
  const essays = materials.remember(`counting stars/${all.name}/${thing}`, () => {
    const kept = thing === STAR ? all : passOver(thing, { essays: all, tokenizer });
    checkEssays(kept, { task: name, ...markOf(thing) });
    return kept;
  });
  const after = [{ measured: measure(starQuestion(settings), tokenizer) }];
  const shared = {
    answerPrefix: settings.examples > 0 ? starAnswerPrefix(settings) : "",
    source: essays.name,
    references: () => references,
    ...(settings.sentence === "plain" || settings.ask === "sum" ? {} : { distractors }),
  };
  if (settings.edition !== "exact") {
    const { edition, language } = settings;
    return { ...shared, ...scaledLayout(texts, { edition, language, length, essays, thing, materials, after }) };
  }
  const start = integer(draw, { low: 0, high: essays.size - 1 });
  const stars = texts.map(({ place, pieces }) => ({ place, part: starPart(pieces, tokenizer) }));
  const before = exampleParts(settings, { draw, essays, tokenizer, texts, references });
  const shares = starShares(settings, texts);
  const fillerOfEssays = essayFiller(essays, { start, tokenizer });
  const layOut = (size: number, filler = fillerOfEssays, added = 0): Layout => {
    const breaks = nearestBreaks(shares, { essays, start, size });
    const planted = stars.map(({ part }, star) => ({
      at: breaks[star]! + (breaks[star] === size ? added : 0),
      part: () => part,
    }));
    return { before, context: plantFacts(planted, { filler, size: size + added, breaksLines: true }), after };
  };
  return {
    ...shared,
    least: 0,
    most: Infinity,
    layOut: (size) => layOut(size),
    closeGap(size, gap, fits): Layout {
      for (const { filler, added } of fillerOfEssays.tighten?.(size, gap) ?? []) {
        const layout = layOut(size, filler, added);
        if (fits(layout)) return layout;
      }
      return layOut(size);
    },
  };
}

/** The pattern that essays must not have: the counted thing, as a whole word in languages that separate words. */
function markOf(thing: string): { readonly mark: string | RegExp; readonly called: string } {
  if (thing === STAR) return { mark: STAR, called: "the mark that is counted, ★" };
  const called = `what is counted, ${thing}`;
  if (!/^[A-Za-z]/.test(thing)) return { mark: thing, called };
  const words = thing.split(/\s+/).map(RegExp.escape).join("\\s+");
  return { mark: new RegExp(`\\b${words}\\b`, "i"), called };
}

/** Drops the sentences of the essays that name the thing. */
function passOver(
  thing: string,
  { essays, tokenizer }: { readonly essays: Haystack; readonly tokenizer: Tokenizer },
): Haystack {
  const { mark } = markOf(thing);
  const isFree = (text: string): boolean => typeof mark === "string" ? !text.includes(mark) : !mark.test(text);
  const { name, texts, separator } = essays;
  if (texts.every(isFree)) return essays;
  const locale = separator === "" ? "zh" : "en";
  const kept = texts.map((text) => splitSentences(text, locale).filter(isFree).join("").trim())
    .filter((text) => text !== "");
  return makeHaystack(kept, { name, tokenizer, locale });
}

/**
 * Writes worked examples: each a few sentences of the essays with a star after each but the last, the question, and its answer.
 * No count is in two of them, or in the sample's own text.
 */
function exampleParts(settings: StarSettings, options: {
  readonly draw: Draw;
  readonly essays: Haystack;
  readonly tokenizer: Tokenizer;
  readonly texts: readonly StarText[];
  readonly references: readonly string[];
}): Part[] {
  const { draw, essays, tokenizer, ...own } = options;
  const taken = new Set(listCounts(own));
  return Array.from({ length: settings.examples }, () => {
    const example = writeExampleStars(settings, { draw, taken });
    for (const count of listCounts(example)) taken.add(count);
    const stars = example.texts.map(({ pieces }, star) => {
      const part = starPart(pieces.map(({ text, fact }) => ({ text, fact: { ...fact, role: "example" } })), tokenizer);
      return { at: star + 1, part: () => part };
    });
    const filler = essayFiller(essays, { start: integer(draw, { low: 0, high: essays.size - 1 }), tokenizer });
    const solved = `${starQuestion(settings)}${starAnswer(settings, example.references)}\n\n\n\n`;
    return [
      ...plantFacts(stars, { filler, size: stars.length + 1, breaksLines: true }),
      { measured: measure(solved, tokenizer) },
    ];
  }).flat();
}

function listCounts(
  { texts, references }: { readonly texts: readonly StarText[]; readonly references: readonly string[] },
): string[] {
  return [...texts.flatMap(({ pieces }) => pieces.map(({ fact }) => fact.value)), ...references];
}

/** A star's sentence as a part of a layout, each count a fact. */
function starPart(pieces: StarText["pieces"], tokenizer: Tokenizer): Part {
  const parts = pieces.map(({ text, fact }, number) => {
    const before = number === 0 ? "\n" : "";
    const after = number === pieces.length - 1 ? "\n" : "";
    return { measured: measure(before + text + after, tokenizer), fact };
  });
  return { measured: measure(starLine(pieces), tokenizer), parts };
}

function starLine(pieces: StarText["pieces"]): string {
  return `\n${pieces.map(({ text }) => text).join("")}\n`;
}

/** Returns the sentence breaks nearest to some shares of the text. */
function nearestBreaks(
  shares: readonly number[],
  { essays, start, size }: { readonly essays: Haystack; readonly start: number; readonly size: number },
): number[] {
  // Ignores the few tokens at the ends of a run: they take time to count and move no break.
  const tokensUpTo = (sentences: number): number => Math.max(0, essays.run(start, sentences).inner);
  const total = tokensUpTo(size);
  return shares.map((share) => {
    const place = share * total;
    let low = 0;
    let high = size;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (tokensUpTo(middle) <= place) low = middle;
      else high = middle;
    }
    return place - tokensUpTo(low) <= tokensUpTo(high) - place ? low : high;
  });
}

interface ScaledOptions extends Pick<RecipeRequest, "length" | "materials"> {
  readonly edition: "v1" | "v3";
  readonly language: StarLanguage;
  readonly essays: Haystack;
  readonly thing: string;
  readonly after: readonly Part[];
}

/** The measures of text of the two editions: units per token of the nominal length, rounded down as the reference does. */
export const SCALES = {
  v1: { zh: { factor: 0.725, unit: "characters" }, en: { factor: 1, unit: "characters" } },
  v3: { zh: { factor: 0.7, unit: "characters" }, en: { factor: 0.8, unit: "words" } },
} as const;

/**
 * Lays stars out as an edition of the reference does: the text starts at its beginning, is measured in characters or words and
 * may be cut anywhere, and the question comes on top.
 */
function scaledLayout(
  texts: readonly StarText[],
  options: ScaledOptions,
): Pick<Recipe, "least" | "most" | "fixedSize" | "layOut"> {
  const { edition, language, length, materials, after } = options;
  const { tokenizer } = materials;
  const { factor, unit } = SCALES[edition][language];
  const units = unitsOf(options);
  const separator = unit === "words" ? " " : "";
  const stars = texts.map(({ pieces }) => ({ part: starPart(pieces, tokenizer), ...lengthOf(starLine(pieces), unit) }));
  const layOut = (size: number): Layout => {
    const places = referencePlaces(stars, { size, edition });
    const stretch = (from: number, to: number): Part[] => {
      if (to <= from) return [];
      const text = Array.from({ length: to - from }, (_, at) => units[(from + at) % units.length]!).join(separator);
      return text === "" ? [] : [{ measured: measure(text, tokenizer) }];
    };
    const context = stars.flatMap(({ part }, star) => [...stretch(places[star - 1] ?? 0, places[star]!), part]);
    return { before: [], context: [...context, ...stretch(places.at(-1)!, size)], after };
  };
  return { least: texts.length, most: Infinity, fixedSize: Math.floor(length * factor), layOut };
}

/** A star's length by the reference's count, and by its effect on the text: line breaks join it to the words around it. */
function lengthOf(line: string, unit: "characters" | "words"): { readonly counted: number; readonly added: number } {
  if (unit === "characters") {
    const characters = Array.from(line).length;
    return { counted: characters, added: characters };
  }
  const words = line.split(" ").length;
  return { counted: words, added: words - 2 };
}

/**
 * Returns the number of units of clean text before each star, as the reference's generators place them.
 *
 * Star i belongs at i * floor(size / M). The first edition measures that in the text with the earlier stars, so later stars
 * come early. The third adds i - 1 times the star's own length, so places drift by a few units if stars differ in length or
 * have more counted words than they add. No place is before the last or after the end.
 */
function referencePlaces(
  stars: readonly { readonly counted: number; readonly added: number }[],
  { size, edition }: { readonly size: number; readonly edition: "v1" | "v3" },
): number[] {
  const interval = Math.floor(size / stars.length);
  let inserted = 0;
  let last = 0;
  return stars.map(({ counted, added }, number) => {
    const shift = edition === "v1" ? 0 : counted * number;
    const place = interval * (number + 1) + shift - inserted;
    inserted += added;
    last = Math.min(size, Math.max(last, place));
    return last;
  });
}

function unitsOf({ edition, language, essays, thing, materials }: ScaledOptions): readonly string[] {
  const { unit } = SCALES[edition][language];
  return materials.remember(`counting stars/${essays.name}/${thing}/${language}/${unit}`, () => {
    const text = language === "zh" ? joinChinese(essays.texts) : joinEnglish(essays.texts);
    const units = unit === "words" ? text.split(" ") : Array.from(text);
    // Cleaning can remove a text of another language.
    return units.some((one) => one !== "") ? units : Array.from(essays.run(0, essays.size).text.trim());
  });
}

/**
 * Joins English texts as the reference does: line breaks become spaces, and nothing separates one text from the next. Two
 * spaces count as an empty word between them.
 */
function joinEnglish(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(/\r\n?|\n/g, " ")).join("");
}

/** Joins Chinese texts as the reference does: trims lines and removes ASCII spaces, punctuation and letters. */
function joinChinese(texts: readonly string[]): string {
  const lines = texts.flatMap((text) => text.split(/\r\n?|\n/));
  // The reference keeps the backslash, by a slip in its pattern.
  return lines.map((line) => line.trim().replaceAll(/[ !-/:-@[\]-`{-~A-Za-z]/g, "")).join("");
}
