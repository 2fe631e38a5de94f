/** What a test reads out of an SVG picture. */

const NAMES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot);/g, (name) => NAMES[name]!);
}

/** All written texts, each line for itself. */
export function writtenTexts(svg: string): string[] {
  return [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]+)</g)].map(([, text]) => decoded(text!));
}

/** The written texts as one, as a reader takes them in. */
export function written(svg: string): string {
  return writtenTexts(svg).join(" ");
}

/** What the marks say of themselves, in their tooltips. */
export function markLabels(svg: string): string[] {
  return [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => decoded(text!));
}

/** A picture whose marks have the attributes that they share with their group. */
export function withOwnAttributes(svg: string): string {
  return svg.replace(
    /(<g class="mark-(?:rect|symbol|text|rule|line)[^>]*?)((?: (?:fill|stroke|stroke-width|font-size|font-weight|text-anchor)="[^"]*")+)>(.*?)<\/g>/gs,
    (_, group, shared, marks) => `${group}>${marks.replace(/<(path|text|line|rect) /g, `<$1${shared} `)}</g>`,
  );
}

/** The names of all tags and attributes; throws where the XML is not well formed. */
export function namesIn(svg: string): { readonly tags: Set<string>; readonly attributes: Set<string> } {
  const tags = new Set<string>();
  const attributes = new Set<string>();
  const open: string[] = [];
  const rest = svg.replace(/<(\/?)([a-zA-Z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/g, (_, closing, name, pairs, empty) => {
    tags.add(name);
    for (const [, attribute] of pairs.matchAll(/ ([\w:-]+)="/g)) attributes.add(attribute);
    if (closing === "/") {
      if (open.pop() !== name) throw new SyntaxError(`Unexpected </${name}>`);
    } else if (empty !== "/") {
      open.push(name);
    }
    return "";
  });
  if (open.length > 0 || /[<>]/.test(rest)) throw new SyntaxError(`Not well formed: ${rest.slice(0, 80)}`);
  if (/&(?!(amp|lt|gt|quot|#x[0-9A-F]+);)/.test(svg)) throw new SyntaxError("A bare ampersand");
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(svg) || !svg.isWellFormed()) {
    throw new SyntaxError("A character that XML does not allow");
  }
  return { tags, attributes };
}

/** A picture a tag a line, so that a change shows where it is. */
export function byLines(svg: string): string {
  return svg.replaceAll("><", ">\n<");
}
