import type { ResvgRenderOptions } from "@resvg/resvg-js";

const CELL = 24;
// A character that no font has: what is drawn for it is what is drawn for any missing one.
const NO_CHARACTER = "\u{10fffe}";

/** The characters of a picture's texts that fonts cannot write: those drawn as nothing, or like a character that does not exist. */
export async function unprintable(svg: string, font: ResvgRenderOptions["font"] & object): Promise<string> {
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

/** The distinct characters beyond ASCII that show: neither spaces nor marks that join their neighbours. */
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
