import { deepEqual, equal, ok } from "node:assert/strict";
import { errorPlaces, starErrors, starPanels } from "@/lib/benchmarks/counting_stars/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks, openMaterials, simulatedModel } from "@/lib/runs/mod.ts";

const materials = await openMaterials({ tokenizer: "o200k_base" });

function record(text: string, changes: Partial<RunRecord> = {}): RunRecord {
  const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
  const base = { task: "stars", model: "m", length: 4096, scoring: "stars", references: ["3", "5", "9"], reply };
  return { ...base, ...changes } as unknown as RunRecord;
}

function listed(...counts: readonly number[]): string {
  return JSON.stringify({ little_penguin: counts });
}

const FAILED = { kind: "failure", failure: "timeout", message: "", latencyMs: 1, attempts: 1 } as const;

Deno.test("starPanels() averages the cells of a length, and leaves failed calls and other benchmarks out", () => {
  const panels = starPanels([
    record(listed(3, 5, 9), { length: 8192 }),
    record(listed(3)),
    record(listed(3, 5)),
    record("", { reply: FAILED }),
    record("3", { task: "vt", scoring: "all" }),
    record(listed(3), { task: "other" }),
  ]);
  deepEqual(panels.map(({ task }) => task), ["stars", "other"]);
  deepEqual(panels[0]!.columns, [{ length: 4096, cells: [1, 0.5, 0] }, { length: 8192, cells: [1, 1, 1] }]);
  equal(panels[0]!.samples, 1);
  deepEqual(starPanels([]), []);
});

Deno.test("starErrors() counts every kind of error once a reply", () => {
  const [row] = starErrors([
    record("nothing"),
    record(`\`\`\`${listed(3, 5, 9)}\`\`\``),
    record('{"little_penguin": [9, 3, 5]}'),
    record('{"little_penguin": [3, 7, 11, 15, 19, 23]}'),
  ]);
  deepEqual(row, {
    task: "stars",
    replies: 4,
    unreadable: 1,
    repaired: 1,
    unordered: 1,
    inventing: 1,
    running: 1,
    tailless: 2,
    notFound: 0,
    notRemembered: 0,
    summedWrongly: 0,
    unclear: 0,
  });
});

Deno.test("starPanels() and starErrors() score leniently what is to be scored so: lists without their key, units, no list", () => {
  const records = ["[3, 5, 9]", '{"小企鹅": [3颗, 5颗, 9颗]}', "3, 5 and 9"].map((text) => record(text));
  const lenient = records.map((one) => ({ ...one, scoring: "lenient stars" as const }));
  deepEqual(starPanels(records)[0]!.columns, [{ length: 4096, cells: [1 / 3, 0, 0] }]);
  deepEqual(starPanels(lenient)[0]!.columns, [{ length: 4096, cells: [1, 1, 1] }]);
  deepEqual([starErrors(records)[0]!.unreadable, starErrors(lenient)[0]!.unreadable], [2, 1]);
});

Deno.test("starErrors() tells the three causes of a wrong sum apart", () => {
  const sum = { scoring: "stars and sum", references: ["3", "5", "9", "17"] } as const;
  const replies = ["[3, 5], 'total': 8", "[3, 5], 'total': 17", "[3, 5, 9], 'total': 18", "[3, 5], 'total': 9"];
  const [row] = starErrors(replies.map((text) => record(`{'little_penguin': ${text}}`, sum)));
  deepEqual([row?.notFound, row?.notRemembered, row?.summedWrongly, row?.unclear], [1, 1, 1, 1]);
});

Deno.test("starPanels() and errorPlaces() find in a run what was put into it: the tail, or the middle, lost", async () => {
  const [task] = makeTasks(checkStudy({ tasks: [{ task: "counting_stars", language: "zh", stars: 24 }] }));
  for (const [profile, wanted] of [["lost-in-the-tail", "last"], ["lost-in-the-middle", "middle"]] as const) {
    const model = simulatedModel(profile);
    const records: RunRecord[] = [];
    for (const length of [16_384, 32_768]) {
      for (let index = 0; index < 3; index++) {
        const sample = task!.sample({ length, seed: "42", index, materials });
        const { references } = sample;
        records.push(record("", { length, references, reply: await model.ask(sample) }));
      }
    }
    const [panel] = starPanels(records);
    equal(panel!.samples, 3);
    const { most, last, middle } = errorPlaces(panel!);
    equal(most, wanted);
    ok((wanted === "last" ? last! : middle!) > 0.5);
  }
});
