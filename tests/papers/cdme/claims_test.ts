import { equal, match } from "node:assert/strict";
import { type CdmeItem, cdmeItem } from "@/lib/benchmarks/cdme/items.ts";
import { cdmeAnswer } from "@/lib/papers/cdme/claims.ts";

const item = (edition: "original" | "fixed"): CdmeItem =>
  cdmeItem("internship", { language: "zh", edition, number: 0 });

Deno.test("cdmeAnswer() has the scores of three answers, by OpenCompass's rule", () => {
  equal(
    cdmeAnswer(item("original")),
    "OpenCompass's score cannot tell: a full sentence with the wrong place name scores more than the right place name alone. " +
      "Of 100, the wrong sentence scores 57, the right name alone 39, and the right sentence 96.",
  );
  equal(
    cdmeAnswer(item("fixed")),
    "OpenCompass's score cannot tell: a full sentence with the wrong place name scores more than the right place name alone. " +
      "Of 100, the wrong sentence scores 59, the right name alone 41, and the right sentence 100.",
  );
});

Deno.test("cdmeAnswer() of a fact that is longer than the sentence around it is that the score can show it", () => {
  const answer = "地点就是中国上海市徐汇区云锦路七〇一号西岸国际人工智能中心。";
  const question = "地点是哪里？请按照“地点就是________。”的格式回答。";
  const places = { right: answer.slice(4, -1), wrong: "北京大学" };
  match(
    cdmeAnswer({ needles: [answer], question, answer }, places),
    /^OpenCompass's score can tell: .* scores \d+, the right name alone 8\d,/,
  );
});
