import { type Prompt, promptText } from "@/lib/generators/mod.ts";

/** What a text is asked for by: the parts of MRCR's keys. */
export interface TextKey {
  /** The kind of text, such as `poem`; its article is "a". */
  readonly format: string;
  readonly topic: string;
  /** Only in keys of three parts. */
  readonly style?: string;
}

/** The parts of a key: format and topic, or also style. */
export type KeyParts = "2" | "3";

/** How many texts a question can count. */
export const MOST_NEEDLES = 8;

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const NUMBERED = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

/** Who scores replies, and who says how long the hash before an answer is. */
export type ScorerName = "openai" | "google" | "opencompass";

/** The characters of hashes, and their lengths in the data that each scorer is for. */
export const HASH_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
export const HASH_LENGTHS: Readonly<Record<ScorerName, number>> = { openai: 10, google: 12, opencompass: 12 };

/** Returns the request for a text: OpenAI's words for keys of two parts, those of Google DeepMind for three. */
export function requestOf({ format, topic, style }: TextKey): string {
  return style === undefined
    ? `write a ${format} about ${topic}`
    : `Write a ${format} about ${topic} in ${style} style.`;
}

/** Returns the question for the text of a key with a number from 1, in the words of the authors of its request. */
export function questionOf(
  { format, topic, style }: TextKey,
  { hash, ordinal }: { readonly hash: string; readonly ordinal: number },
): string {
  const asked = style === undefined
    ? `${NUMBERED[ordinal - 1]} (1 indexed) ${format} about ${topic}`
    : `${ORDINALS[ordinal - 1]} ${format} about ${topic} in a ${style} style`;
  return `Prepend ${hash} to the ${asked}. Do not include any other text in your response.`;
}

/** Writes the answer: the hash, and the text directly after it. */
export function writeAnswer(hash: string, text: string): string {
  return hash + text;
}

/** Writes solved examples, as the first message of both MRCRs begins: texts of a key, and the question for the last. */
export function writeExamples(
  examples: readonly { readonly key: TextKey; readonly texts: readonly string[]; readonly hash: string }[],
): string {
  if (examples.length === 0) return "";
  const solved = examples.map(({ key, texts, hash }) => {
    const exchanges = texts.map((text) => `User: ${requestOf(key)}\n\nAssistant: ${text}\n\n`).join("");
    const question = questionOf(key, { hash, ordinal: texts.length });
    const answer = writeAnswer(hash, texts.at(-1)!);
    return `======EXAMPLE======\n\n${exchanges}User: ${question}\n\nAssistant: ${answer}\n\n======END EXAMPLE======\n\n`;
  });
  return `Here are some examples of conversations succeeded by a follow-up question answered correctly:\n\n${
    solved.join("")
  }`;
}

/** A question as it is read from a prompt. */
interface ReadQuestion {
  readonly hash: string;
  /** From 1. */
  readonly ordinal: number;
  /** The key in one text, as {@linkcode readRequest} gives it. */
  readonly key: string;
  /** Its place in the prompt. */
  readonly index: number;
}

const QUESTION =
  /Prepend (\w{1,40}) to the (?:(\d)(?:st|nd|rd|th) \(1 indexed\)|([a-z]{5,7})) ([^\n]{1,300}?)\. Do not include any other text in your response\./g;

/** Finds the last question of a text; `null` if there is none. */
export function findQuestion(text: string): ReadQuestion | null {
  const match = text.slice(text.lastIndexOf("Prepend ")).matchAll(QUESTION).next().value;
  if (match === undefined) return null;
  const [, hash = "", number, word = "", phrase = ""] = match;
  const ordinal = number === undefined ? ORDINALS.indexOf(word) + 1 : Number(number);
  if (ordinal < 1) return null;
  const key = phrase.replace(/^(.*) in a (.+) style$/, "$1 in $2 style");
  return { hash, ordinal, key, index: text.lastIndexOf("Prepend ") };
}

/** Reads the key of a request; `null` for other texts. */
function readRequest(text: string): string | null {
  return /^[Ww]rite an? ([^\n]{1,300}?)\.?$/.exec(text)?.[1] ?? null;
}

/** A request of a conversation with the text that was written on it. */
interface Exchange {
  readonly key: string;
  readonly text: string;
  /** The character of the prompt where the text begins. */
  readonly at: number;
}

/** A conversation and its question, read from a prompt. */
interface Transcript {
  readonly exchanges: readonly Exchange[];
  readonly asked: ReadQuestion;
}

/** The end of the solved examples, and the labels around a request: that before the first one can be missing. */
const EXAMPLE_END = "END EXAMPLE";
const REQUEST = /(?:User: |=\s+|^)([Ww]rite an? [^\n]{1,300})\n\nAssistant: /g;
const BEFORE_LABEL = "\n\n".length;

/** Reads the conversation of a prompt, of several messages or with labels in one text. */
export function exchangesOf(prompt: Pick<Prompt, "messages">): Transcript {
  const transcript = readTranscript(promptText(prompt));
  if (transcript !== null) return transcript;
  throw new TypeError(
    `Cannot read the conversation as its last message must be a question of MRCR: current value is ${
      JSON.stringify(prompt.messages.at(-1)?.text.slice(-80) ?? "")
    }`,
  );
}

function readTranscript(prompt: string): Transcript | null {
  const asked = findQuestion(prompt);
  if (asked === null) return null;
  const end = prompt.lastIndexOf("User: ", asked.index);
  const start = Math.max(0, prompt.lastIndexOf(EXAMPLE_END, end));
  const requests = [...prompt.slice(start, end).matchAll(REQUEST)];
  const exchanges = requests.flatMap(({ 0: { length }, 1: request = "", index }, number): Exchange[] => {
    const at = start + index + length;
    const next = requests[number + 1];
    const textEnd = next === undefined ? end : start + next.index;
    const key = readRequest(request);
    return key === null ? [] : [{ key, text: prompt.slice(at, textEnd - BEFORE_LABEL), at }];
  });
  return exchanges.length === 0 ? null : { exchanges, asked };
}
