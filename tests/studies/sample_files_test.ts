import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { remakeSample, studyOfSamples } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { openStudy } from "@/lib/studies/open_study.ts";
import { userText } from "@/lib/generators/mod.ts";

/** A line as niah.py of NVIDIA/RULER writes it, whose `index` is no number of the sample. */
function row(key: string, value: string, changes: object = {}): string {
  const input =
    "A special magic number is hidden within the following text. Make sure to memorize it. I will quiz you about " +
    `the number afterwards.\nThe grass is green. One of the special magic numbers for ${key} is: ${value}.\n` +
    `What is the special magic number for ${key} mentioned in the provided text?`;
  const prefix = ` The special magic number for ${key} mentioned in the provided text is`;
  return `${JSON.stringify({ index: 812, input, outputs: [value], length: 999, answer_prefix: prefix, ...changes })}\n`;
}

const FILES = {
  "1024/data/niah_mine/validation.jsonl": `${row("red", "1234567")}\n${row("blue", "7654321")}`,
  "2048/data/niah_mine/validation.jsonl": row("green", "2222222"),
  "2048/data/niah_single_1/validation.jsonl": row("gold", "3333333"),
  "2048/pred/niah_mine.jsonl": '{"pred": ""}',
};

Deno.test("studyOfSamples() asks each file's samples at its own length, once, and the run is read back", async () => {
  await withFolder(FILES, async (files) => {
    const folder = await Deno.makeTempDir();
    const study = await studyOfSamples(files);
    deepEqual([study.tasks.map(({ task }) => task), study.lengths, study.samples], [
      ["niah_mine", "niah_single_1"],
      [1024, 2048],
      2,
    ]);
    const asking = { name: "held", model: simulatedModel("ideal"), folder: `${folder}/runs` };
    const { summary, replies, plan } = await runStudy(study, asking);
    deepEqual([summary.total, summary.asked, plan.questions], [4, 4, 4]);
    deepEqual(
      replies.map(({ task, length, record, value }) => [task, length, record.index, record.references, value]),
      [
        ["niah_mine", 1024, 0, ["1234567"], 1],
        ["niah_mine", 1024, 1, ["7654321"], 1],
        ["niah_mine", 2048, 0, ["2222222"], 1],
        ["niah_single_1", 2048, 0, ["3333333"], 1],
      ],
    );
    equal((await runStudy(study, asking)).summary.asked, 0);
    const run = await readScoredRun("held", { folder: `${folder}/runs` });
    deepEqual(Object.values(run.manifest.tasks).map(({ suite, scoring }) => [suite, scoring]), [
      ["ruler-file", "all"],
      ["ruler-file", "all"],
    ]);
    const { tasks, materials } = await openStudy(run.manifest.study);
    deepEqual(
      run.records.map(({ question }) => question),
      ["red", "blue", "green", "gold"].map((key) =>
        `What is the special magic number for ${key} mentioned in the provided text?`
      ),
    );
    for (const record of run.records) {
      equal(remakeSample(record, { tasks, materials, template: run.manifest.template }).isSame, true);
    }
    await Deno.remove(folder, { recursive: true });
  });
});

Deno.test("the question of a sample of a file is its field, or found by the pattern of its task", async () => {
  const asked = "Find all variables that are assigned the value 7 in the text above.";
  const files = {
    "a/vt.jsonl": `${row("red", "1", { input: "Lines.\nWhich is it?", question: "Which one?" })}`,
    "b/vt_mine.jsonl": `${JSON.stringify({ input: `VAR A = 7\n${asked} Answer: `, outputs: ["A"] })}\n`,
  };
  await withFolder(files, async (folder) => {
    for (
      const [path, wanted] of [["a/vt.jsonl", "Which one?"], ["b/vt_mine.jsonl", asked]]
    ) {
      const study = await studyOfSamples(`${folder}/${path}`, { lengths: [1024] });
      const { tasks: [task], materials } = await openStudy(study);
      equal(task!.sample({ length: 1024, seed: "", index: 0, materials }).question, wanted);
    }
  });
});

Deno.test("studyOfSamples() asks the tasks, lengths and samples that are wanted, and takes a lone file's length as given", async () => {
  await withFolder({ ...FILES, "niah_single_2.jsonl": row("pink", "4444444") }, async (folder) => {
    const model = simulatedModel("ideal");
    const asked = async (path: string, changes: object): Promise<unknown[]> => {
      const study = await studyOfSamples(`${folder}/${path}`, changes);
      const { replies } = await runStudy(study, { name: crypto.randomUUID(), model, folder: `${folder}/runs` });
      return replies.map(({ task, length, record }) => [task, length, record.index]);
    };
    deepEqual(await asked("2048", { tasks: ["niah_single_1"] }), [["niah_single_1", 2048, 0]]);
    deepEqual(await asked("1024", { first: 1, samples: 5 }), [["niah_mine", 1024, 1]]);
    deepEqual(await asked("niah_single_2.jsonl", { lengths: [4096] }), [["niah_single_2", 4096, 0]]);
  });
});

Deno.test("studyOfSamples() counts the prompt with its answer prefix, and keeps the text as it is", async () => {
  await withFolder({ "1024/data/niah_mine/validation.jsonl": row("red", "1234567") }, async (folder) => {
    const { tasks: [task], materials } = await openStudy(await studyOfSamples(folder));
    const { prompt, promptTokens, answerRoom } = task!.sample({ length: 1024, index: 0, seed: "", materials });
    const { input, answer_prefix: prefix } = JSON.parse(row("red", "1234567"));
    deepEqual([userText(prompt), prompt.answerPrefix], [input, prefix]);
    deepEqual([promptTokens, answerRoom], [materials.tokenizer.count(input + prefix), 128]);
    throws(() => task!.sample({ length: 1024, index: 1, seed: "", materials }), {
      name: "RangeError",
      message:
        "Cannot ask niah_mine at 1024 tokens as the number of the sample must be below 1, the number of samples in the file: current value is 1",
    });
  });
});

Deno.test("studyOfSamples() refuses what is no file of samples", async () => {
  const files = {
    "vt.jsonl": row("a", "1"),
    "other/validation.jsonl": "{}\n",
    "1024/data/vt/validation.jsonl": "{}\n",
  };
  await withFolder(files, async (folder) => {
    await rejects(
      studyOfSamples(`${folder}/none`),
      /there must be a file or folder of them: .* nothing of that name\)$/,
    );
    await rejects(studyOfSamples(`${folder}/vt.jsonl`), /--lengths must name the one length/);
    await rejects(
      studyOfSamples(`${folder}/other`, { lengths: [512] }).then((study) => openStudy(study)),
      /each file must be called after a task that can be scored, .* current value is "other"$/,
    );
    await rejects(
      studyOfSamples(`${folder}/1024`, { tasks: ["cwe"] }).then((study) => openStudy(study)),
      /each task must be one of vt at 1024 tokens: current value is "cwe"$/,
    );
    const { tasks: [vt], materials } = await openStudy(await studyOfSamples(`${folder}/1024`));
    throws(() => vt!.sample({ length: 1024, index: 0, seed: "", materials }), (error: Error) => {
      match(error.message, /^Cannot read sample 0 of ".*" as input must be a text: current value is none$/);
      return error instanceof SyntaxError;
    });
  });
});

Deno.test("studyOfSamples() asks the test files of Needle Threading's and Counting-Stars' authors, each line at its own length", async () => {
  const haystack = '{"aa": "11", "bb": "22"}';
  const question =
    'Extract the value corresponding to the specified key in the JSON object. Key: "bb"\n Corresponding value: ';
  const needle = { id: 7, haystack, keys: "bb", values: "22", question, "context_length": 2000, "needle_depth": "50" };
  const star = { question: "…\n\n\n\n几颗？", "context_size": 1120, "reference_counting_results": [15, 117] };
  const files = {
    "Single_Needle.json": JSON.stringify([needle, { ...needle, "context_length": 4240 }, {
      ...needle,
      "needle_depth": "{",
    }]),
    "Counting_Stars_ZH_multi-evidence-retrieval-reasoning_128000_2_1.jsonl": `${JSON.stringify(star)}\n`,
    "notes.json": "{}",
  };
  await withFolder(files, async (folder) => {
    const study = await studyOfSamples(folder);
    deepEqual(study.tasks.map(({ task }) => task), ["counting_stars_reasoning_zh", "threading_single_needle"]);
    deepEqual(study.lengths, [1200, 1600, 2500]);
    const { tasks, materials } = await openStudy(study);
    const sample = (task: number, length: number, index: number) =>
      tasks[task]!.sample({ length, index, seed: "", materials });
    const first = sample(1, 1200, 0);
    deepEqual([userText(first.prompt), first.references, first.depth], [`${haystack}\n${question}`, ["22"], 0.5]);
    equal(sample(1, 1200, 1).depth, undefined);
    const { references, distractors } = sample(0, 1600, 0);
    deepEqual([references, distractors], [["15", "117"], ["16", "116"]]);
  });
});

Deno.test("studyOfSamples() takes depth, distractors and paths of a line, and leaves out those that it lacks", async () => {
  const text = "One of the special magic numbers for red is: 1234567.";
  const facts = [{ role: "target", text, key: "red", value: "1234567" }];
  const given = { depth: 1, distractors: ["7654321"], paths: [["1", "2"]], facts };
  const file = row("red", "1234567") + row("red", "1234567", given) + row("red", "1234567", { depth: 0 });
  await withFolder({ "1024/data/niah_mine.jsonl": file }, async (folder) => {
    const { tasks: [task], materials } = await openStudy(await studyOfSamples(folder));
    const [plain, full, first] = [0, 1, 2].map((index) => task!.sample({ length: 1024, index, seed: "", materials }));
    deepEqual(["depth", "distractors", "paths"].filter((name) => name in plain!), []);
    const { depth, distractors, paths } = full!;
    deepEqual({ depth, distractors, paths, facts: full!.facts }, given);
    equal(first!.depth, 0);
  });
});

Deno.test.each([
  [{ depth: 1.01 }, /depth must be a number in \[0, 1\]: current value is 1\.01/],
  [{ depth: -0.01 }, /depth must be a number in \[0, 1\]: current value is -0\.01/],
  [{ depth: "1" }, /depth must be a number in \[0, 1\]: current value is "1"/],
  [{ distractors: ["7", 7] }, /"distractors" must be a list of texts/],
  [{ paths: [["1"], "2"] }, /paths.1 must be a list of texts/],
  [{ answerPrefix: "A" }, /a field must be called answer_prefix: current value is "answerPrefix"/],
  [{ Outputs: ["7"] }, /a field must be called outputs: current value is "Outputs"/],
  [{ facts: [null] }, /facts.0 must be a fact as of fathom generate: current value is null/],
  [{ facts: [{ role: "target", text: "a", key: "b" }] }, /facts.0 must be a fact as of fathom generate/],
] as [object, RegExp][])("studyOfSamples() refuses a line with %j", async (changes, message) => {
  await withFolder({ "1024/data/niah_mine.jsonl": row("red", "1234567", changes) }, async (folder) => {
    const { tasks: [task], materials } = await openStudy(await studyOfSamples(folder));
    throws(() => task!.sample({ length: 1024, index: 0, seed: "", materials }), { name: "SyntaxError", message });
  });
});
