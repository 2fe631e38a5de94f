import {
  areUnset,
  type Audit,
  checkDifferent,
  lastPlace,
  longest,
  only,
  SENTENCE,
  type Solution,
  unsolvable,
} from "./_solution.ts";
import { findFaults } from "../generators/world/_world_solver.ts";
import { solveRuler2 } from "./_solve_ruler2.ts";
import { COMMON_WORDS } from "@/lib/benchmarks/ruler/common_words.ts";
import { FREQUENT_WORDS } from "@/lib/benchmarks/ruler/frequent_words.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { RULER2_NIAH, RULER2_QUESTIONS } from "@/lib/benchmarks/ruler/ruler2.ts";
import { RULER_FAMILIES, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";

/** Solves a prompt of RULER, its answer prefix included; the documents of question answering are read elsewhere. */
export function solveRuler(prompt: string): Solution {
  if (/^(A|Some) special magic /.test(prompt)) return findNeedles(prompt);
  if (prompt.trimStart().startsWith(TRACING)) return traceVariables(prompt);
  if (prompt.startsWith(LISTING)) return countListed(prompt);
  if (prompt.startsWith(CODED)) return countCoded(prompt);
  throw unsolvable("it begins like no task of RULER that tests/audit/_solve_ruler.ts can solve");
}

/** What noise a haystack is made of. */
const NOISE = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.";

// Needles: the values of the keys that the question names.

function findNeedles(prompt: string): Solution {
  const start = prompt.indexOf("\n") + 1;
  const end = Math.max(prompt.lastIndexOf("What is the special magic"), prompt.lastIndexOf("What are all the special"));
  const context = prompt.slice(start, end);
  const [, isOne, list] = /^What (is|are all) the special magic \w+ for (.+?) mentioned in the provided text\?/
    .exec(prompt.slice(end)) ?? [];
  if (list === undefined) throw unsolvable("it must ask for a needle");
  const asked = list.split(/, and |, /);
  const needles = [
    ...context.matchAll(/One of the special magic (?:words|numbers|uuids) for ([^\s:]+) is: ([^\s.]+)\./g),
  ];
  checkDifferent(needles.map(([, , value]) => value!), "value");
  const answers = asked.flatMap((key) => {
    const values = needles.filter(([, known]) => known === key).map(([, , value]) => value!);
    if (values.length === 0) throw unsolvable(`no needle has the key ${key}`);
    return isOne === "is" ? [only(values, "value of the key")] : values;
  });
  // A reply is searched for the answer, and so it must not be part of something else.
  for (const answer of answers) {
    if (prompt.split(answer).length !== 2) throw unsolvable(`${answer} must stand once`);
  }
  const lines = needles.map(([line]) => `${line}\n`);
  const isNeedlesAlone = lines.join("") === context;
  const unit = context.includes(NOISE) ? `${NOISE}\n` : isNeedlesAlone ? longest(lines) : SENTENCE.en;
  return { answers: answers.sort(), context: [start, end], planted: needles.length, unit };
}

// Variables: all that get the asked value; an example, if there is one, must be solved rightly.

const TRACING = "Memorize and track the chain(s) of variable assignment hidden in the following text.";
const ASKING = /Question: Find all variables that are assigned the value (\d+) in the text/g;
const ANSWERING = /(\d+) variables are assg?i?g?ned the value (\d+), they are: *([A-Z ]*)/g;

function traceVariables(prompt: string): Solution {
  const opening = lastPlace(prompt, TRACING) + TRACING.length;
  const start = opening + /^\s*/.exec(prompt.slice(opening))![0].length;
  const questions = [...prompt.matchAll(ASKING)];
  const said = [...prompt.matchAll(ANSWERING)];
  const [asked, answered] = [questions.at(-1), said.at(-1)];
  if (asked === undefined || answered === undefined || questions.length !== said.length || questions.length > 2) {
    throw unsolvable("a question is wanted, and an example at most");
  }
  if (questions.length === 2) {
    const example = followChain(prompt.slice(0, questions[0]!.index), questions[0]![1]!);
    if (example.names.join(" ") !== said[0]![3]!.trim()) throw unsolvable("the example is answered wrongly");
  }
  const end = asked.index;
  const chain = followChain(prompt.slice(start, end), asked[1]!);
  if (Number(answered[1]) !== chain.names.length) throw unsolvable(`${answered[1]} variables are asked for`);
  for (const name of chain.names) {
    const whole = prompt.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0;
    if (prompt.split(name).length - 1 !== whole) throw unsolvable(`${name} must not be part of another word`);
  }
  // In the code of 2024 the last line is parted from the question.
  const blank = /\n?$/.exec(prompt.slice(start, end).replace(/\n$/, ""))![0].length;
  const context = prompt.slice(start, end - blank);
  const unit = context.includes(NOISE) ? ` ${NOISE}\n` : SENTENCE.en;
  return { answers: chain.names.sort(), context: [start, end - blank], planted: chain.lines, unit };
}

function followChain(text: string, value: string): { readonly names: string[]; readonly lines: number } {
  const known = new Map<string, string>();
  const names: string[] = [];
  const lines = [...text.matchAll(/VAR ([A-Z]+) = (?:VAR )?([A-Z]+|\d+)/g)];
  checkDifferent(lines.map(([, name]) => name!), "variable");
  for (const [, name, source] of lines) {
    const got = /\d/.test(source!) ? source! : known.get(source!);
    if (got === undefined) throw unsolvable(`${source} must be assigned before it is handed on`);
    known.set(name!, got);
    if (got === value) names.push(name!);
  }
  if (names.length === 0) throw unsolvable(`no variable is assigned ${value}`);
  return { names, lines: lines.length };
}

// Common words: those that stand most often in the last list; the lists before it are solved already.

const LISTING = "Below is a numbered list of words. In these words, some appear more often than others. " +
  "Memorize the ones that appear most often.\n";
const WANTING = /\nQuestion: What are the (\d+) most common words in the above list\?/g;

function countListed(prompt: string): Solution {
  const questions = [...prompt.matchAll(WANTING)];
  const lists = [...prompt.matchAll(new RegExp(LISTING, "g"))].map(({ index }) => index + LISTING.length);
  const asked = questions.at(-1);
  if (asked === undefined || questions.length !== lists.length) throw unsolvable("each list must have a question");
  const start = lists.at(-1)!;
  const counts = countItems(prompt.slice(start, asked.index));
  const examples = questions.slice(0, -1).map((question, at) => {
    const example = countItems(prompt.slice(lists[at]!, question.index));
    const given = prompt.slice(question.index + question[0].length, lists[at + 1]! - LISTING.length).split("are:")[1]!;
    const common = mostCommon(example, Number(question[1]));
    if (listItems(given).sort().join() !== common.join()) throw unsolvable("an example is answered wrongly");
    return example;
  });
  const example = new Map(examples.flatMap((words) => [...words]));
  const answers = mostCommon(counts, Number(asked[1]));
  for (const answer of answers) {
    const holder = [...counts.keys(), ...example.keys()].find((word) => word !== answer && word.includes(answer));
    if (holder !== undefined) throw unsolvable(`${answer} must not be part of ${holder}`);
  }
  // One more of the other words is listed as often as each of them.
  const seldom = Math.min(...counts.values());
  const item = ` ${[...counts.values()].reduce((sum, count) => sum + count)}. electroencephalographs`;
  const all = new Map([...example, ...counts]);
  if (all.size !== example.size + counts.size) throw unsolvable("the examples must have words of their own");
  return { answers, context: [start, asked.index], planted: 0, counts: all, unit: item.repeat(seldom) };
}

function listItems(list: string): string[] {
  return Array.from(list.matchAll(/(\d+)\. (\S+)/g), ([, number, word], place) => {
    if (Number(number) !== place + 1) throw unsolvable(`item ${place + 1} is numbered ${number}`);
    return word!;
  });
}

function countItems(list: string): Map<string, number> {
  return countEach(listItems(list));
}

function countEach(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function mostCommon(counts: ReadonlyMap<string, number>, asked: number): string[] {
  const ranked = [...counts].sort(([, left], [, right]) => right - left);
  if (ranked[asked - 1]![1] === ranked[asked]?.[1]) throw unsolvable(`words ${asked} and ${asked + 1} are as common`);
  return ranked.slice(0, asked).map(([word]) => word).sort();
}

// Frequent words: the three of a coded text, the dots left aside.

const CODED = "Read the following coded text and track the frequency of each coded word. " +
  "Find the three most frequently appeared coded words.";

function countCoded(prompt: string): Solution {
  const end = lastPlace(prompt, "\nQuestion: Do not provide any explanation.");
  const counts = countEach(prompt.slice(CODED.length, end).trim().split(" "));
  const words = [...counts].filter(([word]) => !/^(\.\.\.|…)$/.test(word)).sort(([, left], [, right]) => right - left);
  const top = words.slice(0, 4).map(([, count]) => count);
  if (new Set(top).size < Math.min(4, words.length) || top.length < 3) throw unsolvable("frequencies must differ");
  checkDifferent(words.map(([word]) => word), "word");
  const dots = prompt.includes("...") && !prompt.includes(" … ") ? " ..." : " …";
  return {
    answers: words.slice(0, 3).map(([word]) => word).sort(),
    context: [CODED.length, end],
    planted: 0,
    counts,
    unit: dots,
  };
}

// Questions about documents: what the documents of the generated world say is read in tests/generators/world.

const GIVEN = "The following are given documents.\n\n";

/** Reads where the documents of a question-answering prompt stand; not what they say. */
export function readDocuments(prompt: string): Omit<Solution, "answers"> {
  const start = prompt.indexOf(GIVEN) + GIVEN.length;
  const end = lastPlace(prompt, "Answer the question based on the given documents.");
  const labels = [...prompt.slice(start, end).matchAll(/^Document (\d+):\n/gm)];
  labels.forEach(([, number], place) => {
    if (Number(number) !== place + 1) throw unsolvable(`document ${place + 1} is numbered ${number}`);
  });
  const places = [...labels.map(({ index }) => start + index), end];
  const documents = labels.map((_, place) => prompt.slice(places[place], places[place + 1]));
  return { context: [start, end], planted: documents.length, unit: longest(documents) };
}

/** The world's solver takes the reference, and says whether it is the one answer that the documents give. */
function solveQuestion(prompt: string, { prompt: asked, references }: Sample): Solution {
  const [fault] = findFaults(userText(asked), references[0]!);
  if (fault !== undefined) throw unsolvable(fault);
  return { ...readDocuments(prompt), answers: references.toSorted(), anyOrder: true };
}

function solve(prompt: string, sample: Sample): Solution {
  if (sample.task.startsWith("qa")) return solveQuestion(prompt, sample);
  const isNumbered = sample.suite.startsWith("ruler2") && !/^(?:A|Some) special magic /.test(prompt);
  return isNumbered ? solveRuler2(prompt) : { ...solveRuler(prompt), anyOrder: true };
}

/** Every task of the paper. */
const RULER_NAMES = RULER_FAMILIES.flatMap<RulerTaskName>(({ tasks }) => tasks);

/** How the suite is audited. */
export const AUDIT: Audit = {
  solve: solve,
  further: [
    ...RULER_NAMES.flatMap((name) => VARIANTS.slice(1).map((variant) => rulerTask(name, { variant }))),
    NIAH.make({ haystack: "noise", keys: 40, values: 3, queries: 7 }),
    NIAH.make({ haystack: "essay", keyType: "uuids", valueType: "words", keys: 12, queries: 2 }),
    NIAH.make({ haystack: "needle", keyType: "numbers", valueType: "words", queries: 3, values: 2 }),
    NIAH.make({ haystack: "essay", depth: 0 }),
    NIAH.make({ haystack: "noise", depth: 1, values: 2 }),
    ...VARIANTS.map((variant) => VARIABLE_TRACKING.make({ variant, chains: 3, hops: 9 })),
    VARIABLE_TRACKING.make({ chains: 12, hops: 1 }),
    VARIABLE_TRACKING.make({ haystack: "essay", chains: 3, hops: 2, examples: 0 }),
    COMMON_WORDS.make({ common: 3, asked: 3 }),
    COMMON_WORDS.make({ common: 20, asked: 5, commonFrequency: 12, uncommonFrequency: 2 }),
    FREQUENT_WORDS.make({ alpha: 1.1 }),
    FREQUENT_WORDS.make({ alpha: 2, vocabulary: 40, wordLength: 20, variant: "paper" }),
    QUESTION_ANSWERING.make({ hops: 1, documents: 10 }),
    QUESTION_ANSWERING.make({ hops: 2, documents: 3 }),
    RULER2_NIAH.make({ values: 12 }),
    RULER2_QUESTIONS.make({ ask: "all", same: 11 }),
    RULER2_QUESTIONS.make({ same: 3, steps: "two", examples: 2 }),
    RULER2_QUESTIONS.make({ ask: "solve", examples: 0 }),
  ],
  traits: (options) => ({
    isFilled: options["documents"] === undefined,
    isSpread: areUnset(options, "depth", "asked"),
  }),
};
