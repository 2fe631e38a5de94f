import type { Command } from "commander";
import { plural } from "@/lib/base/mod.ts";
import type { Output } from "./output.ts";
import { length } from "./flag_values.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks, readMaterials } from "./flags.ts";
import { importRun } from "@/lib/exchange/mod.ts";
import { originText } from "@/lib/statistics/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("import")
    .description(
      "Imports results as a run of results/runs/, which report, compare, view, export and notebooks open like any other:\n" +
        "  lm-evaluation-harness  samples_*.jsonl of its RULER tasks (--log_samples)\n" +
        "  Inspect                logs, .json or .eval, scored by includes or by Fathom's task file\n" +
        "  RULER                  MODEL/synthetic/LENGTH/pred/TASK.jsonl\n" +
        "  OpenCompass            predictions/MODEL/CDME_Length1000Depth0.json or ruler_vt_4k.json\n" +
        "  NeMo-Skills, others    lines with a prediction and its references, with --task and --length\n" +
        "  kvpress                the folder of predictions.csv and config.yaml\n" +
        "Replies are scored again; a note states whether the scores agree. What the files lack, such as latencies, stays unknown, " +
        "as does the origin of replies that a simulated reader may have written. No call is made, and no code is run.",
    )
    .argument("<path>", "a file, or the folder of one model's files")
    .option("--name <name>", "name of the run (default: the model's)")
    .option("--model <name>", "the model's name, if the files lack it")
    .option("--task <name>", "the task of all replies, if the files lack it")
    .option("--length <tokens>", "the length of the samples in tokens, such as 4K, if the files lack it", length)
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom import results/Qwen__Qwen3-8B --name qwen\n" +
        "  fathom import logs/2026-11-22T11-44-10_niah.eval --name qwen-inspect\n" +
        "  fathom import benchmark_root/qwen/synthetic --model qwen\n" +
        "  fathom import outputs/cdme/20240101_120000/predictions/internlm-20b\n" +
        "  fathom import evaluation/results/ruler__4096__M__knorm__0.50 --name knorm\n\n" +
        "  fathom report qwen && fathom view qwen && fathom compare first qwen",
    )
    .action(async (path: string, flags: Flags) => {
      const { name, model, task, length } = flags;
      const made = await importRun(path, {
        name,
        model,
        task,
        length,
        ...readMaterials(flags),
        benchmarks: await openBenchmarks(flags),
      });
      for (const note of made.notes) output.note(note);
      const { imported, origin, model: answered } = made.manifest;
      if (imported!.unknown.length > 0) output.note(`not known: ${imported!.unknown.join("; ")}`);
      const replies = made.records - made.failed;
      const failed = made.failed === 0 ? "" : ` and ${made.failed} failed ${plural(made.failed, "call")}`;
      const count = `${replies} ${plural(replies, "reply")}${failed}`;
      output.note(`${made.path}: ${count} of ${answered} (${originText(origin)}), from ${imported!.from}`);
      await output.write(`${made.name}\n`);
    });
  addMaterialFlags(addBenchmarkFlag(command), { inIds: false });
}
