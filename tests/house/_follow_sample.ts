/** Runs a study of one needle sample, from the study to the row of its score; with the argument `load`, only imports the library. */
import { checkStudy, runStudy, simulatedModel, summarise } from "@/lib/mod.ts";

if (Deno.args[0] !== "load") {
  const folder = Deno.makeTempDirSync();
  const study = checkStudy({ tasks: ["niah_single_1"], lengths: [2048], samples: 1 });
  const run = await runStudy(study, { name: "one", model: simulatedModel("ideal"), folder });
  summarise(run.replies);
  Deno.removeSync(folder, { recursive: true });
}
