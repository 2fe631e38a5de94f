// A few words between a verb and its object, within the sentence.
const FEW = "(?:[\\w']+,? ){0,4}";

/** Refusals in English and Chinese; texts are compared in lower case with plain apostrophes. */
const REFUSALS: readonly RegExp[] = [
  "\\b(?:sorry|apologi[sz]e)\\b",
  // "I cannot find …", "unable to determine …", "I am not able to answer …"
  `\\b(?:cannot|can not|can't|could not|couldn't|did not|didn't|unable to|not able to|not possible to|refrain from) ${FEW}(?:find|found|locate|answer|determine|determined|identify|provide|retrieve|say|state|tell|see|help|assist|comply|give|confirm|speculat\\w+|recall|access|complete|fulfill|extract)\\b`,
  // "the context does not mention …", "is not mentioned", "does not provide …"
  `\\b(?:do|does|did|is|are|was|were|has|have)(?: not|n't) ${FEW}(?:mention|contain|provide|include|specif|state|discuss|appear|reference|address|present|available|exist|found|enough|sufficient|know|say|see|given|listed|assigned)\\w*`,
  // "there is no mention of …", "no information", "no relevant documents", "no such key"
  "\\bno (?:clear |direct |specific |relevant |explicit |definitive |such |additional |special |magic )*(?:mention|information|answer|reference|record|indication|statement|details?|context|evidence|document|text|variables?|numbers?|words?|uuids?|values?|keys?)\\b",
  `\\b(?:insufficient|not enough|without (?:more|any|additional|further)) ${FEW}(?:information|context|details?|data)\\b`,
  "\\b(?:not|never|nowhere) (?:explicitly |directly |specifically |clearly )?(?:mentioned|provided|specified|stated|found|given|available|listed|present|included)\\b",
  "\\bas an ai\\b",
  // The whole reply is "Unknown", "N/A", "None", "Not sure"
  "^\\W*(?:the answer is )?(?:unknown|unanswerable|n/?a|none|nothing|no answer|no idea|not sure|unclear|undetermined)\\W*$",
  "抱歉|对不起|對不起|很遗憾|找不到",
  "(?:无法|不能|没法|難以|难以|無法)[^，。；！？\\n]{0,8}(?:回答|确定|找到|提供|得知|判断|给出|识别|知道|推断|確定|回覆|回复|协助|帮助)",
  "(?:没有|没|未|并未|并没有|未能|沒有|並未)[^，。；！？\\n]{0,8}(?:提到|提及|找到|包含|说明|给出|提供|出现|记录|相关|涉及|明确|信息|答案|提過|說明)",
  "不(?:知道|清楚|确定|詳|详)",
  "(?:信息|資訊|内容|资料|上下文)不(?:足|够|夠)",
].map((pattern) => new RegExp(pattern));

/** Finds the first words of a text by which it denies that there is an answer, or declines to give one. */
export function findRefusal(text: string): { readonly text: string; readonly at: number } | null {
  const lowered = text.toLowerCase().replaceAll("’", "'");
  const [first] = REFUSALS.map((pattern) => pattern.exec(lowered)).filter((match) => match !== null)
    .sort((left, right) => left.index - right.index);
  return first ? { text: first[0], at: first.index } : null;
}

/**
 * Words that frame an answer: function words, and the words of questions that ask for words.
 *
 * Every other word of a reply to such a question counts as an item, and so does one of these if it is a reference.
 */
export const FRAMING_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its they them their there here i we you your
   and or but also then so as if not no only just
   is are was were be been being has have had do does did can could will would may
   in on at of to for from by with within among into out about above below according based after before
   all any both each every more most least other some such same than
   one two three four five six seven eight nine ten first second third fourth fifth
   answer answers assistant user question sure certainly okay ok yes here's
   word words coded code text list listed lists number numbered numbers item items top result results
   common frequent frequently frequency frequencies often appear appears appeared appearing occur occurs occurred occurring
   occurrence occurrences repeated count counts counted time times total order following follows follow given provided
   which what who how many much very found find identified mentioned
   please note let me my`.split(/\s+/).filter((word) => word !== ""),
);
