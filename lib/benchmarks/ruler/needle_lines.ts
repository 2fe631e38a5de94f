import { type Needle, needleForm, type NeedleType } from "./needles.ts";
import { type Filler, lineFiller, type Part, type PlacedFact } from "@/lib/generators/mod.ts";
import { type CountWord, hexCounter, measure, type Measured, measureForm, type Tokenizer } from "@/lib/text/mod.ts";

/** Where the lines of a haystack of needles come from. */
interface NeedleLines {
  /** What values are made of. */
  readonly type: NeedleType;
  readonly keyType: NeedleType;
  readonly draw: () => Needle;
  readonly tokenizer: Tokenizer;
}

/** Other needles, one per line; a gap is closed by drawing some of them again, a little longer. */
export function needleFiller(lines: NeedleLines): Filler {
  const { type, draw, tokenizer } = lines;
  if (tokenizer.ascii !== undefined) return countedLines(countForm(lines), lines, []);
  const [before, between, after] = needleForm(type);
  const measureLine = measureForm([before, between, `${after}\n`], tokenizer);
  const drawLine = (): Part => {
    const { key, value } = draw();
    const measured = measureLine([key, value]);
    // A slice shares memory with the text.
    return { measured, fact: { role: "distractor", text: measured.text.slice(0, -1), key, value } };
  };
  return lineFiller({ draw: drawLine, tokenizer });
}

/** The tokens of a line but for its key and value, where the tokenizer tells words and marks apart. */
interface LineForm {
  /** The text before the first space. */
  readonly head: string;
  /** The text after the value. */
  readonly tail: string;
  /** Tokens between the two, key and value aside. */
  readonly inner: number;
  /** Tokens where the tail of a line meets the head of the next. */
  readonly meeting: number;
  readonly countKey: CountWord;
  readonly countValue: CountWord;
}

function countForm({ type, keyType, tokenizer }: NeedleLines): LineForm {
  const [before, between, after] = needleForm(type);
  const space = before.indexOf(" ");
  const [head, tail] = [before.slice(0, space), `${after}\n`];
  const hex = hexCounter(tokenizer);
  const counterOf = (made: NeedleType): CountWord =>
    made === "words" ? (word) => tokenizer.countAfterCut(` ${word}`) : hex;
  return {
    ...{ head, tail },
    // The space before a key or value is its own.
    inner: tokenizer.countAfterCut(before.slice(space, -1)) + tokenizer.countAfterCut(between.slice(0, -1)),
    meeting: tokenizer.countAfterCut(tail + head),
    countKey: counterOf(keyType),
    countValue: counterOf(type),
  };
}

/** A needle and the tokens of its key and value. */
interface CountedNeedle extends Needle {
  readonly tokens: number;
}

/** Lines of which nothing is kept but key, value and tokens: their texts are put together with the prompt. */
function countedLines(form: LineForm, source: NeedleLines, given: readonly CountedNeedle[]): Filler {
  const { draw, tokenizer, type } = source;
  const { head, tail, inner, meeting } = form;
  const lines: CountedNeedle[] = [];
  // Tokens of the keys and values of all lines before each.
  const before = [0];
  const add = (line: CountedNeedle): void => {
    before.push(before[lines.length]! + line.tokens);
    lines.push(line);
  };
  const drawCounted = (): CountedNeedle => {
    const { key, value } = draw();
    return { key, value, tokens: form.countKey(key) + form.countValue(value) };
  };
  given.forEach(add);
  const [opening, between, ending] = needleForm(type);
  const writeLine = ({ key, value }: Needle): string => opening + key + between + value + ending;
  const perLine = inner + meeting;
  const measureRun = (from: number, to: number): Measured => {
    let text: string | undefined;
    return {
      ...{ head, tail },
      inner: before[to]! - before[from]! + (to - from) * perLine - meeting,
      get text(): string {
        if (text !== undefined) return text;
        text = "";
        for (let line = from; line < to; line++) text += `${writeLine(lines[line]!)}\n`;
        return text;
      },
    };
  };
  const placeFacts = (from: number, to: number): PlacedFact[] => {
    const facts: PlacedFact[] = [];
    for (let line = from, at = 0; line < to; line++) {
      const { key, value, tokens } = lines[line]!;
      const end = at + tokens + perLine;
      facts.push({
        fact: { role: "distractor", text: writeLine(lines[line]!), key, value },
        from: at,
        to: end,
      });
      at = end;
    }
    return facts;
  };
  return {
    beforeQuestion: "",
    run(from, to): Part[] {
      while (lines.length < to) add(drawCounted());
      return [{ measured: measureRun(from, to), places: () => placeFacts(from, to) }];
    },
    needle: (sentence) => measure(`${sentence}\n`, tokenizer),
    *tighten(size, gap): Generator<{ filler: Filler; added: number }> {
      const longer = lines.slice(0, size);
      let left = gap;
      for (let line = 0; line < size && left > 0; line++) {
        const candidate = drawCounted();
        const gain = candidate.tokens - longer[line]!.tokens;
        if (gain <= 0 || gain > left) continue;
        longer[line] = candidate;
        left -= gain;
      }
      yield { filler: countedLines(form, source, longer), added: 0 };
    },
  };
}
