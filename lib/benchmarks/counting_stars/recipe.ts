import {
  COUNTING_STARS_SUITE,
  type StarLanguage,
  starQuestion,
  type StarSettings,
  type StarText,
  writeStars,
} from "./sentences.ts";
import {
  checkEssays,
  essayFiller,
  type Filler,
  type Layout,
  type Materials,
  type Part,
  plantFacts,
  type Recipe,
  type SampleRequest,
} from "@/lib/generators/mod.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { type Haystack, measure, type Tokenizer } from "@/lib/text/mod.ts";

/** Decides everything random about a sample of Counting-Stars. */
export function starRecipe(settings: StarSettings, request: SampleRequest): Recipe {
  // Whose reading is scored changes no text.
  const { name, scorer: _, ...knobs } = settings;
  const { materials, length, seed, index } = request;
  const { tokenizer } = materials;
  const draw = stream(seed, COUNTING_STARS_SUITE, name, JSON.stringify(knobs), length, index);
  const { texts, references, distractors } = writeStars(settings, draw);
  const essays = materials.essaysIn(settings.language);
  materials.remember(
    `counting stars/${essays.name}`,
    () => checkEssays(essays, { task: name, mark: "★", called: "the mark that is counted, ★" }),
  );
  const after = [{ measured: measure(starQuestion(settings), tokenizer) }];
  const shared = {
    answerPrefix: "",
    source: essays.name,
    references: () => references,
    ...(distractors.some((text) => text !== "") ? { distractors } : {}),
  };
  if (settings.edition !== "exact") {
    const { edition, language } = settings;
    return { ...shared, ...scaledLayout(texts, { edition, language, length, essays, materials, after }) };
  }
  const start = integer(draw, { low: 0, high: essays.size - 1 });
  const stars = texts.map(({ place, pieces }) => ({ place, part: starPart(pieces, tokenizer) }));
  const shares = texts.map(({ place }) => place / settings.stars);
  const layOut = (size: number, longer?: Longer): Layout => {
    const { filler, added } = longer ?? { filler: essayFiller(essays, { start, tokenizer }), added: 0 };
    const breaks = nearestBreaks(shares, { essays, start, size });
    const planted = stars.map(({ part }, star) => ({
      at: breaks[star]! + (breaks[star] === size ? added : 0),
      part: () => part,
    }));
    return { before: [], context: plantFacts(planted, { filler, size: size + added }), after };
  };
  return {
    ...shared,
    least: 0,
    most: Infinity,
    layOut: (size) => layOut(size),
    closeGap(size, gap, fits): Layout {
      for (const longer of essayFiller(essays, { start, tokenizer }).tighten?.(size, gap) ?? []) {
        const layout = layOut(size, longer);
        if (fits(layout)) return layout;
      }
      return layOut(size);
    },
  };
}

/** A filler whose last sentence was chosen to use up a gap. */
interface Longer {
  readonly filler: Filler;
  readonly added: number;
}

/** Finds the sentence breaks that are nearest to evenly spaced places. */
function nearestBreaks(
  shares: readonly number[],
  { essays, start, size }: { readonly essays: Haystack; readonly start: number; readonly size: number },
): number[] {
  // The few tokens at the ends of a run are left out: they cost time to count and move no break.
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

/**
 * Gives how many units of clean text stand before each star, as the reference's generators place them.
 *
 * A star belongs at i * floor(size / M). The first edition measures that in the text with the stars before it, so that later
 * stars come early; the third adds i - 1 times the present star's length, so that places drift by a few units where stars
 * differ in length, or where a star's counted words are more than it adds.
 *
 * @param stars For each star in order its length as the reference counts it, and as it adds to the text, in units.
 * @param options `size` of the clean text in units; `edition`.
 * @returns The places, none before the last and none beyond the end.
 */
export function referencePlaces(
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

/** Gives a star's sentence as it stands in the text: on a line of its own. */
function starLine(pieces: StarText["pieces"]): string {
  return `\n${pieces.map(({ text }) => text).join("")}\n`;
}

/** Gives the same as a part of a layout, each count in it a fact. */
function starPart(pieces: StarText["pieces"], tokenizer: Tokenizer): Part {
  const parts = pieces.map(({ text, fact }, number) => {
    const before = number === 0 ? "\n" : "";
    const after = number === pieces.length - 1 ? "\n" : "";
    return { measured: measure(before + text + after, tokenizer), fact };
  });
  return { measured: measure(starLine(pieces), tokenizer), parts };
}

/** How an edition of the reference counts a text's length. */
interface Scale {
  /** Units for each token of the nominal length. */
  readonly factor: number;
  readonly unit: "characters" | "words";
}

const SCALES: Readonly<Record<"v1" | "v3", Readonly<Record<StarLanguage, Scale>>>> = {
  v1: { zh: { factor: 0.725, unit: "characters" }, en: { factor: 1, unit: "characters" } },
  v3: { zh: { factor: 0.7, unit: "characters" }, en: { factor: 0.8, unit: "words" } },
};

/** Gives how many units of text a nominal length has in an edition, rounded down as the reference does. */
export function scaledSize(
  length: number,
  { edition, language }: { readonly edition: "v1" | "v3"; readonly language: StarLanguage },
): number {
  return Math.floor(length * SCALES[edition][language].factor);
}

/** What a layout in an edition of the reference is made of. */
interface ScaledOptions {
  readonly edition: "v1" | "v3";
  readonly language: StarLanguage;
  /** The nominal length, in tokens. */
  readonly length: number;
  readonly essays: Haystack;
  readonly materials: Materials;
  /** The question. */
  readonly after: readonly Part[];
}

/**
 * Lays stars out as an edition of the reference does: the text begins at its beginning, is counted in characters or words and
 * may be cut anywhere, and the question comes on top of it.
 */
function scaledLayout(
  texts: readonly StarText[],
  options: ScaledOptions,
): Pick<Recipe, "least" | "most" | "fixedSize" | "layOut"> {
  const { edition, language, length, materials, after } = options;
  const { tokenizer } = materials;
  const { unit } = SCALES[edition][language];
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
  return { least: texts.length, most: Infinity, fixedSize: scaledSize(length, options), layOut };
}

/** Tells a star's length as the reference counts it, and as it adds to the text, where line breaks glue words together. */
function lengthOf(line: string, unit: Scale["unit"]): { readonly counted: number; readonly added: number } {
  if (unit === "characters") {
    const characters = Array.from(line).length;
    return { counted: characters, added: characters };
  }
  const words = line.split(" ").length;
  return { counted: words, added: words - 2 };
}

function unitsOf({ edition, language, essays, materials }: ScaledOptions): readonly string[] {
  const { unit } = SCALES[edition][language];
  return materials.remember(`counting stars/${essays.name}/${language}/${unit}`, () => {
    const text = language === "zh" ? joinChinese(essays.texts) : joinEnglish(essays.texts);
    const units = unit === "words" ? text.split(" ") : Array.from(text);
    // A text of another language can be cleaned away.
    return units.some((one) => one !== "") ? units : Array.from(essays.run(0, essays.size).text.trim());
  });
}

/**
 * Joins English texts as the reference does: line breaks become spaces, and nothing parts a text from the next. Each of two
 * spaces ends a word for it, so that an empty word between them counts.
 */
function joinEnglish(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(/\r\n?|\n/g, " ")).join("");
}

/** Joins and cleans Chinese texts as the reference does: no space at the ends of lines, no ASCII spaces, punctuation or letters. */
function joinChinese(texts: readonly string[]): string {
  const lines = texts.flatMap((text) => text.split(/\r\n?|\n/));
  // The stroke \ stays there, by a slip in a pattern.
  return lines.map((line) => line.trim().replaceAll(/[ !-/:-@[\]-`{-~A-Za-z]/g, "")).join("");
}
