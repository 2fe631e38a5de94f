import "@expo-google-fonts/inter/package.json" with { type: "json" };
import "@expo-google-fonts/zcool-xiaowei/package.json" with { type: "json" };
import { unprintable } from "./_glyphs.ts";
import type { Figure } from "./figure.ts";

/** Options for {@linkcode drawPng}. */
export interface PngOptions {
  /**
   * Pixels of the PNG for each pixel of the figure. Range: above 0, to 10.
   *
   * @default {2}
   */
  readonly scale?: number;
  /** Paths of further font files (.ttf, .otf, .ttc), for characters that no other font writes. */
  readonly fontFiles?: readonly string[];
  /**
   * Whether the machine's fonts may write what those that come along cannot: other scripts and rare characters.
   *
   * @default {true}
   */
  readonly systemFonts?: boolean;
}

/**
 * Draws a figure as a PNG picture.
 *
 * Text is written in Inter, and Chinese in ZCOOL XiaoWei, which come along as packages, so that the picture is the same on
 * every machine; only for characters that neither has are the machine's own fonts looked at. Needs the permissions to read, to
 * load a native library (`--allow-ffi`) and to see the system (`--allow-sys`).
 *
 * @param figure What to draw.
 * @param options Scale and fonts.
 * @returns The bytes of a PNG file.
 * @throws {RangeError} If `scale` is outside its range, or no font at hand has a character of the figure.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { barChart } from "@/lib/charts/mod.ts";
 *
 * const figure = barChart([{ task: "vt", score: 91 }], {
 *   title: "One bar",
 *   caption: "One task.",
 *   origin: "measured",
 *   n: 10,
 *   category: "task",
 *   value: "score",
 *   categoryTitle: "Task",
 *   valueTitle: "Score (%)",
 * });
 * const png = await drawPng(figure);
 * deepEqual([...png.slice(1, 4)].map((code) => String.fromCharCode(code)).join(""), "PNG");
 * ```
 */
export async function drawPng(figure: Figure, options: PngOptions = {}): Promise<Uint8Array> {
  const { scale = 2, fontFiles = [], systemFonts = true } = options;
  if (!(scale > 0 && scale <= 10)) {
    throw new RangeError(`Cannot draw the PNG as scale must be above 0 and at most 10: current value is ${scale}`);
  }
  const svg = await figure.svg();
  const { Resvg } = await import("@resvg/resvg-js");
  const own = {
    loadSystemFonts: false,
    defaultFontFamily: "Inter",
    sansSerifFamily: "Inter",
    fontFiles: [interFile("400Regular/Inter_400Regular"), interFile("600SemiBold/Inter_600SemiBold"), ...fontFiles],
  };
  const withChinese = { ...own, fontFiles: [...own.fontFiles, chineseFile()] };
  const choices = [own, withChinese, ...(systemFonts ? [{ ...withChinese, loadSystemFonts: true }] : [])];
  let font = own;
  let missing = "";
  for (const choice of choices) {
    font = choice;
    missing = await unprintable(svg, font);
    if (missing === "") break;
  }
  if (missing !== "") {
    throw new RangeError(
      `Cannot draw the PNG as its fonts must have every character: current value is "${
        missing.slice(0, 40)
      }" without a font; ` +
        "install one (Debian: fonts-noto-cjk), name it in fontFiles, or save an .svg",
    );
  }
  return new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render().asPng();
}

function interFile(name: string): string {
  return fontFile(`@expo-google-fonts/inter/${name}.ttf`);
}

function chineseFile(): string {
  return fontFile("@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf");
}

function fontFile(path: string): string {
  return decodeURIComponent(new URL(import.meta.resolve(path)).pathname);
}
