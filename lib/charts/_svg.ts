import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Spec } from "./figure.ts";
import { textWidth } from "./_text.ts";
import { FONT } from "./_theme.ts";
import { measureTextBy, type TextItem } from "./_vega.ts";

/** Draws a specification as SVG, the same bytes on every machine. */
export async function renderSvg(spec: Spec, options: { readonly label: string }): Promise<string> {
  measureTextBy(widthOf);
  const view = new View(parse(compile(spec as unknown as TopLevelSpec).spec), { renderer: "none" });
  try {
    return tidySvg(await view.toSVG(), options.label);
  } finally {
    view.finalize();
  }
}

function widthOf({ fontSize = 11, limit = 0 }: TextItem, text: string): number {
  const width = textWidth(text, fontSize);
  return limit > 0 ? Math.min(width, limit) : width;
}

/**
 * Rounds coordinates (they differ by machine in their last digits), makes ids the picture's own (several pictures may
 * stand in one page) and says the font once. Vega escapes `<` and `>` everywhere, so a tag ends at its first `>`.
 */
function tidySvg(svg: string, label: string): string {
  const tags = /<[^>]+>/g;
  const plain = svg.replace(
    tags,
    (tag) =>
      tag
        .replaceAll(` font-family="${FONT}"`, "")
        .replace(/ (d|transform|x|y|x1|x2|y1|y2|dx|dy|width|height|viewBox|offset)="([^"]*)"/g, roundAttribute),
  ).replace(
    '<svg xmlns="http://www.w3.org/2000/svg"',
    (start) => `${start} role="graphics-document" aria-label="${attribute(label)}" font-family="${FONT}"`,
  );
  const idOf = newIds(plain);
  return plain.replace(tags, (tag) =>
    tag
      .replace(/ id="([^"]*)"/, (_, id) => ` id="${idOf(id)}"`)
      .replace(/="url\(#([^"]*)\)"/, (_, id) => `="url(#${idOf(id)})"`));
}

/** New ids: Vega counts them on from picture to picture, here they are counted anew after a hash of the content. */
function newIds(svg: string): (id: string) => string {
  const ids = [...svg.matchAll(/<[^>]+ id="([^"]*)"/g)].map(([, id]) => id!);
  const content = ids.reduce((text, id, index) => text.replaceAll(id, String(index)), svg);
  const prefix = hashOf(content);
  return (id) => `f${prefix}-${ids.indexOf(id)}`;
}

function roundAttribute(_: string, name: string, value: string): string {
  const rounded = value.replace(/-?\d+\.\d+(e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)) || 0));
  return ` ${name}="${rounded}"`;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

function attribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
