import type { LegendPlace } from "./figure.ts";
import { plainText, textWidth, wrapText } from "./_text.ts";
import { LABEL_SIZE } from "./_theme.ts";

/** The legend of a chart whose colours are a scale, beside it. */
export function colourLegend(valueTitle: string, height: number): LegendPlace {
  const title = wrapText(plainText(valueTitle), { width: 110, size: LABEL_SIZE });
  const widest = Math.max(52, ...title.map((line) => textWidth(line, LABEL_SIZE * 1.05)));
  const legend = { title, gradientLength: Math.min(height - 20, 200), gradientThickness: 12 };
  return { legend, room: Math.ceil(widest) + 20 };
}
