import { sum } from "@/lib/base/mod.ts";
import type { LossSetting, MistakeRates, ReplyForm } from "./profiles.ts";
import type { Finding, Reading } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, uuid } from "@/lib/random/mod.ts";

/** The most frequent words of English, which a reader guesses without the text. */
export const FREQUENT_WORDS: readonly string[] = "the of and to a in that is was for it with as his on be".split(" ");

/** Well-known names and numbers, for questions answered from memory. */
export const FAMOUS_ANSWERS: readonly string[] = [
  ...["Paris", "London", "William Shakespeare", "New York City", "1945", "Albert Einstein", "the United States"],
  ...["Microsoft", "1066", "Leonardo da Vinci"],
];

const ADJECTIVES = ["quiet", "golden", "brave", "hidden", "early", "gentle"];
const NOUNS = ["river", "lantern", "garden", "harbor", "feather", "mountain"];

/** Invents a value of the same form: a UUID, a number with the same number of digits, or two joined words. */
export function inventLike(value: string, draw: Draw): string {
  if (/^[0-9a-f]{8}-/.test(value)) return uuid(draw);
  if (/^\d+$/.test(value)) {
    const low = 10 ** (value.length - 1);
    return String(integer(draw, { low, high: 10 * low - 1 }));
  }
  return `${pick(draw, ADJECTIVES)}-${pick(draw, NOUNS)}`;
}

/** Invents a name of capital letters. */
export function inventName(letters: number, draw: Draw): string {
  return Array.from({ length: letters }, () => String.fromCharCode(integer(draw, { low: 65, high: 90 }))).join("");
}

/** Returns the last match of a pattern, which must have the `g` flag. */
export function lastMatch(text: string, pattern: RegExp): RegExpMatchArray | null {
  let last: RegExpMatchArray | null = null;
  for (const match of text.matchAll(pattern)) last = match;
  return last;
}

/** Returns a function that joins an answer to a prompt: with a space if it ends with `ending`, in the middle of a sentence. */
export function continueWith(prompt: string, ending: string): (answer: string) => string {
  const isOpen = prompt.endsWith(ending);
  return (answer) => answer !== "" && isOpen ? ` ${answer}` : answer;
}

/** Lists texts in a sentence: `a`, `a and b`, `a, b, and c`. */
export function listTexts(texts: readonly string[]): string {
  if (texts.length <= 2) return texts.join(" and ");
  return `${texts.slice(0, -1).join(", ")}, and ${texts.at(-1)}`;
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten".split(" ");

/** Reads a whole number written in digits or, up to ten, in words. */
export function readNumber(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const number = NUMBER_WORDS.indexOf(text.toLowerCase());
  return number < 0 ? null : number;
}

/** Writes a whole number in words up to ten, in digits above. */
export function writeNumber(number: number): string {
  return NUMBER_WORDS[number] ?? String(number);
}

/** Counts words and separates the `asked` most frequent from the rest; of equal counts the first one in the text is first. */
export function rankWords(
  words: readonly string[],
  asked: number,
): { readonly wanted: Finding[]; readonly rivals: Finding[] } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = Array.from(counts, ([word, count]): Finding => ({ key: word, value: word, depth: null, count }))
    .sort((left, right) => right.count! - left.count!);
  return { wanted: ranked.slice(0, asked), rivals: ranked.slice(asked) };
}

/** Draws one of several choices by weight; the first if all weights are 0. */
export function drawWeighted<T>(draw: Draw, choices: readonly (readonly [T, number])[]): T {
  const total = sum(choices, ([, weight]) => weight);
  let left = draw() * total;
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return choices[0]![0];
}

const REFUSALS = [" I'm sorry, but I cannot find that in the text.", " I am sorry, I am not able to answer that."];
/** Repeats of a character in a loop, as small models repeat a zero. */
const CHARACTERS = 120;
/** Repeats of an item of a list, and of a line. */
const ITEMS = 40;
const LINES = 8;

const FORMS_OF_FACTS: ReadonlySet<ReplyForm> = new Set(["distractor", "near_miss", "key", "partial"]);

/** Draws whether a lost reply copies the worked example. */
export function copiesExample({ example }: Reading, { whole, copying }: MistakeRates, draw: Draw): boolean {
  return example.length > 0 && draw() < 1 - whole / Math.max(copying, whole, 1e-9);
}

/**
 * Draws the failure of a reply without a right part, whose text is `null` if each fact is replaced; `null` if the rates have no
 * possible form.
 */
export function writeLost(
  reading: Reading,
  { prompt, rates, draw }: { readonly prompt: string; readonly rates: MistakeRates; readonly draw: Draw },
): { readonly kind: ReplyForm; readonly text: string | null } | null {
  const weights = Object.entries(rates.wholeReplies[settingOf(reading)] ?? {}) as [ReplyForm, number][];
  const possible = weights.filter(([form]) => canHave(reading, form));
  if (possible.length === 0) return null;
  const kind = drawWeighted(draw, possible);
  if (FORMS_OF_FACTS.has(kind)) return { kind, text: null };
  const text = WRITERS[kind]?.(reading, draw, prompt) ?? null;
  return text === null ? { kind: "looped", text: repeatCharacter(reading, draw) } : { kind, text };
}

type WriteForm = (reading: Reading, draw: Draw, prompt: string) => string | null;

const WRITERS: Readonly<Partial<Record<ReplyForm, WriteForm>>> = {
  empty: () => "",
  refused: ({ refusals = REFUSALS }, draw) => pick(draw, refusals),
  prior: (reading, draw) => reading.write(inventAll(reading, draw, reading.remember)),
  invented: (reading, draw) => reading.write(inventAll(reading, draw)),
  copied: copyStretch,
  again: sayAgain,
};

function repeatCharacter(reading: Reading, draw: Draw): string {
  const [[character] = ""] = inventAll(reading, draw);
  return reading.write([(character ?? "").repeat(CHARACTERS)]);
}

/** Repeats one item of a list, or the question; `null` if that could pass for an answer. */
function sayAgain(reading: Reading, draw: Draw, prompt: string): string | null {
  if (reading.wanted.length > 1) {
    const [item] = inventAll(reading, draw);
    return item === undefined ? null : reading.write(Array.from({ length: ITEMS }, () => item));
  }
  const lines = stretchesOf(prompt);
  const line = lines.findLast((text) => /[?？]$/.test(text)) ?? lines.at(-1);
  return line === undefined || !isFree(line, reading) ? null : `\n${line}`.repeat(LINES);
}

/** Returns the kind of question of a reading, by which rates differ. */
export function settingOf({ isGraded = false, category, wanted, rivals }: Reading): LossSetting {
  if (isGraded) return "graded text";
  if (category !== "retrieval") return category;
  if (wanted.length > 1) return "list of values";
  return rivals.length > 0 ? "value among others" : "lone value";
}

function canHave({ category, wanted: [first], rivals }: Reading, form: ReplyForm): boolean {
  if (form === "distractor") return rivals.length > 0;
  if (form === "near_miss") return first !== undefined && canSlip(first);
  if (form === "key") return first !== undefined && hasLikeKey(first);
  return form !== "partial" || (category === "retrieval" && first !== undefined && canSlip(first));
}

/** Returns whether a value is a number or a UUID that is long enough for a wrong digit. */
export function canSlip({ value }: Finding): boolean {
  return /^(?=.*\d)[\w-]{6,}$/.test(value);
}

/** Returns whether a key looks like its value, and can be mistaken for it. */
export function hasLikeKey({ key, value }: Finding): boolean {
  return key.length === value.length && key !== value;
}

/** Returns a value with one wrong digit. */
export function slipDigit(value: string, draw: Draw): string {
  const at = pick(draw, Array.from(value.matchAll(/\d/g), ({ index }) => index));
  return `${value.slice(0, at)}${(Number(value[at]) + 1 + Math.floor(9 * draw())) % 10}${value.slice(at + 1)}`;
}

/** Sentences and lines of at least ten words, or of at least twenty Chinese characters. */
const STRETCH =
  /(?<![^\s.!?。！？\p{Script=Han}])(?:[^\s.!?。！？]{1,200}[^\S\n]+){9,60}[^\s.!?。！？]{1,200}[.!?]?|\p{Script=Han}[^\n.!?。！？]{19,200}[。！？]?/gu;

function stretchesOf(prompt: string): string[] {
  const all = Array.from(prompt.matchAll(STRETCH), ([text]) => text);
  // The last stretch may be the beginning of an answer.
  return /[.!?。！？]$/.test(all.at(-1) ?? "") ? all : all.slice(0, -1);
}

/** Stretches that are tried before another form is used. */
const MAX_STRETCHES = 20;

/** Copies a stretch of the prompt that could not pass for an answer. */
function copyStretch(reading: Reading, draw: Draw, prompt: string): string | null {
  const stretches = stretchesOf(prompt);
  for (let tries = 0; tries < MAX_STRETCHES && stretches.length > 0; tries++) {
    const text = pick(draw, stretches);
    if (isFree(text, reading)) return ` ${text}`;
  }
  return null;
}

function isFree(text: string, { wanted, rivals, example }: Reading): boolean {
  const lower = text.toLowerCase();
  const holds = ({ value }: Pick<Finding, "value">): boolean => value !== "" && lower.includes(value.toLowerCase());
  return !/\d/.test(text) && !wanted.some(holds) && !rivals.some(holds) && !example.some((value) => holds({ value }));
}

/** Invents wrong answers, one for each wanted fact. */
function inventAll(reading: Reading, draw: Draw, make = reading.invent): string[] {
  const wanted = reading.wanted.length;
  const right = [...new Set(reading.wanted.map(({ value }) => value.toLowerCase()))];
  const isRight = (text: string): boolean => right.some((value) => text.toLowerCase().includes(value));
  const invented = new Set(Array.from({ length: 4 * wanted + 4 }, () => make(draw)));
  return invented.values().filter((text) => !isRight(text)).take(Math.max(1, wanted)).toArray();
}
