import { deepEqual, equal, ok } from "node:assert/strict";
import { openStarsPublished } from "@/lib/papers/counting_stars/published.ts";
import { errorPlaces, type StarAnswer, starErrors } from "@/lib/papers/counting_stars/star_replies.ts";
import { starPanels } from "@/lib/papers/counting_stars/star_replies.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import { checkStudy, makeTasks, openMaterials } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";

const materials = await openMaterials({ tokenizer: "o200k_base" });

function answer(text: string, changes: Partial<RunRecord> = {}): StarAnswer {
  const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
  const base = { task: "stars", model: "m", length: 4096, scoring: "stars", references: ["3", "5", "9"], reply };
  return { record: { ...base, ...changes } as unknown as RunRecord };
}

function listed(...counts: readonly number[]): string {
  return JSON.stringify({ little_penguin: counts });
}

const FAILED = { kind: "failure", failure: "timeout", message: "", latencyMs: 1, attempts: 1 } as const;

Deno.test("starPanels() averages the cells of a length, and leaves failed calls and other benchmarks out", () => {
  const panels = starPanels([
    answer(listed(3, 5, 9), { length: 8192 }),
    answer(listed(3)),
    answer(listed(3, 5)),
    answer("", { reply: FAILED }),
    answer("3", { task: "vt", scoring: "all" }),
    answer(listed(3), { task: "other" }),
  ]);
  deepEqual(panels.map(({ task }) => task), ["stars", "other"]);
  deepEqual(panels[0]!.columns, [{ length: 4096, cells: [1, 0.5, 0] }, { length: 8192, cells: [1, 1, 1] }]);
  equal(panels[0]!.samples, 1);
  deepEqual(starPanels([]), []);
});

Deno.test("starPanels() and starErrors() read the first answer where that is scored", () => {
  const text = `${listed(3, 5)}\n\nQuestion: How many more? ${listed(3, 5, 9)}`;
  const first = { text: listed(3, 5), rest: text.slice(listed(3, 5).length), endedBy: "a new question" } as const;
  const one = { ...answer(text), first };
  deepEqual(starPanels([{ ...one, scored: "first" }])[0]!.columns, [{ length: 4096, cells: [1, 1, 0] }]);
  equal(starErrors([{ ...one, scored: "first" }])[0]!.unreadable, 0);
  equal(starErrors([{ ...one, scored: "whole" }])[0]!.unreadable, 1);
});

Deno.test("starErrors() counts every kind of error once a reply", () => {
  const [row] = starErrors([
    answer("nothing"),
    answer(`\`\`\`${listed(3, 5, 9)}\`\`\``),
    answer('{"little_penguin": [9, 3, 5]}'),
    answer('{"little_penguin": [3, 7, 11, 15, 19, 23]}'),
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

Deno.test("starPanels() and starErrors() follow the lenient scorer: lists without their key, units, no list", () => {
  const texts = ["[3, 5, 9]", '{"小企鹅": [3颗, 5颗, 9颗]}', "3, 5 and 9"];
  const strict = texts.map((text) => answer(text));
  const lenient = texts.map((text) => answer(text, { scoring: "lenient stars" }));
  deepEqual(starPanels(strict)[0]!.columns, [{ length: 4096, cells: [1 / 3, 0, 0] }]);
  deepEqual(starPanels(lenient)[0]!.columns, [{ length: 4096, cells: [1, 1, 1] }]);
  deepEqual([starErrors(strict)[0]!.unreadable, starErrors(lenient)[0]!.unreadable], [2, 1]);
});

Deno.test("starErrors() distinguishes the three causes of a wrong sum", () => {
  const sum = { scoring: "stars and sum", references: ["3", "5", "9", "17"] } as const;
  const replies = ["[3, 5], 'total': 8", "[3, 5], 'total': 17", "[3, 5, 9], 'total': 18", "[3, 5], 'total': 9"];
  const [row] = starErrors(replies.map((text) => answer(`{'little_penguin': ${text}}`, sum)));
  deepEqual([row?.notFound, row?.notRemembered, row?.summedWrongly, row?.unclear], [1, 1, 1, 1]);
});

Deno.test("starPanels() and errorPlaces() find the lost tail or middle that was put into a run", async () => {
  const [task] = makeTasks(checkStudy({ tasks: [{ task: "counting_stars", name: "few", language: "zh", stars: 24 }] }));
  for (const [profile, wanted] of [["lost-in-the-tail", "last"], ["lost-in-the-middle", "middle"]] as const) {
    const model = simulatedModel(profile);
    const replies: StarAnswer[] = [];
    for (const length of [16_384, 32_768]) {
      for (let index = 0; index < 3; index++) {
        const sample = task!.sample({ length, seed: "42", index, materials });
        const { references } = sample;
        replies.push(answer("", { length, references, reply: await model.ask(sample) }));
      }
    }
    const [panel] = starPanels(replies);
    equal(panel!.samples, 3);
    const { most, last, middle } = errorPlaces(panel!);
    equal(most, wanted);
    ok((wanted === "last" ? last! : middle!) > 0.5);
  }
});

const { panels } = await openStarsPublished();

function places(figure: string, model: string): ReturnType<typeof errorPlaces> {
  return errorPlaces(panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!);
}

Deno.test.each(
  // Counted by hand from the bits: errors, and percent in the first, middle and last third.
  [
    ["stone_16_32", "GPT-4", 18, [89, 6, 6], "first"],
    ["stone_32_32", "GPT-4", 33, [33, 58, 9], "middle"],
    ["stone_32_16", "GPT-4", 11, [9, 82, 9], "middle"],
    ["stone_32_32", "Kimi", 139, [5, 29, 66], "last"],
    ["west_16_32", "Kimi", 27, [0, 7, 93], "last"],
    ["west_16_32", "GPT-4", 8, [50, 0, 50], null],
    ["en_32_32", "Kimi", 107, [33, 47, 21], "middle"],
  ] as [string, string, number, number[], string | null][],
)("errorPlaces() of %s by %s", (figure, model, errors, thirds, most) => {
  const found = places(figure, model);
  equal(found.errors, errors);
  deepEqual([found.first, found.middle, found.last].map((share) => Math.round(100 * share!)), thirds);
  equal(found.most, most);
});
