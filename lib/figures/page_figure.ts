import { DARK } from "./colours.ts";
import type { LegendContent } from "./legend.ts";
import { chartOf, type PageFigure } from "./make_figure.ts";
import { withChanges } from "./spec_changes.ts";
import { renderSvg } from "./svg.ts";
import { numberText } from "./text_fit.ts";
import type { Spec } from "./theme.ts";
import { escapeHtml } from "@/lib/base/mod.ts";

/**
 * Draws a figure into a page: title, note, legend and caption as HTML, and the chart as two pictures, one for a phone and one for a wider
 * page; the page's style shows one of them.
 *
 * @param hrefOf Returns the address to which a mark leads, from the view of its replies; `undefined` for none.
 * @returns A `<figure>`; `undefined` if the specification is not that of a figure.
 */
export async function figureHtml(
  spec: Spec,
  hrefOf: (view: string) => string | undefined = () => undefined,
): Promise<string | undefined> {
  const { figure } = (spec["usermeta"] ?? {}) as { readonly figure?: PageFigure };
  if (figure === undefined) return undefined;
  const { title, note, caption, isDoubtful, forms } = figure;
  const label = [title, note, caption].join(". ");
  const pictures: string[] = [];
  for (const [at, form] of forms.entries()) {
    const whole = {
      ...withChanges(chartOf(spec), form.changes),
      datasets: spec["datasets"],
      background: null,
      padding: 4,
    };
    const svg = await renderSvg(withAddresses(whole), label, hrefOf);
    const kind = ["narrow", "wide"].slice(at, forms.length === 1 ? 2 : at + 1).join(" ");
    pictures.push(`<div class="${kind}">${form.legend === undefined ? "" : legendHtml(form.legend)}${svg}</div>`);
  }
  const noteClass = isDoubtful ? "note doubtful" : "note";
  return `<figure class="chart"><figcaption><strong>${escapeHtml(title)}</strong><span class="${noteClass}">${
    escapeHtml(note)
  }</span></figcaption>${pictures.join("")}<p class="caption">${escapeHtml(caption)}</p></figure>`;
}

/** Gives the marks that name themselves the views of their replies as addresses. */
function withAddresses(spec: Spec): Spec {
  const text = JSON.stringify(spec);
  if (!text.includes('"view":"')) return spec;
  const href = { field: "view", type: "nominal" };
  return JSON.parse(text, (_, part) => {
    const isNamed = (part?.mark?.description ?? part?.encoding?.description) !== undefined;
    return isNamed ? { ...part, encoding: { ...part.encoding, href } } : part;
  });
}

const SHAPES: Readonly<Record<string, string>> = {
  "circle": "M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0",
  "square": "M-4.5,-4.5h9v9h-9Z",
  "triangle-up": "M0,-5L5,4.5H-5Z",
  "diamond": "M0,-6L4,0L0,6L-4,0Z",
  "cross": "M-5,-2h3v-3h4v3h3v4h-3v3h-4v-3h-3Z",
  "triangle-down": "M0,5L5,-4.5H-5Z",
};

function legendHtml({ title, keys = [], scale }: LegendContent): string {
  const parts = keys.map(({ name, colour, shape = "square" }) =>
    `<button type="button" class="key"><svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true"><path fill="${
      escapeHtml(colour)
    }" d="${SHAPES[shape] ?? SHAPES["square"]}"/></svg>${escapeHtml(name)}</button>`
  );
  if (scale !== undefined) {
    const [low, high] = scale.domain.map((end) => escapeHtml(numberText(Number(end))));
    const colours = scale.colours.map(escapeHtml).join(", ");
    parts.push(`${low} <span class="scale" style="background: linear-gradient(to right, ${colours})"></span> ${high}`);
  }
  const heading = title === "" ? "" : `<strong>${escapeHtml(title)}</strong> `;
  return `<p class="legend">${heading}${parts.join(" ")}</p>`;
}

/** Returns the style that gives figures the colours of a dark page. */
export function darkFigureStyle(): string {
  const rules = Object.entries(DARK).flatMap(([light, dark]) =>
    ["fill", "stroke"].map((kind) => `[${kind}="${light}"] { ${kind}: ${dark}; }`)
  );
  return `@media screen and (prefers-color-scheme: dark) {\n.chart svg {\n${rules.join("\n")}\n}\n}`;
}
