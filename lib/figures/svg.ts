import { fourDigits, textWidth } from "./text_fit.ts";
import { FONT, type Spec } from "./theme.ts";
import type { TopLevelSpec } from "vega-lite";
import { escapeHtml } from "@/lib/base/mod.ts";

/**
 * Renders a specification as SVG, with the same bytes on every machine; nothing that it names is loaded.
 *
 * @param hrefOf Returns the address to which a mark leads, from its own; `undefined` for none.
 */
export async function renderSvg(
  spec: Spec,
  label: string,
  hrefOf: (address: string) => string | undefined = () => undefined,
): Promise<string> {
  // Lazy, as most importers render no figure.
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  measureTextIn(vega);
  const refuse = () => Promise.reject(new Error("Cannot load data as a figure must hold its own"));
  const sanitize = (address: string) => Promise.resolve({ href: hrefOf(address) ?? NO_ADDRESS });
  const loader = { ...vega.loader(), load: refuse, sanitize };
  const program = vega.parse(compile(spec as unknown as TopLevelSpec).spec);
  const view = new vega.View(program, { renderer: "none", loader });
  try {
    return tidySvg(await view.toSVG(), label);
  } finally {
    view.finalize();
  }
}

interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
  readonly limit?: number;
}

/** Makes Vega measure text by {@linkcode textWidth} instead of by a canvas and its fonts. */
function measureTextIn(vega: object): void {
  // Missing in its types.
  const { textMetrics } = vega as { readonly textMetrics: { width: (item: TextItem, text: unknown) => number } };
  textMetrics.width = (item, text) => widthOf(item, text === null || text === undefined ? "" : String(text));
}

function widthOf({ fontSize = 11, fontWeight = "normal", limit = 0 }: TextItem, text: string): number {
  const isBold = fontWeight === "bold" || Number(fontWeight) >= 600;
  const width = textWidth(text, fontSize, isBold ? "bold" : "normal");
  return limit > 0 ? Math.min(width, limit) : width;
}

/** A mark that names itself. */
const NAMED_MARK =
  /<(path|rect|line) aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"((?: [\w:-]+="[^"]*")*)\/>/g;

/** The address of a mark that leads nowhere. */
const NO_ADDRESS = "none";

/** A mark with an address, and one with the address as an attribute, which has the form of the other marks. */
const LINK = /<a [^>]*xlink:href="([^"]*)"[^>]*>(<(?:path|rect) [^>]*?)\/><\/a>/g;
const LINKED = /<(path|rect)([^>]*) href="([^"]*)"(>.*?)<\/\1>/gs;

/**
 * Turns the description of each mark into its tooltip, rounds coordinates, whose last digits differ by machine, makes ids unique to
 * the picture, as a page may contain several, and removes repetition. Vega escapes `<` and `>` everywhere, so a tag ends at its
 * first `>`.
 */
function tidySvg(svg: string, label: string): string {
  const tags = /<[^>]+>/g;
  const plain = svg.replace(tags, tidyTag)
    .replace(LINK, (_, href, mark) => href === NO_ADDRESS ? `${mark}/>` : `${mark} href="${href}"/>`)
    .replace(/<path class="(foreground|background)" aria-hidden="true"( d="[^"]*"| d="(M0,0h0v0h0Z)?"[^>]*)?\/>/g, "")
    .replace(
      NAMED_MARK,
      (_, kind, about, own) => `<${kind}${own}><title>${about.replaceAll("&#xA;", "\n")}</title></${kind}>`,
    )
    // Labels of axes that would overlap others.
    .replace(/<text [^>]* opacity="0">[^<]*<\/text>/g, "")
    .replace(
      /<text aria-label="[^"]*" role="graphics-symbol" aria-roledescription="text mark"/g,
      "<text",
    )
    // So that the tooltip of a cell shows over its value too.
    .replaceAll(
      /<g class="mark-text role-mark(?![^>]* pointer-events)/g,
      '<g pointer-events="none" class="mark-text role-mark',
    )
    .replace(
      /(<g [^>]*class="mark-(?:rect|symbol|text|rule|line)[^>]*)>(<(?:path|text|line|rect) .*?)<\/g>/gs,
      sharedAttributes,
    )
    .replace(LINKED, '<a href="$3"><$1$2$4</$1></a>')
    .replace(
      '<svg xmlns="http://www.w3.org/2000/svg"',
      (start) =>
        `${start} role="graphics-document" aria-label="${
          escapeHtml(label).replaceAll("&#39;", "'")
        }" font-family="${FONT}"`,
    );
  const idOf = newIds(plain);
  return plain.replace(tags, (tag) =>
    tag
      .replace(/ id="([^"]*)"/, (_, id) => ` id="${idOf(id)}"`)
      .replace(/="url\(#([^"]*)\)"/, (_, id) => `="url(#${idOf(id)})"`));
}

function tidyTag(tag: string): string {
  return tag
    .replaceAll(` font-family="${FONT}"`, "")
    .replace(/ opacity="1"| transform="translate\(0,0\)"/g, "")
    // A group of marks needs no name of its own, and no role beside those of its marks.
    .replace(/ role="graphics-object" aria-roledescription="[^"]*"/, "")
    .replace(/ class="(mark-\w+ role-[\w-]+) [^"]*"/, ' class="$1"')
    .replace(
      /"rgb\((\d+), (\d+), (\d+)\)"/g,
      (_, ...parts) => `"#${parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}"`,
    )
    .replace(/ (d|transform|x|y|x1|x2|y1|y2|dx|dy|width|height|viewBox|offset)="([^"]*)"/g, roundAttribute);
}

/** Cells of one colour beside each other. */
const SAME_FILL =
  /<path d="[^"]*"( fill="[^"]*")><title>[^<]*<\/title><\/path>(?:<path d="[^"]*"\1><title>[^<]*<\/title><\/path>){2,}/g;

/** Moves the attributes that all marks of a group have to the group. */
function sharedAttributes(_: string, group: string, marks: string): string {
  const tags = marks.match(/<(?:path|text|line|rect) [^>]*>/g)!;
  const shared = (tags[0]!.match(/ (?:fill|stroke|stroke-width|font-size|font-weight|text-anchor)="[^"]*"/g) ?? [])
    .filter((attribute) => tags.every((tag) => tag.includes(attribute)));
  const rest = marks.replace(
    /<(?:path|text|line|rect) [^>]*>/g,
    (tag) => shared.reduce((shorter, attribute) => shorter.replace(attribute, ""), tag),
  ).replace(SAME_FILL, (same, fill) => `<g${fill}>${same.replaceAll(fill, "")}</g>`);
  return `${group}${shared.join("")}>${rest}</g>`;
}

/** Returns the new id of each id: Vega numbers them across pictures, here they derive from a hash of the content. */
function newIds(svg: string): (id: string) => string {
  const ids = [...svg.matchAll(/<[^>]+ id="([^"]*)"/g)].map(([, id]) => id!);
  const content = ids.reduce((text, id, index) => text.replaceAll(id, String(index)), svg);
  const prefix = hashOf(content);
  return (id) => `f${prefix}-${ids.indexOf(id)}`;
}

function roundAttribute(_: string, name: string, value: string): string {
  const short = (text: string): string => String(Number(fourDigits(Number(text)).toFixed(2)) || 0);
  const rounded = value.replace(/-?\d+\.\d+(e-?\d+)?/g, short);
  return ` ${name}="${rounded}"`;
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
