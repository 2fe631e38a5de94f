import { dirname, extname } from "node:path";
import { mkdir, writeFile } from "node:fs/promises";
import type { Figure } from "./figure.ts";
import { escapeHtml, htmlPage } from "./_html.ts";
import { drawPng, type PngOptions } from "./png.ts";
import type { Table } from "./table.ts";

/**
 * Writes a figure or a table to a file, in the form its name asks for; missing folders are made.
 *
 * A figure can be `.svg`, `.png`, `.html` (a page that needs nothing else) or `.json` (its Vega-Lite specification); a
 * table `.html`, `.md` or `.txt`.
 *
 * @param shown What to write.
 * @param path Where to.
 * @param options Scale and fonts of a `.png`.
 * @throws {RangeError} If the name has none of these endings; nothing is written then.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { table } from "@/lib/charts/mod.ts";
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
