import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { type ComparedRun, compareRuns } from "@/lib/jupyter/mod.ts";
import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";

const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 12 });

async function runOf(profile: string): Promise<ComparedRun> {
  const folder = await Deno.makeTempDir();
  try {
    const run = await runStudy(study, { name: "run", model: simulatedModel(profile), folder });
    return { ...run, model: profile };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("compareRuns() shows that a reader that forgets nothing is above one that says nothing", async () => {
  const compared = compareRuns([await runOf("ideal"), await runOf("mute")], { rows: "tasks" });
  equal(compared.title, "ideal and mute: 2 of 2 differences are shown");
  match(compared.text, /niah_single_1 +1K +12 +100.0 +0.0 +100.0 \[\d.*ideal is higher/);
  deepEqual(compared.origins, ["simulated"]);
});

Deno.test("compareRuns() shows no difference between a reader and itself, and no NaN", async () => {
  const [one, other] = [await runOf("gpt-4"), await runOf("gpt-4")];
  const compared = compareRuns([one, { ...other, model: "again" }]);
  match(compared.title, /: 0 of \d+ differences are shown$/);
  ok(!compared.text.includes("NaN"));
});

Deno.test("compareRuns() says which model is simulated where one is not", async () => {
  const [one, other] = [await runOf("ideal"), await runOf("mute")];
  const mixed = compareRuns([{ ...one, manifest: { origin: "measured" } }, other]);
  match(mixed.note, /Measured: ideal; simulated: mute/);
});

Deno.test("compareRuns() says what is missing where one model was asked, and refuses none", async () => {
  const alone = compareRuns([await runOf("ideal")]);
  match(alone.text, /ideal +a second model, named after the first and parted by a comma/);
  throws(() => compareRuns([]), {
    name: "RangeError",
    message: "Cannot compare the models as there must be at least one run: current value is 0",
  });
});
