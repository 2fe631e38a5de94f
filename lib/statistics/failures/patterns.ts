import { type Attempt, blankListNumbers } from "./attempt.ts";
import { spell, trimMarks } from "./traces.ts";

/** A stretch of the context in a reply. */
interface Copy {
  readonly text: string;
  /** The share of the context before it. */
  readonly depth: number;
}

/** The characters that a stretch has at least; planted sentences and answers are shorter or are found before. */
const LEAST = 48;
/** The share of the reply that it makes up at least. */
const LEAST_SHARE = 0.6;

/**
 * Finds the stretch of the context that makes up most of a reply, word for word. A stretch that begins within the first two
 * fifths of the reply is found, as a shorter one could not make up most of it.
 */
export function findCopy({ reply, context, shape }: Attempt): Copy | null {
  const text = spell(reply).replaceAll(/\s+/g, " ");
  if (text.length < LEAST) return null;
  const source = context().replaceAll(/\s+/g, " ");
  for (let start = 0; start <= text.length * (1 - LEAST_SHARE); start++) {
    if (start > 0 && text[start - 1] !== " ") continue;
    const at = source.indexOf(text.slice(start, start + LEAST));
    if (at < 0 || start + LEAST > text.length) continue;
    let length = LEAST;
    while (start + length < text.length && source[at + length] === text[start + length]) length++;
    if (length < LEAST_SHARE * text.length) continue;
    const copied = text.slice(start, start + length);
    // A planted sentence that was repeated is told by what it says.
    const isPlanted = !shape.isCounted &&
      [...shape.rivals.keys(), ...shape.targets.keys()].some((said) => copied.includes(said));
    return isPlanted ? null : { text: copied, depth: at / source.length };
  }
  return null;
}

/** Something said again and again. */
interface Loop {
  /** What is said, once. */
  readonly unit: string;
  /** How often it is said. */
  readonly rounds: number;
}

/** The longest unit looked for, in words and in characters. */
const LONGEST_UNIT = 60;
/** Words and characters of a reply that are looked at; a loop that began later fills less than half of it. */
const MOST_PIECES = 3000;
/** Characters that a loop without spaces has at least: a short word may be a syllable again and again. */
const LEAST_CHARACTERS = 40;

/**
 * Finds a loop that makes up at least half of a text: one word, or a row of them, over and over. The numbers of a numbered
 * list do not break it. A text without spaces is looked at character by character.
 *
 * @param least How many rounds make a loop.
 */
export function findLoop(text: string, least: number): Loop | null {
  const words = blankListNumbers(text).split(/\s+/, 2 * MOST_PIECES).map((word) => trimMarks(word).toLowerCase())
    .filter((word) => word !== "");
  const byWord = findPeriod(words.slice(0, MOST_PIECES), least);
  if (byWord) return { unit: byWord.unit.join(" "), rounds: byWord.rounds };
  const characters = [...text.replaceAll(/\s+/g, "")].slice(0, MOST_PIECES);
  const byCharacter = findPeriod(characters, least);
  if (!byCharacter || byCharacter.rounds * byCharacter.unit.length < LEAST_CHARACTERS) return null;
  return { unit: byCharacter.unit.join(""), rounds: byCharacter.rounds };
}

/** Finds the shortest row of pieces that comes again and again over at least half of them all. */
function findPeriod(
  pieces: readonly string[],
  least: number,
): { readonly unit: string[]; readonly rounds: number } | null {
  for (let period = 1; period <= Math.min(LONGEST_UNIT, pieces.length / least); period++) {
    let run = 0;
    let longest = 0;
    let end = 0;
    for (let at = period; at < pieces.length; at++) {
      run = pieces[at] === pieces[at - period] ? run + 1 : 0;
      if (run <= longest) continue;
      longest = run;
      end = at + 1;
    }
    const length = longest + period;
    const rounds = Math.floor(length / period);
    if (rounds >= least && 2 * length >= pieces.length) return { unit: pieces.slice(end - period, end), rounds };
  }
  return null;
}

/** What stands between a verb and what it is about: a few words, none of them beyond the sentence. */
const FEW = "(?:[\\w']+,? ){0,4}";

/** How English says that there is no answer, or that none can be given. Compared in lower case with plain apostrophes. */
const ENGLISH: readonly RegExp[] = [
  // "I cannot find …", "unable to determine …", "I am not able to answer …"
  `\\b(?:cannot|can not|can't|could not|couldn't|unable to|not able to|not possible to|refrain from) ${FEW}(?:find|found|locate|answer|determine|determined|identify|provide|retrieve|say|state|tell|see|help|assist|comply|give|confirm|speculat\\w+|recall|access|complete|fulfill|extract)\\b`,
  // "the context does not mention …", "is not mentioned", "does not provide …"
  `\\b(?:do|does|did|is|are|was|were|has|have)(?: not|n't) ${FEW}(?:mention|contain|provide|include|specif|state|discuss|appear|reference|address|present|available|exist|found|enough|sufficient|know|see|given|listed|assigned)\\w*`,
  // "there is no mention of …", "no information", "no relevant documents", "no such key"
  `\\bno (?:clear |direct |specific |relevant |explicit |definitive |such |additional |special |magic )*(?:mention|information|answer|reference|record|indication|statement|details?|context|evidence|document|text|variables?|numbers?|words?|uuids?|values?|keys?)\\b`,
  `\\b(?:insufficient|not enough|without (?:more|any|additional|further)) ${FEW}(?:information|context|details?|data)\\b`,
  `\\b(?:not|never|nowhere) (?:explicitly |directly |specifically |clearly )?(?:mentioned|provided|specified|stated|found|given|available|listed|present|included)\\b`,
  // "As an AI language model …"
  `\\bas an ai\\b`,
  // The whole reply is "Unknown", "N/A", "None", "Not sure"
  `^\\W*(?:the answer is )?(?:unknown|unanswerable|n/?a|none|nothing|no answer|no idea|not sure|unclear|undetermined)\\W*$`,
].map((pattern) => new RegExp(pattern));

/** How Chinese says it. */
const CHINESE: readonly RegExp[] = [
  /(?:无法|不能|没法|難以|难以|無法)[^，。；！？\n]{0,8}(?:回答|确定|找到|提供|得知|判断|给出|识别|知道|推断|確定|回覆|回复|协助|帮助)/,
  /(?:没有|没|未|并未|并没有|未能|沒有|並未)[^，。；！？\n]{0,8}(?:提到|提及|找到|包含|说明|给出|提供|出现|记录|相关|涉及|明确|信息|答案|提過|說明)/,
  /不(?:知道|清楚|确定|詳|详)/,
  /(?:信息|資訊|内容|资料|上下文)不(?:足|够|夠)/,
  /(?:抱歉|对不起|很遗憾|對不起)[^。！？\n]{0,20}(?:无法|不能|没有|未|無法|沒有)/,
];

/** Words that say that there is no answer. */
interface Refusal {
  readonly said: string;
  /** Where in the text they begin. */
  readonly at: number;
}

/**
 * Finds the first words by which a text says that it has no answer: that the context does not hold it, that it cannot be found
 * or told, or that the model will not say it.
 *
 * @param text A reply, spelled for comparison, with single spaces.
 * @returns The words and their place; `null` where there are none.
 */
export function findRefusal(text: string): Refusal | null {
  const matches = [...ENGLISH, ...CHINESE].map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  const [first] = matches.sort((left, right) => left.index - right.index);
  return first ? { said: first[0], at: first.index } : null;
}
