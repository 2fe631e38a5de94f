import { deepEqual, equal } from "node:assert/strict";
import { findPromptCuts } from "@/lib/records/cuts.ts";

/** Our count of a prompt and the server's. */
type Counts = readonly [number, number];

/** The prompts of tasks by length. */
type Counted = Readonly<Record<string, readonly (readonly Counts[])[]>>;

/**
 * Prompts of RULER, counted by cl100k_base and by Gemma 3 under llama.cpp, at 1K, 2K and 4K, two of each. None was cut.
 */
const GEMMA: Counted = Object.fromEntries([
  ["niah_single_1", [[[890, 936], [896, 936]], [[1898, 1980], [1901, 1983]], [[3959, 4130], [3962, 4130]]]],
  ["niah_single_3", [[[896, 889], [896, 898]], [[1920, 1901], [1920, 1919]], [[3965, 3871], [3968, 3884]]]],
  ["niah_multikey_1", [[[896, 894], [896, 911]], [[1920, 1893], [1920, 1908]], [[3968, 3894], [3968, 3954]]]],
  ["niah_multikey_2", [[[892, 1122], [896, 1141]], [[1920, 2450], [1920, 2461]], [[3968, 5092], [3968, 5102]]]],
  ["niah_multikey_3", [[[877, 1137], [896, 1231]], [[1918, 2578], [1920, 2568]], [[3968, 5328], [3968, 5344]]]],
  ["vt", [[[980, 1039], [983, 1042]], [[2007, 2110], [2012, 2113]], [[4048, 4237], [4056, 4236]]]],
  ["cwe", [[[902, 1001], [904, 987]], [[1924, 2374], [1925, 2376]], [[3964, 4823], [3973, 4940]]]],
  ["fwe", [[[974, 890], [974, 988]], [[1998, 1952], [1998, 2066]], [[4046, 3987], [4046, 4025]]]],
  ["qa_1", [[[992, 990], [992, 1002]], [[2016, 2009], [2016, 2050]], [[4064, 4066], [4064, 4098]]]],
]);

/** The same of SmolLM2's chat template, at 1K and 2K. */
const SMOLLM: Counted = Object.fromEntries([
  ["niah_single_1", [[[890, 965], [896, 965]], [[1898, 2012], [1901, 2015]]]],
  ["niah_single_2", [[[896, 925], [896, 933]], [[1919, 1950], [1920, 1948]]]],
  ["niah_single_3", [[[896, 934], [896, 940]], [[1920, 1946], [1920, 1966]]]],
]);

type AskedPrompt = Parameters<typeof findPromptCuts>[0][number];

function asked(
  task: string,
  length: number,
  [promptTokens, counted]: Counts,
  settings: AskedPrompt["settings"] = { api: "completions" },
): AskedPrompt {
  const reply = { kind: "answer", text: "", finishReason: "stop", promptTokens: counted, latencyMs: 1, attempts: 1 };
  return { task, length, promptTokens, settings, reply } as AskedPrompt;
}

/** The records of a run, with every count limited to a window. */
function runOf(
  tasks: Counted,
  { window = Infinity, lengths = [0, 1, 2, 3], api = "completions", added = 0 } = {},
): AskedPrompt[] {
  return Object.entries(tasks).flatMap(([task, cells]) =>
    cells.flatMap((cell, place) =>
      lengths.includes(place)
        ? cell.map(([ours, counted]) =>
          asked(task, 1024 * 2 ** place, [ours, Math.min(window, counted + added)], { api })
        )
        : []
    )
  );
}

/** GEMMA and a fourth length of twice the third. */
const TO_8K: Counted = Object.fromEntries(
  Object.entries(GEMMA).map(([task, cells]) => [
    task,
    [...cells, cells[2]!.map(([ours, counted]): Counts => [2 * ours, 2 * counted])],
  ]),
);

function cutOf(records: readonly AskedPrompt[]): string[] {
  return [...findPromptCuts(records).keys()].map(({ task, length }) => `${task} ${length / 1024}K`);
}

Deno.test("findPromptCuts() takes no other tokenizer for a cut prompt, whatever part of a real run it sees", () => {
  for (const lengths of [[0], [1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]]) {
    deepEqual(cutOf(runOf(GEMMA, { lengths })), []);
    for (const task of Object.keys(GEMMA)) deepEqual(cutOf(runOf({ [task]: GEMMA[task]! }, { lengths })), []);
  }
  deepEqual(cutOf(runOf(SMOLLM, { api: "chat" })), []);
  for (const task of Object.keys(SMOLLM)) deepEqual(cutOf(runOf({ [task]: SMOLLM[task]! }, { api: "chat" })), []);
});

Deno.test("findPromptCuts() takes no Chinese prompt for cut, of which Gemma needs 1,225 tokens where cl100k_base counts 1,824", () => {
  const records = Array.from(
    { length: 27 },
    (_, place) => asked(place % 2 === 0 ? "cdme_zh" : "cdme_multi_zh", 2048, [1824, 1225 + (7 * place) % 11]),
  );
  deepEqual(cutOf(records), []);
  deepEqual(cutOf([...records, ...runOf(GEMMA)]), []);
});

Deno.test("findPromptCuts() finds what a window of 4,096 tokens cuts, and nothing else", () => {
  const cuts = cutOf(runOf(TO_8K, { window: 4096 }));
  const of8K = Object.keys(TO_8K).flatMap((task) => [`${task} 8K`, `${task} 8K`]);
  // At 4K the prompts of these three are 18% to 30% longer than the window in the model's tokens.
  const of4K = ["niah_multikey_2", "niah_multikey_3", "cwe"].flatMap((task) => [`${task} 4K`, `${task} 4K`]);
  deepEqual(cuts.toSorted(), [...of8K, ...of4K].toSorted());
  const [uuid] = [...findPromptCuts(runOf(TO_8K, { window: 4096 }))]
    .filter(([{ task, length }]) => task === "niah_multikey_3" && length === 4096).map(([, cut]) => cut);
  deepEqual(uuid, { counted: 4096, expected: 5320 });
});

Deno.test("findPromptCuts() leaves out what a chat template adds, up to 100 tokens", () => {
  for (const added of [1, 20, 60, 100]) {
    deepEqual(cutOf(runOf(GEMMA, { added, api: "chat" })), [], `${added}`);
    deepEqual(cutOf(runOf(GEMMA, { added, api: "chat", lengths: [0, 2] })), [], `${added}`);
    deepEqual(
      cutOf(runOf(TO_8K, { added, api: "chat", window: 4096 })).filter((name) => name.endsWith("8K")).length,
      18,
    );
  }
});

Deno.test("findPromptCuts() judges nothing by a count of 0, no count, a failed call, or a thinking allowance that is not sent", () => {
  const failed = { ...asked("vt", 4096, [4000, 1]), reply: { kind: "failure" } } as unknown as AskedPrompt;
  deepEqual(cutOf([asked("vt", 4096, [4000, 0]), failed]), []);
  const inside = { api: "chat", thinkingInside: true, thinkingTokens: 2000 };
  deepEqual(cutOf([asked("vt", 1024, [3000, 1010], inside), asked("vt", 4096, [6000, 4010], inside)]), []);
  deepEqual(cutOf([]), []);
});

/** Prompts of one task by length in thousands of tokens, each with our count and the server's. */
type Run = readonly (readonly [length: number, ours: number, counted: number])[];

const RATIO = [[1, 1000, 1100], [1, 1000, 1102]] as const;
const SAME_TOKENIZER = [[1, 896, 897], [1, 990, 992], [1, 992, 995]] as const;

Deno.test.each(
  [
    // 30% of 4,000.
    ["30% short, the others not", [[4, 4000, 4000], [4, 4000, 4000], [4, 4000, 4000], [4, 4000, 2800]], []],
    ["more than 30% short, the others not", [[4, 4000, 4000], [4, 4000, 4000], [4, 4000, 4000], [4, 4000, 2799]], [
      2799,
    ]],
    // 5% of 4,404, which 1,101 for 1,000 expects; all of one length end at one count.
    ["more than 5% short at the highest count", [...RATIO, [4, 4000, 4183], [4, 4000, 4183]], [4183, 4183]],
    ["less than 5% short at the highest count", [...RATIO, [4, 4000, 4184], [4, 4000, 4184]], []],
    ["the only one of its length at the highest count", [...RATIO, [4, 4000, 4183]], [4183]],
    ["5% short, another far above", [...RATIO, [4, 4000, 4183], [4, 4000, 4404], [4, 4000, 4404]], []],
    // The slack at a limit of 4,096 is 10.24 tokens.
    ["10 tokens below the highest count", [...RATIO, [4, 4000, 4096], [4, 4000, 4086]], [4096, 4086]],
    ["11 tokens below the highest count", [...RATIO, [4, 4000, 4096], [4, 4000, 4085]], []],
    // 1% of 3,969: our count and the one token that the server counts more.
    ["less than 1% short by the same tokenizer", [...SAME_TOKENIZER, [4, 3968, 3930]], []],
    ["more than 1% short where the server counts what we do", [[1, 896, 896], [1, 990, 990], [1, 992, 992], [
      4,
      3968,
      3928,
    ]], [3928]],
    ["more than 1% short by the same tokenizer", [...SAME_TOKENIZER, [4, 3968, 3929]], [3929]],
    [
      "more than 1% short where offsets differ by 3",
      [[1, 896, 897], [1, 990, 992], [1, 992, 996], [4, 3968, 3929]],
      [],
    ],
    ["more than 1% short by two prompts alone", [[1, 896, 897], [1, 990, 992], [4, 3968, 3929]], []],
    [
      "more than 1% short where the server counts less",
      [[1, 896, 895], [1, 990, 990], [1, 992, 991], [4, 3968, 3929]],
      [],
    ],
    // One length: 4,864 is 19 × 256, and 95% of 5,120.
    ["one length at a round count, 5% short", [[5, 5120, 4864], [5, 5120, 4864]], []],
    ["one length at a round count, more than 5% short", [[5, 5121, 4864], [5, 5121, 4864]], [4864, 4864]],
    ["one length a token off a round count", [[5, 5300, 4864], [5, 5300, 4863]], [4864, 4863]],
    ["one length two tokens off a round count", [[5, 5300, 4864], [5, 5300, 4862]], []],
    ["one length at a count that is not round", [[5, 5300, 4865], [5, 5300, 4865]], []],
    ["one prompt at a round count", [[5, 5300, 4864]], []],
    ["two lengths at one count that is not round", [[5, 5300, 4865], [6, 6300, 4865]], [4865, 4865]],
  ] as [string, Run, number[]][],
)("findPromptCuts() judges a prompt %s", (_name, run, cut) => {
  const records = run.map(([thousands, ...counts]) => asked("vt", 1024 * thousands, counts));
  deepEqual([...findPromptCuts(records).values()].map(({ counted }) => counted), cut);
});

Deno.test.each([[0, 4400], [60, 4460], [100, 4500], [101, 4502], [150, 4600]] as [number, number][])(
  "findPromptCuts() expects of a chat template that adds %d tokens %d of 4,000 at 1.1 tokens for one of ours",
  (added, expected) => {
    const chat = (thousands: number, ours: number, counted: number): AskedPrompt =>
      asked("vt", 1024 * thousands, [ours, counted], { api: "chat" });
    const whole = [1, 2].flatMap((thousands) => {
      const ours = 1000 * thousands;
      return [chat(thousands, ours, 1.1 * ours + added), chat(thousands, ours, 1.1 * ours + added)];
    });
    const cuts = [...findPromptCuts([...whole, chat(4, 4000, 2500), chat(4, 4000, 2500)]).values()];
    const [one] = findPromptCuts([whole[0]!, whole[2]!, chat(4, 4000, 2500)]).values();
    equal(one!.expected, expected);
    // Only up to 100 tokens are the template's; the rest is taken for the tokenizer's.
    deepEqual(cuts.map((cut) => cut.expected), [expected, expected]);
  },
);

Deno.test("findPromptCuts() takes no count without cached tokens for a window, which has at least 256", () => {
  const counts: readonly Counts[] = [[896, 936], [890, 44], [893, 201]];
  deepEqual(findPromptCuts(counts.map((each) => asked("vt", 1024, each))).size, 0);
  // More can be a window's.
  deepEqual(findPromptCuts([...counts, [894, 256] as const].map((each) => asked("vt", 1024, each))).size, 1);
});

Deno.test("findPromptCuts() finds a cut among 200,000 prompts", () => {
  const cell = Array.from({ length: 200_000 }, (_, at): Counts => [1000, at === 7 ? 500 : 1000]);
  deepEqual(cutOf(runOf({ vt: [cell] })), ["vt 1K"]);
});
