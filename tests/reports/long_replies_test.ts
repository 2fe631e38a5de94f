import { deepEqual } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { cases } from "../_cases.ts";
import { escapeHtml, escapeMarkdown, quoteText } from "@/lib/base/mod.ts";
import { BENCHMARKS, findFamily, listFamilies } from "@/lib/benchmarks/mod.ts";
import { lastText, type Sample, type Task } from "@/lib/generators/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { CHAT } from "@/lib/models/protocols/openai.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { closeUp, markPrompt, openExplorer } from "@/lib/reports/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { type ScoredReply, scoreRecords } from "@/lib/records/mod.ts";
import { openStudy } from "@/lib/studies/open_study.ts";
import { findRefusal, firstAnswer } from "@/lib/scorers/mod.ts";
import { classifyFailure } from "@/lib/statistics/failures/mod.ts";

/** Characters of the replies, each compared with a shorter one. `deno task test:proofs` reads replies of 1 MiB. */
const LENGTHS: readonly number[] = Deno.mainModule.includes("/tests/proofs/")
  ? [2 ** 15, 2 ** 20]
  : cases([2 ** 13, 2 ** 15], [2 ** 15, 2 ** 18]);
/** Ratio of the two lengths, and how often the shorter text is read: linear work takes as long for all of these as for the longer text. */
const TIMES = 16;
/** Largest ratio of the two CPU times. Quadratic work has a ratio of 16, linear work of 1, or up to 2 where caches no longer hold the text. */
const MOST_TIMES = 5;
/** CPU time below this is too short to measure, in milliseconds: some systems count in steps of 10 ms. */
const LEAST_MS = 60;
/** How often a ratio is measured before it counts. */
const TRIES = 3;

/** Each unit is read by every third task, the sample's own by its task alone. */
const SHARE = 3;

/** The first task of each family and scorer. */
const TASKS = [
  ...new Map(
    listFamilies().flatMap(({ name, tasks, task }) => tasks.map((each) => [`${name} ${task(each).scorer.name}`, each]))
      .toReversed() as [string, string][],
  ).values(),
];

/** Characters, words and lines that are hard to search. */
const UNITS: readonly string[] = [
  ..."aA的哪é😀1[]{\"'“\\ \n-*:.?\u0301\ud83d",
  ..."1,|1. |0f|0f-|a'|\r\n|* |x:\n|a. |A. |Aa |, |```|<think>|- item\n|no |please |what is it? |Question: ".split("|"),
  ...["the answer is not a. ", '{"a": [', '"a": "b", ', '{"小企鹅": [1, ', 'a1 [“,{"x": -\n'],
];

/** What the sample itself says: its answers, keys and planted sentences. */
function ownUnits({ references, facts, prompt }: Sample): string[] {
  const [first, last] = [facts[0], facts.at(-1)];
  const own = [
    references[0],
    references.join(", "),
    first?.text,
    first?.key,
    last?.value,
    lastText(prompt).slice(-200),
  ];
  return own.flatMap((text) => text === undefined || text === "" ? [] : [text, `${text} `, `It is ${text}. `]);
}

/** One unit over and over, with an end that makes a search step back. */
function repeat(unit: string, length: number): string {
  return `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 4)}-\nx!`;
}

/** Numbered lines that are all different. */
function count(length: number): string {
  const lines = Array.from(
    { length: Math.ceil(length / 20) },
    (_, at) => `${at + 1}. line ${at.toString(36)} is ${at}`,
  );
  return lines.join("\n").slice(0, length);
}

/** Whatever reads a reply to a sample. */
function readersOf(task: Task, sample: Sample): Record<string, (text: string) => unknown> {
  const { references, distractors, paths } = sample;
  const scoring = task.scorer.name;
  const scored = { record: { references, distractors, paths, scoring }, score: null } as unknown as ScoredReply;
  const classify = (text: string, finishReason: "stop" | "length"): unknown =>
    classifyFailure(sample, {
      reply: { kind: "answer", text, finishReason },
      value: 0.5,
      rule: task.scorer,
      closedBookAnswer: text,
    });
  const regraders = BENCHMARKS.flatMap(({ regraders = [] }) => regraders)
    .filter(({ scorers }) => scorers.some(({ name }) => name === scoring));
  return {
    ...Object.fromEntries(
      findFamily(task.name)!.scorers.map((
        scorer,
      ) => [scorer.name, (text: string): unknown => scorer.grade(text, sample)]),
    ),
    "the first answer": (text) => firstAnswer(text, references, task.scorer),
    "the classifier": (text) => classify(text, "stop"),
    "the classifier of a cut reply": (text) => classify(text, "length"),
    "the first refusal": findRefusal,
    "the marks of a prompt": (text) => markPrompt(sample, { modes: [{ evidence: [{ given: text }] }] }),
    ...Object.fromEntries(regraders.flatMap((regrader) => [
      [`the ${regrader.name}'s prompt`, (text: string): unknown => {
        const prompt = regrader.prompt(text, scored.record);
        return prompt && joinPrompt(prompt);
      }],
      [`the ${regrader.name}'s answer`, (text: string): unknown => regrader.grade(text, scored)],
    ])),
  };
}

/** The CPU time of this thread that some work takes, in milliseconds; other threads do not count. */
async function timeOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Why some reading does not take linear time; `null` where it does. Lengths rise, so that quadratic work is found while it is short. */
async function findGrowth(read: (text: string) => unknown, write: (length: number) => string): Promise<string | null> {
  for (const length of LENGTHS) {
    const [long, short] = [write(length), write(length / TIMES)];
    let least = Infinity;
    for (let tried = 0; tried < TRIES && least > MOST_TIMES; tried++) {
      const time = await timeOf(() => read(long));
      if (time < LEAST_MS) {
        least = 0;
        break;
      }
      const before = await timeOf(async () => {
        for (let count = 0; count < TIMES; count++) await read(short);
      });
      least = Math.min(least, time / Math.max(before, LEAST_MS / TIMES));
    }
    if (least > MOST_TIMES) {
      return `${length} characters take ${least.toFixed(1)} times as long as ${TIMES} texts of ${length / TIMES}`;
    }
  }
  return null;
}

/** The readers that do not take linear time, each with the first text that shows it. */
async function findQuadratic(
  readers: Readonly<Record<string, (text: string) => unknown>>,
  units: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  const texts = [
    ...units.map((unit) =>
      [JSON.stringify(unit.slice(0, 40)), (length: number): string => repeat(unit, length)] as const
    ),
    ["different lines", count] as const,
  ];
  for (const [name, read] of Object.entries(readers)) {
    for (const [what, write] of texts) {
      const fault = await findGrowth(read, write);
      if (fault === null) continue;
      faults.push(`${name}, on ${what}: ${fault}`);
      break;
    }
  }
  return faults;
}

/** A sample of each task. */
async function makeSamples(): Promise<readonly (readonly [Task, Sample])[]> {
  // A reply is compared with a copy character by character: linear in both.
  const asked = TASKS.map((task) => task.startsWith("repeated") ? { task, words: 50 } : task);
  const { tasks, materials } = await openStudy(checkStudy({ tasks: asked, lengths: [4096], samples: 1 }));
  return tasks.map((task) => [task, task.sample({ length: 4096, seed: "1", index: 0, materials })] as const);
}

const samples = await makeSamples();

for (const [number, [task, sample]] of samples.entries()) {
  Deno.test(`replies to ${task.name} are read in time proportional to their length`, async () => {
    const units = UNITS.filter((_, at) => at % SHARE === number % SHARE);
    deepEqual(await findQuadratic(readersOf(task, sample), [...units, ...ownUnits(sample)]), []);
  });
}

Deno.test("replies are shown and viewed, and their thinking taken out, in time proportional to their length", async () => {
  await inFolder(async (folder) => {
    const study = checkStudy({ tasks: ["niah_multivalue"], lengths: [1024], samples: 1 });
    const run = await runStudy(study, { name: "long", model: simulatedModel("ideal"), folder });
    const [{ record }] = run.replies as [ScoredReply];
    const withText = (text: string): typeof run => {
      const reply = { ...record.reply, text, finishReason: "stop" } as typeof record.reply;
      return { ...run, replies: scoreRecords([{ ...record, reply }], { scored: "first" }) };
    };
    const readers = {
      "a page of samples": async (text: string) => [...(await openExplorer([withText(text)])).html()],
      "a close look": async (text: string) => {
        const long = withText(text);
        return (await closeUp(long, long.replies[0]!)).lines;
      },
      "the server's reply": (text: string) => CHAT.read({ choices: [{ message: { content: text } }] }),
      "an escaped text": (text: string) => [quoteText(text, 280), escapeHtml(text), escapeMarkdown(text)],
    };
    deepEqual(await findQuadratic(readers, [...UNITS, ...record.references]), []);
  });
});
