import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { written } from "../../figures/_read_svg.ts";
import { starBucketMap, starBuckets, starLeaders } from "@/lib/papers/counting_stars/later_edition.ts";
import { openStarsPublished } from "@/lib/papers/counting_stars/published.ts";
import type { ScoredRecord } from "@/lib/statistics/mod.ts";

const published = await openStarsPublished();

function asked(task: string, value: number): ScoredRecord {
  return { task: `counting_stars_${task}`, length: 4000, value, failed: false, noAnswer: false };
}

const FOUR = ["shuffled_zh", "shuffled_en", "reasoning_zh", "reasoning_en"];

Deno.test("starLeaders() is Table 3 in percent, the highest mean first and models without one last", () => {
  const rows = starLeaders(published.leaders, []);
  const means = rows.filter(({ task }) => task === "Mean of the four");
  deepEqual(means.slice(0, 2).map(({ model, score }) => [model, score]), [
    ["Gemini 1.5 Pro, 1M claimed", 63.9],
    ["GPT-4 Turbo (1106), 128K claimed", 63.5],
  ]);
  equal(means.length, 6);
  equal(new Set(rows.map(({ model }) => model)).size, published.leaders.length);
  equal(rows.at(-1)!.model, "Baichuan3-Turbo, 128K claimed");
});

Deno.test("starLeaders() puts a model of one's own among them, with its mean only if it was asked all four tasks", () => {
  const whole = { name: "own", records: [...FOUR.map((task) => asked(task, 0.6)), asked("sum_zh", 0)] };
  const part = { name: "part", records: [asked("shuffled_zh", 1)] };
  const rows = starLeaders(published.leaders, [whole, part]);
  const order = [...new Set(rows.map(({ model }) => model))];
  equal(order.indexOf("own"), 2);
  deepEqual(rows.filter(({ model }) => model === "own").map(({ task, score, n }) => [task, Math.round(score), n]), [
    ["Acquisition, Chinese", 60, 1],
    ["Acquisition, English", 60, 1],
    ["Reasoning, Chinese", 60, 1],
    ["Reasoning, English", 60, 1],
    ["Mean of the four", 60, 4],
  ]);
  deepEqual(rows.filter(({ model }) => model === "part").map(({ task }) => task), ["Acquisition, Chinese"]);
});

Deno.test("starBuckets() of a published matrix gives the row that Table 4 prints for it", () => {
  const panel = published.tasks.find(({ model, task }) => model === "GPT-4 Turbo" && task === "acquisition")!;
  const own = { ...panel, task: "counting_stars_shuffled_zh", samples: 1 };
  const rows = starBuckets([own], published.byLength);
  const printed = published.byLength.filter(({ model }) => model === "GPT-4 Turbo (1106)");
  deepEqual(rows.map(({ lengths }) => lengths), printed.map(({ lengths }) => lengths));
  ok(rows.every(({ accuracy }, at) => Math.abs(accuracy - printed[at]!.accuracy) < 0.0075));
});

Deno.test("starBuckets() leaves out other tasks, and ranges without a length", () => {
  const columns = [{ length: 4000, cells: [1, 0] }];
  const panel = { model: "own", task: "counting_stars_reasoning_en", samples: 1, columns };
  deepEqual(starBuckets([panel], published.byQuarter), [
    { task: "me_rea_en", model: "own", lengths: "4K-32K", accuracy: 0.5 },
  ]);
  deepEqual(starBuckets([{ ...panel, task: "counting_stars_sum_en" }], published.byQuarter), []);
});

Deno.test("starBucketMap() draws a panel for each task, and refuses no rows", async () => {
  const options = { title: "Table 5", origin: "published", n: "8 lengths a cell" } as const;
  const text = written(await starBucketMap(published.byQuarter, options).svg());
  for (const words of [/Acquisition, English/, /Reasoning, Chinese/, /36K-64K/, /Moonshot-v1/]) match(text, words);
  throws(() => starBucketMap([], options), { name: "RangeError" });
});
