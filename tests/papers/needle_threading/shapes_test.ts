import { equal, match, ok, throws } from "node:assert/strict";
import { existsSync } from "node:fs";
import { cases } from "../../_cases.ts";
import { knobMap, needleDepthMaps } from "@/lib/papers/needle_threading/figures.ts";
import { countTexts, tokenizerFamilies } from "@/lib/reports/mod.ts";
import { openMaterials, openStudy, readStudyFile } from "@/lib/studies/mod.ts";

Deno.test("the study of shapes makes every task at its lengths, and that of sizes has the paper's twelve", async () => {
  const shapes = await readStudyFile("data/studies/12-shapes.yaml");
  const { tasks, materials } = await openStudy(shapes);
  equal(tasks.length, 9 + 9 + 9);
  for (const task of tasks) ok(task.leastLength(materials) <= shapes.lengths[0]!, task.name);
  const sizes = await readStudyFile("data/studies/needle-threading-630k.yaml");
  equal(sizes.lengths.join(), "1200,2500,5000,10000,20000,32000,64000,128000,180000,250000,500000,630000");
  const opened = await openStudy(sizes);
  for (const task of opened.tasks.slice(0, cases(20, opened.tasks.length))) {
    ok(task.leastLength(opened.materials) <= 1200, task.name);
  }
});

Deno.test("knobMap() leaves out rows without one of the knobs, and refuses two rows of one cell", async () => {
  const row = (knobs: Record<string, number>) => ({ knobs, length: 8192, score: 50, low: null, high: null });
  const options = {
    x: "threads",
    y: "steps",
    xTitle: "Threads",
    yTitle: "Steps",
    title: "t",
    n: 1,
    origin: "measured",
  } as const;
  match(await knobMap([row({ threads: 2, steps: 3 }), row({ needles: 2 })], options).svg(), /Steps/);
  throws(() => knobMap([row({ threads: 2, steps: 3 }), row({ threads: 2, steps: 3 })], options), RangeError);
});

Deno.test("needleDepthMaps() draws a panel for each model", async () => {
  const asked = (model: string) => ({
    model,
    replies: [0, 1].map((depth) => ({
      ...{ task: "one", length: 4096, value: depth, failed: false, noAnswer: false },
      record: { depth, index: 0, seed: "1" },
    })),
  });
  const svg = await needleDepthMaps([asked("first-model"), asked("second-model")], { title: "Two", origin: "measured" })
    .svg();
  ok(svg.includes("first-model") && svg.includes("second-model"));
});

/** Has folders such as `llama3_1`, each with the tokenizer.json of that name. */
const FOLDER = Deno.env.get("FATHOM_TOKENIZERS") ?? ".tokenizers";

for (const [name, kept] of Map.groupBy(tokenizerFamilies(), ({ tokenizer }) => tokenizer)) {
  const { folder, package: from } = kept[0]!;
  const tokenizer = from === "js-tiktoken" ? folder : `${FOLDER}/${folder}/tokenizer.json`;
  const isAbsent = tokenizer !== folder && !existsSync(tokenizer);
  Deno.test({
    name: `the kept tokens of ${name} are counted again${
      isAbsent ? " (skipped: no such folder in FATHOM_TOKENIZERS)" : ""
    }`,
    ignore: isAbsent,
    async fn(): Promise<void> {
      const counted = countTexts(await openMaterials({ tokenizer }));
      for (const { text, characters, tokens } of kept) {
        const again = counted.find((cost) => cost.text === text)!;
        equal(`${text}: ${again.characters}, ${again.tokens}`, `${text}: ${characters}, ${tokens}`);
      }
    },
  });
}
