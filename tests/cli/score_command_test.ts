import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";

async function withFile(text: string, use: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  await Deno.writeTextFile(path, text);
  await use(path).finally(() => Deno.remove(path));
}

const LINES = [
  { index: 0, pred: "VAR ABCDE and FGHIJ", outputs: ["ABCDE", "FGHIJ"], others: {}, truncation: -1, length: 4096 },
  { index: 1, pred: "abcde", outputs: ["ABCDE", "FGHIJ"], others: {}, truncation: -1, length: 4096 },
  { index: 2, pred: "\t\n", outputs: ["ABCDE"], others: {}, truncation: -1, length: 4096 },
];

Deno.test("fathom score gives RULER's score and the number of empty predictions", async () => {
  await withFile(LINES.map((line) => JSON.stringify(line)).join("\n"), async (path) => {
    // (1 + 0.5 + 0) / 3 = 50 per cent; one prediction is empty.
    equal((await shell("score", "--task", "vt", path)).out, "vt: 50.00 (n = 3, empty predictions 1/3)\n");
    const { score, nulls, n } = JSON.parse((await shell("score", "--task", "vt", path, "--json")).out);
    deepEqual({ score, nulls, n }, { score: 50, nulls: "1/3", n: 3 });
  });
});

Deno.test("fathom score takes RULER's families by the names of its tasks and of its code, and no others", async () => {
  await withFile(JSON.stringify({ pred: "a", outputs: ["a", "b"] }), async (path) => {
    const half = ["niah", "niah_multikey_3", "niah_mine", "vt", "variable_tracking", "cwe", "freq_words_extraction"];
    for (const task of half) {
      equal((await shell("score", "--task", task, path)).out, `${task}: 50.00 (n = 1, empty predictions 0/1)\n`);
    }
    for (const task of ["qa", "qa_1", "qa_2"]) match((await shell("score", "--task", task, path)).out, /: 100\.00/);
    const { code, told } = await shell("score", "--task", "vtx", path);
    equal(code, 2);
    match(told.join(), /current value is "vtx"/);
  });
});

const NEEDLE = "小明最喜欢的实习地点就是上海人工智能实验室。";

Deno.test("fathom score scores predictions for CDME by edit distance, cut where asked, and by keyword", async () => {
  const said = [{ pred: NEEDLE, outputs: [NEEDLE] }, { pred: `${NEEDLE}\n希望这能帮到你！`, outputs: [NEEDLE] }];
  await withFile(said.map((line) => JSON.stringify(line)).join("\n"), async (path) => {
    // 22 of 30 characters are right.
    equal((await shell("score", "--task", "cdme_zh", path)).out, "cdme_zh: 86.67 (n = 2, empty predictions 0/2)\n");
    for (const flags of [["--set", "trim=on"], ["--set", "trim=on"]]) {
      match((await shell("score", "--task", "cdme_zh", ...flags, path)).out, /^cdme_zh: 100\.00 /);
    }
    const [{ distance }] = JSON.parse((await shell("score", "--task", "cdme_zh", "--json", path)).out).scores;
    equal(distance, 0);
  });
  await withFile(JSON.stringify({ pred: "是 Jack", outputs: ["叫Jack。", "Jack"] }), async (path) => {
    match((await shell("score", "--task", "cdme_multi_zh", path)).out, /^cdme_multi_zh: 100\.00 /);
  });
});

Deno.test("fathom score reads OpenCompass's own prediction files", async () => {
  const predictions = {
    0: { origin_prompt: "你是…", prediction: NEEDLE, gold: `\n${NEEDLE}\n` },
    1: { origin_prompt: "你是…", prediction: "", gold: `\n${NEEDLE}\n` },
  };
  for (const indent of [4, undefined]) {
    await withFile(JSON.stringify(predictions, null, indent), async (path) => {
      equal(
        (await shell("score", "--task", "cdme_original", path)).out,
        "cdme_original: 50.00 (n = 2, empty predictions 1/2)\n",
      );
    });
  }
  const several = { 0: { origin_prompt: "…", prediction: "是杰克", gold: "叫Jack*Jack" } };
  await withFile(JSON.stringify(several, null, 4), async (path) => {
    // No character is right.
    match((await shell("score", "--task", "cdme_original_multi", path)).out, /: 0\.00 /);
  });
  await withFile(JSON.stringify({ 0: { prediction: "a" } }, null, 4), async (path) => {
    const { code, told } = await shell("score", "--task", "cdme_zh", path);
    deepEqual([code, told], [2, [
      'fathom: Cannot read OpenCompass\'s predictions as "gold" of 0 must be a text: current value is none',
    ]]);
  });
});

Deno.test("fathom score names the line that is wrong", async () => {
  await withFile(`${JSON.stringify(LINES[0])}\nnot json\n`, async (path) => {
    const { code, told } = await shell("score", "--task", "vt", path);
    equal(code, 2);
    match(told.join(), /line 2/);
  });
});

Deno.test("fathom score refuses a missing file, an unknown task and an empty file", async () => {
  equal((await shell("score", "--task", "vt", "/no/such/file")).code, 2);
  await withFile("", async (path) => {
    equal((await shell("score", "--task", "vt", path)).code, 2);
    match((await shell("score", "--task", "nope", path)).told.join(), /current value is "nope"/);
  });
});

Deno.test("fathom score refuses predictions that are not UTF-8", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(
    path,
    new Uint8Array([
      ...new TextEncoder().encode('{"pred":"caf'),
      0xe9,
      ...new TextEncoder().encode('","outputs":["caf"]}\n'),
    ]),
  );
  const { code, told } = await shell("score", "--task", "vt", path);
  await Deno.remove(path);
  deepEqual([code, told], [2, [`fathom: Cannot read the file as it must be UTF-8 text: current value is "${path}"`]]);
});

const REASONING = ["score", "--task", "counting_stars_reasoning_zh"];

Deno.test("fathom score takes points off for the wrong counts of Counting-Stars' reasoning, which must be in the file", async () => {
  const line = { pred: '{"小企鹅": [3, 4, 6]}', outputs: ["3", "5", "9"], distractors: ["4", "6", "8"] };
  await withFile(JSON.stringify(line), async (path) => {
    // By viz.ipynb 0.5 for 3 beside its wrong 4, 0.25 for the wrong 6 alone, 0 for 9: a quarter.
    match((await shell(...REASONING, path)).out, /: 25\.00 \(n = 1,/);
  });
  const { distractors: _, ...without } = line;
  await withFile(JSON.stringify(without), async (path) => {
    match((await shell("score", "--task", "counting_stars_search_zh", path)).out, /: 33\.33 /);
    const { code, told } = await shell(...REASONING, path);
    deepEqual([code, told], [2, [
      'fathom: Cannot score prediction 1 of counting_stars_reasoning_zh as "distractors" must be the wrong answer in the text ' +
      'for each reference, as the scorer "stars" needs them: current value is none',
    ]]);
  });
  await withFile(JSON.stringify({ ...line, distractors: ["4"] }), async (path) => {
    match((await shell(...REASONING, path)).told.join(), /line 1 .* as "distractors" must be a list of 3 texts/);
  });
});

Deno.test.each([
  ["cdme_multi_zh", ["The hallway is best."], /the keyword is missing/],
  ["babilong_qa1", ["kitchen"], /the question is missing/],
  ["mrcr", ["abc"], /the text after a hash of \d+ characters is missing/],
] as [string, string[], RegExp][])(
  "fathom score refuses predictions of %s whose outputs lack a part",
  async (task, outputs, fault) => {
    await withFile(JSON.stringify({ outputs, pred: "nonsense" }), async (path) => {
      const { code, told } = await shell("score", "--task", task, path);
      equal(code, 2);
      match(told.join(), fault);
    });
  },
);

Deno.test("fathom score scores what fathom generate writes of every task of Counting-Stars", async () => {
  for (const kind of ["search", "reasoning", "sum", "linked"]) {
    const task = ["--task", `counting_stars_${kind}_en`];
    const { out } = await shell("generate", ...task, "--set", "stars=4", "--length", "2K");
    const { outputs, distractors = [] } = JSON.parse(out);
    equal(distractors.length, ["reasoning", "linked"].includes(kind) ? outputs.length : 0);
    const [counts, total] = kind === "sum" ? [outputs.slice(0, -1), outputs.at(-1)] : [outputs, 0];
    const pred = `{"little_penguin": [${counts.join(", ")}], "total": ${total}}`;
    await withFile(JSON.stringify({ ...JSON.parse(out), pred }), async (path) => {
      match((await shell("score", ...task, path)).out, /: 100\.00 \(n = 1,/);
    });
  }
});

Deno.test("fathom score reads Counting-Stars' own result lines, the wrong counts those of its published list", async () => {
  // The list begins 15, 117, 42 with the wrong counts 16, 116, 41 or so: the file of published values says which.
  const [, ...values] = (await Deno.readTextFile("data/published/counting_stars_star_values.csv")).trim().split("\n");
  const [right, wrong] = [1, 2].map((column) => values.slice(0, 4).map((line) => Number(line.split(",")[column])));
  const line = { "context_size": 2800, "model_name": "m", "prompt_tokens": 4000, "reference_counting_results": right };
  const answers = [{ "小企鹅": right }, JSON.stringify({ "小企鹅": [right![0], wrong![0], wrong![1]] })];
  await withFile(answers.map((answer) => JSON.stringify({ ...line, answer })).join("\n"), async (path) => {
    // All four; then 0.5 + 0.25 of four.
    match((await shell(...REASONING, path)).out, /: 59\.38 \(n = 2,/);
    match((await shell("score", "--task", "counting_stars_shuffled_zh", path)).out, /: 62\.50 \(n = 2,/);
  });
});

Deno.test("fathom score reads Needle Threading's own rows, of its data set and of its result table", async () => {
  const [one, other] = ["e3e70682-c209-4cac-a29f-6fbed82c07cd", "f728b4fa-4248-4e3a-8a5d-2f346baa9455"];
  const rows = [{ Output: one, values: [one] }, { Question_ID: 1, Output: `'${one}'`, Answer: other }];
  await withFile(rows.map((row) => JSON.stringify(row)).join("\n"), async (path) => {
    match((await shell("score", "--task", "threading_single_needle", path)).out, /: 50\.00 \(n = 2,/);
  });
});
