import { deepEqual, equal, match } from "node:assert/strict";
import { checkStudy, RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, withRunName } from "./_shell.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { answerAsSecondModel } from "../serve/second_model.ts";
import { serveSimulated } from "../serve/serve_command.ts";

Deno.test("fathom run, report and regrade work on a real endpoint, for both benchmarks", async () => {
  const stars = ["counting_stars_reasoning_en", "counting_stars_sum_zh"];
  const names = [...THREADING.tasks, ...stars];
  const study = checkStudy({ tasks: names, lengths: [4096], samples: 2 });
  const server = await serveSimulated({ profile: "ideal", study, otherwise: answerAsSecondModel });
  const endpoint = ["--model", "sim:ideal", "--base-url", server.url];
  await withRunName(async (name) => {
    const ask = ["run", "--tasks", names.join(","), "--lengths", "4K", "--samples", "2", "--name", name, ...endpoint];
    const { code, out } = await shell(...ask);
    equal(code, 0);
    equal(out.match(/^(threading|counting_stars)_\w+ +100\.0$/gm)?.length, 8);
    const report = JSON.parse((await shell("report", name, "--json")).out);
    deepEqual(new Set(report.rows.map(({ score }: { score: number }) => score)), new Set([100]));
    const parsed = await shell("regrade", name, "--by", "extractor", ...endpoint, "--json");
    equal(parsed.code, 0);
    const { rows } = JSON.parse(parsed.out);
    deepEqual(rows.at(-1), {
      ...{ task: "all", replies: 12, failed: 0, unread: 0 },
      ...{ byRules: 100, byModel: 100, alike: 100, kappa: null },
    });
    const lines = (await Deno.readTextFile(`${RUNS_FOLDER}/${name}/extractor-sim-ideal.jsonl`)).trimEnd().split("\n");
    equal(lines.length, 12);
    const { out: table } = await shell("regrade", name, "--by", "extractor", ...endpoint);
    match(table, /^all +12 +0 +100\.0 +100\.0 +100\.0 +0$/m);
  }).finally(() => server.close());
});
