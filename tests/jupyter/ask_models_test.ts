import { deepEqual, equal, rejects } from "node:assert/strict";
import { askModels } from "@/lib/jupyter/mod.ts";
import { checkStudy } from "@/lib/runs/mod.ts";

const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
const asking = { name: "test", display: () => Promise.resolve() };

Deno.test("askModels() asks each model the same samples, in the order of their names", async () => {
  const runs = await askModels(study, { ...asking, models: "sim:mute, sim:ideal," });
  deepEqual(runs.map(({ model, replies }) => [model, replies.map(({ value }) => value)]), [
    ["sim:mute", [0, 0]],
    ["sim:ideal", [1, 1]],
  ]);
  equal(runs[0]?.manifest.samples.sha256, runs[1]?.manifest.samples.sha256);
});

Deno.test("askModels() refuses no name, a name twice, and a profile that does not exist", async () => {
  await rejects(askModels(study, { ...asking, models: " " }), {
    name: "RangeError",
    message: 'Cannot ask the models as there must be at least one, and none twice: current value is ""',
  });
  await rejects(askModels(study, { ...asking, models: "sim:ideal,sim:ideal" }), /none twice/);
  await rejects(askModels(study, { ...asking, models: "sim:nobody" }), /Cannot open the profile/);
});
