import { deepEqual, equal, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { mrcrFloor, openMrcrFloors } from "@/lib/papers/mrcr/claims.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const scores = await openEvidence("mrcr");
const TABLES = "../field/tables";

/** The scores in the first columns of a vendor's table, each after its model and column; the floors are left out. */
function readCells(path: string, columns: number): readonly (readonly [model: string, at: number, score: string])[] {
  const rows = readCsv(readRealText(path).replace(/^#.*\n/, ""), path).slice(1).map(({ fields }) => fields);
  return rows.flatMap(([model = "", ...cells]) =>
    cells.slice(0, columns).map((cell, at) => [model.replace(" (OpenAI-run)", ""), at, cell] as const)
  ).filter(([model, , cell]) => cell !== "" && !model.startsWith("floor"));
}

testOnRealData("published scores are those of the tables that they were read into; Google's by their numbers", {
  reads: TABLES,
  fn(): void {
    const [openai, google] = ["openai", "google"].map((author) => scores.filter(({ task }) => task.startsWith(author)));
    const wanted = readCells(`${TABLES}/openai_mrcr_v2_8needle.csv`, 8)
      .map(([model, at, cell]) => `${model} ${8192 * 2 ** at} ${Number(cell)}`);
    deepEqual(openai!.map(({ model, length, score }) => `${model} ${length} ${score}`).toSorted(), wanted.toSorted());
    const numbers = readCells(`${TABLES}/gdm_mrcr_v2_8needle.csv`, 2).map(([, , cell]) => cell);
    deepEqual(google!.map(({ score }) => score.toFixed(1)).toSorted(), numbers.toSorted());
  },
});

Deno.test("published scores have the values of the tables, with intervals of 100 questions", () => {
  equal(scores.length, 53);
  const { score, low, high } = scores.find(({ model, length }) => model === "GPT-5.5" && length === 131_072)!;
  equal(score, 83.1);
  ok(low! > 74 && low! < 76 && high! > 88 && high! < 90, `${low} to ${high}`);
  const google = scores.filter(({ model }) => model === "Gemini 3 Pro");
  deepEqual(google.map((row) => [row.length, row.score]), [[131_072, 77], [1_048_576, 26.3]]);
  ok(google.every(({ n, low }) => n === null && low === null));
});

Deno.test("mrcrFloor() is the stated rate of 8 texts, and at most 1.5 above that of fewer", async () => {
  equal(mrcrFloor(8), 15);
  const stated = (await openMrcrFloors()).filter(({ reply }) => reply === "relevant");
  deepEqual(stated.map(({ needles, score }) => mrcrFloor(needles) - score), [1.5, 0.5, 0]);
});
