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
export interface Refusal {
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
