import { type Knob, promptFields } from "@/lib/generators/mod.ts";
import { BENCHMARKS, chosenTasks, findFamily, listFamilies, namedTasks } from "@/lib/benchmarks/mod.ts";
import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { openTestMaterials } from "../generators/_materials.ts";

Deno.test("findFamily() knows every task and family, and nothing else", () => {
  const families = listFamilies().map(({ name }) => name);
  const tasks = listFamilies().flatMap(({ tasks }) => tasks);
  for (const task of [...tasks, ...families]) ok(families.includes(findFamily(task)!.name), task);
  for (const task of ["", "all", "niah_", "counting", "counting_stars_fr"]) equal(findFamily(task), undefined);
});

Deno.test("namedTasks() gives the tasks of all and of a benchmark, and any other name itself", () => {
  deepEqual(namedTasks("all"), BENCHMARKS[0]!.tasks);
  deepEqual(namedTasks("needle_threading"), BENCHMARKS.find(({ name }) => name === "needle_threading")!.tasks);
  for (const name of ["vt", "niah", "nothing"]) deepEqual(namedTasks(name), [name]);
  deepEqual(namedTasks("cdme"), ["cdme_zh", "cdme_multi_zh"], "not the family of that name");
});

Deno.test("chosenTasks() asks tasks that a knob makes alike once, under the name that fits, and a family by a name of its own", () => {
  const names = (knobs: Readonly<Record<string, string | number>>, task = "counting_stars"): readonly string[] =>
    chosenTasks({ task, knobs }).map((choice) => choice.task);
  deepEqual(names({ language: "en" }), ["search", "shuffled", "reasoning"].map((kind) => `counting_stars_${kind}_en`));
  equal(names({ stars: 4 }).length, 6);
  deepEqual(names({ needle: "雪是白的。", question: "雪是白的吗？雪是______。", guide: "off" }, "cdme"), ["cdme_zh"]);
  deepEqual(chosenTasks({ task: "cdme", name: "snow" }), [{ task: "cdme", name: "snow" }]);
  deepEqual(chosenTasks({ task: "niah", knobs: { keys: 8 } }), [{ task: "niah", knobs: { keys: 8 } }]);
});

/** The numeric knobs, with the range that `fathom tasks` prints. */
function printedRanges(): readonly { readonly name: string; readonly knob: Knob; readonly range: string }[] {
  return listFamilies().flatMap((family) =>
    Object.entries(family.knobs)
      .filter(([, { wanted }]) => /^(?:a whole number from|in \[|above) ?/.test(wanted))
      .map(([key, knob]) => ({ name: `${family.name}.${key}`, knob, range: knob.wanted }))
  );
}

Deno.test("each knob takes both ends of its printed range, its default, and nothing beyond", () => {
  const ranges = printedRanges();
  ok(ranges.length >= 30);
  for (const { name, knob, range } of ranges) {
    const [low, high] = range.match(/\d[\d.]*/g)!.map(Number) as [number, number];
    const isAbove = range.startsWith("above");
    const step = range.startsWith("a whole") ? 1 : 1e-6;
    deepEqual(
      [low - step, low, low + step, high - step, high, high + step].map((value) => knob.read(value) === value),
      [false, !isAbove, true, true, true, false],
      `${name}: ${range}`,
    );
    if (knob.byDefault !== undefined) equal(knob.read(knob.byDefault), knob.byDefault, name);
  }
});

Deno.test("scorers of one name are one scorer", () => {
  const scorers = listFamilies().flatMap((family) => family.scorers);
  const byName = Map.groupBy(scorers, ({ name }) => name).values();
  const shared = Array.from(byName, (same) => new Set(same.map(({ grade }) => String(grade))));
  deepEqual(shared.filter(({ size }) => size > 1), []);
});

const KNOB_SAMPLES = new URL("../data/knob_samples.jsonl", import.meta.url);

Deno.test("samples of tasks with other knobs never change", async () => {
  const materials = await openTestMaterials("cl100k_base");
  for (const line of Deno.readTextFileSync(KNOB_SAMPLES).trim().split("\n")) {
    const [name, knobs, wanted] = JSON.parse(line);
    const task = findFamily(name)!.make(knobs);
    const hash = createHash("sha256");
    for (const index of [0, 3, 8]) {
      const { prompt, references, distractors = null, promptTokens, facts } = task.sample(
        { length: 3072, seed: "knobs", index, materials },
      );
      hash.update(JSON.stringify([promptFields(prompt), references, distractors, promptTokens, facts]));
    }
    equal(hash.digest("hex").slice(0, 16), wanted, `${name} ${JSON.stringify(knobs)}`);
  }
});
