import { type Audit, checkExample, lastPlace, SENTENCE, type Solution, unsolvable } from "./_solution.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";

/** A star's sentence: how it reads in each language, and what its numbers say. */
interface Reading {
  readonly en: RegExp;
  readonly zh: RegExp;
  /** Reads the wrong count and the right one, as far as the sentence tells them, the count of the sentence before at hand. */
  read(numbers: readonly string[], before: Star | undefined): Star;
  /** Whether it sets right the count before it. */
  readonly isSecond?: boolean;
  /** How many of its pieces say something. */
  readonly pieces: number;
}

interface Star {
  readonly right: number;
  readonly wrong?: number;
}

const READINGS: readonly Reading[] = [
  {
    en: /^The little penguin counted (\d+) ★$/,
    zh: /^小企鹅数了(\d+)颗★$/,
    read: ([count]) => ({ right: Number(count) }),
    pieces: 1,
  },
  {
    en:
      /^The little penguin counted (\d+) ★, but found that a mistake had been made, so the counting was done again, and this time (\d+) ★ was counted correctly\.$/,
    zh: /^小企鹅数了(\d+)颗★，但发现数错了，于是又数了一遍，这次数对了，是(\d+)颗★$/,
    read: ([wrong, right]) => ({ right: Number(right), wrong: Number(wrong) }),
    pieces: 2,
  },
  {
    en: /^The little penguin counted (\d+) ★, but the little penguin found that it had counted (\d+) ★ too (many|few)$/,
    zh: /^小企鹅数了(\d+)颗★，但小企鹅发现它(?=.数了(\d+)颗)(多|少)数了\d+颗★$/,
    read: ([wrong, slip, way]) => setRight(Number(wrong), Number(slip), way),
    pieces: 2,
  },
  {
    en: /^The little penguin found that the last time it had counted (\d+) ★ too (many|few)$/,
    zh: /^小企鹅发现上一次(?=.数了(\d+)颗)(多|少)数了\d+颗★$/,
    read([slip, way], before): Star {
      if (before === undefined || before.wrong !== undefined) throw unsolvable("a correction must follow a count");
      return setRight(before.right, Number(slip), way);
    },
    isSecond: true,
    pieces: 1,
  },
];

function setRight(wrong: number, slip: number, way: string | undefined): Star {
  return { wrong, right: way === "many" || way === "多" ? wrong - slip : wrong + slip };
}

/** The answer of a worked example, with what stands before it. */
const EXAMPLE = /^(.*)\n(?:Answer: |答案：)(\{[^{}]*\})\n\n\n\n/s;

/** Says in stars what a text says of another thing, in the words of the reference. */
function inStars(text: string, question: string, language: "en" | "zh"): string {
  const [, thing = "★"] = (language === "en" ? /counting ([^.]+)\./ : /数([^。]+)。/).exec(question) ?? [];
  if (thing === "★") return text;
  const [, start, rest] = /["“]([^"“”]*)…([^"“”]*)["”]/.exec(question) ?? [];
  const [before, after] = language === "en" ? ["The little penguin counted ", " ★"] : ["小企鹅数了", "颗★"];
  return text.split("\n").map((line) => {
    if (start !== undefined && line.startsWith(start) && line.endsWith(rest!)) {
      return before + line.slice(start.length, line.length - rest!.length) + after;
    }
    if (language === "en") return line.replaceAll(thing, "★").replace("★ were counted", "★ was counted");
    return line.replaceAll(new RegExp(`(\\d+).${thing}`, "g"), "$1颗★");
  }).join("\n");
}

/** Says of the penguin what a text says of somebody else with a name as long, who is named where the question asks for help. */
function asPenguin(text: string): string {
  const english = [...text.matchAll(/Please help the ([^.]+?) (?:collect|add up) /g)].at(-1)?.[1];
  const chinese = [...text.matchAll(/请帮助([^。，]+?)(?:收集|求出)/g)].at(-1)?.[1];
  if (english !== undefined) {
    return text.replaceAll(english, "little penguin").replaceAll(english.replaceAll(" ", "_"), "little_penguin");
  }
  return chinese === undefined ? text : text.replaceAll(chinese, "小企鹅");
}

/** Solves a prompt of Counting-Stars: reads its sentences line by line, and gives the list, its sum, or both. */
export function solveCountingStars(given: string): Solution {
  const prompt = asPenguin(given);
  const [example = "", solved = "", answer = ""] = EXAMPLE.exec(prompt) ?? [];
  const end = lastPlace(prompt, "\n\n\n\n");
  const question = prompt.slice(end + 4);
  const language = question.includes("penguin") ? "en" : "zh";
  const text = inStars(prompt.slice(example.length, end), question, language);
  const stars: Star[] = [];
  let [planted, signs] = [0, 0];
  for (const line of text.split("\n")) {
    if (!line.includes("★")) continue;
    const reading = READINGS.find((each) => each[language].test(line));
    if (reading === undefined) throw unsolvable(`a line must say a count: "${line}"`);
    const [, ...numbers] = reading[language].exec(line)!;
    const star = reading.read(numbers, stars.at(-1));
    if (reading.isSecond) stars.pop();
    stars.push(star);
    planted += reading.pieces;
    signs += line.split("★").length - 1;
  }
  if (signs !== text.split("★").length - 1) throw unsolvable("every ★ must stand in a star's line");
  const counts = stars.map(({ right }) => right);
  if (new Set(counts).size < counts.length) throw unsolvable("no count may stand twice");
  const wrongs = stars.map(({ wrong }) => wrong === undefined ? "" : String(wrong));
  const total = String(counts.reduce((sum, count) => sum + count, 0));
  const [wantsList, wantsTotal] = [/\[x, ?x, ?x, ?\.\.\.\]/.test(question), /"(total|总数)"/.test(question)];
  if (example !== "") {
    const own = [...counts.map(String), ...wrongs, ...(wantsTotal ? [total] : [])];
    checkExample(answer.match(/\d+/g) ?? [], { right: solveCountingStars(solved).answers, own });
  }
  if (!wantsList && !wantsTotal) throw unsolvable("it must ask for counts");
  return {
    answers: [...(wantsList ? counts.map(String) : []), ...(wantsTotal ? [total] : [])],
    distractors: [...(wantsList ? wrongs : []), ...(wantsTotal ? [""] : [])],
    context: [example.length, end],
    planted,
    unit: SENTENCE[language],
  };
}

/** Things to count that no essay has, and sentences about them. */
const OTHER_THINGS = {
  en: { language: "en", thing: "balloons" },
  zh: { language: "zh", thing: "气球", measure: "只" },
} as const;
const OTHER_SENTENCES = {
  en: "A child let {count} {thing} go over the roofs.",
  zh: "一个孩子放走了{count}只{thing}。",
};

/** As long as the penguin, as the solver puts it in their place and then says where each count stands. */
const OTHER_COUNTERS = { en: "bearded keeper", zh: "老牧人" } as const;

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solveCountingStars,
  further: [
    ...(["en", "zh"] as const).flatMap((language) => [
      STARS.make({ language, stars: 1 }),
      STARS.make({ language, stars: 64, values: "reference" }),
      STARS.make({ language, stars: 128, order: "shuffled", sentence: "corrected", values: "reference" }),
      STARS.make({ language, stars: 8, ask: "sum", sentence: "linked", order: "shuffled" }),
      STARS.make({ language, stars: 16, ask: "list_and_sum", sentence: "miscounted", order: "shuffled" }),
      ...(["plain", "corrected", "miscounted", "linked"] as const).map((sentence) =>
        STARS.make({ language, stars: 4, sentence, order: "shuffled", examples: 1 })
      ),
      STARS.make({ language, stars: 1024, values: "reference", ask: "sum", examples: 1 }),
      STARS.make({ language, edition: "v1", values: "reference" }),
      STARS.make({ language, edition: "v3", sentence: "corrected", order: "shuffled", values: "reference" }),
      STARS.make({ ...OTHER_THINGS[language], edition: "v1" }),
      STARS.make({ ...OTHER_THINGS[language], wording: OTHER_SENTENCES[language], stars: 8 }),
      ...(["corrected", "miscounted", "linked"] as const).map((sentence) =>
        STARS.make({ ...OTHER_THINGS[language], counter: OTHER_COUNTERS[language], sentence, stars: 4, examples: 1 })
      ),
    ]),
  ],
  traits: ({ edition, values }) => {
    const isBudget = edition === "exact";
    // The reference's text with the reference's counts is one and the same; stars stand at as many even intervals as there are.
    return { isBudget, areDifferent: isBudget || values !== "reference", isStepped: true };
  },
};
