import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { answerAsSecondModel } from "../serve/second_model.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { openRuns, regradeRun } from "@/lib/jupyter/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import type { StudyRun } from "@/lib/asking/mod.ts";

const display = (): Promise<void> => Promise.resolve();

async function ask(model: string): Promise<StudyRun> {
  const study = checkStudy({ tasks: [{ task: "recall_thornfield", depths: 5 }], lengths: [700], samples: 5 });
  return (await openRuns(study, { model, name: "test", display }))[0];
}

function gradesOf({ replies }: StudyRun): (number | null)[] {
  return replies.map(({ value }) => value);
}

Deno.test("regradeRun() without a judge leaves the run as it is", async () => {
  const asked = await ask("sim:ideal");
  const { run, table } = await regradeRun(asked, { by: "judge", model: "", display });
  equal(run, asked);
  match(table.title, /^Scores by the rules; no judge was named$/);
});

Deno.test("regradeRun() takes a judge's grades, says whose they are, and shows how far it has come", async () => {
  const asked = await ask("sim:longalpaca");
  const shown: string[] = [];
  const { run, table } = await regradeRun(asked, {
    by: "judge",
    model: "sim:ideal",
    display: (bundle) => Promise.resolve(void shown.push(String(bundle["text/plain"] ?? ""))),
  });
  deepEqual(gradesOf(run), gradesOf(asked));
  match(run.replies[0]!.score!.why, /Rating: \[\[\d\]\]/);
  deepEqual([run.manifest.origin, table.origins], ["simulated", ["simulated"]]);
  match(table.title, /^sim:longalpaca: sim:ideal and the rules on the same replies$/);
  equal(shown.at(-1), "The judge sim:ideal reads the replies of test-sim-longalpaca: 5 of 5 questions");
});

Deno.test("regradeRun() keeps the scores by the rules where a judge leaves most replies unscored, and says so", async () => {
  const asked = await ask("sim:ideal");
  const { run, table } = await regradeRun(asked, { by: "judge", model: "sim:mute", display });
  equal(run, asked);
  equal(table.title, "sim:mute gave no readable answer about 5 of 5 replies: the scores by the rules are kept");
});

Deno.test("regradeRun() asks the simulated reader at no address, any other model at its own, and leaves other replies alone", async () => {
  const study = checkStudy({
    tasks: ["threading_multi_needle", "niah_single_1"],
    lengths: [4096],
    samples: 3,
  });
  const [asked] = await openRuns(study, { model: "sim:ideal", name: "test", display });
  const nowhere = "http://127.0.0.1:9/v1";
  const first = await regradeRun(asked, { by: "extractor", model: "sim:ideal", baseUrl: nowhere, display });
  match(first.table.text, /^sim:ideal: sim:ideal and the rules on the same replies\nSimulated/);
  match(first.table.text, /^threading_multi_needle +3 +0 +100\.0 +100\.0 +100\.0 +0$/m);
  deepEqual([first.run.replies.length, gradesOf(first.run)], [6, gradesOf(asked)]);
  const server = await serveSimulated({ profile: "ideal", otherwise: answerAsSecondModel });
  const models = await Deno.makeTempFile({ suffix: ".yaml" });
  try {
    const { table } = await regradeRun(asked, { by: "extractor", model: "ideal", baseUrl: server.url, display });
    match(table.text, /^threading_multi_needle +3 +0 +100\.0 +100\.0 +100\.0 +0$/m);
    await Deno.writeTextFile(models, `mine: { base_url: "${server.url}", model: ideal, concurrency: 1 }`);
    const own = await regradeRun(asked, { by: "extractor", model: "mine", models, display });
    match(own.table.text, /^threading_multi_needle +3 +0 +100\.0 +100\.0 +100\.0 +0$/m);
  } finally {
    await Deno.remove(models);
    await server.close();
  }
  await rejects(regradeRun(asked, { by: "extractor", model: "sim:flash", display }), RangeError);
});
