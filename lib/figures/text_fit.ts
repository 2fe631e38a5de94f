/**
 * Formats a number with the digits that matter, the same on every machine.
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

function grouped(digits: string): string {
  return digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
}

// Inter's advance widths in hundredths of an em, by group; East Asian characters and pictographs are one em wide.
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ ijlI'|.,:;!·]/, 29],
  [/[()[\]{}/\\rtf1`"-]/, 40],
  [/[acksvxyz]/, 56],
  [/[mwMW@%—…]/, 93],
  [/[A-Z+=<>~&]/, 69],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u, 100],
  [/[\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u, 100],
];

const OTHER_WIDTH = 61;

const WORDS =
  /[\u2e80-\u3000\u3003-\u3007\u3012-\ua4cf\uac00-\ud7a3\uf900-\ufaff][，。、；：？！”’」』）》〉】]*|[^\s\u2e80-\u3000\u3003-\u3007\u3012-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+/gu;

/** Text safe for a picture: one line of well-formed characters without control or direction marks. */
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

/** Capitalises the first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Names usable as keys in a specification: plain and distinct. */
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

/** The approximate width of a line of text in pixels, the same on machines with other fonts. */
export function textWidth(text: string, size: number): number {
  let hundredths = 0;
  for (const character of text) {
    hundredths += WIDTHS.find(([group]) => group.test(character))?.[1] ?? OTHER_WIDTH;
  }
  return hundredths * size / 100;
}

/** Breaks a text into lines that fit a width in pixels, at spaces and between East Asian characters. */
export function wrapText(text: string, options: { readonly width: number; readonly size: number }): string[] {
  const { width, size } = options;
  const lines: string[] = [];
  let line = "";
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const longer = line + (line !== "" && index > end ? " " : "") + word;
    if (line !== "" && textWidth(longer, size) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
    end = index + word.length;
  }
  return [...lines, line].flatMap((full) => broken(full, options)).map(apart);
}

function broken(line: string, { width, size }: { readonly width: number; readonly size: number }): string[] {
  if (textWidth(line, size) <= width) return [line];
  const pieces = [""];
  for (const character of line) {
    if (textWidth(pieces.at(-1)! + character, size) > width) pieces.push("");
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}
