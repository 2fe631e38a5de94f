import { deepEqual, equal, match } from "node:assert/strict";
import { findProgram, named } from "./_project.ts";
import { shell } from "../cli/_shell.ts";
import { importRun, openVerifier, serveVerifier, writeInspectLogs } from "@/lib/exchange/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { inFolder } from "../_folder.ts";
import { hasPackages } from "../_python.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { checkStudy } from "@/lib/studies/mod.ts";

const python = Deno.env.get("FATHOM_PYTHON") ?? findProgram("python3");

interface Ended {
  readonly success: boolean;
  readonly out: string;
  readonly stderr: string;
}

async function runPython(args: readonly string[], options: Partial<Deno.CommandOptions> = {}): Promise<Ended> {
  const command = new Deno.Command(python!, { args: [...args], stdout: "piped", stderr: "piped", ...options });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, out: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const TO_HAVE = "pip install it, and name that Python in FATHOM_PYTHON";

const hasHarness = python !== undefined && hasPackages(python, "lm_eval");
const hasDatasets = python !== undefined && hasPackages(python, "datasets");

Deno.test({
  name: named("datasets of Hugging Face opens what fathom generate and export write", {
    [`no datasets: ${TO_HAVE}`]: !hasDatasets,
  }),
  ignore: !hasDatasets,
  fn: () =>
    inFolder(async (folder) => {
      const asked = ["generate", "--tasks", "niah_multivalue,qa_1,cdme_zh", "--lengths", "1K,2K", "--samples", "2"];
      for (const form of ["kvpress", "hf"]) {
        equal((await shell(...asked, "--format", form, "--out", `${folder}/${form}`)).code, 0);
      }
      const lines = (await shell(...asked, "--lengths", "1K", "--format", "kvpress")).out;
      await Deno.writeTextFile(`${folder}/rows.jsonl`, lines);
      const run = ["export", "measured/gemma-3-270m/ruler", "--format", "hf", "--out", `${folder}/run`];
      equal((await shell(...run)).code, 0);
      const script = new URL("fixtures/load_datasets.py", import.meta.url).pathname;
      const paths = ["kvpress", "hf", "run", "rows.jsonl"].map((name) => `${folder}/${name}`);
      const { success, out, stderr } = await runPython([script, ...paths], { env: { HF_HOME: `${folder}/home` } });
      equal(success, true, stderr);
      const names = ["context", "question", "answer_prefix", "task", "seed", "sample", "sha256"];
      deepEqual(JSON.parse(out), {
        same: [true, true, true, true],
        types: {
          ...Object.fromEntries(names.map((name) => [name, "string"])),
          ...{ answer: "list<element: string>", max_new_tokens: "int32", length: "int32", index: "int32" },
        },
        configs: [["1024", "2048"], ["1024", "2048"], ["replies", "scores"]],
        roles: Array.from({ length: 6 }, () => ["user"]),
        replies: 1740,
        score: "float64",
        card: ["mit", ["en", "zh"], ["n<1K"], "niah_multivalue, qa_1, cdme_zh"],
        header: ["configs", "language", "license", "pretty_name", "size_categories", "tags"],
      });
    }),
});

/** A task of each kind of scorer, two of which are RULER's. */
const TASKS = "vt,qa_1,cdme_en,counting_stars_reasoning_en,threading_multi_needle,recall_pistachio";

/** Writes those tasks for another harness, and runs the scoring server and a simulated reader that makes mistakes. */
async function withForm(
  format: "inspect" | "lm-eval",
  use: (
    places: { readonly folder: string; readonly form: string; readonly url: string; readonly scores: string },
  ) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const form = `${folder}/form`;
    const asked = ["--tasks", TASKS, "--lengths", "2K", "--samples", "2"];
    const study = checkStudy({ tasks: TASKS.split(","), lengths: [2048], samples: 2 });
    equal((await shell("generate", ...asked, "--format", format, "--out", form)).code, 0);
    const [reader, scorer] = [
      await serveSimulated({ profile: "mistral", study }),
      await serveVerifier(await openVerifier()),
    ];
    try {
      await use({ folder, form, url: reader.url, scores: scorer.url });
    } finally {
      await Promise.all([reader.close(), scorer.close()]);
    }
  });
}

const hasInspect = python !== undefined && hasPackages(python, "inspect_ai", "openai");
const NO_INSPECT = { [`no inspect_ai and openai: ${TO_HAVE}`]: !hasInspect };

Deno.test({
  name: named("Inspect gives tasks with any scorer Fathom's scores, by the scoring server", NO_INSPECT),
  ignore: !hasInspect,
  fn: async () => {
    await withForm("inspect", async ({ folder, url, scores }) => {
      const words = [
        "eval",
        "form/fathom_task.py",
        "--model",
        "openai-api/sim/sim:mistral",
        "--log-dir",
        `${folder}/logs`,
      ];
      const env = { SIM_BASE_URL: url, SIM_API_KEY: "none", FATHOM_VERIFY_URL: scores };
      const { success, out, stderr } = await runPython(["-m", "inspect_ai", ...words, "--display", "plain"], {
        env,
        cwd: folder,
      });
      equal(success, true, `${out}${stderr}`);
      const { notes, manifest } = await importRun(`${folder}/logs`, { folder, name: "inspect" });
      match(notes.join("; "), /all 12 scores agree with Inspect/);
      equal(manifest.origin, "simulated");
    });
  },
});

/** Prints the scores of each sample of logs, by their scorers. */
const READ_SCORES = `import json, sys
from inspect_ai.log import read_eval_log
for path in sys.argv[1:]:
    log = read_eval_log(path)
    metrics = [{name: m.value for name, m in score.metrics.items()} for score in log.results.scores]
    scores = [[score.value for score in (sample.scores or {}).values()] for sample in log.samples]
    print(json.dumps([log.status, metrics, scores]))
`;

Deno.test({
  name: named("Inspect reads the logs of a run, and scores them as Fathom does", NO_INSPECT),
  ignore: !hasInspect,
  fn: async () => {
    await inFolder(async (folder) => {
      const run = await readScoredRun("measured/smollm2-135m-instruct/cdme");
      equal((await shell("export", run.manifest.name, "--format", "inspect", "--out", folder)).code, 0);
      const server = await serveVerifier(await openVerifier());
      try {
        const { paths } = await writeInspectLogs(run, folder);
        for (const path of paths) {
          const scorer = ["--scorer", `${folder}/fathom_task.py@fathom`, "--action", "append", "--overwrite"];
          const env = { FATHOM_VERIFY_URL: server.url };
          const { success, out, stderr } = await runPython([
            "-m",
            "inspect_ai",
            "score",
            path,
            ...scorer,
            "--display",
            "plain",
          ], { env });
          equal(success, true, `${out}${stderr}`);
        }
        const { out, stderr } = await runPython(["-c", READ_SCORES, ...paths]);
        const logs = out.trimEnd().split("\n").map((line) => JSON.parse(line));
        equal(logs.length, paths.length, stderr);
        for (const [status, [own, again], scores] of logs) {
          equal(status, "success");
          for (const name of ["mean", "stderr"]) equal(Math.abs(own[name] - again[name]) < 1e-12, true, name);
          for (const [value, scored] of scores) equal(scored, value);
        }
      } finally {
        await server.close();
      }
    });
  },
});

Deno.test({
  name: named("lm-evaluation-harness gives tasks with any scorer Fathom's scores, by the scoring server", {
    [`no lm_eval (with its extra api): ${TO_HAVE}`]: !hasHarness,
  }),
  ignore: !hasHarness,
  fn: async () => {
    await withForm("lm-eval", async ({ folder, form, url, scores }) => {
      const args = `model=sim:mistral,max_retries=1,base_url=${url}/completions,tokenizer_backend=none`;
      const words = ["--model", "local-completions", "--model_args", args, "--tasks", "fathom", "--include_path", form];
      const env = {
        ...{ HF_HOME: folder, HF_DATASETS_OFFLINE: "1", HF_HUB_OFFLINE: "1", OPENAI_API_KEY: "none" },
        FATHOM_VERIFY_URL: scores,
      };
      const all = ["-m", "lm_eval", ...words, "--log_samples", "--output_path", `${folder}/results`];
      const { success, stderr } = await runPython(all, { env, cwd: folder });
      equal(success, true, stderr);
      const { notes } = await importRun(`${folder}/results/sim__mistral`, { folder, name: "harness" });
      match(notes.join("; "), /all 12 scores agree with lm-evaluation-harness/);
    });
  },
});
