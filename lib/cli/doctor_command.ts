import type { Command } from "commander";
import { defined } from "@/lib/base/mod.ts";
import { lengths, names } from "./flag_values.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, openBenchmarks } from "./flags.ts";
import { addModelFlags, openFlaggedModel } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { openAsked } from "./run_command.ts";
import { checkWindow, findingTexts, preflight } from "@/lib/asking/mod.ts";
import { openStudy, planStudy } from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("doctor")
    .description(
      "Checks a model's server by a few short calls: whether the model is served, its window, the tokens of its chat template, " +
        "whether it continues the start of an answer, and its speed; with --tasks or --study also the ratio of its tokens to " +
        "local ones, and which lengths fit.",
    )
    .option("--study <file>", "a study file (YAML), to count its samples")
    .option("--tasks <names>", "comma-separated tasks, families or benchmarks, to count their samples", names)
    .option("--lengths <tokens>", "comma-separated context lengths, such as 4096,8192 or 4K,8K", lengths)
    .option("--json", "print one JSON object: the findings about the server");
  addMaterialFlags(addModelFlags(addBenchmarkFlag(command)));
  command.addHelpText(
    "after",
    "\nExample:\n" +
      "  fathom doctor --model my-model --base-url http://127.0.0.1:8000/v1 --tasks all --lengths 4K,16K",
  );
  command.action((flags: Flags) => {
    if (command.getOptionValueSource("model") !== "default") return checkModel(flags, output);
    throw new RangeError("Cannot check a server as --model must name its model: current value is none");
  });
}

/** Checks a model's server, and which samples of a study fit its window. */
async function checkModel(flags: Flags, output: Output): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const isStudied = flags.study !== undefined || flags.tasks !== undefined;
  const { model, study = undefined } = isStudied
    ? await openAsked(flags, { benchmarks, output })
    : { model: await openFlaggedModel(flags, { output }) };
  const plan = study === undefined ? undefined : planStudy(await openStudy(study, { benchmarks }), model);
  let noted = "";
  const onWait = (reason: string): void => {
    if (reason !== noted) output.note(`Waiting: ${reason}`);
    noted = reason;
  };
  const found = await preflight(model, { onWait, weighs: true, ...defined({ plan }) });
  if (found === undefined) return output.note(`${model.name} is simulated and has no server`);
  if (flags.json) {
    const { report, lines, warnings, error } = found;
    await output.write(`${JSON.stringify({ report, lines, warnings, error: error?.message ?? null })}\n`);
  } else if (found.error === undefined || found.report.served !== undefined) {
    for (const text of findingTexts(found)) await output.write(`${text}\n`);
  }
  if (found.error !== undefined) throw found.error;
  if (found.failure !== undefined) {
    throw new RangeError(
      `Cannot ask model "${model.name}" as its server must answer a short question: ${found.failure.message}`,
    );
  }
  if (plan !== undefined) checkWindow(plan.cells, found, model);
}
