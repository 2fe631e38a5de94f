import type { StarLanguage, StarSentence } from "./_star_sentences.ts";

/** What is asked for: the counts, their sum, or both. */
export type StarAsk = "list" | "list_and_sum" | "sum";

/** Whose wording and placing are followed. */
export type StarEdition = "exact" | "v1" | "v3";

/** What decides a question's words. */
export interface StarQuestion {
  readonly language: StarLanguage;
  readonly sentence: StarSentence;
  readonly ask: StarAsk;
  readonly edition: StarEdition;
}

/** Words the question, which stands after the text and begins with four line breaks. */
export function starQuestion(question: StarQuestion): string {
  return `\n\n\n\n${question.language === "zh" ? wordInChinese(question) : wordInEnglish(question)}`;
}

function wordInChinese({ sentence, ask, edition }: StarQuestion): string {
  const isCorrected = sentence !== "plain";
  const opening = "在这个月光皎洁、云雾缭绕的夜晚，小企鹅正望向天空，全神贯注地数★。";
  const ending = "仅以JSON格式输出结果，不需要输出任何解释。";
  const list = '"小企鹅":[x,x,x,...]';
  const counts = isCorrected ? "正确颗数" : "颗数";
  const each = isCorrected ? "小企鹅正确数★的颗数" : "小企鹅每次数★的颗数";
  if (edition === "v1") {
    return `${opening}请帮助小企鹅收集所数★，例如：{${list}}，不要求和，[x,x,x,...]中数字为${each}，${ending}`;
  }
  const collect = `${opening}请帮助小企鹅收集所数★的${counts}`;
  const asks: Readonly<Record<StarAsk, string>> = {
    "list": `${collect}，按照如下格式：{${list}}，不要求和，[x,x,x,...]中数字为${each}，${ending}`,
    "list_and_sum":
      `${collect}并求和，按照如下格式：{${list},"总数":x}，[x,x,x,...]中数字为${each}，总数为这些数字之和，${ending}`,
    "sum": `${opening}请帮助小企鹅求出所数★的${counts}之和，按照如下格式：{"总数":x}，x为${each}之和，${ending}`,
  };
  return asks[ask];
}

function wordInEnglish({ sentence, ask, edition }: StarQuestion): string {
  const isCorrected = sentence !== "plain";
  const how = edition === "v1" ? "entirely focused on" : "and concentrating on";
  const looking = edition === "v1" ? "looking up at the sky, " : "looking up at the sky ";
  const opening = `On this moonlit and misty night, the little penguin is ${looking}${how} counting ★.`;
  const ending = "Only output the results in JSON format without any explanation.";
  const list = '"little_penguin": [x, x, x,...]';
  const number = isCorrected ? "correct number" : "number";
  const each = `the ${isCorrected ? "correctly " : ""}counted number of ★ by the little penguin`;
  const collect = `${opening} Please help the little penguin collect the ${number} of ★`;
  const represent = `the numbers in [x, x, x,...] represent ${each}`;
  const asks: Readonly<Record<StarAsk, string>> = {
    "list": `${collect}, for example: {${list}}. The summation is not required, and ${represent}. ${ending}`,
    "list_and_sum":
      `${collect} and add them up, for example: {${list}, "total": x}. Here ${represent}, and the total is their sum. ${ending}`,
    "sum":
      `${opening} Please help the little penguin add up the ${number}s of ★, for example: {"total": x}. Here x is the sum of ${each} each time. ${ending}`,
  };
  return asks[ask];
}
