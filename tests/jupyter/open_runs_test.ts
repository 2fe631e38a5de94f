import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { llamaCpp, lookServer } from "../models/_look_servers.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { BENCHMARKS, openBenchmark } from "@/lib/benchmarks/mod.ts";
import { openRuns, type OpenRunsOptions } from "@/lib/jupyter/mod.ts";
import { checkStudy, readStudyFile } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

const study = checkStudy({ title: "Small", tasks: ["niah_single_1"], lengths: [512, 1024], samples: 3 });
const asking = { name: "test", model: "sim:mute", display: () => Promise.resolve() };

/** Records a run of the study with other values. */
async function record(name: string, folder: string, changes: object = {}): ReturnType<typeof runStudy> {
  const changed = checkStudy({ ...study, ...changes });
  return await runStudy(changed, { name, model: simulatedModel("longalpaca"), folder });
}

Deno.test("openRuns() asks each model the same samples, in the order of their names, and keeps nothing simulated", async () => {
  await inFolder(async (folder) => {
    const runs = await openRuns(study, { ...asking, model: "sim:mute, sim:ideal,", folder });
    deepEqual(runs.map(({ model, replies }) => [model, replies.length, replies[0]?.value]), [
      ["sim:mute", 6, 0],
      ["sim:ideal", 6, 1],
    ]);
    equal(runs[0].manifest.samples.sha256, runs[1]?.manifest.samples.sha256);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

Deno.test("openRuns() shows a bar for each model, and in its place the run in the end", async () => {
  const shown = new Map<string, Readonly<Record<string, unknown>>[]>();
  const display: OpenRunsOptions["display"] = (bundle, { display_id: id, update }) => {
    equal(update, shown.has(id));
    return Promise.resolve(void shown.set(id, [...shown.get(id) ?? [], bundle]));
  };
  await openRuns(study, { ...asking, model: "sim:mute, sim:ideal", display });
  deepEqual([...shown.keys()], ["run test-sim-mute", "run test-sim-ideal"]);
  for (const [id, bundles] of shown) {
    match(String(bundles[0]?.["text/html"]), /<progress .*Asking sim:\w+ \(test\): 0% · 0 of 6 questions/);
    match(
      String(bundles.at(-1)?.["text/plain"]),
      /^sim:\w+, simulated: 6 samples of test-sim-\w+ \(ruler-2, variant 2026\), seed 42, hash/,
    );
    equal(bundles.at(-1)?.["text/html"], undefined, id);
  }
});

Deno.test("openRuns() leaves several models the room of the largest chat template, so that all get the same texts", async () => {
  await using large = lookServer(llamaCpp({ template: 30 }));
  await using small = lookServer(llamaCpp({ template: 12 }));
  await inFolder(async (folder) => {
    const models = `${folder}/models.yaml`;
    const entries = [
      `large: { base_url: "${large.url}", model: smollm2 }`,
      `small: { base_url: "${small.url}", model: smollm2 }`,
      `bare: { base_url: "${small.url}", model: smollm2, api: completions, chat_template: base }`,
    ];
    await Deno.writeTextFile(models, entries.join("\n"));
    const from = { ...asking, models, folder };
    const runs = await openRuns(study, { ...from, model: "small, large, bare, sim:ideal" });
    deepEqual(runs.map(({ manifest }) => manifest.template.extraTokens), [30, 30, 30, 30]);
    const texts = runs.map(({ records }) => records.map(({ sha256 }) => sha256));
    for (const own of texts) deepEqual(own, texts[0]);
    // Alone it keeps what its run began with, and another run takes its own.
    const [again] = await openRuns({ ...study, samples: 4 }, { ...from, model: "small" });
    deepEqual([again.manifest.template.extraTokens, again.summary.asked], [30, 2]);
    const [alone] = await openRuns(study, { ...from, name: "alone", model: "small" });
    equal(alone.manifest.template.extraTokens, 12);
  });
});

Deno.test("openRuns() asks a model of the user's own file, with its tokenizer unless the study names one, and resumes", async () => {
  await using server = await serveSimulated({ profile: "mute" });
  await inFolder(async (folder) => {
    const models = `${folder}/models.yaml`;
    const entries = `mine: { base_url: "${server.url}", model: mute, tokenizer: o200k_base }\nother: { typo: 1 }`;
    await Deno.writeTextFile(models, entries);
    const mine = { ...asking, model: "mine", models, folder };
    const [own] = await openRuns(study, mine);
    deepEqual([own.model, own.manifest.study.tokenizer], ["mine", "o200k_base"]);
    const [named] = await openRuns({ ...study, tokenizer: "cl100k_base" }, { ...mine, name: "named" });
    deepEqual([named.manifest.study.tokenizer, named.opened.materials.names.tokenizer], [
      "cl100k_base",
      "cl100k_base",
    ]);
    equal((await openRuns(study, mine))[0].summary.asked, 0);
    const recorded = { ...asking, folder, runs: "test-mine" };
    equal((await openRuns(study, recorded))[0].manifest.materials.tokenizer, "o200k_base");
    await rejects(openRuns(study, { ...mine, model: "other" }), /Cannot read model "other"/);
  });
});

Deno.test("openRuns() shows what a look at the server found, asks nobody where none answers, and looks no more once all is answered", async () => {
  await inFolder(async (folder) => {
    const server = await serveSimulated({ profile: "mute" });
    const shown: string[] = [];
    const display: OpenRunsOptions["display"] = (bundle) =>
      Promise.resolve(void shown.push(String(bundle["text/html"])));
    const mute = { ...asking, model: "mute", baseUrl: server.url, folder, display };
    await openRuns(study, mute).finally(() => server.close());
    const tables = shown.filter((html) => html.includes("its server"));
    match(shown.find((html) => html.includes("Plan for"))!, /Plan for mute/);
    equal(tables.length, 1);
    match(tables[0]!, /Fathom&#39;s simulated reader|Fathom's simulated reader/);
    // The server is gone, and nothing is left to ask.
    equal((await openRuns(study, mute))[0].summary.asked, 0);
    equal(shown.filter((html) => html.includes("its server")).length, 1);
    await rejects(openRuns(study, { ...mute, name: "other" }), {
      name: "RangeError",
      message: /^Cannot ask model "mute" as its endpoint must be reachable: [^\n]*$/,
    });
  });
});

Deno.test("openRuns() sends no simulated reader's name to a server: in a mixed list the address is that of the others", async () => {
  await inFolder(async (folder) => {
    const server = await serveSimulated({ profile: "mute" });
    const mixed = { ...asking, model: "sim:ideal, mute", baseUrl: server.url, folder };
    const [ideal, mute] = await openRuns(study, mixed).finally(() => server.close());
    const addresses = [ideal, mute!].map(({ manifest }) => manifest.settings["baseUrl"]);
    deepEqual([addresses[0], addresses[1] !== undefined], [undefined, true]);
    const dead = { ...asking, model: "sim:ideal", baseUrl: "http://127.0.0.1:9/v1", folder };
    deepEqual(
      (await openRuns(study, dead))[0].replies.map(({ value }) => value),
      ideal.replies.map(({ value }) => value),
    );
  });
});

Deno.test("openRuns() asks the tasks of the user's own benchmark with the knobs that a study sets", async () => {
  const example = new URL("../../docs/examples/word_at_depth.ts", import.meta.url);
  const benchmarks = [await openBenchmark(example.pathname), ...BENCHMARKS];
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/study.yaml`, "tasks: [one_door]\nlengths: [512]\nsamples: 2\n");
    const doors = await readStudyFile(`${folder}/study.yaml`, { set: { doors: 3 } }, { benchmarks });
    const [run] = await openRuns(doors, { ...asking, model: "sim:ideal", benchmarks });
    deepEqual([run.manifest.tasks["one_door"]?.options["doors"], run.replies.map(({ value }) => value)], [3, [1, 1]]);
  });
});

Deno.test("openRuns() refuses a name twice and a profile that does not exist", async () => {
  await rejects(openRuns(study, { ...asking, model: "sim:ideal,sim:ideal" }), {
    name: "RangeError",
    message:
      'Cannot open the models as there must be at least one name, and none twice: current value is "sim:ideal, sim:ideal"',
  });
  await rejects(openRuns(study, { ...asking, model: "sim:nobody" }), /Cannot open the profile/);
});

Deno.test("openRuns() without a name opens the measured runs of the study's suite, with their own lengths", async () => {
  const stars = checkStudy({ tasks: ["counting_stars_search_en"], lengths: [512], samples: 1 });
  const runs = await openRuns(stars, { ...asking, model: "" });
  deepEqual(runs.map(({ model }) => model), ["gemma-3-270m", "smollm2-135m-instruct"]);
  ok(runs.every(({ manifest, plan }) => manifest.study.lengths.length > 1 && plan.questions > 100));
});

Deno.test("openRuns() reads recorded runs as they were scored when they were asked, and asks nobody", async () => {
  await inFolder(async (folder) => {
    const asked = await record("first", folder);
    const [run] = await openRuns(study, { ...asking, model: "sim:nobody", runs: "first", folder });
    deepEqual([run.model, run.replies], ["sim:longalpaca", asked.replies]);
    deepEqual(run.opened.tasks.map(({ name }) => name), ["niah_single_1"]);
    equal(run.plan.questions, 6);
  });
});

Deno.test("openRuns() takes any recorded run of the suite, and leaves out those of others unless any will do", async () => {
  await inFolder(async (folder) => {
    await record("fewer", folder, { samples: 1, seed: "7" });
    await record("stars", folder, { tasks: ["counting_stars_search_en"], lengths: [4096], samples: 1 });
    const shown: unknown[] = [];
    const display: OpenRunsOptions["display"] = (bundle) => Promise.resolve(void shown.push(bundle["text/plain"]));
    const options = { ...asking, display, folder };
    const [run, ...others] = await openRuns(study, { ...options, runs: "fewer, stars" });
    deepEqual([run.plan.questions, others.length], [2, 0]);
    equal(shown.at(-1), "stars has no task of this suite and is left out");
    equal((await openRuns(study, { ...options, runs: "fewer, stars", anySuite: true })).length, 2);
    await rejects(openRuns(study, { ...options, runs: "stars" }), {
      name: "RangeError",
      message: 'Cannot draw "Small" as a recorded run must have a task of its suite: current value is stars',
    });
  });
});
