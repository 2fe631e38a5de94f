import { deepEqual, equal, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { mrcrFloor, openMrcrFloors } from "@/lib/papers/mrcr/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const scores = await openEvidence("mrcr");

testOnRealData("OpenAI's published scores are those of the table that they were read into", {
  reads: "../field/tables/openai_mrcr_v2_8needle.csv",
  fn(): void {
    const text = readRealText("../field/tables/openai_mrcr_v2_8needle.csv").replace(/^#.*\n/, "");
    const rows = readCsv(text, "table").slice(1).map(({ fields }) => fields);
    const wanted = rows.flatMap(([model = "", ...cells]) =>
      cells.slice(0, 8).flatMap((cell, at) =>
        cell === "" ? [] : [`${model.replace(" (OpenAI-run)", "")} ${8192 * 2 ** at} ${Number(cell)}`]
      )
    );
    const read = scores.filter(({ task }) => task.startsWith("openai")).map(({ model, length, score }) =>
      `${model} ${length} ${score}`
    );
    deepEqual(read.toSorted(), wanted.toSorted());
  },
});

testOnRealData("Google's published scores have the numbers of the table that they were read into", {
  reads: "../field/tables/gdm_mrcr_v2_8needle.csv",
  fn(): void {
    const text = readRealText("../field/tables/gdm_mrcr_v2_8needle.csv").replace(/^#.*\n/, "");
    const rows = readCsv(text, "table").slice(1).filter(({ fields }) => !fields[0]!.startsWith("floor"));
    const wanted = rows.flatMap(({ fields: [, ...cells] }) => cells.slice(0, 2).filter((cell) => cell !== ""));
    const read = scores.filter(({ task }) => task.startsWith("google")).map(({ score }) => score.toFixed(1));
    deepEqual(read.toSorted(), wanted.toSorted());
  },
});

Deno.test("published scores have the values of the tables, with intervals of 100 questions", () => {
  equal(scores.length, 53);
  const find = (model: string, length: number): typeof scores[number] =>
    scores.find((row) => row.model === model && row.length === length)!;
  const { score, low, high } = find("GPT-5.5", 131_072);
  equal(score, 83.1);
  ok(low! > 74 && low! < 76 && high! > 88 && high! < 90, `${low} to ${high}`);
  const google = [131_072, 1_048_576].map((length) => find("Gemini 3 Pro", length));
  deepEqual(google.map((row) => [row.score, row.n, row.low]), [[77, null, null], [26.3, null, null]]);
});

Deno.test("mrcrFloor() is the stated rate of 8 texts, and at most 1.5 above that of fewer", async () => {
  equal(mrcrFloor(8), 15);
  const stated = (await openMrcrFloors()).filter(({ reply }) => reply === "relevant");
  deepEqual(stated.map(({ needles, score }) => mrcrFloor(needles) - score), [1.5, 0.5, 0]);
});
