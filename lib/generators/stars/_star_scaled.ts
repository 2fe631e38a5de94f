import { type Haystack, measure } from "@/lib/text/mod.ts";
import type { Layout, Part } from "../_layout.ts";
import type { Materials } from "../materials.ts";
import type { Recipe } from "../_recipe.ts";
import { starLine, starPart } from "./_star_part.ts";
import { referencePlaces } from "./_star_places.ts";
import type { StarLanguage } from "./_star_sentences.ts";
import type { StarText } from "./_star_texts.ts";

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
export interface ScaledOptions {
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
export function scaledLayout(
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
