import { Buffer } from "node:buffer";
import { FONT } from "@/lib/figures/mod.ts";

/** Chinese characters, their punctuation, and full-width forms. */
const CHINESE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/gu;

/**
 * Returns the style that embeds Noto Sans SC for the Chinese text of a page, with only the characters that are in it, as the family
 * `Fathom Chinese`; empty without Chinese text.
 */
export async function embedChinese(page: string): Promise<string> {
  const characters = new Set(page.match(CHINESE) ?? []);
  if (characters.size === 0) return "";
  const { default: pieces } = await import("@fontsource-variable/noto-sans-sc/unicode.json", {
    with: { type: "json" },
  });
  const faces: string[] = [];
  // The package has the font in about a hundred pieces, each with some ranges of characters.
  for (const [piece, ranges] of Object.entries<string>(pieces)) {
    // From `U+4e00-4e09,U+4e11`, as in a style.
    const inPiece = new RegExp(
      `[${ranges.replaceAll("U+", "").replaceAll(/[0-9a-f]+/gi, "\\u{$&}").replaceAll(",", "")}]`,
      "u",
    );
    const own = [...characters].filter((character) => inPiece.test(character)).sort().join("");
    if (own !== "") faces.push(await faceOf(piece.replaceAll(/[[\]]/g, ""), own));
  }
  const family = FONT.replace("sans-serif", '"Fathom Chinese", sans-serif');
  return [...faces, `figure svg { font-family: ${family}; }`].join("\n");
}

async function faceOf(piece: string, characters: string): Promise<string> {
  const { default: subset } = await import("subset-font");
  const path = `@fontsource-variable/noto-sans-sc/files/noto-sans-sc-${piece}-wght-normal.woff2`;
  const file = Buffer.from(await Deno.readFile(new URL(import.meta.resolve(path))));
  const font = await subset(file, characters, { targetFormat: "woff", variationAxes: { wght: 400 } });
  const codes = [...characters].map((character) => `U+${character.codePointAt(0)!.toString(16)}`).join(",");
  return `@font-face { font-family: "Fathom Chinese"; src: url(data:font/woff;base64,${
    font.toString("base64")
  }); unicode-range: ${codes}; }`;
}
