import { deepEqual, equal } from "node:assert/strict";
import { opencompassResult } from "@/lib/benchmarks/cdme/claims.ts";

const NEEDLE = "小明最喜欢的实习的地点就是上海人工智能实验室。";

Deno.test("opencompassResult() gives the mean and every pair", () => {
  const result = opencompassResult([`\n${NEEDLE}`, ""], [NEEDLE, NEEDLE]);
  deepEqual(result, {
    score: 50,
    details: [
      { pred: NEEDLE, answer: NEEDLE, "edit_distance": 0, score: 100 },
      { pred: "", answer: NEEDLE, "edit_distance": 23, score: 0 },
    ],
  });
});

Deno.test("opencompassResult() gives 0 for no predictions and an error for lists of different lengths", () => {
  deepEqual(opencompassResult([], []), { score: 0, details: [] });
  deepEqual(opencompassResult(["是"], []), { error: "predictions and references have different lengths" });
});

Deno.test("opencompassResult() scores several needles by the keyword after the star", () => {
  const reference = "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack*Jack";
  const result = opencompassResult(["是Jack。", "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫杰克"], [
    reference,
    reference,
  ]);
  deepEqual("details" in result && result.details.map(({ score }) => score.toFixed(4)), ["100.0000", "16.9231"]);
});

Deno.test("opencompassResult() never finds a keyword with a space, as the original does not", () => {
  const result = opencompassResult(["truffle macaroni"], ["truffle macaroni*truffle macaroni"]);
  equal("score" in result && result.score, 20);
});

Deno.test("opencompassResult() cuts predictions where trimming is asked for", () => {
  const long = `${NEEDLE}还有别的。`;
  const [plain, trimmed] = [{}, { trim: true }].map((options) => opencompassResult([long], [NEEDLE], options));
  equal("score" in plain! && plain.score.toFixed(4), "82.1429"); // 5 edits of 28
  equal("score" in trimmed! && trimmed.score, 100);
});
