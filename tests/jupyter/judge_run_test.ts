import { deepEqual, equal, match } from "node:assert/strict";
import { askModel, judgeRun } from "@/lib/jupyter/mod.ts";
import { checkStudy, type StudyRun } from "@/lib/runs/mod.ts";

const display = (): Promise<void> => Promise.resolve();

async function ask(model: string): Promise<StudyRun> {
  const study = checkStudy({ tasks: [{ task: "recall_thornfield", points: 5 }], lengths: [700], samples: 5 });
  return await askModel(study, { model: { model }, name: "test", display });
}

function gradesOf({ replies }: StudyRun): (number | null)[] {
  return replies.map(({ value }) => value);
}

Deno.test("judgeRun() without a judge leaves the run as it is", async () => {
  const asked = await ask("sim:ideal");
  const { run, table } = await judgeRun(asked, { judge: "", display });
  equal(run, asked);
  match(table.title, /^Recall by the rubric; no judge was named$/);
});

Deno.test("judgeRun() takes a judge's grades, says whose they are, and shows how far it has come", async () => {
  const asked = await ask("sim:longalpaca");
  const shown: string[] = [];
  const { run, table } = await judgeRun(asked, {
    judge: "sim:ideal",
    display: (bundle) => Promise.resolve(void shown.push(bundle["text/plain"] ?? "")),
  });
  deepEqual(gradesOf(run), gradesOf(asked));
  match(run.replies[0]!.score!.why, /Rating: \[\[\d\]\]/);
  deepEqual([run.manifest.origin, table.origins], ["simulated", ["simulated"]]);
  match(table.title, /^sim:ideal and the rubric on the same replies$/);
  equal(shown.at(-1), "5 of 5 questions");
});

Deno.test("judgeRun() keeps the rubric's grades where a judge leaves most replies unscored, and says so", async () => {
  const asked = await ask("sim:ideal");
  const { run, table } = await judgeRun(asked, { judge: "sim:mute", display });
  equal(run, asked);
  equal(table.title, "sim:mute left 5 of 5 replies unscored: the rubric's grades are kept");
});
