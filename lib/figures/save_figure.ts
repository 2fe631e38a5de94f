import type { ResvgRenderOptions } from "@resvg/resvg-js";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { type Figure, htmlPage } from "./figure.ts";
import type { Table } from "./table.ts";
import { escapeHtml } from "@/lib/text/mod.ts";

/**
 * Writes a figure or a table to a file, in the format of its extension. Creates missing folders.
 *
 * A figure can be `.svg`, `.png`, `.html` (a page that needs nothing else) or `.json` (its Vega-Lite specification); a
 * table `.html`, `.md` or `.txt`.
 *
 * @throws {RangeError} If the name has none of these extensions; then nothing is written.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { table } from "@/lib/figures/mod.ts";
 *
 * const scores = table([{ task: "vt", score: 91 }], {
 *   title: "One task",
 *   caption: "Ten samples.",
 *   origin: "measured",
 *   n: 10,
 *   columns: [{ field: "task", label: "Task" }, { field: "score", label: "Score (%)" }],
 * });
 * const folder = await Deno.makeTempDir();
 * await saveFigure(scores, `${folder}/new/scores.md`);
 * match(await Deno.readTextFile(`${folder}/new/scores.md`), /\| vt \| 91 \|/);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveFigure(shown: Figure | Table, path: string, options: PngOptions = {}): Promise<void> {
  const ending = extname(path).toLowerCase();
  const forms = "svg" in shown ? figureForms(shown, options) : tableForms(shown);
  const make = forms[ending];
  if (make === undefined) {
    const wanted = Object.keys(forms).join(", ");
    throw new RangeError(
      `Cannot save "${shown.title}" as the file name must end in ${wanted}: current value is "${path}"`,
    );
  }
  const content = await make();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

type Forms = Readonly<Record<string, () => Promise<string | Uint8Array> | string>>;

function figureForms(figure: Figure, options: PngOptions): Forms {
  return {
    ".svg": figure.svg,
    ".png": () => drawPng(figure, options),
    ".html": async () =>
      htmlPage(figure.title, `<figure aria-label="${escapeHtml(figure.title)}">${await figure.svg()}</figure>`),
    ".json": () => JSON.stringify(figure.spec, null, 2) + "\n",
  };
}

function tableForms(table: Table): Forms {
  return {
    ".html": () => htmlPage(table.title, table.html),
    ".md": () => table.markdown,
    ".txt": () => table.text,
  };
}

/** Options for {@linkcode drawPng}. */
export interface PngOptions {
  /** Pixels of the PNG for each pixel of the figure. Range: above 0, to 10; 2 by default. */
  readonly scale?: number;
  /** Paths of additional font files (.ttf, .otf, .ttc), for characters that no other font has. */
  readonly fontFiles?: readonly string[];
  /** Whether system fonts may be used for characters that the bundled fonts lack; true by default. */
  readonly systemFonts?: boolean;
}

/**
 * Renders a figure as PNG.
 *
 * Text is set in Inter, and Chinese in ZCOOL XiaoWei, both bundled as packages, so that the picture is the same on
 * every machine; system fonts are used only for other characters. Requires `--allow-read`, `--allow-ffi` and
 * `--allow-sys`.
 */
export async function drawPng(figure: Figure, options: PngOptions = {}): Promise<Uint8Array> {
  const { scale = 2, fontFiles = [], systemFonts = true } = options;
  if (!(scale > 0 && scale <= 10)) {
    throw new RangeError(`Cannot draw the PNG as scale must be above 0 and at most 10: current value is ${scale}`);
  }
  const svg = await figure.svg();
  const [{ Resvg }] = await Promise.all([
    import("@resvg/resvg-js"),
    // Imported so that both packages are installed before their files are read.
    import("@expo-google-fonts/inter/package.json", { with: { type: "json" } }),
    import("@expo-google-fonts/zcool-xiaowei/package.json", { with: { type: "json" } }),
  ]);
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

const CELL = 24;
// A character that no font has, drawn like any missing character.
const NO_CHARACTER = "\u{10fffe}";

/**
 * Returns the characters of a picture's texts that no font has: those drawn as nothing, or like a character that does not exist.
 */
async function unprintable(svg: string, font: ResvgRenderOptions["font"] & object): Promise<string> {
  const characters = ["A", ...charactersOf(svg)];
  const cells = [NO_CHARACTER, ...characters].map((character, index) =>
    `<text x="${index * CELL + 3}" y="18" font-family="Inter" font-size="16">${character}</text>`
  );
  const width = cells.length * CELL;
  const { Resvg } = await import("@resvg/resvg-js");
  const strip = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${CELL}">${cells.join("")}</svg>`;
  const { pixels } = new Resvg(strip, { font }).render();
  const [missing, ...drawn] = cells.map((_, index) => cellOf(pixels, { index, width }));
  return characters.filter((_, index) => drawn[index] === missing || !/[^0,]/.test(drawn[index]!)).join("");
}

/** Returns the distinct visible characters beyond ASCII: neither spaces nor combining marks. */
function charactersOf(svg: string): string[] {
  const texts = svg.match(/>[^<]+</g)?.join("") ?? "";
  return [...new Set(texts)].filter((character) => /[^\x20-\x7e\p{M}\p{Cf}\p{Z}\p{Cc}]/u.test(character));
}

function cellOf(pixels: Uint8Array, { index, width }: { readonly index: number; readonly width: number }): string {
  const rows = Array.from({ length: CELL }, (_, row) => {
    const start = 4 * (row * width + index * CELL);
    return pixels.slice(start, start + 4 * CELL).join();
  });
  return rows.join();
}
