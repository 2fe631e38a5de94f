import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { makeSample, score } from "../models/_ruler.ts";
import { findFamily } from "@/lib/benchmarks/mod.ts";
import { RULER_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { family, type HiddenFact, hideFacts, type Sample, type Task } from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { answerAs, FAMOUS_ANSWERS } from "@/lib/simulated/reader.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { SIMULATION_VERSION } from "@/lib/simulated/reader.ts";

const ideal = openProfile("ideal");
const FORGETFUL = ["chatglm", "lwm", "longalpaca", "mistral", "yi-34b"];

/** Makes samples of a task, at a length at which they fit. */
function samplesOf(task: Task, count: number, length = 4096): Sample[] {
  return Array.from({ length: count }, (_, index) => makeSample(task, length, index));
}

function valueOf(task: Task, sample: Sample, text: string): number {
  return task.scorer.grade(text, sample).score.value ?? 0;
}

Deno.test.each([
  ["niah", { keys: 6, values: 2, queries: 3, keyType: "uuids", valueType: "words" }],
  ["vt", { chains: 4, hops: 10 }],
  ["cwe", { common: 5, asked: 5, examples: 0 }],
  ["fwe", { alpha: 1.5, asked: 5 }],
  ["qa", { hops: 2, documents: 10 }],
  ["counting_stars", { stars: 5, ask: "sum", language: "zh" }],
  ["counting_stars", { stars: 5, ask: "list_and_sum", thing: "goats", counter: "shepherd" }],
  ["counting_stars", { stars: 16, edition: "v1" }],
  ["threading", { kind: "multi_thread", threads: 4, steps: 3, examples: 1 }],
  ["mrcr", { parts: "3", needles: 3, examples: 0 }],
  ["cdme", { item: "varied", guide: "off" }],
] as [string, Record<string, string | number>][])(
  "answerAs() as the ideal reader scores 1 on %s with %o, without a mistake",
  (name, knobs) => {
    const task = findFamily(name)!.make(knobs);
    for (const sample of samplesOf(task, 2)) {
      const { text, mistakes } = answerAs(ideal, sample);
      deepEqual([valueOf(task, sample, text), mistakes], [1, []]);
    }
  },
);

Deno.test("answerAs() makes mistakes exactly where it does not score 1", () => {
  for (const name of [...RULER_TASK_NAMES, "threading_multi_needle", "graphwalks_bfs", "babilong_qa3"]) {
    const task = findFamily(name)!.task(name);
    for (const sample of samplesOf(task, 4, 8192)) {
      for (const profile of [...FORGETFUL, "mute"]) {
        const { text, mistakes } = answerAs(openProfile(profile), sample);
        equal(mistakes.length > 0, valueOf(task, sample, text) < 1, `${profile} ${sample.id}: ${mistakes} ${text}`);
      }
    }
  }
});

Deno.test("answerAs() fails in every way that its profiles have", () => {
  const kinds = new Set<string>();
  for (const name of ["niah_multivalue", "niah_multikey_3", "vt", "cwe", "threading_single_thread"]) {
    for (const sample of samplesOf(findFamily(name)!.task(name), 30)) {
      for (const profile of ["longalpaca", "lwm", "parrot"]) {
        for (const kind of answerAs(openProfile(profile), sample).mistakes) kinds.add(kind);
      }
    }
  }
  deepEqual([...kinds].sort(), [
    ...["distractor", "empty", "example", "invented", "listed", "looped", "omitted", "partial", "prior", "refused"],
    "stopped",
  ]);
});

Deno.test("answerAs() finds facts of a chain only after those before them", () => {
  const task = rulerTask("vt", { hops: 8 });
  for (const sample of samplesOf(task, 40)) {
    const { text } = answerAs(openProfile("poor-at-sums"), sample);
    const found = sample.references.map((name) => text.includes(name));
    equal(found.lastIndexOf(true) + 1, found.filter(Boolean).length, text);
  }
});

Deno.test("answerAs() as lost-in-the-tail finds the beginning, as lost-in-the-middle the ends", () => {
  const task = findFamily("counting_stars")!.make({ stars: 16 });
  const shares = (profile: string): number[] => {
    const found = Array<number>(16).fill(0);
    for (const sample of samplesOf(task, 40)) {
      const { text } = answerAs(openProfile(profile), sample);
      const counts: readonly string[] = text.match(/\d+/g) ?? [];
      sample.references.forEach((count, star) => found[star]! += counts.includes(count) ? 1 / 40 : 0);
    }
    return found;
  };
  const [tail, middle] = [shares("lost-in-the-tail"), shares("lost-in-the-middle")];
  ok(tail[0]! > tail[15]! + 0.3, tail.join());
  ok(middle[0]! > middle[8]! + 0.1 && middle[15]! > middle[8]! + 0.1, middle.join());
});

Deno.test("answerAs() as poor-at-sums lists less than it adds, or adds wrongly, where a sum is asked for", () => {
  const kinds = (name: string): Set<string> =>
    new Set(
      samplesOf(findFamily(name)!.task(name), 20, 8192).flatMap((sample) =>
        answerAs(openProfile("poor-at-sums"), sample).mistakes
      ),
    );
  ok(kinds("counting_stars_sum_en").isSupersetOf(new Set(["unlisted", "misadded"])));
  ok(kinds("counting_stars_search_en").isDisjointFrom(new Set(["unlisted", "misadded"])));
});

Deno.test("answerAs() copies the worked example, and as mistral answers with frequent words", () => {
  const lost = samplesOf(rulerTask("cwe"), 20, 32_768).map((sample) => ({
    copied: answerAs(openProfile("longalpaca"), sample).mistakes[0] === "example",
    words: answerAs(openProfile("mistral"), sample).text.match(/\b(the|of|and|to|in|that|is|was)\b/g) ?? [],
  }));
  ok(lost.filter(({ copied }) => copied).length >= 5);
  ok(lost.some(({ words }) => words.length >= 3));
});

Deno.test("answerAs() as the mute reader gives nothing, as the parrot everything", () => {
  for (const name of ["niah_multikey_2", "vt_2_chains", "cwe", "fwe", "qa_1"] as const) {
    const task = rulerTask(name);
    const sample = makeSample(task, 4096);
    equal(answerAs(openProfile("mute"), sample).text, "");
    equal(score(task, sample, answerAs(openProfile("parrot"), sample).text), 1, name);
  }
});

Deno.test("answerAs() loses every reply over the window that a model claims", () => {
  const task = rulerTask("niah_single_1");
  equal(score(task, makeSample(task, 131_072), answerAs(openProfile("gpt-4"), makeSample(task, 131_072)).text), 1);
  for (const sample of samplesOf(task, 3, 524_288)) {
    ok(score(task, sample, answerAs(openProfile("gpt-4"), sample).text) < 1);
    equal(score(task, sample, answerAs(ideal, sample).text), 1);
  }
});

Deno.test("answerAs() answers closed-book questions from memory, and a family of one's own by its facts alone", () => {
  const sample = makeSample(rulerTask("qa_1", { documents: 0 }), 512);
  ok(FAMOUS_ANSWERS.includes(answerAs(ideal, sample).text));
  const own = family({
    suite: "own-1",
    name: "own",
    about: "a sum of two counts",
    category: "retrieval",
    knobs: {},
    tasks: { own: {} },
    scorers: [allFound],
    answerRoom: 8,
    recipe: (_, request) => {
      const facts = ["4", "8"].map((value, at): HiddenFact => ({
        ...{ role: "target", key: `box ${at}`, value, text: `Box ${at} has ${value} pens.`, depth: at / 2 },
      }));
      return hideFacts(facts, request, { instructions: "Read.", question: "How many pens?", references: ["12"] });
    },
  });
  const [asked] = samplesOf(own.make(), 1, 1024);
  equal(answerAs(ideal, asked!).text, "12");
  equal(answerAs(openProfile("llama2-7b"), { ...asked!, promptTokens: 9000 }).text.includes("12"), false);
});

const FACT = { role: "target", key: "cat", value: "5", text: "Cat.", depth: 0.5 } as const;
const OWN = {
  suite: "own-1",
  name: "own",
  about: "",
  knobs: {},
  tasks: {},
  scorers: [allFound],
  answerRoom: 8,
} as const;

Deno.test.each([
  ["retrieval", []],
  ["aggregation", [FACT, { ...FACT, role: "distractor", value: "few" }]],
  ["aggregation", [{ ...FACT, value: "many" }]],
  ["multi-hop tracing", [FACT, { ...FACT, key: "dog" }]],
] as [Task["category"], HiddenFact[]][])(
  "ideal answers a family of %s with facts %o, others less of it",
  (category, facts) => {
    const asked = { instructions: "R.", question: "Q?", references: ["cat"] };
    const task = family({ ...OWN, category, recipe: (_, request) => hideFacts(facts, request, asked) }).make();
    const scores = ["ideal", "lost-in-the-middle"].map((name) =>
      samplesOf(task, 9, 1024).map((each) =>
        answerAs(openProfile(name), { ...each, promptTokens: 1_000_000 }).text === "cat"
      )
    );
    deepEqual(scores.map((each) => each.includes(false)), [false, true]);
  },
);

Deno.test("answerAs() gives the same reply to the same prompt, and others to other profiles and prompts", () => {
  const samples = samplesOf(rulerTask("niah_multikey_3"), 4, 8192);
  const replies = (name: string): string[] => samples.map((sample) => answerAs(openProfile(name), sample).text);
  deepEqual(replies("longalpaca"), replies("longalpaca"));
  notEqual(replies("longalpaca").join(), replies("ideal").join());
});

Deno.test("simulatedModel() is a model without a server, which states its version and its claimed window", async () => {
  const model = simulatedModel("sim:gpt-4");
  deepEqual([model.name, model.origin, model.claimedWindow], ["sim:gpt-4", "simulated", 131_072]);
  deepEqual(model.settings, { profile: "gpt-4", simulation: SIMULATION_VERSION });
  const sample = makeSample(rulerTask("niah_single_1"), 1024);
  const [text] = sample.references;
  deepEqual(await model.ask(sample), { kind: "answer", text, finishReason: "stop", latencyMs: 0, attempts: 1 });
});
