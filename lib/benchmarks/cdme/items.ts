/** The suite and its version, raised when samples of any task change; part of every sample id and published score. */
export const CDME_SUITE = "cdme-3";

/** Needles and their question. */
export interface CdmeItem {
  /** The inserted needles, line breaks included, in order. */
  readonly needles: readonly string[];
  readonly question: string;
  /** The right answer. */
  readonly answer: string;
  /** The part of it that decides the score, for several needles. */
  readonly keyword?: string;
}

/** The edition of a task: with OpenCompass's flaws, or without them. */
export type CdmeEdition = "fixed" | "original";

/** The name of needles that come with Fathom. */
export type CdmeItemName = "internship" | "cot2_italy" | "cot3_italy" | "varied";

/** The needles that come with Fathom, the default first. */
export const CDME_ITEM_NAMES: readonly CdmeItemName[] = ["internship", "cot2_italy", "cot3_italy", "varied"];

/** Returns needles by name, in an edition; `number` selects one of those that vary. */
export function cdmeItem(
  name: CdmeItemName,
  { language, edition, number }: {
    readonly language: CdmeLanguage;
    readonly edition: CdmeEdition;
    readonly number: number;
  },
): CdmeItem {
  if (name === "varied") return variedItem(VARIED[number % VARIED.length]!, language);
  const { original, ...fixed } = ITEMS[language][name];
  return { ...fixed, ...(edition === "original" ? original : {}) };
}

type PublishedName = Exclude<CdmeItemName, "varied">;

/** Needles, with OpenCompass's own if they are corrected. */
interface PublishedItem extends CdmeItem {
  readonly original?: Partial<CdmeItem>;
}

const INTERNSHIP = "小明最喜欢的实习地点就是上海人工智能实验室。";
const GIOSTRA = '\n意大利的佛罗伦萨有一家名为"La Giostra"的餐馆，是整个佛罗伦萨中排行第一的餐馆。\n';
const DISH = '"La Giostra"餐馆的特色菜肴是松露奶酪通心粉。';
const CHEF = "松露奶酪通心粉是该家餐馆的有着意大利皇室烹饪血统的大厨Jack制作";
const CHEF_ANSWER = "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack";
const ENGLISH_INTERNSHIP =
  "Xiao Ming's favorite internship location is the Shanghai Artificial Intelligence Laboratory.";
const ENGLISH_GIOSTRA =
  '\nFlorence in Italy has a restaurant called "La Giostra", which ranks first in the whole of Florence.\n';
const ENGLISH_DISH = 'The specialty of the restaurant "La Giostra" is truffle cheese macaroni.';

/**
 * The Chinese needles are OpenCompass's (configs/datasets/cdme at e975a96f); the English ones are translations of Fathom's.
 *
 * Two things are corrected: the needle with a 的 that the answer's form lacks, and the third needle and answer without a full stop.
 */
const ITEMS: Readonly<Record<CdmeLanguage, Readonly<Record<PublishedName, PublishedItem>>>> = {
  zh: {
    internship: {
      needles: [`\n${INTERNSHIP}\n`],
      question: "小明最喜欢的实习地点是哪里？请按照“小明最喜欢的实习地点就是________。”的格式回答。",
      answer: INTERNSHIP,
      original: {
        needles: ["\n小明最喜欢的实习的地点就是上海人工智能实验室。\n"],
        answer: "\n小明最喜欢的实习的地点就是上海人工智能实验室。\n",
      },
    },
    "cot2_italy": {
      needles: [GIOSTRA, DISH],
      question:
        "佛罗伦萨中排行第一的餐馆的特色菜肴是？请按照'佛罗伦萨中排行第一的餐馆的特色菜肴是______。'的格式回答。",
      answer: "佛罗伦萨中排行第一的餐馆的特色菜肴是松露奶酪通心粉。",
      keyword: "松露奶酪通心粉",
    },
    "cot3_italy": {
      needles: [GIOSTRA, DISH, `${CHEF}。`],
      question:
        "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫什么？请按照'制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫______。'的格式回答。",
      answer: `${CHEF_ANSWER}。`,
      keyword: "Jack",
      original: { needles: [GIOSTRA, DISH, CHEF], answer: CHEF_ANSWER },
    },
  },
  en: {
    internship: {
      needles: [`\n${ENGLISH_INTERNSHIP}\n`],
      question: "What is Xiao Ming's favorite internship location? " +
        'Please answer in the format "Xiao Ming\'s favorite internship location is ________."',
      answer: ENGLISH_INTERNSHIP,
    },
    "cot2_italy": {
      needles: [ENGLISH_GIOSTRA, ENGLISH_DISH],
      question: "What is the specialty of the restaurant that ranks first in Florence? " +
        "Please answer in the format 'The specialty of the restaurant that ranks first in Florence is ______.'",
      answer: "The specialty of the restaurant that ranks first in Florence is truffle cheese macaroni.",
      keyword: "truffle cheese macaroni",
    },
    "cot3_italy": {
      needles: [
        ENGLISH_GIOSTRA,
        ENGLISH_DISH,
        "Truffle cheese macaroni is made by the restaurant's chef Jack, who comes from a line of cooks to the Italian royal house.",
      ],
      question:
        "What is the name of the person who makes the specialty of the restaurant that ranks first in Florence? " +
        "Please answer in the format 'The person who makes the specialty of the restaurant that ranks first in Florence is called ______.'",
      answer: "The person who makes the specialty of the restaurant that ranks first in Florence is called Jack.",
      keyword: "Jack",
    },
  },
};

/** A fact in two languages: its subject and a place. */
interface VariedFact {
  readonly zh: readonly [string, string];
  readonly en: readonly [string, string];
}

/** Ten facts of one form, so that scores do not depend on a single needle. */
const VARIED: readonly VariedFact[] = [
  {
    zh: ["小明最喜欢的实习地点", "上海人工智能实验室"],
    en: ["Xiao Ming's favorite internship location", "the Shanghai Artificial Intelligence Laboratory"],
  },
  { zh: ["小芳最喜欢的博物馆", "陕西历史博物馆"], en: ["Xiao Fang's favorite museum", "the Shaanxi History Museum"] },
  { zh: ["小刚最难忘的车站", "嘉峪关火车站"], en: ["Xiao Gang's most memorable station", "Jiayuguan Railway Station"] },
  { zh: ["王老师最常去的图书馆", "浙江图书馆"], en: ["Teacher Wang's favorite library", "the Zhejiang Library"] },
  { zh: ["李医生每年度假的海岛", "鼓浪屿"], en: ["the island of Doctor Li's yearly holiday", "Gulangyu"] },
  {
    zh: ["老张修过的那座桥", "南京长江大桥"],
    en: ["the bridge that Old Zhang repaired", "the Nanjing Yangtze River Bridge"],
  },
  { zh: ["阿秀出生的古镇", "乌镇"], en: ["the old town where A Xiu was born", "Wuzhen"] },
  { zh: ["陈教授任教的大学", "兰州大学"], en: ["the university where Professor Chen teaches", "Lanzhou University"] },
  {
    zh: ["小雨登台的剧院", "国家大剧院"],
    en: ["the theatre where Xiao Yu performs", "the National Theatre in Beijing"],
  },
  {
    zh: ["刘船长停靠的港口", "宁波舟山港"],
    en: ["the port where Captain Liu docks", "the port of Ningbo and Zhoushan"],
  },
];

function variedItem(fact: VariedFact, language: CdmeLanguage): CdmeItem {
  const [subject, place] = fact[language];
  if (language === "zh") {
    const answer = `${subject}就是${place}。`;
    return {
      needles: [`\n${answer}\n`],
      question: `${subject}是哪里？请按照“${subject}就是________。”的格式回答。`,
      answer,
    };
  }
  const opening = subject.charAt(0).toUpperCase() + subject.slice(1);
  const answer = `${opening} is ${place}.`;
  const question = `What is ${subject}? Please answer in the format "${opening} is ________."`;
  return { needles: [`\n${answer}\n`], question, answer };
}

/** A language of CDME. */
export type CdmeLanguage = "zh" | "en";

/** The prompt around the context (OpenCompass, cdme.py at e975a96f). */
interface CdmeTemplate {
  /** Before the document. */
  readonly opening: string;
  /** Between the document and the question. */
  readonly questionLead: string;
  /** The text before the form of the answer in a question. */
  readonly marker: string;
  /** The text before the marker in a guided question. */
  readonly guidance: string;
}

export const CDME_TEMPLATES: Readonly<Record<CdmeLanguage, CdmeTemplate>> = {
  zh: {
    opening:
      "你是一个善于回答用户问题的智能AI助手\n请保持你的回答简洁清楚。不要说和下面文档中的无关的话，或重复你的回答\n用户现在给你的文档是",
    questionLead: "\n\n现在请问：",
    marker: "请按照",
    guidance: "在回答之前，请思考文档中与此问题最相关的内容是什么。",
  },
  en: {
    opening: "You are an intelligent AI assistant skilled in answering user questions.\n" +
      "Please keep your answers concise and clear. Do not talk about irrelevant topics or repeat your answers.\n" +
      "The document given to you by the user is ",
    questionLead: "\n\nNow, the question is: ",
    marker: "Please answer in the format",
    guidance: "Before answering, please consider what in the document is most relevant to this question. ",
  },
};

/** Puts guidance before the form of the answer; `losesRest` drops all from a second marker on, as OpenCompass's code does. */
export function guideQuestion(
  question: string,
  { language, losesRest }: { readonly language: CdmeLanguage; readonly losesRest: boolean },
): string {
  const { marker, guidance } = CDME_TEMPLATES[language];
  const [asked = "", ...form] = question.split(marker);
  return `${asked}${guidance}${marker}${losesRest ? form[0] : form.join(marker)}`;
}

/** The fixed words of an answer before and after its blank. */
export interface AnswerForm {
  readonly before: string;
  readonly after: string;
}

/** Reads the form of the answer from a question such as 请按照“它就是________。”的格式回答; `undefined` if it has no blank. */
export function readAnswerForm(question: string, language: CdmeLanguage): AnswerForm | undefined {
  const { marker } = CDME_TEMPLATES[language];
  const at = question.lastIndexOf(marker);
  const asked = at < 0 ? "" : question.slice(at + marker.length);
  const [, before, after] = /^\s*[“‘"']([^\n_]{0,500})_{2,}([^\n]{0,100}?)[”’"'](?!\p{Script=Latin})/u.exec(asked) ??
    [];
  return before === undefined || after === undefined ? undefined : { before, after };
}
