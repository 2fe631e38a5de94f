import { type Audit, lastPlace, only, SENTENCE, type Solution, unsolvable } from "./_solution.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";

/** The words of a language that a solver goes by. */
const WORDS = {
  zh: {
    opening: "用户现在给你的文档是",
    asking: "\n\n现在请问：",
    form: /请按照[“']([^_]*)_{2,}([^”']*)[”']的格式回答/,
    restaurant: /有一家名为"([^"]+)"的餐馆，是整个佛罗伦萨中排行第一的餐馆/g,
    dish: (restaurant: string) => new RegExp(`"${restaurant}"餐馆的特色菜肴是([^。]+)。`, "g"),
    chef: (dish: string) => new RegExp(`${dish}是该家餐馆的有着意大利皇室烹饪血统的大厨([A-Za-z]+)制作`, "g"),
    asksForChef: "的人叫什么",
  },
  en: {
    opening: "The document given to you by the user is ",
    asking: "\n\nNow, the question is: ",
    form: /Please answer in the format ["']((?:[^_])*)_{2,}(.*?)["']$/,
    restaurant: /Florence in Italy has a restaurant called "([^"]+)", which ranks first in the whole of Florence\./g,
    dish: (restaurant: string) => new RegExp(`The specialty of the restaurant "${restaurant}" is ([^.]+)\\.`, "g"),
    chef: (dish: string) => new RegExp(`${dish} is made by the restaurant's chef ([A-Za-z]+), who`, "gi"),
    asksForChef: "the person who makes",
  },
} as const;

type Words = typeof WORDS[keyof typeof WORDS];

/** Solves a prompt of CDME: fills the form that the question asks for from the line of its subject, or from link to link. */
export function solveCdme(prompt: string): Solution {
  const language = prompt.startsWith("You are") ? "en" : "zh";
  const words: Words = WORDS[language];
  const start = prompt.indexOf(words.opening) + words.opening.length;
  const end = lastPlace(prompt, words.asking);
  const [context, question] = [prompt.slice(start, end), prompt.slice(end + words.asking.length)];
  const [, before, after] = words.form.exec(question) ?? [];
  if (before === undefined || after === undefined) throw unsolvable("it must ask for a form");
  const shared = { context: [start, end] as const, unit: SENTENCE[language] };
  if (!/佛罗伦萨|Florence/.test(question)) {
    // OpenCompass's own needle says 的 once more than its question.
    const bare = (text: string): string => text.replaceAll("的", "");
    const line = only(context.split("\n").filter((each) => bare(each).startsWith(bare(before))), "line of the subject");
    if (!line.endsWith(after)) throw unsolvable("the needle must end as its form does");
    return { ...shared, answers: [line], planted: 1 };
  }
  const restaurant = findOne(context, words.restaurant);
  const dish = findOne(context, words.dish(restaurant));
  const isThree = question.includes(words.asksForChef);
  const keyword = isThree ? findOne(context, words.chef(dish)) : dish;
  return { ...shared, answers: [before + keyword + after, keyword], planted: isThree ? 3 : 2 };
}

function findOne(text: string, pattern: RegExp): string {
  return only([...text.matchAll(pattern)], `place of ${pattern.source}`)[1]!;
}

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveCdme,
  further: [
    ...(["en", "zh"] as const).flatMap((language) => [
      CDME_NEEDLES.task(`cdme_${language}`, { guide: "off", spacing: "sigmoid", depths: 9 }),
      CDME_NEEDLES.task(`cdme_${language}`, { depth: 1, trim: "on", lengthBuffer: 64 }),
      CDME_NEEDLES.task(`cdme_multi_${language}`, { gap: 0 }),
      CDME_NEEDLES.task(`cdme_multi_${language}`, { depth: 0, gap: 50, guide: "off" }),
      CDME_NEEDLES.task(`cdme_multi2_${language}`, { gap: 100 }),
    ]),
    CDME_NEEDLES.task("cdme_original", { guide: "off", spacing: "sigmoid" }),
    CDME_NEEDLES.task("cdme_original_multi", { gap: 10, lengthBuffer: 400 }),
  ],
  traits: ({ edition }) => ({ isBudget: edition !== "original", isSpread: false, asksTheSame: true }),
  // OpenCompass's own answers lack the full stop that their form has, and have line breaks too many.
  answersOf: ({ task, references }) =>
    task.startsWith("cdme_original_multi") ? [`${references[0]!}。`, ...references.slice(1)] : references,
};
