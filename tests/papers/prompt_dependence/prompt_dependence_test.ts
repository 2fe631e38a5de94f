import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { type GradedPrompt, promptDependence } from "@/lib/papers/prompt_dependence/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

const TASKS = Object.fromEntries(
  ["pistachio", "thornfield"].flatMap((test) =>
    ["published", "distant"].map((wording) => [`${test} ${wording}`, {
      options: { test, wording, system: "published", template: "openai" },
    }])
  ),
);

/** Two replies at each of two lengths and two depths, graded by a function of what was asked. */
function replies(grade: (of: { task: string; length: number; depth: number }) => number | null): GradedPrompt[] {
  return Object.keys(TASKS).flatMap((task) =>
    [1000, 2000].flatMap((length) =>
      [0, 1].flatMap((depth) =>
        [0, 1].map(() => ({ task, length, value: grade({ task, length, depth }), record: { depth } }))
      )
    )
  );
}

Deno.test("promptDependence() shares out to what was varied alone, and says the recall of each level", () => {
  const draw = stream("noise");
  const found = promptDependence(replies(({ task }) => (task.endsWith("distant") ? 0.4 : 1) - 0.2 * draw()), {
    tasks: TASKS,
    seed: "1",
  });
  deepEqual(found.factors.map(({ source }) => source), [
    "needle",
    "wording",
    "length",
    "position",
    "interactions",
    "noise",
  ]);
  const [needle, wording] = found.factors;
  ok(wording!.share! > 90 && wording!.low! > 85 && needle!.high! < 5);
  deepEqual(wording!.levels.map(({ level }) => level), ["published", "distant"]);
  ok(found.lead!.low > 80);
  equal(found.replies, 32);
  match(
    found.answer,
    /^The prompt decides 9\d\.\d% \(95% interval .+\) .+: recall depends more on the prompt than on where/,
  );
  match(
    found.answer,
    /goes with the wording, 9\d\.\d%, with recall from \d\d\.\d% \(published\) to \d\d\.\d% \(distant\)\.$/,
  );
});

Deno.test("promptDependence() says where length and position matter more, and where neither is shown to", () => {
  const draw = stream("noise");
  const answer = (grade: Parameters<typeof replies>[0]): string =>
    promptDependence(replies(grade), { tasks: TASKS, seed: "1" }).answer;
  match(
    answer(({ length }) => length / 2000 - 0.1 * draw()),
    /depends less on the prompt than on where the needle is/,
  );
  match(answer(() => draw()), /is not shown to depend more on the one than on the other/);
  match(answer(() => 1), /^No grade differs from another/);
});

Deno.test("promptDependence() takes a failed call for missing and not for wrong", () => {
  let call = 0;
  const found = promptDependence(replies(({ task }) => call++ === 3 ? null : task.endsWith("distant") ? 0.6 : 1), {
    tasks: TASKS,
    seed: "1",
  });
  equal(found.missing, 1);
  equal(found.factors[1]!.share!.toFixed(3), "100.000");
});

Deno.test("promptDependence() says that it cannot be told where over a fifth of the replies have no grade", () => {
  let call = 0;
  const found = promptDependence(replies(({ length }) => call++ % 4 === 0 ? null : length / 2000), {
    tasks: TASKS,
    seed: "1",
  });
  deepEqual([found.missing, found.lead], [8, null]);
  ok(found.factors.every(({ share }) => share === null));
  equal(found.factors[2]!.levels[0]!.recall, 50);
  equal(found.answer, "8 of 32 replies have no grade, so how much recall depends on the prompt cannot be determined.");
});

Deno.test("promptDependence() takes needles and questions of one's own for levels", () => {
  const tasks = Object.fromEntries(
    ["Where?", "In which place?"].map((question) => [question, { options: { needle: "It is here.", question } }]),
  );
  const asked = Object.keys(tasks).flatMap((task) =>
    [1000, 2000].map((length) => ({ task, length, value: task === "Where?" ? 1 : 0.2, record: {} }))
  );
  const [wording, length] = promptDependence(asked, { tasks, seed: "1" }).factors;
  deepEqual([wording!.source, wording!.levels.map(({ level }) => level)], ["wording", ["Where?", "In which place?"]]);
  equal(length!.source, "length");
});

Deno.test("promptDependence() finds what the simulated reader depends on: the wording, and no system message", async () => {
  // Question words that the needle lacks make it harder to find (`longKey` of the profile); system messages are not read.
  const grid = { wording: ["published", "distant"], system: ["published", "none"] };
  const tasks = [{ task: "prompt_recall", depths: 3, test: "san_francisco", grid }];
  const study = checkStudy({ tasks, lengths: [800, 3200], samples: 60 });
  const folder = await Deno.makeTempDir();
  try {
    const run = await runStudy(study, { name: "grid", model: simulatedModel("longalpaca"), folder });
    const { factors } = promptDependence(run.replies, { tasks: run.manifest.tasks, seed: "1" });
    const [wording, system] = factors;
    ok(wording!.low! > 1 && wording!.levels[0]!.recall! > wording!.levels[1]!.recall!, `${wording!.low}`);
    ok(system!.share! < 1 && system!.low === 0, `${system!.share}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("promptDependence() refuses replies that were not asked in every combination, or differ in nothing asked", () => {
  const all = replies(() => 1);
  throws(() => promptDependence(all.slice(1), { tasks: TASKS, seed: "1" }), /equally often/);
  throws(() => promptDependence([all[0]!, all[1]!], { tasks: TASKS, seed: "1" }), /there must be a factor/);
});
