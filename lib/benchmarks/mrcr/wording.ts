/** What a text is asked for by: the parts of MRCR's keys. */
export interface TextKey {
  /** The kind of text, such as `poem`; its article is "a". */
  readonly format: string;
  readonly topic: string;
  /** Only in keys of three parts. */
  readonly style?: string;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/** The most texts that a question can count. */
export const MOST_NEEDLES = ORDINALS.length;

/** The characters of the hash before an answer, in the data that each scorer is for. */
export const HASH_LENGTHS = { openai: 10, google: 12, opencompass: 12 } as const;

/** Returns the request for a text: OpenAI's words for keys of two parts, those of Google DeepMind for three. */
export function requestOf({ format, topic, style }: TextKey): string {
  return style === undefined
    ? `write a ${format} about ${topic}`
    : `Write a ${format} about ${topic} in ${style} style.`;
}

/** A text that is asked for, or the hash of its answer. */
interface AskedText {
  readonly key: TextKey;
  readonly hash: string;
  /** Its number among the texts of its key, from 1. */
  readonly ordinal: number;
}

/** Returns the question for a text, in the words of the authors of its request. */
export function questionOf({ key: { format, topic, style }, hash, ordinal }: AskedText): string {
  const numbered = `${ordinal}${["st", "nd", "rd"][ordinal - 1] ?? "th"} (1 indexed)`;
  const asked = style === undefined
    ? `${numbered} ${format} about ${topic}`
    : `${ORDINALS[ordinal - 1]} ${format} about ${topic} in a ${style} style`;
  return `Prepend ${hash} to the ${asked}. Do not include any other text in your response.`;
}

/** A solved example: texts of a key, of which the last is asked for. */
interface Example extends Omit<AskedText, "ordinal"> {
  readonly texts: readonly string[];
}

/** Writes solved examples, as the first message of both MRCRs begins. */
export function writeExamples(examples: readonly Example[]): string {
  if (examples.length === 0) return "";
  const solved = examples.map(({ key, texts, hash }) => {
    const exchanges = texts.map((text) => `User: ${requestOf(key)}\n\nAssistant: ${text}\n\n`).join("");
    const question = questionOf({ key, hash, ordinal: texts.length });
    const answer = hash + texts.at(-1);
    return `======EXAMPLE======\n\n${exchanges}User: ${question}\n\nAssistant: ${answer}\n\n======END EXAMPLE======\n\n`;
  });
  return "Here are some examples of conversations succeeded by a follow-up question answered correctly:\n\n" +
    solved.join("");
}

const QUESTION = new RegExp(
  String.raw`Prepend (\w{1,40}) to the (?:\d(?:st|nd|rd|th) \(1 indexed\)|${ORDINALS.join("|")}) ` +
    String.raw`([^\n]{1,300}?)\. Do not include any other text in your response\.`,
);
const EXCHANGE =
  /(?:User: |=\s+|^)[Ww]rite an? ([^\n]{1,300}?)\.?\n\nAssistant: (.*?)\n\n(?=User: (?:[Ww]rite an? |Prepend ))/gs;

/** A conversation, read from a prompt. */
interface Transcript {
  /** The hash of the answer, and the key of the text that is asked for, in the words of a request. */
  readonly hash: string;
  readonly asked: string;
  readonly texts: readonly { readonly key: string; readonly text: string }[];
}

/** Reads a conversation of either MRCR, its messages joined with their labels. */
export function readTranscript(prompt: string): Transcript {
  const at = Math.max(0, prompt.lastIndexOf("Prepend "));
  const [, hash, phrase = ""] = QUESTION.exec(prompt.slice(at)) ?? [];
  const start = Math.max(0, prompt.lastIndexOf("END EXAMPLE", at));
  const texts = [...prompt.slice(start).matchAll(EXCHANGE)].map(([, key, text]) => ({ key: key!, text: text! }));
  if (hash !== undefined && texts.length > 0) {
    return { hash, asked: phrase.replace(/ in a (.+ style)$/, " in $1"), texts };
  }
  const value = JSON.stringify(prompt.slice(-80));
  throw new TypeError(
    `Cannot read the conversation as its last message must be a question of MRCR: current value is ${value}`,
  );
}
