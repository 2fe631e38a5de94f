import type { Figure } from "./figure.ts";
import { htmlPage } from "./html_page.ts";
import type { Table } from "./table.ts";
import { escapeHtml } from "@/lib/base/mod.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";

/**
 * Writes a figure or a table to a file, in the format of its extension. Creates missing folders.
 *
 * A figure can be `.svg`, `.png`, `.html` (a page that needs nothing else) or `.json` (its Vega-Lite specification); a
 * table `.html`, `.md` or `.txt`.
 *
 * @throws {RangeError} If the name has none of these extensions; then nothing is written.
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
  return { ".html": () => htmlPage(table.title, table.html), ".md": () => table.markdown, ".txt": () => table.text };
}

/** Options for {@linkcode drawPng}. */
export interface PngOptions {
  /** Pixels of the PNG for each pixel of the figure, above 0 and at most 10; 2 by default. */
  readonly scale?: number;
}

/**
 * Renders a figure as PNG.
 *
 * Text is set in Inter, and Chinese in ZCOOL XiaoWei, both bundled as packages, so that the picture is the same on every machine;
 * system fonts are used only for other scripts and pictographs. Requires `--allow-read`, `--allow-ffi` and `--allow-sys`.
 */
export async function drawPng(figure: Figure, { scale = 2 }: PngOptions = {}): Promise<Uint8Array> {
  if (!(scale > 0 && scale <= 10)) {
    throw new RangeError(`Cannot draw the PNG as scale must be above 0 and at most 10: current value is ${scale}`);
  }
  const svg = await figure.svg();
  const [{ Resvg }] = await Promise.all([
    import("@resvg/resvg-js"),
    // Imported so that both packages are installed before their files are read.
    import("@expo-google-fonts/inter/package.json", { with: { type: "json" } }),
    import("@expo-google-fonts/zcool-xiaowei/package.json", { with: { type: "json" } }),
  ]).catch((error) => {
    // Node and Bun, where the package of this library does not bring them along.
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new RangeError(
      "Cannot draw the PNG as its renderer and fonts must be installed beside Fathom: npm install @resvg/resvg-js @expo-google-fonts/inter @expo-google-fonts/zcool-xiaowei",
    );
  });
  const files = ["inter/400Regular/Inter_400Regular", "inter/600SemiBold/Inter_600SemiBold"];
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(svg)) {
    files.push("zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular");
  }
  const font = {
    loadSystemFonts: UNCOMMON.test(svg),
    defaultFontFamily: "Inter",
    sansSerifFamily: "Inter",
    fontFiles: files.map(fontFile),
  };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render().asPng();
}

/** Scripts and pictographs that the bundled fonts lack. */
const UNCOMMON =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}/u;

function fontFile(name: string): string {
  return decodeURIComponent(new URL(import.meta.resolve(`@expo-google-fonts/${name}.ttf`)).pathname);
}
