import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { compareRuns } from "@/lib/jupyter/mod.ts";
import { checkStudy, runStudy, type ScoredRun, simulatedModel } from "@/lib/runs/mod.ts";

const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024, 2048], samples: 6 });

async function runOf(profile: string, name = profile): Promise<ScoredRun> {
  const folder = await Deno.makeTempDir();
  try {
    return await runStudy(study, { name, model: simulatedModel(profile), folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("compareRuns() puts the means first, corrects for all rows, and says so where no sample is shared", async () => {
  const [ideal, mute] = [await runOf("ideal"), await runOf("mute")];
  const { compared, table } = compareRuns([ideal, mute]);
  deepEqual(compared.rows.map(({ task, length }) => `${task} ${length}`), [
    "mean of 2 tasks 1024",
    "mean of 2 tasks 2048",
    "niah_single_1 1024",
    "niah_single_1 2048",
    "vt 1024",
    "vt 2048",
  ]);
  equal(compared.comparisons, 6);
  ok(table.title.startsWith("Of 6 comparisons sim:ideal is shown to be higher in "));
  deepEqual(table.origins, ["simulated"]);
  const alone = compareRuns([ideal, { ...mute, replies: [] }]);
  match(alone.table.text, /samples that sim:mute was asked as well/);
  equal(alone.note, "0 samples are the same text in both runs, 0 are not, and 24 were asked of one alone.");
});

Deno.test("compareRuns() compares groups of tasks alone where they are wanted", async () => {
  const groups = [{ name: "both", tasks: ["niah_single_1", "vt"] }];
  const { compared } = compareRuns([await runOf("ideal"), await runOf("mute")], { groups, rows: "groups" });
  deepEqual(compared.rows.map(({ task, higher }) => [task, higher]), [["both", "first"], ["both", "first"]]);
});

Deno.test("compareRuns() of two runs of one model tells them apart by their names, and shows no difference", async () => {
  const { table } = compareRuns([await runOf("gpt-4", "one"), await runOf("gpt-4", "two")]);
  match(table.title, /^No difference is shown in \d+ comparisons$/);
  match(table.text, /sim:gpt-4, run one/);
  ok(!table.text.includes("NaN"));
});

Deno.test("compareRuns() says which model is simulated where one is not", async () => {
  const [one, other] = [await runOf("ideal"), await runOf("mute")];
  const mixed = compareRuns([{ ...one, manifest: { ...one.manifest, origin: "measured" } }, other]);
  match(mixed.table.note, /Measured: sim:ideal; simulated: sim:mute/);
});

Deno.test("compareRuns() says what is missing where one run was asked, and refuses none", async () => {
  const { table } = compareRuns([await runOf("ideal")]);
  match(table.text, /sim:ideal +a second model or run, named after the first/);
  throws(() => compareRuns([]), {
    name: "RangeError",
    message: "Cannot compare the models as there must be at least one run: current value is 0",
  });
});
