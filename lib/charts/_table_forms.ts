import { escapeHtml } from "./_html.ts";
import type { TableCells } from "./_table_cells.ts";
import { WARNING } from "./_theme.ts";

/** What a table is made from, in any form. */
export interface TableParts extends TableCells {
  readonly title: string;
  readonly note: string;
  readonly caption: string;
  readonly simulated: boolean;
}

/** Past this many rows a table scrolls. */
const LONG = 25;

// Notebooks set dollar signs as mathematics, except under these classes.
const NO_MATH = "tex2jax_ignore mathjax_ignore";

/** A table as HTML; sides are said twice, as code hosts keep `align` and drop `style`. */
export function htmlTable({ title, note, caption, simulated, heads, aligns, body }: TableParts): string {
  const side = (index: number): string => ` align="${aligns[index]}" style="text-align: ${aligns[index]}"`;
  const head = heads.map((text, index) =>
    `<th scope="col" align="${aligns[index]}" style="text-align: ${aligns[index]}; position: sticky; top: 0; ` +
    `background: var(--jp-layout-color0, #fff)">${escapeHtml(text)}</th>`
  );
  const lines = body.map((cells) => {
    const written = cells.map(({ text, bold }, index) => {
      const inner = bold ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text);
      return index === 0
        ? `<th scope="row" align="${aligns[index]}" style="text-align: ${
          aligns[index]
        }; font-weight: normal">${inner}</th>`
        : `<td${side(index)}>${inner}</td>`;
    });
    return `<tr>${written.join("")}</tr>`;
  });
  const scroll = body.length > LONG ? ` style="max-height: 40em; overflow: auto"` : ` style="overflow-x: auto"`;
  const noted = simulated ? ` style="color: ${WARNING}"` : "";
  return `<figure class="${NO_MATH}" style="margin: 0">
<p style="margin: 0 0 0.5em"><strong>${escapeHtml(title)}</strong><br><span${noted}>${escapeHtml(note)}</span></p>
<div${scroll}>
<table>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table>
</div>
<figcaption style="margin-top: 0.5em">${escapeHtml(caption)}</figcaption>
</figure>`;
}

/** A table as markdown, in which nothing from the rows is markup. */
export function markdownTable({ title, note, caption, heads, aligns, body }: TableParts): string {
  const rules = { left: ":--", right: "--:", center: ":-:" };
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `**${escapeMarkdown(title)}**`,
    "",
    escapeMarkdown(note),
    "",
    line(heads.map(escapeMarkdown)),
    line(aligns.map((align) => rules[align])),
    ...body.map((cells) =>
      line(cells.map(({ text, bold }) => bold ? `**${escapeMarkdown(text)}**` : escapeMarkdown(text)))
    ),
    "",
    escapeMarkdown(caption),
    "",
  ].join("\n");
}

/** A table in plain characters; the best values carry a star. */
export function textTable({ title, note, caption, heads, aligns, body }: TableParts): string {
  const marked = body.some((cells) => cells.some(({ bold }) => bold));
  const lines = [heads, ...body.map((cells) => cells.map(({ text, bold }) => bold ? `${text}*` : text))];
  const widths = heads.map((_, index) => Math.max(...lines.map((cells) => columnsOf(cells[index]!))));
  const line = (cells: readonly string[]): string =>
    cells.map((text, index) => padded(text, { width: widths[index]!, align: aligns[index]! })).join("  ").trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const [head, ...rest] = lines.map(line);
  return [title, note, "", head, rule, ...rest, "", ...(marked ? ["* best of its column", ""] : []), caption, ""].join(
    "\n",
  );
}

function padded(
  text: string,
  { width, align }: { readonly width: number; readonly align: "left" | "right" | "center" },
): string {
  const room = width - columnsOf(text);
  const before = align === "left" ? 0 : align === "right" ? room : Math.floor(room / 2);
  return " ".repeat(before) + text + " ".repeat(room - before);
}

/** The columns a text takes in a terminal: two for an East Asian character. */
function columnsOf(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu,
  );
  return [...text].length + (wide?.length ?? 0);
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~$&!]/g, (character) => `\\${character}`);
}
