/**
 * Formats a number with its significant digits, the same on every machine.
 *
 * Whole numbers are grouped by thousands; others have no decimals from a million up, one from 10 up, two from 1 up, and
 * below that three significant digits.
 */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return grouped(String(value));
  if (size >= 1e15 || size < 1e-6) return value.toExponential(2);
  if (size >= 10) return grouped(value.toFixed(size >= 1e6 ? 0 : 1));
  return size >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(3)));
}

/**
 * Returns a format with the same decimals for numbers shown together, such as those of one heatmap: those significant in the
 * largest, and no more than any of them needs.
 */
export function sharedFormat(values: readonly number[]): (value: number) => string {
  const largest = Math.max(0, ...values.map(Math.abs));
  if (largest >= 1e15 || (largest > 0 && largest < 0.01)) return numberText;
  const fitting = [1, 10, 1e6].reduce((digits, least) => largest >= least ? digits - 1 : digits, 3);
  const decimals = (value: number): number => String(Number(value.toFixed(fitting))).split(".")[1]?.length ?? 0;
  const digits = Math.max(0, ...values.map(decimals));
  return (value) => grouped(value.toFixed(digits));
}

/** Rounds a number of a specification to four significant digits, but keeps its whole part. */
export function fourDigits(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(Math.max(4, String(Math.trunc(value)).length)));
}

function grouped(digits: string): string {
  return digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
}

/** The weight of a font. */
export type Weight = "normal" | "bold";

// The font that renders a figure is unknown: that of the page, of the machine, or the bundled one. So a text has the room of the
// widest: the maximum of Inter, DejaVu Sans (as wide as Verdana) and Arial, in hundredths of an em, from the space to the tilde;
// bold is a weight of 600.
const ASCII_WIDTHS: Readonly<Record<Weight, readonly number[]>> = {
  normal: widths(
    "32 41 47 84 65 99 78 30 40 40 51 84 32 46 32 37 64 64 64 64 65 64 64 64 64 64 34 34 84 84 84 54 100 69 69 74 78 67 61 78 76 " +
      "30 58 68 57 91 76 79 67 79 72 67 65 75 69 99 69 68 69 40 37 40 84 50 50 62 64 58 64 62 38 64 64 28 28 58 28 98 64 62 64 64 " +
      "42 53 40 64 60 82 60 60 56 64 34 64 84",
  ),
  bold: widths(
    "35 46 53 84 70 101 88 33 46 46 54 84 38 47 38 38 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 59 100 78 77 74 84 69 69 83 84 " +
      "38 58 78 64 100 84 86 74 86 78 73 69 82 78 111 78 73 73 46 38 46 84 50 50 68 72 60 72 68 44 72 72 35 35 67 35 105 72 69 72 72 " +
      "50 60 48 72 66 93 65 66 59 72 37 72 84",
  ),
};

// Beyond ASCII by group; East Asian characters and pictographs are one em wide, in any font.
const OTHER_WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[·’‘‚]/, 38],
  [/[–“”]/, 60],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u, 100],
  [/[\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u, 100],
  [/[\u0300-\u036f]/u, 0],
  [/[—…\u2190-\u2bff]/u, 100],
];

const OTHER_WIDTH = 78;

function widths(text: string): readonly number[] {
  return text.split(" ").map(Number);
}

const WORDS =
  /[\u2e80-\u3000\u3003-\u3007\u3012-\ua4cf\uac00-\ud7a3\uf900-\ufaff][，。、；：？！”’」』）》〉】]*|[^\s\u2e80-\u3000\u3003-\u3007\u3012-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+/gu;

/** Makes a text safe for a picture: one line of well-formed characters without control or direction marks. */
export function plainText(text: string, limit = 300): string {
  const line = text.slice(0, 4 * limit).toWellFormed().replace(/\s+/gu, " ").trim()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, "\ufffd");
  const characters = [...line];
  return apart(characters.length <= limit ? line : `${characters.slice(0, limit - 1).join("")}…`);
}

/**
 * Makes a text differ from what every object inherits, such as `constructor`.
 *
 * Subtle: Vega looks texts up in plain objects, and would find the inherited member. A trailing space is not drawn.
 */
function apart(text: string): string {
  return text === "__proto__" || text in Object.prototype ? `${text} ` : text;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns names usable as keys in a specification: plain and distinct. */
export function keyTexts(texts: readonly string[]): string[] {
  const keys: string[] = [];
  for (const text of texts) {
    const plain = plainText(text) || "–";
    let key = plain;
    for (let twin = 2; keys.includes(key); twin++) key = `${plain.trimEnd()} (${twin})`;
    keys.push(key);
  }
  return keys;
}

/** Returns the width of a line of text in pixels in the widest common font, the same on every machine. */
export function textWidth(text: string, size: number, weight: Weight = "normal"): number {
  let hundredths = 0;
  for (const character of text) hundredths += widthOf(character, weight);
  return hundredths * size / 100;
}

function widthOf(character: string, weight: Weight): number {
  return ASCII_WIDTHS[weight][character.charCodeAt(0) - 32] ??
    OTHER_WIDTHS.find(([group]) => group.test(character))?.[1] ?? OTHER_WIDTH;
}

/** Breaks a text into lines that fit a width, at spaces and between East Asian characters; width and font size are in pixels. */
export function wrapText(
  text: string,
  { width, size, weight }: { readonly width: number; readonly size: number; readonly weight?: Weight },
): string[] {
  const lines: string[] = [];
  let line = "";
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const longer = line + (line !== "" && index > end ? " " : "") + word;
    if (line !== "" && textWidth(longer, size, weight) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
    end = index + word.length;
  }
  const fits = (part: string): boolean => textWidth(part, size, weight) <= width;
  return [...lines, line].flatMap((full) => fits(full) ? [full] : cutText(full, fits)).map(apart);
}

export function cutText(text: string, fits: (part: string) => boolean): string[] {
  const parts = [""];
  for (const character of text) {
    if (!fits(parts.at(-1)! + character)) parts.push("");
    parts[parts.length - 1] += character;
  }
  return parts;
}
