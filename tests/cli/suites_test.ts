import { deepEqual, equal, match, ok } from "node:assert/strict";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, withRunName } from "./_shell.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { serveSimulated } from "../serve/serve_command.ts";

Deno.test("fathom generate prints Counting-Stars with its knobs, the reference's edition among them", async () => {
  const task = ["generate", "--task", "counting_stars_search_zh", "--set", "stars=4", "--length", "4000"];
  const v1 = ["--set", "edition=v1", "--set", "values=reference"];
  const { code, out } = await shell(...task, ...v1);
  equal(code, 0);
  const row = JSON.parse(out);
  deepEqual(row.outputs, ["3", "5", "9", "15"]);
  const text: string = row.input.slice(0, row.input.indexOf("\n\n\n\n"));
  // 4,000 tokens by name are 2,900 characters of text; each star's line has 9 or 10 with its two line breaks.
  equal(Array.from(text.replaceAll(/\n小企鹅数了\d+颗★\n/g, "")).length, 2900);
});

Deno.test("fathom generate asks for the list and its sum, in shuffled order and with linked sentences", async () => {
  const { out } = await shell(
    ...[
      "generate",
      "--task",
      "counting_stars_search_en",
      "--set",
      "stars=6",
      "--length",
      "2K",
      "--set",
      "ask=list_and_sum",
    ],
    ...["--set", "order=shuffled", "--set", "sentence=linked"],
  );
  const { outputs } = JSON.parse(out);
  const counts: number[] = outputs.map(Number);
  equal(counts.length, 7);
  equal(counts.slice(0, 6).reduce((sum, count) => sum + count, 0), counts[6]);
});

Deno.test("fathom generate refuses a flag of Counting-Stars for another task, and an unknown edition", async () => {
  const wrong = await shell("generate", "--task", "vt", "--set", "stars=4", "--length", "2K");
  deepEqual([wrong.code, wrong.out], [2, ""]);
  match(wrong.told.join("\n"), /Cannot set stars as the task must be of .*counting_stars.*: current value is vt/);
  const unknown = await shell(
    "generate",
    "--task",
    "counting_stars_search_en",
    "--set",
    "edition=v2",
    "--length",
    "2K",
  );
  deepEqual([unknown.code, unknown.out], [2, ""]);
  match(unknown.told.join("\n"), /edition must be one of exact, v1, v3: current value is "v2"/);
});

Deno.test("fathom generate asks several questions about each context, and fathom tasks lists the knob", async () => {
  const flags = ["--task", "vt", "--set", "questions=3", "--length", "2K", "--samples", "4"];
  const { out } = await shell("generate", ...flags);
  const rows = out.trim().split("\n").map((line) => JSON.parse(line));
  const contexts = rows.map(({ input }) => input.slice(0, input.lastIndexOf("Question: ")));
  deepEqual(contexts.map((context) => contexts.indexOf(context)), [0, 0, 0, 3]);
  deepEqual(rows.map(({ cluster }) => cluster), [0, 0, 0, 1].map((context) => `context:ruler-2/vt/2048/42/${context}`));
  equal(new Set(rows.map(({ outputs }) => outputs.join())).size, 4);
  const { out: card } = await shell("tasks", "vt");
  match(card, /\n {2}questions=1 +a whole number from 1 to 100\n +questions about each context/);
});

Deno.test("fathom tasks lists Counting-Stars in both languages", async () => {
  const { out } = await shell("tasks");
  equal(out.match(/^ +counting_stars_\w+_(en|zh) /gm)?.length, 12);
});

Deno.test("fathom run scores the ideal reader 100 on every task of Counting-Stars, from records alone", async () => {
  await withRunName(async (name) => {
    const tasks = ["search", "reasoning", "sum", "linked"].map((kind) => `counting_stars_${kind}_zh`).join(",");
    const ask = ["run", "--tasks", tasks, "--set", "stars=8", "--lengths", "1K,4K", "--samples", "2", "--name", name];
    const { code, out } = await shell(...ask, "--model", "sim:ideal");
    equal(code, 0);
    equal(out.match(/^counting_stars_\w+ +100\.0 +100\.0$/gm)?.length, 4);
    const lines = (await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`)).trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    ok(records.some(({ distractors }) => distractors?.length === 8));
    deepEqual(new Set(records.map(({ scoring }) => scoring)), new Set(["stars", "stars and sum"]));
  });
});

Deno.test("fathom tasks lists the six tasks of Needle Threading", async () => {
  const { out } = await shell("tasks");
  equal(out.match(/^ +threading_\w+ /gm)?.length, 6);
});

Deno.test("fathom generate prints Needle Threading with its knobs", async () => {
  const { code, out } = await shell(
    ...["generate", "--task", "threading", "--set", "kind=multi_thread", "--set", "threads=4"],
    ...["--set", "steps=6", "--set", "direction=backward", "--length", "8K"],
  );
  equal(code, 0);
  const { input, outputs } = JSON.parse(out);
  equal(outputs.length, 4);
  const pairs = JSON.parse(input.slice(0, input.indexOf("\n")));
  const keys: string[] = JSON.parse(input.slice(input.lastIndexOf("Keys: ") + 6, input.lastIndexOf("\n")));
  const ends = keys.map((key) => {
    let value = key;
    for (let step = 0; step < 6; step++) value = pairs[value];
    return value;
  });
  deepEqual(ends, outputs);
  const marked = await shell(
    ...["generate", "--task", "threading_conditional_needle", "--set", "needles=3", "--set", "character=&"],
    ...["--set", "characters=2000", "--length", "4K"],
  );
  const haystack = JSON.parse(marked.out).input.split("\n")[0];
  equal(haystack.length, 2000);
  equal(haystack.match(/&/g).length, 3);
});

Deno.test.each(
  [
    ["a knob of another task", ["--task", "threading_single_needle", "--set", "steps=3"], /its knobs must be of depth/],
    ["a knob of another benchmark", ["--task", "vt", "--set", "needles=3"], /Cannot set needles as the task/],
    ["a number out of range", ["--task", "threading_multi_needle", "--set", "needles=101"], /from 1 to 100/],
    ["a word that there is not", ["--task", "threading", "--set", "direction=up"], /random, forward, backward/],
    ["more pairs than fit", ["--task", "threading_multi_needle", "--set", "pairs=9000"], /length must be at least/],
    ["fewer pairs than asked for", ["--task", "threading_multi_needle", "--set", "pairs=2"], /pairs must be a whole/],
    ["two sizes", ["--task", "threading", "--set", "pairs=9", "--set", "characters=800"], /only one of pairs and/],
    [
      "a wrong kind of stars",
      ["--task", "counting_stars_search_en", "--set", "order=falling"],
      /increasing, shuffled/,
    ],
    ["too many stars", ["--task", "counting_stars_search_en", "--set", "stars=1025"], /from 1 to 1024/],
    ["stars that do not fit", ["--task", "counting_stars_search_en", "--set", "stars=1024"], /length must be at least/],
    [
      "what an edition has not",
      ["--task", "counting_stars_search_en", "--set", "edition=v1", "--set", "ask=sum"],
      /ask must be list/,
    ],
  ] as [string, string[], RegExp][],
)("fathom generate refuses %s in one line, with code 2", async (_name, flags, message) => {
  const { code, out, told } = await shell("generate", ...flags, "--length", "4K");
  deepEqual([code, out], [2, ""]);
  equal(told.length, 1, told.join("\n"));
  match(told[0]!, /^fathom: /);
  match(told[0]!, message);
});

Deno.test("fathom run, report and regrade work on a real endpoint, for both benchmarks", async () => {
  const server = await serveSimulated({ profile: "ideal" });
  const endpoint = ["--model", "sim:ideal", "--base-url", server.url];
  await withRunName(async (name) => {
    const stars = ["counting_stars_reasoning_en", "counting_stars_sum_zh"];
    const tasks = [...THREADING.tasks, ...stars].join(",");
    const ask = ["run", "--tasks", tasks, "--lengths", "4K", "--samples", "2", "--name", name, ...endpoint];
    const { code, out } = await shell(...ask);
    equal(code, 0);
    equal(out.match(/^(threading|counting_stars)_\w+ +100\.0$/gm)?.length, 8);
    const report = JSON.parse((await shell("report", name, "--json")).out);
    deepEqual(new Set(report.rows.map(({ score }: { score: number }) => score)), new Set([100]));
    const parsed = await shell("regrade", name, "--by", "extractor", ...endpoint, "--json");
    equal(parsed.code, 0);
    const { rows } = JSON.parse(parsed.out);
    deepEqual(rows.at(-1), {
      ...{ task: "all", replies: 12, failed: 0, unread: 0 },
      ...{ byRules: 100, byModel: 100, alike: 100, kappa: null },
    });
    const lines = (await Deno.readTextFile(`${RUNS_FOLDER}/${name}/extractor-sim-ideal.jsonl`)).trimEnd().split("\n");
    equal(lines.length, 12);
    const { out: table } = await shell("regrade", name, "--by", "extractor", ...endpoint);
    match(table, /^all +12 +0 +100\.0 +100\.0 +100\.0 +0$/m);
  }).finally(() => server.close());
});
