import { needleForm, type NeedleType } from "./needles.ts";
import type { DrawnText } from "./wording.ts";
import { type Filler, lineFiller, type Materials, type Part, type SeeFact } from "@/lib/generators/mod.ts";
import { hexCounter, measure, type Measured, measureForm, pairCounter } from "@/lib/text/mod.ts";

/** Where the lines of a haystack of needles come from. */
interface NeedleLines {
  readonly keyType: NeedleType;
  readonly valueType: NeedleType;
  readonly newKey: () => DrawnText;
  readonly newValue: () => DrawnText;
  readonly materials: Materials;
}

/** Other needles, one per line; a gap is closed by drawing some of them again, a little longer. */
export function needleFiller(lines: NeedleLines): Filler {
  const { keyType, valueType, newKey, newValue, materials } = lines;
  const { tokenizer } = materials;
  if (tokenizer.ascii !== undefined) {
    const form = materials.remember(`needle lines/${keyType}/${valueType}`, () => countForm(lines));
    return countedLines(form, lines, []);
  }
  const [before, between, after] = needleForm(valueType);
  const measureLine = measureForm([before, between, `${after}\n`], tokenizer);
  const drawLine = (): Part => {
    const [{ text: key }, { text: value }] = [newKey(), newValue()];
    const measured = measureLine([key, value]);
    // A slice shares memory with the text.
    return { measured, fact: { role: "distractor", text: measured.text.slice(0, -1), key, value } };
  };
  return lineFiller({ draw: drawLine, tokenizer });
}

/** The tokens of a line, where the tokenizer tells words and marks apart. */
interface LineForm {
  /** The text before the first space. */
  readonly head: string;
  readonly headTokens: number;
  /** The text after the value. */
  readonly tail: string;
  /** Tokens between the two, key and value aside. */
  readonly inner: number;
  /** Tokens where the tail of a line meets the head of the next. */
  readonly meeting: number;
  /** Count a key and a value, each with the space before it. */
  readonly countKey: (key: DrawnText) => number;
  readonly countValue: (value: DrawnText) => number;
}

function countForm({ keyType, valueType, materials }: NeedleLines): LineForm {
  const { tokenizer, words: { adjectives, nouns } } = materials;
  const [before, between, after] = needleForm(valueType);
  const space = before.indexOf(" ");
  const [head, tail] = [before.slice(0, space), `${after}\n`];
  const countPair = pairCounter(adjectives, nouns, tokenizer);
  const countHex = hexCounter(tokenizer);
  const counterOf = (type: NeedleType): LineForm["countKey"] =>
    type === "words" ? ({ number }) => countPair(number) : ({ text }) => countHex(text);
  return {
    ...{ head, tail, headTokens: tokenizer.countAfterCut(head) },
    inner: tokenizer.countAfterCut(before.slice(space, -1)) + tokenizer.countAfterCut(between.slice(0, -1)),
    meeting: tokenizer.countAfterCut(tail + head),
    countKey: counterOf(keyType),
    countValue: counterOf(valueType),
  };
}

/** A needle and the tokens of its key and value. */
interface CountedNeedle {
  readonly key: string;
  readonly value: string;
  readonly tokens: number;
}

/** Lines of which nothing is kept but key, value and tokens: their texts are put together with the prompt. */
function countedLines(form: LineForm, source: NeedleLines, given: readonly CountedNeedle[]): Filler {
  const { newKey, newValue, valueType, materials: { tokenizer } } = source;
  const { head, tail, inner, meeting } = form;
  const lines: CountedNeedle[] = [];
  // Tokens of the keys and values of all lines before each.
  const before = [0];
  const add = (line: CountedNeedle): void => {
    before.push(before[lines.length]! + line.tokens);
    lines.push(line);
  };
  const drawCounted = (): CountedNeedle => {
    const [key, value] = [newKey(), newValue()];
    return { key: key.text, value: value.text, tokens: form.countKey(key) + form.countValue(value) };
  };
  given.forEach(add);
  const [opening, between, after] = needleForm(valueType);
  const ending = `${after}\n`;
  const perLine = inner + meeting;
  const measureRun = (from: number, to: number): Measured => {
    let text: string | undefined;
    return {
      ...{ head, tail },
      inner: before[to]! - before[from]! + (to - from) * perLine - meeting,
      get text(): string {
        if (text !== undefined) return text;
        const pieces: string[] = [];
        for (let line = from; line < to; line++) {
          pieces.push(opening, lines[line]!.key, between, lines[line]!.value, ending);
        }
        return text = pieces.join("");
      },
    };
  };
  const placeFacts = ({ text }: Measured, from: number, see: SeeFact): void => {
    let [start, tokens] = [0, -form.headTokens];
    for (let line = from; start < text.length; line++) {
      const { key, value, tokens: own } = lines[line]!;
      const end = start + opening.length + key.length + between.length + value.length + ending.length;
      const fact = { role: "distractor", text: text.slice(start, end - 1), key, value } as const;
      see(fact, tokens, tokens += own + perLine);
      start = end;
    }
  };
  return {
    beforeQuestion: "",
    run(from, to): Part[] {
      while (lines.length < to) add(drawCounted());
      const measured = measureRun(from, to);
      return [{ measured, seeFacts: (see) => placeFacts(measured, from, see) }];
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
