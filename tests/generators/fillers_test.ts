import { equal, ok, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { openTestMaterials } from "./_materials.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { essayFiller, type Task } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const { tokenizer } = materials;

Deno.test("essayFiller() separates needles from sentences as the essays' language does", () => {
  const english = makeHaystack(["Bread rises. It cools."], { name: "bread", tokenizer });
  const chinese = makeHaystack(["下雪了。真安静。"], { name: "snow", tokenizer, locale: "zh" });
  equal(essayFiller(english, { start: 0, tokenizer }).needle("Look.", false).text, " Look.");
  equal(essayFiller(english, { start: 0, tokenizer }).needle("Look.", true).text, "Look.");
  equal(essayFiller(chinese, { start: 0, tokenizer }).needle("看。", false).text, "看。");
});

const PLAIN = "Bread rises slowly in a cold room. It cools fast. The baker sleeps at noon.\n";
const NEEDLE = "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day.";
const INTERNSHIP = "小明最喜欢的实习地点就是上海人工智能实验室。";

/** Makes a sample of a task from two files of the user's own, the second of which holds something. */
async function make(task: Task, held: string, file = "b.txt"): Promise<void> {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.txt`, PLAIN.repeat(30));
    const text = `${PLAIN.repeat(20)} ${held} ${PLAIN.repeat(20)}`;
    await Deno.writeTextFile(
      `${folder}/${file}`,
      file.endsWith("l") ? `${JSON.stringify({ text: PLAIN })}\n${JSON.stringify({ text })}\n` : text,
    );
    const materials = await openMaterials({ essays: folder });
    const sample = task.sample({ length: 2048, seed: "42", index: 0, materials });
    ok(sample.promptTokens > 0);
  });
}

Deno.test.each(
  [
    ["a star", STARS.make({ stars: 8 }), "She drew a ★ on the door.", /ssays-|the mark that is counted, ★/],
    ["a star, in Chinese", STARS.make({ stars: 8, language: "zh" }), "★", /the mark that is counted, ★/],
    ["the needle of CDME", CDME_NEEDLES.make(), INTERNSHIP, /must not hold the needle: current value is ".*小明/],
    [
      "the needle of CDME as it is",
      CDME_NEEDLES.task("cdme_original"),
      INTERNSHIP.replace("地点", "的地点"),
      /the needle/,
    ],
    [
      "the needle of prompt recall",
      PROMPT_RECALL.make({ needle: NEEDLE, question: "What is the best thing to do in San Francisco?" }),
      NEEDLE.replace("sandwich and", "sandwich\nand"),
      /must not hold the needle: current value is "….*sandwich and sit/,
    ],
    [
      "a needle of RULER",
      NIAH.make({ haystack: "essay" }),
      "One of the special magic\nnumbers for tall-tree is: 1234567.",
      /must not hold needles of the task's own form: current value is "….*One of the special magic numbers for/,
    ],
  ] as [string, Task, string, RegExp][],
)(
  "own essays that hold %s are refused, and the message names the file and what to do",
  async (_name, task, held, message) => {
    await rejects(make(task, held), (error: Error) => {
      ok(error instanceof RangeError);
      ok(message.test(error.message), error.message);
      ok(/" in \S+\/b\.txt \(take it out of that text, or leave the text out\)$/.test(error.message), error.message);
      return true;
    });
  },
);

Deno.test("own essays in lines of JSON are named by file and line", async () => {
  await rejects(make(STARS.make({ stars: 8 }), "a ★ b", "b.jsonl"), /in \S+\/b\.jsonl, line 2 \(take it out/);
});

Deno.test.each(
  [
    ["Counting-Stars", STARS.make({ stars: 8 }), "The little penguin looked at a star, or *."],
    ["CDME", CDME_NEEDLES.make(), "上海人工智能实验室在上海。"],
    ["prompt recall", PROMPT_RECALL.make(), "San Francisco has a park."],
    ["RULER with essays", NIAH.make({ haystack: "essay" }), "There is a special magic in numbers."],
    ["Needle Threading, which has no essays", THREADING.make({ kind: "single_needle", pairs: 10 }), "★"],
  ] as [string, Task, string][],
)("own essays that hold nothing ambiguous are taken: %s", async (_name, task, held) => {
  await make(task, held);
});
