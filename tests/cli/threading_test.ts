import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/mod.ts";
import { serveSimulated } from "@/lib/cli/serve_command.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

/** Removes what a run of a test left behind. */
async function clear(name: string): Promise<void> {
  for (const path of [`${RUNS_FOLDER}/${name}`, new URL(`../../results/figures/${name}`, import.meta.url).pathname]) {
    await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}

Deno.test("fathom tasks lists the six tasks of Needle Threading", async () => {
  const { out } = await shell("tasks");
  equal(out.match(/^ +threading_\w+ /gm)?.length, 6);
});

Deno.test("fathom generate prints Needle Threading with its knobs", async () => {
  const { code, out } = await shell(
    ...["generate", "--task", "threading", "--threading-kind", "multi_thread", "--num-threads", "4"],
    ...["--num-steps", "6", "--thread-direction", "backward", "--length", "8K"],
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
    ...["generate", "--task", "threading_conditional_needle", "--num-needles", "3", "--key-character", "&"],
    ...["--haystack-characters", "2000", "--length", "4K"],
  );
  const haystack = JSON.parse(marked.out).input.split("\n")[0];
  equal(haystack.length, 2000);
  equal(haystack.match(/&/g).length, 3);
});

Deno.test.each(
  [
    ["a knob of another task", ["--task", "threading_single_needle", "--num-steps", "3"], /its knobs must be of depth/],
    ["a knob of another benchmark", ["--task", "vt", "--num-needles", "3"], /Cannot set --num-needles as the task/],
    ["a number out of range", ["--task", "threading_multi_needle", "--num-needles", "101"], /from 1 to 100/],
    ["a word that there is not", ["--task", "threading", "--thread-direction", "up"], /random, forward, backward/],
    ["more pairs than fit", ["--task", "threading_multi_needle", "--num-pairs", "9000"], /length must be at least/],
    ["fewer pairs than asked for", ["--task", "threading_multi_needle", "--num-pairs", "2"], /pairs must be a whole/],
    ["two sizes", ["--task", "threading", "--num-pairs", "9", "--haystack-characters", "800"], /only one of pairs and/],
    ["a wrong kind of stars", ["--task", "counting_stars", "--star-order", "falling"], /increasing, shuffled/],
    ["too many stars", ["--task", "counting_stars", "--num-stars", "1025"], /from 1 to 1024/],
    ["stars that do not fit", ["--task", "counting_stars", "--num-stars", "1024"], /length must be at least/],
    [
      "what an edition has not",
      ["--task", "counting_stars", "--star-edition", "v1", "--ask", "sum"],
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
  const name = `test-${crypto.randomUUID()}`;
  const server = await serveSimulated({ profile: "ideal" });
  const endpoint = ["--model", "sim:ideal", "--base-url", server.url];
  try {
    const stars = ["counting_stars_reasoning_en", "counting_stars_sum_zh"];
    const tasks = [...THREADING.tasks, ...stars].join(",");
    const ask = ["run", "--tasks", tasks, "--lengths", "4K", "--samples", "2", "--name", name, ...endpoint];
    const { code, out } = await shell(...ask);
    equal(code, 0);
    equal(out.match(/^(threading|counting_stars)_\w+ +100\.0 /gm)?.length, 8);
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
  } finally {
    await server.close();
    await clear(name);
  }
});
