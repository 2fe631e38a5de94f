import type { Figure } from "./figure.ts";
import { drawPdf, type PaperOptions, paperSvg } from "./paper_figure.ts";
import { FONT } from "./theme.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";

/**
 * Writes a figure to a file in the format of its extension: `.svg`, `.pdf` or `.png`. Creates missing folders.
 *
 * @param paper Draws the chart alone, in this width and font, a PNG with 300 pixels an inch; title, note and caption are metadata of
 *   SVG and PDF.
 * @throws {RangeError} If the name has none of these extensions; then nothing is written.
 */
export async function saveFigure(figure: Figure, path: string, paper?: PaperOptions): Promise<void> {
  const svg = paper === undefined ? figure.svg : () => paperSvg(figure, paper);
  const fontsOf = async (text: string): Promise<string[]> =>
    paper?.font === undefined ? await bundledFonts(text) : [paper.font];
  const forms: Readonly<Record<string, (text: string) => Promise<string | Uint8Array> | string>> = {
    ".svg": (text) => text,
    ".pdf": async (text) => await drawPdf(text, await fontsOf(text), figure).catch(refuseMissing),
    ".png": async (text) => await drawPng(text, paper === undefined ? 2 : 300 / 96),
  };
  const make = forms[extname(path).toLowerCase()];
  if (make === undefined) {
    const wanted = `the file name must end in ${Object.keys(forms).join(", ")}`;
    throw new RangeError(`Cannot save "${figure.title}" as ${wanted}: current value is "${path}"`);
  }
  const content = await make(await svg());
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/**
 * Renders an SVG as PNG, in Inter and for Chinese in ZCOOL XiaoWei, both bundled as packages, so that it is the same on every machine;
 * system fonts are used for other scripts, pictographs and fonts. Requires `--allow-read`, `--allow-ffi` and `--allow-sys`.
 */
export async function drawPng(svg: string, scale: number): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js").catch(refuseMissing);
  const loadSystemFonts = UNCOMMON.test(svg) || !svg.includes(FONT);
  const font = { loadSystemFonts, sansSerifFamily: "Inter", fontFiles: await bundledFonts(svg) };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render().asPng();
}

/** Returns the files of the bundled fonts that a text needs: regular, semibold and, if it has any, Chinese. */
async function bundledFonts(text: string): Promise<string[]> {
  // Imported so that both packages are installed before their files are read.
  await Promise.all([
    import("@expo-google-fonts/inter/package.json", { with: { type: "json" } }),
    import("@expo-google-fonts/zcool-xiaowei/package.json", { with: { type: "json" } }),
  ]).catch(refuseMissing);
  const files = ["inter/400Regular/Inter_400Regular", "inter/600SemiBold/Inter_600SemiBold"];
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(text)) {
    files.push("zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular");
  }
  return files.map((file) =>
    decodeURIComponent(new URL(import.meta.resolve(`@expo-google-fonts/${file}.ttf`)).pathname)
  );
}

/** Names the packages that are missing in Node and Bun, where the package of this library does not bring them along. */
function refuseMissing(error: { readonly code?: string }): never {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  throw new RangeError(
    "Cannot draw the picture as its renderer and fonts must be installed beside Fathom: npm install @resvg/resvg-js @expo-google-fonts/inter @expo-google-fonts/zcool-xiaowei pdfkit svg-to-pdfkit",
  );
}

/** Scripts and pictographs that the bundled fonts lack. */
const UNCOMMON =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}/u;
