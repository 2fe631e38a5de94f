import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

Deno.test("fathom generate prints Counting-Stars with its knobs, the reference's edition among them", async () => {
  const task = ["generate", "--task", "counting_stars", "--language", "zh", "--num-stars", "4", "--length", "4000"];
  const v1 = ["--star-edition", "v1", "--star-values", "reference"];
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
    ...["generate", "--task", "counting_stars", "--num-stars", "6", "--length", "2K", "--ask", "list_and_sum"],
    ...["--star-order", "shuffled", "--star-sentence", "linked"],
  );
  const { outputs } = JSON.parse(out);
  const counts: number[] = outputs.map(Number);
  equal(counts.length, 7);
  equal(counts.slice(0, 6).reduce((sum, count) => sum + count, 0), counts[6]);
});

Deno.test("fathom generate refuses a flag of Counting-Stars for another task, and an edition that there is not", async () => {
  const wrong = await shell("generate", "--task", "vt", "--num-stars", "4", "--length", "2K");
  deepEqual([wrong.code, wrong.out], [2, ""]);
  match(wrong.told.join("\n"), /Cannot set --num-stars as the task must be of .*counting_stars.*: current value is vt/);
  const unknown = await shell("generate", "--task", "counting_stars", "--star-edition", "v2", "--length", "2K");
  deepEqual([unknown.code, unknown.out], [2, ""]);
  match(unknown.told.join("\n"), /edition must be one of exact, v1, v3: current value is "v2"/);
});

Deno.test("fathom tasks lists Counting-Stars in both languages", async () => {
  const { out } = await shell("tasks");
  equal(out.match(/^ +counting_stars_\w+_(en|zh) /gm)?.length, 12);
});

Deno.test("fathom run scores the ideal reader 100 on every task of Counting-Stars, from records alone", async () => {
  const name = `test-${crypto.randomUUID()}`;
  try {
    const tasks = ["search", "reasoning", "sum", "linked"].map((kind) => `counting_stars_${kind}_zh`).join(",");
    const ask = ["run", "--tasks", tasks, "--num-stars", "8", "--lengths", "1K,4K", "--samples", "2", "--name", name];
    const { code, out } = await shell(...ask, "--model", "sim:ideal");
    equal(code, 0);
    equal(out.match(/^counting_stars_\w+ +100\.0 .* +100\.0 /gm)?.length, 4);
    const lines = (await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`)).trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    ok(records.some(({ distractors }) => distractors?.length === 8));
    deepEqual(new Set(records.map(({ scoring }) => scoring)), new Set(["stars", "stars and sum"]));
  } finally {
    for (const path of [`${RUNS_FOLDER}/${name}`, new URL(`../../results/figures/${name}`, import.meta.url).pathname]) {
      await Deno.remove(path, { recursive: true }).catch(() => {});
    }
  }
});
