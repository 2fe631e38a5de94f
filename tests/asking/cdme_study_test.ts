import { deepEqual, equal, ok } from "node:assert/strict";
import { withFolder } from "./_fakes.ts";
import { cdmeGrid } from "@/lib/benchmarks/cdme/grids.ts";
import { depthGrid, PLAIN_TEMPLATE, userText } from "@/lib/generators/mod.ts";
import { checkStudy, openStudy, planStudy, readStudyFile } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { listSamples } from "@/lib/studies/plan.ts";
import { depthCells } from "@/lib/statistics/mod.ts";

Deno.test.each([["8k"], ["32k"], ["200k"]] as ["8k" | "32k" | "200k"][])(
  "the study of CDME's %s grid asks every length, depth and repeat once, and makes no sample for its plan",
  async (name) => {
    const opened = await openStudy(await readStudyFile(`data/studies/cdme-${name}.yaml`));
    const grid = cdmeGrid(name);
    deepEqual([opened.study.lengths, opened.study.samples], [grid.lengths, grid.samples]);
    const plan = planStudy(opened, { template: PLAIN_TEMPLATE });
    equal(plan.questions, grid.prompts);
    equal(plan.tooShort.length, 0);
    // One by one: the first sample is there before the second is thought of.
    const [first] = listSamples(plan);
    deepEqual([first?.length, first?.index], [grid.lengths[0], 0]);
  },
);

Deno.test("a run of CDME keeps the depth of each sample, and averages over the grid", async () => {
  await withFolder(async (folder) => {
    const tasks = [{ task: "cdme_zh", depths: 5 }, { task: "cdme_original", depths: 5 }];
    const study = checkStudy({ tasks, lengths: [1000, 2000], samples: 10 });
    const { replies, records } = await runStudy(study, { name: "grid", model: simulatedModel("ideal"), folder });
    equal(records.length, 40);
    const cells = depthCells(replies.filter(({ task }) => task === "cdme_zh"));
    deepEqual(cells.filter(({ length }) => length === 1000).map(({ depth, n }) => [depth, n]), [
      ...depthGrid({ points: 5, whole: "floor" }).map((depth) => [depth, 2]),
    ]);
    const original = depthCells(replies.filter(({ task }) => task === "cdme_original"));
    ok([...cells, ...original].every(({ score }) => score === 100));
  });
});

/** The two datasets of OpenCompass's page, by its own keys; needles, question, answer and keyword are verbatim. */
const OF_THE_PAGE = String.raw`
tasks:
  - task: cdme
    name: single
    needle: "\n小明最喜欢的实习的地点就是上海人工智能实验室。\n"
    retrieval_question: '小明最喜欢的实习地点是哪里？请按照“小明最喜欢的实习地点就是________。”的格式回答。'
  - task: cdme
    name: three
    needles:
      - "\n意大利的佛罗伦萨有一家名为\"La Giostra\"的餐馆，是整个佛罗伦萨中排行第一的餐馆。\n"
      - '"La Giostra"餐馆的特色菜肴是松露奶酪通心粉。'
      - '松露奶酪通心粉是该家餐馆的有着意大利皇室烹饪血统的大厨Jack制作'
    retrieval_question: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫什么？请按照'制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫______。'的格式回答。"
    answer: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack"
    keyword: "Jack"
    diff: 25
set: { guide: True, language: Chinese, length_buffer: 200, depths: 3 }
lengths: [1000]
num_repeats_per_file: 2
tokenizer_model: gpt-4
`;

Deno.test("the configurations of OpenCompass's page run by their own keys: an obedient reply scores 100", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/page.yaml`, OF_THE_PAGE);
    const study = await readStudyFile(`${folder}/page.yaml`);
    equal(study.samples, 6);
    const { replies, manifest } = await runStudy(study, { name: "page", model: simulatedModel("ideal"), folder });
    deepEqual([replies.length, replies.filter(({ value }) => value === 1).length], [12, 12]);
    const { single, three } = manifest.tasks;
    deepEqual([single?.options["answer"], three?.options["answer"], three?.options["gap"]], [
      "小明最喜欢的实习地点就是上海人工智能实验室。",
      "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack。",
      25,
    ]);
    // As OpenCompass scores it: the answer as it is given.
    const original = await readStudyFile(`${folder}/page.yaml`, { set: { edition: "original" } });
    const scored = await runStudy(original, { name: "original", model: simulatedModel("ideal"), folder });
    equal(scored.manifest.tasks["single"]?.options["answer"], "小明最喜欢的实习的地点就是上海人工智能实验室。");
  });
});

Deno.test("several files in one run: with files: each, rounds take them in turn, as OpenCompass's repeats do", async () => {
  await withFolder(async (folder) => {
    const lines = (word: string): string =>
      Array.from({ length: 40 }, (_, at) => JSON.stringify({ text: `${word}第${at}天下雪了，很安静。\n` })).join("\n");
    await Deno.writeTextFile(`${folder}/zh_finance.jsonl`, lines("雷"));
    await Deno.writeTextFile(`${folder}/zh_game.jsonl`, lines("岛"));
    const tasks = [{ task: "cdme_zh", files: "each" }, { task: "cdme_original", files: "each" }];
    const essays = ["zh_finance.jsonl", "zh_game.jsonl"];
    const content = { tasks, essays, lengths: [1000], set: { depths: 2, texts: "shared" }, "num_repeats_per_file": 2 };
    await Deno.writeTextFile(`${folder}/files.yaml`, JSON.stringify(content));
    const opened = await openStudy(await readStudyFile(`${folder}/files.yaml`));
    equal(opened.study.samples, 8);
    const plan = planStudy(opened, { template: PLAIN_TEMPLATE });
    const texts = [...listSamples(plan)].map(({ task, ...at }) =>
      userText(task.sample({ ...at, seed: "42", materials: opened.materials }).prompt).replaceAll(/[^雷岛]/g, "")
    );
    const seen = texts.map((text) => [...new Set(text)].join());
    deepEqual(seen, [1, 2].flatMap(() => ["雷", "雷", "岛", "岛", "雷", "雷", "岛", "岛"]));
  });
});
