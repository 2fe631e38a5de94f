import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { cases } from "../_cases.ts";
import { makeSample, materials, read, score, variants } from "./_ruler.ts";
import { readSimulated } from "../_read_simulated.ts";
import { BENCHMARKS, findFamily, listReaders } from "@/lib/benchmarks/mod.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Task, userText } from "@/lib/generators/mod.ts";
import { slipDigit } from "@/lib/simulated/words.ts";
import type { ReplyForm } from "@/lib/simulated/profiles.ts";
import { CHAT_TEMPLATES, chatTemplate, joinPrompt } from "@/lib/models/mod.ts";
import { FREQUENT_WORDS, openProfile, type Profile, PROFILE_NAMES, readAs, readPrompt } from "@/lib/simulated/mod.ts";

const ideal = openProfile("ideal");

/** Asserts that the ideal reader solves a task, without a mistake. */
function assertSolved(task: Task, lengths: readonly number[], samples = 1): void {
  for (const length of lengths) {
    for (let index = 0; index < samples; index++) {
      const sample = makeSample(task, length, index);
      const { text, mistakes } = read(sample, ideal);
      equal(score(task, sample, text), 1, `${sample.id}: ${text}`);
      deepEqual(mistakes, []);
    }
  }
}

for (const name of RULER_STUDY_TASK_NAMES) {
  Deno.test(`readSimulated() as the ideal reader solves ${name} in every wording from 1K to 32K`, () => {
    for (const variant of variants) {
      assertSolved(rulerTask(name, { variant }), [1024, 4096], 3);
      assertSolved(rulerTask(name, { variant }), [32_768]);
    }
  });
}

Deno.test("readSimulated() as the ideal reader solves all thirteen tasks at 131,072 tokens", () => {
  for (const name of RULER_TASK_NAMES) assertSolved(rulerTask(name), [131_072]);
});

Deno.test("readSimulated() as the ideal reader solves needle tasks of every kind of key, value and haystack", () => {
  const kinds = ["words", "numbers", "uuids"] as const;
  for (const keyType of kinds) {
    for (const valueType of kinds) {
      for (const haystack of ["noise", "essay", "needle"] as const) {
        assertSolved(NIAH.make({ keyType, valueType, haystack }), [1024]);
        assertSolved(NIAH.make({ keyType, valueType, haystack, keys: 6, values: 2, queries: 3 }), [4096]);
      }
    }
  }
});

Deno.test.each([
  ["eight values", rulerTask("niah_multivalue", { values: 8 })],
  ["twenty queries of forty keys", rulerTask("niah_multiquery", { keys: 40, queries: 20 })],
  ["four chains of ten hops", rulerTask("vt", { chains: 4, hops: 10 })],
  ["one hop", rulerTask("vt", { hops: 1 })],
  ["five of five common words", rulerTask("cwe", { common: 5, asked: 5 })],
  ["a flat distribution of frequent words", rulerTask("fwe", { alpha: 1.5 })],
  ["ten documents", rulerTask("qa_2", { documents: 10 })],
] as [string, Task][])("readSimulated() as the ideal reader solves tasks with other knobs: %s", (_name, task) => {
  assertSolved(task, [4096], 3);
});

Deno.test("readSimulated() reads through every chat template, with and without answer prefix", () => {
  for (const templateName of CHAT_TEMPLATES.slice(0, cases(4, CHAT_TEMPLATES.length))) {
    const template = chatTemplate(templateName);
    for (const name of RULER_TASK_NAMES) {
      const task = rulerTask(name);
      const sample = task.sample({ length: 2048, seed: "template", index: 0, materials, template });
      const { answerPrefix = "" } = sample.prompt;
      const user = userText(sample.prompt);
      const asked = template.before + user + template.after;
      for (const prompt of [asked, asked + answerPrefix]) {
        equal(score(task, sample, readSimulated(prompt, ideal).text), 1, `${templateName} ${name}`);
      }
    }
  }
});

Deno.test("readSimulated() answers in the form that the answer prefix begins", () => {
  const needle = "One of the special magic numbers for calm-river is: 1234567.";
  const question = "What is the special magic number for calm-river mentioned in the provided text?";
  const prefix = " The special magic number for calm-river mentioned in the provided text is";
  equal(readSimulated(`${needle}\n${question}${prefix}`, ideal).text, " 1234567.");
  equal(readSimulated(`${needle}\n${question}`, ideal).text, "1234567.");
  const chain = "VAR ABCDE = 12345\nVAR FGHIJ = VAR ABCDE \n" +
    "Question: Find all variables that are assigned the value 12345 in the text above.";
  equal(readSimulated(chain, ideal).text, "ABCDE FGHIJ");
});

Deno.test("readSimulated() says that it does not know where the task is none of its own", () => {
  const unsolved = "The simulated reader cannot solve this item: it has no rule for such a question";
  deepEqual(readSimulated("Write a poem.", ideal), { text: "I do not know.", mistakes: [], task: null, unsolved });
});

Deno.test("readSimulated() gives the same reply to the same prompt, and others to other profiles and prompts", () => {
  const task = rulerTask("niah_multikey_3");
  const samples = [0, 1, 2, 3].map((index) => makeSample(task, 8192, index));
  const replies = (name: string): string[] => samples.map((sample) => read(sample, openProfile(name)).text);
  const inOrder = replies("longalpaca");
  deepEqual(samples.toReversed().map((sample) => read(sample, openProfile("longalpaca")).text), inOrder.toReversed());
  notEqual(inOrder.join(), replies("ideal").join());
  equal(new Set(inOrder).size, inOrder.length);
});

const FORGETFUL = ["chatglm", "lwm", "longalpaca", "mistral", "yi-34b"];

Deno.test("readSimulated() tells mistakes exactly where its reply is not the ideal one", () => {
  for (const name of RULER_TASK_NAMES) {
    const task = rulerTask(name);
    for (let index = 0; index < 8; index++) {
      const sample = makeSample(task, 4096, index);
      const wanted = read(sample, ideal).text;
      for (const profile of [...FORGETFUL, "mute", "parrot"]) {
        const { text, mistakes } = read(sample, openProfile(profile));
        equal(mistakes.length > 0, text !== wanted, `${profile} ${sample.id}: ${text}`);
      }
    }
  }
});

Deno.test("readSimulated() returns one mistake for each missing fact, with its replacement", () => {
  for (const name of RULER_TASK_NAMES) {
    const task = rulerTask(name);
    for (let index = 0; index < 8; index++) {
      const sample = makeSample(task, 4096, index);
      for (const profile of FORGETFUL) {
        const { text, mistakes } = read(sample, openProfile(profile));
        const wholes = mistakes.filter(({ fact }) => fact === null);
        const lost = task.scorer.name === "any" || wholes.length > 0
          ? mistakes.length > 0 ? 1 : 0
          : mistakes.length / sample.references.length;
        equal(score(task, sample, text).toFixed(6), (1 - lost).toFixed(6), `${profile} ${sample.id}: ${text}`);
        ok(wholes.length === 0 || mistakes.length === 1);
        for (const { given } of mistakes) ok(given === null || text.includes(given));
      }
    }
  }
});

Deno.test("readSimulated() fails in every way that it can tell", () => {
  const kinds = new Set<string>();
  for (const name of ["niah_multivalue", "niah_multikey_3", "vt", "cwe"] as const) {
    const task = rulerTask(name);
    for (let index = 0; index < 40; index++) {
      const sample = makeSample(task, 2048, index);
      for (const profile of ["longalpaca", "lwm", "parrot"]) {
        for (const { kind } of read(sample, openProfile(profile)).mistakes) kinds.add(kind);
      }
    }
  }
  deepEqual([...kinds].toSorted(), [
    "again",
    "copied",
    "distractor",
    "empty",
    "example",
    "invented",
    "key",
    "left_out",
    "listed",
    "looped",
    "lost_hop",
    "miscounted",
    "near_miss",
    "partial",
    "repeated",
  ]);
});

/** The forms of replies with nothing right. */
const REPLY_FORMS: readonly ReplyForm[] = [
  "empty",
  "refused",
  "looped",
  "again",
  "copied",
  "prior",
  "invented",
  "distractor",
  "near_miss",
  "key",
  "partial",
];

Deno.test("readSimulated() scores the same whatever forms its lost replies have", () => {
  const names = [
    ...RULER_TASK_NAMES,
    "counting_stars_search_en",
    "threading_multi_needle",
    "threading_single_thread",
  ];
  const texts = new Map<string, Set<string>>();
  // The first loses replies for what it does not find, the second all that are this long.
  for (const base of ["longalpaca", "llama2-7b"].map(openProfile)) {
    for (const task of names.map((name) => findFamily(name)!.task(name))) {
      for (let index = 0; index < cases(1, 3); index++) {
        const sample = makeSample(task, 8192, index);
        const gradeAs = (wholeReplies: Profile["rates"]["wholeReplies"]): string => {
          const { text } = read(sample, { ...base, rates: { ...base.rates, wholeReplies } });
          texts.set(sample.id, (texts.get(sample.id) ?? new Set()).add(text));
          const { score, partial } = task.scorer.grade(text, sample);
          return JSON.stringify([score.value ?? 0, partial?.value ?? 0]);
        };
        const usual = gradeAs(base.rates.wholeReplies);
        const settings = Object.keys(base.rates.wholeReplies).filter((setting) => setting !== "graded text");
        for (const form of REPLY_FORMS) {
          const always = Object.fromEntries(settings.map((setting) => [setting, { [form]: 1 }]));
          equal(gradeAs(always), usual, `${form} ${sample.id}`);
        }
      }
    }
  }
  // Most replies were lost, and had several forms; where something was found the forms are not asked.
  const varied = [...texts.values()].filter(({ size }) => size > 3).length;
  ok(varied > 0.75 * texts.size, `${varied} of ${texts.size}`);
});

Deno.test("readSimulated() as mistral answers with the most frequent words of English where it loses common words", () => {
  const task = rulerTask("cwe");
  const lost = Array.from({ length: 20 }, (_, index) => read(makeSample(task, 32_768, index), openProfile("mistral")))
    .filter(({ mistakes }) => mistakes[0]?.fact === null);
  const frequent = lost.filter(({ text }) => FREQUENT_WORDS.filter((word) => text.includes(` ${word} `)).length >= 5);
  ok(lost.length >= 5 && frequent.length > lost.length / 2, `${frequent.length} of ${lost.length}`);
});

Deno.test("readSimulated() as the mute reader scores nothing, with no answer", () => {
  for (const name of RULER_TASK_NAMES) {
    const task = rulerTask(name);
    const sample = makeSample(task, 2048);
    const { text } = read(sample, openProfile("mute"));
    equal(text, "");
    equal(score(task, sample, text), 0);
  }
});

Deno.test("readSimulated() as the parrot finds everything and distinguishes nothing", () => {
  for (const name of ["niah_multikey_2", "vt_2_chains", "cwe", "fwe", "qa_1"] as const) {
    const task = rulerTask(name);
    const sample = makeSample(task, 4096);
    const { text, mistakes } = read(sample, openProfile("parrot"));
    equal(score(task, sample, text), 1);
    equal(mistakes[0]?.kind, "listed");
  }
});

Deno.test("readSimulated() loses every reply to a prompt over the profile's window", () => {
  const task = rulerTask("niah_single_1");
  const within = makeSample(task, 4096);
  const over = makeSample(task, 8192);
  equal(score(task, within, read(within, openProfile("llama2-7b")).text), 1);
  for (let index = 0; index < 10; index++) {
    const sample = makeSample(task, 8192, index);
    const { text, mistakes } = read(sample, openProfile("llama2-7b"));
    equal(score(task, sample, text), 0);
    ok(mistakes.length > 0);
  }
  equal(score(task, over, read(over, ideal).text), 1);
});

Deno.test("readSimulated() sees the prompt's text alone", () => {
  const task = rulerTask("niah_single_2");
  const sample = makeSample(task, 1024);
  const emptied = { ...sample, references: [], facts: [] };
  equal(read(emptied, ideal).text, read(sample, ideal).text);
  // Where the needle is cut out, nothing is found.
  const without = joinPrompt(sample.prompt).replace(sample.facts[0]!.text, "");
  equal(readSimulated(without, ideal).text, "");
});

Deno.test("readPrompt() gives what every profile reads alike, so that it need not be read twice", () => {
  const sample = rulerTask("cwe").sample({ length: 2048, seed: "read once", index: 0, materials });
  const prompt = joinPrompt(sample.prompt);
  const readers = listReaders();
  const read = readPrompt(prompt, readers);
  equal(read?.task, "common words");
  for (const name of ["ideal", "yi-34b", "parrot", "mute"]) {
    const profile = openProfile(name);
    // With what was read before, no reader is asked again.
    deepEqual(readAs(prompt, { profile, readers: [], read }), readAs(prompt, { profile, readers }));
  }
  equal(readPrompt("Write a poem.", readers), null);
});

Deno.test("slipDigit() gets exactly one digit wrong, whatever is drawn", () => {
  for (const value of ["1234567", "0", "d9-9", "0b19f4aa-0000"]) {
    for (const drawn of [0, 0.11, 0.25, 0.5, 0.75, 0.89, 0.999]) {
      const slipped = slipDigit(value, () => drawn);
      const wrong = [...value].filter((character, at) => character !== slipped[at]);
      deepEqual([slipped.length, wrong.length, /^\d$/.test(wrong[0] ?? "")], [value.length, 1, true], slipped);
      equal(slipped.replaceAll(/\d/g, "0"), value.replaceAll(/\d/g, "0"));
    }
  }
});

// Runs and notebooks contain these replies, so they must not change. The hash covers the replies of every profile and their mistakes.
Deno.test.each([
  ["ruler", "c63323adbb97d1bb"],
  ["counting_stars", "52514fcb6beb762a"],
  ["needle_threading", "5d92250965546ee2"],
  ["cdme", "47d2c9291bc4a42d"],
  ["prompt_dependence", "17481d2669577dd6"],
])("readSimulated() gives the replies to %s that it has always given", (name, wanted) => {
  const { families } = BENCHMARKS.find((benchmark) => benchmark.name === name)!;
  const hash = createHash("sha256");
  // RULER v2 came later.
  const first = families.filter(({ suite }) => !suite.startsWith("ruler2"));
  for (const task of first.flatMap((family) => family.tasks.map((name) => family.task(name)))) {
    for (const [index, length] of [4096, 4096, 16_384].entries()) {
      const sample = makeSample(task, length, index);
      for (const profile of PROFILE_NAMES) {
        const { text, mistakes } = read(sample, openProfile(profile));
        // The hashes were recorded when the field was called `said`.
        const recorded = mistakes.map((mistake) => JSON.stringify(mistake).replace('"given":', '"said":'));
        hash.update(`${JSON.stringify([sample.id, profile, text]).slice(0, -1)},[${recorded.join(",")}]]`);
      }
    }
  }
  equal(hash.digest("hex").slice(0, 16), wanted);
});
