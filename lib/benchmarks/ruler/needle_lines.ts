import { type DrawText, needleForm, type NeedleType, readTexts } from "./needles.ts";
import { type Filler, lineFiller, type Materials, type Part, type SeeFact } from "@/lib/generators/mod.ts";
import {
  AsciiSheet,
  hexCounter,
  measure,
  type Measured,
  measureForm,
  pairCounter,
  type Tokenizer,
  writeLazily,
} from "@/lib/text/mod.ts";

/** The source of the lines of a haystack of needles. */
interface NeedleLines {
  readonly keyType: NeedleType;
  readonly valueType: NeedleType;
  readonly newKey: DrawText;
  readonly newValue: DrawText;
  readonly materials: Materials;
}

/** Returns a filler of other needles, one per line; a gap is closed by redrawing some of them a little longer. */
export function needleFiller(source: NeedleLines): Filler {
  const { keyType, valueType, newKey, newValue, materials } = source;
  const { tokenizer } = materials;
  if (tokenizer.ascii !== undefined || (tokenizer.cutsLines && cutsFillings(source))) {
    const form = materials.remember(`needle lines/${keyType}/${valueType}`, () => countForm(source));
    return countedLines(new DrawnLines(form, source));
  }
  const [before, between, after] = needleForm(valueType);
  const measureLine = measureForm([before, between, `${after}\n`], tokenizer);
  const [drawKey, drawValue] = [readTexts(newKey, materials), readTexts(newValue, materials)];
  const drawLine = (): Part => {
    const [key, value] = [drawKey(), drawValue()];
    const measured = measureLine([key, value]);
    // A slice shares memory with the text.
    return { measured, fact: { role: "distractor", text: measured.text.slice(0, -1), key, value } };
  };
  return lineFiller({ draw: drawLine, tokenizer });
}

/** Whether each key and value has a safe cut before its space, and each key one after it. */
function cutsFillings({ valueType, materials: { tokenizer } }: NeedleLines): boolean {
  const [before, between] = needleForm(valueType);
  const isCut = (text: string): boolean => tokenizer.isCut(text, 1);
  return [..."abcdefghijklmnopqrstuvwxyz0123456789"].every((letter) =>
    isCut(before.slice(-2) + letter) && isCut(letter + between.slice(0, 2)) && isCut(between.slice(-2) + letter)
  );
}

/** The words of a line and their tokens, for tokenizers that separate words and marks, or lines and words. */
interface LineForm {
  /** The text before the key, between key and value, and after the value. */
  readonly texts: readonly [string, string, string];
  /** The same in ASCII. */
  readonly bytes: readonly [Uint8Array, Uint8Array, Uint8Array];
  /** The text before the first safe cut and after the last one; both empty for tokenizers that separate lines. */
  readonly head: string;
  readonly headTokens: number;
  readonly tail: string;
  /** Tokens from the first cut to that of the next line, without key and value. */
  readonly perLine: number;
  /** The part of these at the meeting of a line's tail and the next head. */
  readonly meeting: number;
  /** Count a key and a value, each with the space before it; a value with its suffix if marks are not separated. */
  readonly countKey: CountText;
  readonly countValue: CountText;
}

/** Counts the last text of a sheet, from a place on; `number` is the result of {@linkcode DrawText}. */
type CountText = (sheet: AsciiSheet, from: number, number: number) => number;

function countForm({ keyType, valueType, materials }: NeedleLines): LineForm {
  const { tokenizer, words: { adjectives, nouns } } = materials;
  const [before, between, after] = needleForm(valueType);
  const ending = `${after}\n`;
  const space = before.indexOf(" ");
  const first = before.slice(0, space);
  const inner = tokenizer.countAfterCut(before.slice(space, -1)) + tokenizer.countAfterCut(between.slice(0, -1));
  const toAscii = (text: string): Uint8Array => new TextEncoder().encode(text);
  const countPair = pairCounter(adjectives, nouns, tokenizer);
  const countHex = hexCounter(tokenizer);
  const counterOf = (type: NeedleType): CountText =>
    type === "words"
      ? (_sheet, _from, number) => countPair(number)
      : ({ bytes, end }, from) => countHex(bytes, from, end);
  const shared = {
    texts: [before, between, ending],
    bytes: [toAscii(before), toAscii(between), toAscii(ending)],
    countKey: counterOf(keyType),
  } as const;
  const headTokens = tokenizer.countAfterCut(first);
  if (tokenizer.ascii === undefined) {
    const countValue: CountText = (sheet, from) => tokenizer.countAfterCut(` ${sheet.read(from)}${ending}`);
    return { ...shared, head: "", headTokens: 0, tail: "", perLine: headTokens + inner, meeting: 0, countValue };
  }
  const meeting = tokenizer.countAfterCut(ending + first);
  const countValue = counterOf(valueType);
  return { ...shared, head: first, headTokens, tail: ending, perLine: inner + meeting, meeting, countValue };
}

/** The lines of a sample, drawn one by one. The next sample overwrites their sheet. */
class DrawnLines {
  readonly form: LineForm;
  readonly tokenizer: Tokenizer;
  readonly #newKey: DrawText;
  readonly #newValue: DrawText;
  readonly #sheet: AsciiSheet;
  /** The start of each line and of the next one, and the tokens of all keys and values before it. */
  readonly #starts = [0];
  readonly #tokens = [0];

  constructor(form: LineForm, { newKey, newValue, materials }: NeedleLines) {
    this.form = form;
    this.tokenizer = materials.tokenizer;
    this.#newKey = newKey;
    this.#newValue = newValue;
    this.#sheet = materials.remember("needle lines", () => new AsciiSheet());
    this.#sheet.end = 0;
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  draw(): void {
    const { bytes: [opening, between, ending], countKey, countValue } = this.form;
    const sheet = this.#sheet;
    sheet.copy(opening);
    const key = sheet.end;
    const keyTokens = countKey(sheet, key, this.#newKey(sheet));
    sheet.copy(between);
    const value = sheet.end;
    const valueTokens = countValue(sheet, value, this.#newValue(sheet));
    sheet.copy(ending);
    this.#tokens.push(this.#tokens.at(-1)! + keyTokens + valueTokens);
    this.#starts.push(sheet.end);
  }

  /** Returns the tokens of the keys and values of a range of lines; `to` is exclusive. */
  tokens(from: number, to: number): number {
    return this.#tokens[to]! - this.#tokens[from]!;
  }

  text(from: number, to: number): string {
    return this.#sheet.read(this.#starts[from], this.#starts[to]);
  }

  length(line: number): number {
    return this.#starts[line + 1]! - this.#starts[line]!;
  }
}

/** Returns a filler of lines, some of them replaced by lines that were drawn later. */
function countedLines(drawn: DrawnLines, replaced: ReadonlyMap<number, number> = new Map()): Filler {
  const { form: { texts: [opening, between, ending], head, headTokens, tail, perLine, meeting }, tokenizer } = drawn;
  const countRun = (from: number, to: number): number => {
    let tokens = drawn.tokens(from, to) + (to - from) * perLine - meeting;
    for (const [line, other] of replaced) {
      if (line >= from && line < to) tokens += drawn.tokens(other, other + 1) - drawn.tokens(line, line + 1);
    }
    return tokens;
  };
  const writeRun = (from: number, to: number): string => {
    let text = "";
    let next = from;
    for (const [line, other] of replaced) {
      if (line < from || line >= to) continue;
      text += drawn.text(next, line) + drawn.text(other, other + 1);
      next = line + 1;
    }
    return text + drawn.text(next, to);
  };
  const measureRun = (from: number, to: number): Measured =>
    writeLazily(() => writeRun(from, to), { head, tail, inner: countRun(from, to) });
  const placeFacts = ({ text }: Measured, from: number, see: SeeFact): void => {
    let [start, tokens] = [0, -headTokens];
    for (let line = from; start < text.length; line++) {
      const number = replaced.get(line) ?? line;
      const end = start + drawn.length(number);
      const [key, keyEnd] = [start + opening.length, text.indexOf(between, start + opening.length)];
      const fact = {
        role: "distractor",
        text: text.slice(start, end - 1),
        key: text.slice(key, keyEnd),
        value: text.slice(keyEnd + between.length, end - ending.length),
      } as const;
      see(fact, tokens, tokens += drawn.tokens(number, number + 1) + perLine);
      start = end;
    }
  };
  return {
    beforeQuestion: "",
    run(from, to): Part[] {
      while (drawn.count < to) drawn.draw();
      const measured = measureRun(from, to);
      return [{ measured, role: "distractor", seeFacts: (see) => placeFacts(measured, from, see) }];
    },
    needle: (sentence) => measure(`${sentence}\n`, tokenizer),
    *tighten(size, gap): Generator<{ filler: Filler; added: number }> {
      const longer = new Map<number, number>();
      let left = gap;
      for (let line = 0; line < size && left > 0; line++) {
        const candidate = drawn.count;
        drawn.draw();
        const gain = drawn.tokens(candidate, candidate + 1) - drawn.tokens(line, line + 1);
        if (gain <= 0 || gain > left) continue;
        longer.set(line, candidate);
        left -= gain;
      }
      yield { filler: countedLines(drawn, longer), added: 0 };
    },
  };
}
