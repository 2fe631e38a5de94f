import { deepEqual, equal, match, ok } from "node:assert/strict";
import { GOLDEN_FOLDERS, type GoldenSample, type GoldenVariant, readGolden } from "./_golden.ts";
import { testOnRealData } from "../../_real_data.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { zipfFrequencies } from "@/lib/benchmarks/ruler/frequent_words.ts";
import { RULER_TASK_NAMES, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { needleSentence, type NeedleType } from "@/lib/benchmarks/ruler/needles.ts";
import { niahWording } from "@/lib/benchmarks/ruler/niah.ts";
import { NOISE_LINE } from "@/lib/benchmarks/ruler/wording.ts";
import { hideChains } from "@/lib/benchmarks/ruler/variable_chains.ts";
import { vtExampleWording, vtWording } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { userText } from "@/lib/generators/mod.ts";

interface Rendered {
  readonly user: string;
  readonly answerPrefix: string;
}

const NIAH_TASKS = RULER_TASK_NAMES.slice(0, 8);
const materials = await openTestMaterials("cl100k_base");

/** Checks that a sample of the reference comes out again, with the prefix where it belongs. */
function checkSame(golden: GoldenSample, { user, answerPrefix }: Rendered): void {
  equal(user + answerPrefix, golden.text);
  if (golden.prefixAt !== undefined) equal(user.length, golden.prefixAt);
}

function testGolden(
  task: RulerTaskName,
  render: (golden: GoldenSample, variant: GoldenVariant) => Rendered,
): void {
  for (const [variant, folder] of GOLDEN_FOLDERS) {
    testOnRealData(`${task} ${variant} renders the reference's samples again, byte for byte`, {
      reads: folder,
      fn(): void {
        const samples = readGolden(task, variant);
        ok(samples.length >= 2);
        for (const golden of samples) checkSame(golden, render(golden, variant));
      },
    });
    Deno.test(`${task} ${variant} has samples of the form of the reference's`, () => {
      for (let index = 0; index < 8; index++) {
        const { prompt, references } = rulerTask(task, { variant })
          .sample({ length: 4096, seed: "form", index, materials });
        const user = userText(prompt);
        const { answerPrefix = "" } = prompt;
        const own = { text: user + answerPrefix, prefixAt: user.length, outputs: references, index };
        checkSame(own, render(own, variant));
      }
    });
  }
}

for (const task of NIAH_TASKS) {
  testGolden(task, ({ text }, variant) => {
    const { options } = rulerTask(task, { variant });
    const valueType = options["valueType"] as NeedleType;
    const wording = niahWording({
      queries: readQueries(text),
      values: Number(options["values"]),
      valueType,
      keyType: options["keyType"] as NeedleType,
      variant,
    });
    const context = text.slice(wording.opening.length, text.lastIndexOf("\nWhat ") + 1);
    // Needles are written again; the haystack is what is between them.
    const needles = /One of the special magic \w+ for (\S+) is: (\S+)\./g;
    const again = context.replace(needles, (_, key, value) => needleSentence(valueType, { key, value }));
    // The reference prints a space before a needle that comes first.
    if (options["haystack"] === "essay") match(context, /^ ?\S+(?: \S+)*\n$/);
    else match(context, /^(?:\S[^\n]*\n)+$/);
    if (options["haystack"] !== "essay") {
      deepEqual(readNoise(context), options["haystack"] === "noise" ? [NOISE_LINE] : []);
    }
    return { user: wording.opening + again + wording.question, answerPrefix: wording.answerPrefix };
  });
}

/** Reads the keys that are asked for. */
function readQueries(text: string): string[] {
  const [, list] = text.match(/for ([^.]+?) mentioned in the provided text\?/)!;
  return list!.split(/, (?:and )?/);
}

/** Reads the different lines of a haystack that are no needles. */
function readNoise(context: string): string[] {
  const lines = context.trimEnd().split("\n").filter((line) => !line.startsWith("One of"));
  return [...new Set(lines)];
}

testGolden("vt", ({ text, outputs }, variant) => {
  const [exampleText, taskText] = text.split(/they are: {2}[A-Z ]+\n+(?=Memorize)/) as [string, string];
  const [example, task] = [readLines(exampleText), readLines(taskText)];
  deepEqual(task.chain.names, outputs);
  const question = { value: task.chain.value, variables: task.chain.names.length, variant };
  const wording = vtWording(question);
  const solved = vtExampleWording({
    value: example.chain.value,
    variables: example.chain.names.length,
    names: example.chain.names,
    variant,
    afterPrompt: "",
  });
  const hide = ({ chain, noise }: ReadLines): string =>
    hideChains([chain], { variant, materials })(noise).map(({ measured }) => measured.text).join(
      "",
    );
  return {
    user: solved.opening + hide(example) + solved.ending + wording.opening + hide(task) + wording.question,
    answerPrefix: wording.answerPrefix,
  };
});

interface ReadLines {
  readonly chain: Parameters<typeof hideChains>[0][number];
  /** Number of noise lines. */
  readonly noise: number;
}

/** Reads a chain and its places. */
function readLines(text: string): ReadLines {
  const pieces = text.split(NOISE_LINE);
  const noise = pieces.length - 1;
  const lines = pieces.flatMap((piece, at) =>
    [...piece.matchAll(/VAR (\w+) = (?:VAR )?(\w+)/g)].map(([, name, value]) => ({ at, name: name!, value: value! }))
  );
  return {
    noise,
    chain: {
      role: "target",
      names: lines.map(({ name }) => name),
      value: lines[0]!.value,
      depths: lines.map(({ at }) => at / noise),
    },
  };
}

const CWE_OPENING = "Below is a numbered list of words. In these words, some appear more often than others. " +
  "Memorize the ones that appear most often.\n";
const CWE_QUESTION = "\nQuestion: What are the 10 most common words in the above list?";
const CWE_PREFIX = " Answer: The top 10 words that appear most often in the list are:";

testGolden("cwe", ({ text, outputs }, variant) => {
  const [exampleText, taskText] = text.split(CWE_OPENING).slice(1) as [string, string];
  const [answerText] = exampleText.match(/1\. [^\n]+\n$/)!.slice(-1);
  const answer = readNumbered(answerText!.slice(answerText!.lastIndexOf("1. ")));
  const list = (numbered: string): string => CWE_OPENING + numberWords(readNumbered(numbered.split("\n")[0]!));
  const solved = `${CWE_QUESTION}${CWE_PREFIX}${variant === "2024" ? "" : " "}${numberWords(answer)}\n`;
  deepEqual(readMostCommon(taskText, 10), outputs.toSorted());
  return { user: list(exampleText) + solved + list(taskText) + CWE_QUESTION, answerPrefix: CWE_PREFIX };
});

function numberWords(words: readonly string[]): string {
  return words.map((word, place) => `${place + 1}. ${word}`).join(" ");
}

function readNumbered(list: string): string[] {
  return [...list.matchAll(/\d+\. (\S+)/g)].map(([, word]) => word!);
}

function readMostCommon(text: string, most: number): string[] {
  const counts = Map.groupBy(readNumbered(text.split("\n")[0]!), (word) => word);
  const words = [...counts].sort(([, left], [, right]) => right.length - left.length).slice(0, most);
  return words.map(([word]) => word).sort();
}

const FWE_OPENING = "Read the following coded text and track the frequency of each coded word. " +
  "Find the three most frequently appeared coded words.";
const FWE_QUESTION = "\nQuestion: Do not provide any explanation. Please ignore the dots '....'. " +
  "What are the three most frequently appeared words in the above coded text?";

testGolden("fwe", ({ text }) => {
  const words = readCodedText(text);
  ok(words.includes("..."));
  return {
    user: `${FWE_OPENING} ${words.join(" ")}${FWE_QUESTION}`,
    answerPrefix: " Answer: According to the coded text above, the three most frequently appeared words are:",
  };
});

function readCodedText(text: string): string[] {
  return text.slice(FWE_OPENING.length + 1, text.indexOf("\nQuestion:")).split(" ");
}

for (const [variant, folder] of GOLDEN_FOLDERS) {
  testOnRealData(`zipfFrequencies() gives the counts in the reference's samples of ${variant}`, {
    reads: folder,
    fn(): void {
      // A fiftieth of 4,096 tokens.
      const frequencies = zipfFrequencies({ alpha: 2, vocabulary: 81 });
      for (const { text } of readGolden("fwe", variant)) {
        const counts = [...Map.groupBy(readCodedText(text), (word) => word).values()].map(({ length }) => length)
          .sort((left, right) => right - left);
        const scales = Array.from({ length: 4096 }, (_, scale) => scale);
        ok(scales.some((scale) => String(frequencies(scale)) === String(counts)));
      }
    },
  });
}
