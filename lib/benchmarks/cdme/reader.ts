import {
  type AnswerForm,
  CDME_TEMPLATES,
  type CdmeLanguage,
  escapePattern,
  formPattern,
  readAnswerForm,
} from "./items.ts";
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { pick } from "@/lib/random/mod.ts";

/**
 * Reads OpenCompass's CDME, in Chinese and in English, with one needle or several.
 *
 * A single needle is the sentence that begins like the answer's form; several are followed from the restaurant in Florence. The
 * answer has the requested form, so it scores 100 if the needle has that form too. Of a user's own needles, it solves those that
 * begin like the form.
 */
export const CDME_READER: TaskReader = {
  name: "cdme",
  recognise(prompt): Reading | null {
    for (const language of ["zh", "en"] as const) {
      const { opening, questionLead } = CDME_TEMPLATES[language];
      const asked = prompt.lastIndexOf(questionLead);
      const start = prompt.indexOf(opening) + opening.length;
      const form = asked < start ? undefined : readAnswerForm(prompt.slice(asked), language);
      if (form === undefined || form.before === "") continue;
      const [found = null, ...others] = findAnswers(prompt.slice(start, asked), form, language);
      const find = ({ value, at, links }: ChainValue): Finding => ({
        key: form.before,
        value,
        depth: (start + at) / prompt.length,
        links,
      });
      const { refusals, invented } = WORDS[language];
      return {
        category: "retrieval",
        wanted: found === null ? [] : [find(found)],
        rivals: others.map(find),
        example: [],
        isUnsolved: found === null,
        isGraded: true,
        refusals,
        invent: (draw) => pick(draw, invented[(found?.links ?? 1) - 1]!),
        write: ([value]) => value === undefined ? refusals[0]! : `${form.before}${value}${form.after}`,
      };
    }
    return null;
  },
};

/** The reader's strings of a language. */
interface CdmeWords {
  readonly refusals: readonly [string, ...string[]];
  /** Made-up answers, by the number of needles that lead to the answer: places, dishes, names. */
  readonly invented: readonly (readonly string[])[];
}

const NAMES = ["Mario", "Luigi", "Marco", "Paolo", "Tom"];

const WORDS: Readonly<Record<CdmeLanguage, CdmeWords>> = {
  zh: {
    refusals: ["抱歉，我在文档中找不到这个问题的答案。", "对不起，文档中没有提到这一点，我无法回答。"],
    invented: [
      ["北京大学", "清华大学图书馆", "杭州西湖", "广州塔", "武汉长江大桥"],
      ["提拉米苏", "佛罗伦萨牛排", "海鲜烩饭", "那不勒斯披萨"],
      NAMES,
    ],
  },
  en: {
    refusals: ["I'm sorry, but I cannot find that in the document.", "The document does not mention that."],
    invented: [
      ["Peking University", "the British Museum", "West Lake", "the Canton Tower", "Paddington Station"],
      ["tiramisu", "Florentine steak", "seafood risotto", "pizza Napoletana"],
      NAMES,
    ],
  },
};

/** Finds the answers in a document, those that end like the form first. */
function findAnswers(document: string, form: AnswerForm, language: CdmeLanguage): ChainValue[] {
  const chained = followChain(document, form.before);
  if (chained) return [chained];
  const before = formPattern(form.before, language);
  const after = escapePattern(form.after.trim());
  const find = (pattern: RegExp): ChainValue[] =>
    [...document.matchAll(pattern)].map(({ 1: value, index }) => ({ value: value!, at: index, links: 1 }));
  const whole = find(new RegExp(`${before}\\s?([^\\n。]{1,200}?)${after}`, "gu"));
  return whole.length > 0 || after === "" ? whole : find(new RegExp(`${before}\\s?([^\\n。.]{1,200})`, "gu"));
}

/** A value found, with its place in the text and the number of needles that led to it. */
interface ChainValue {
  readonly value: string;
  readonly at: number;
  readonly links: number;
}

/** How the needles of one language name the restaurant, its dish and the chef. */
interface ChainWords {
  readonly restaurant: RegExp;
  readonly dish: RegExp;
  readonly chef: RegExp;
  /** How the form of an answer begins if the chef is asked for, and if the dish is. */
  readonly asksChef: RegExp;
  readonly asksDish: RegExp;
}

const CHAINS: readonly ChainWords[] = [
  {
    restaurant: /意大利的佛罗伦萨有一家名为"([^"]+)"的餐馆/g,
    dish: /"([^"]+)"餐馆的特色菜肴是([^。\n]+)。/g,
    chef: /(?<![\u4e00-\u9fff])([\u4e00-\u9fff]+)是该家餐馆的[^。\n]{0,40}?大厨(\p{Script=Latin}+)制作/gu,
    asksChef: /^制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫$/,
    asksDish: /^佛罗伦萨中排行第一的餐馆的特色菜肴是$/,
  },
  {
    restaurant: /Florence in Italy has a restaurant called "([^"]+)"/g,
    dish: /The specialty of the restaurant "([^"]+)" is ([^.\n]+)\./g,
    chef: /(\p{L}[^.\n]{0,80}) is made by the restaurant's chef (\p{L}+)/gu,
    asksChef: /^The person who makes the specialty of the restaurant that ranks first in Florence is called\s*$/,
    asksDish: /^The specialty of the restaurant that ranks first in Florence is\s*$/,
  },
];

/** Follows the needles about the restaurant in Florence; `null` if the form asks for something else or one is missing. */
function followChain(document: string, form: string): ChainValue | null {
  const words = CHAINS.find(({ asksChef, asksDish }) => asksChef.test(form) || asksDish.test(form));
  if (!words) return null;
  const [first] = document.matchAll(words.restaurant);
  const dish = [...document.matchAll(words.dish)].find(([, restaurant]) => restaurant === first?.[1]);
  if (!dish) return null;
  if (words.asksDish.test(form)) return { value: dish[2]!, at: dish.index, links: 2 };
  const name = dish[2]!.toLowerCase();
  const chef = [...document.matchAll(words.chef)].find(([, made]) => made!.toLowerCase().endsWith(name));
  return chef ? { value: chef[2]!, at: chef.index, links: 3 } : null;
}
