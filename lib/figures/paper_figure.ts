import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { Figure } from "./figure.ts";
import { renderSvg } from "./svg.ts";
import { FONT, LABEL_SIZE } from "./theme.ts";
import { escapeHtml } from "@/lib/base/mod.ts";

/** The form of a figure for a paper; a point is 1/72 inch. */
export interface PaperOptions {
  /** Width of the picture, in points; labels of 11 points need 200. */
  readonly width: number;
  /** Size of labels, in points; titles of axes and panels are a twelfth larger. */
  readonly fontSize: number;
  /** The font: its family in SVG and PNG, or its .ttf or .otf file, which a PDF needs; by default the bundled Inter. */
  readonly font?: string | undefined;
}

/** The width of the narrowest chart, in pixels. */
const NARROWEST = 200;

/**
 * Draws the chart of a figure alone, at the size of a paper, as SVG whose text remains text; title, note and caption are metadata.
 *
 * @throws {RangeError} If the width is too small for the labels.
 */
export async function paperSvg(figure: Figure, { width, fontSize, font = FONT }: PaperOptions): Promise<string> {
  const { title, note, caption } = figure;
  const pixels = width * LABEL_SIZE / fontSize;
  if (pixels < NARROWEST) {
    const wanted = `width must be at least ${Math.ceil(NARROWEST * fontSize / LABEL_SIZE)} points at this size of text`;
    throw new RangeError(`Cannot draw "${title}" as its ${wanted}: current value is ${width.toFixed(1)}`);
  }
  // The room around a chart is known once it is drawn.
  const [, across] = SIZE.exec(await renderSvg(figure.chart(pixels), title))!;
  const svg = await renderSvg(figure.chart(Math.floor(2 * pixels - Number(across))), title);
  const [size, drawn, down] = SIZE.exec(svg)!;
  const about = `<title>${escapeHtml(title)}</title><desc>${escapeHtml(`${note}. ${caption}`)}</desc>`;
  const wide = Math.max(pixels, Number(drawn));
  const height = Number(down) * width / wide;
  return svg.replaceAll(/<title>[^<]*<\/title>/g, "")
    .replace(`font-family="${FONT}"`, `font-family="${escapeHtml(basename(font).replace(/\.[ot]tf$/i, ""))}"`)
    .replace(size, `width="${width}pt" height="${height}pt" viewBox="0 0 ${wide} ${down}"`)
    .replace(/<svg [^>]*>/, (root) => root + about);
}

const SIZE = /width="(\d+)" height="(\d+)" viewBox="[^"]*"/;

/**
 * Converts the SVG of a figure to PDF: paths, and text in fonts that are embedded. A pixel without a unit is a point.
 *
 * @param fonts The files of its fonts: regular, and if there are, bold and the one of all its text.
 */
export async function drawPdf(
  svg: string,
  [regular = "", bold = regular, whole]: readonly string[],
  { title, note, caption }: Pick<Figure, "title" | "note" | "caption">,
): Promise<Uint8Array> {
  const { default: PDFDocument } = await import("pdfkit");
  const { default: drawSvg } = await import("svg-to-pdfkit");
  const size = /width="([\d.]+)(?:pt)?" height="([\d.]+)(?:pt)?"/;
  const [width = 0, height = 0] = size.exec(svg)!.slice(1).map(Number);
  // The same bytes each time.
  const info = { Title: title, Subject: caption, Keywords: note, Creator: "Fathom", CreationDate: new Date(0) };
  const document = new PDFDocument({ size: [width, height], margin: 0, font: "", info });
  document.registerFont("normal", whole ?? regular).registerFont("bold", whole ?? bold);
  try {
    document.font("normal");
  } catch {
    const wanted = "its font must be a .ttf or .otf file, which is embedded";
    throw new RangeError(`Cannot draw the PDF as ${wanted}: current value is "${regular}"`);
  }
  const fontCallback = (_family: string, isBold: boolean): string => isBold ? "bold" : "normal";
  drawSvg(document, svg.replace(size, 'width="$1" height="$2"'), 0, 0, { width, height, assumePt: true, fontCallback });
  document.end();
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Uint8Array>));
}
