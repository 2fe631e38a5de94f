import type { Command } from "commander";
import { alignFacts } from "./ask_study.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, lengths, names, openBenchmarks } from "./flags.ts";
import { addModelFlags, openFlaggedModel } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { openAsked } from "./run_command.ts";
import { canServe, findJupyter, probePython } from "@/lib/jupyter/mod.ts";
import { readAddress } from "@/lib/models/mod.ts";
import { checkWindow, preflight } from "@/lib/asking/mod.ts";
import { openStudy, planStudy } from "@/lib/studies/mod.ts";

/** Adds `fathom doctor`, which checks this machine, or with `--model` the server of a model. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("doctor")
    .description(
      "Checks all that Fathom needs or can use, and names the command that installs what is missing. With --model it checks " +
        "the model's server instead, by a few short calls: whether the model is served, its window, the tokens of its chat " +
        "template, whether it continues the start of an answer, and its speed; with --tasks or --study also the ratio of its " +
        "tokens to local ones, and which lengths fit.",
    )
    .option("--study <file>", "a study file (YAML) whose samples the server counts")
    .option("--tasks <names>", "comma-separated tasks, families or benchmarks whose samples it counts", names)
    .option("--lengths <tokens>", "comma-separated context lengths, such as 4096,8192 or 4K,8K", lengths);
  command.option("--json", "print one JSON object: checks of this machine, or findings about a server");
  addMaterialFlags(addModelFlags(addBenchmarkFlag(command)), { defaults: false });
  command.addHelpText(
    "after",
    "\nExamples:\n  fathom doctor\n" +
      "  fathom doctor --model my-model --base-url http://127.0.0.1:8000/v1 --tasks all --lengths 4K,16K",
  );
  command.action((flags: Flags) => {
    if (command.getOptionValueSource("model") !== "default") return checkModel(flags, output);
    const isGiven = (name: string): boolean => command.getOptionValueSource(name) === "cli";
    const stray = command.options.find((option) => option.long !== "--json" && isGiven(option.attributeName()));
    if (stray === undefined) return checkMachine(flags, output);
    if (flags.baseUrl !== undefined) readAddress(flags.baseUrl);
    throw new RangeError(
      `Cannot use ${stray.long} as --model must name the model to check: current value is none`,
    );
  });
}

/** A finding about this machine, and the command that fixes it if something is wrong. */
interface Check {
  readonly what: string;
  readonly found: string;
  readonly fix?: string | undefined;
  /** Whether Fathom works without it. */
  readonly isOptional?: boolean;
}

async function checkMachine({ json }: Flags, output: Output): Promise<void> {
  const checks = (await examine()).map(({ isOptional, ...check }) => {
    const state = check.fix === undefined ? "ok" : isOptional ? "optional" : "missing";
    return { ...check, state };
  });
  if (json) await output.write(`${JSON.stringify({ checks })}\n`);
  else {
    for (const { what, found, fix, state } of checks) {
      const mark = state === "missing" ? "MISSING" : state;
      await output.write(`${mark.padEnd(8)}  ${what.padEnd(16)} ${found}\n`);
      if (fix !== undefined) await output.write(`${" ".repeat(27)}fix: ${fix}\n`);
    }
  }
  const missing = checks.filter(({ state }) => state === "missing");
  if (missing.length === 0) return;
  const names = missing.map(({ what }) => what).join(", ");
  throw new Error(`${missing.length} of ${checks.length} things are missing: ${names}`);
}

/** Checks a model's server, and which samples of a study fit its window. */
async function checkModel(flags: Flags, output: Output): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const isStudied = flags.study !== undefined || flags.tasks !== undefined;
  const { model, study = undefined } = isStudied
    ? await openAsked(flags, { benchmarks, output })
    : { model: await openFlaggedModel(flags, { benchmarks, output }) };
  const plan = study === undefined ? undefined : planStudy(await openStudy(study, { benchmarks }), model);
  let noted = "";
  const onWait = (reason: string): void => {
    if (reason !== noted) output.note(`Waiting: ${reason}`);
    noted = reason;
  };
  const found = await preflight(model, { onWait, ...(plan === undefined ? {} : { plan }) });
  if (found === undefined) return output.note(`${model.name} is simulated and has no server`);
  if (flags.json) {
    const { report, lines, warnings, error } = found;
    await output.write(`${JSON.stringify({ report, lines, warnings, error: error?.message ?? null })}\n`);
  } else if (found.error === undefined || found.report.served !== undefined) {
    for (const line of alignFacts(found.lines)) await output.write(`${line}\n`);
    for (const warning of found.warnings) await output.write(`Warning: ${warning}\n`);
  }
  if (found.error !== undefined) throw found.error;
  if (plan !== undefined) checkWindow(plan.cells, found, model);
}

const DENO = "2.9.6";
const PROJECT = new URL("../../", import.meta.url);

/** Checks all that Fathom needs or can use on this machine. */
async function examine(): Promise<readonly Check[]> {
  const probe = new URL("results/.doctor", PROJECT);
  const canWrite = await Deno.writeTextFile(probe, "").then(() => Deno.remove(probe)).then(() => true, () => false);
  const python = await probePython("python3");
  const own = await probePython(new URL(".venv/bin/python", PROJECT).pathname);
  const jupyter = own && canServe(own, "run")
    ? own
    : await findJupyter("run", Deno.env.get("PATH") ?? "").catch(() => undefined);
  const hasKey = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"].some((name) => Deno.env.get(name));
  const hasAddress = Deno.env.get("OPENAI_BASE_URL") !== undefined;
  return [
    {
      what: "Deno",
      found: `Deno ${Deno.version.deno}`,
      fix: Deno.version.deno === DENO ? undefined : `npx --yes deno@${DENO} task …, the version that was tested`,
      isOptional: true,
    },
    {
      what: "results folder",
      found: canWrite ? "can be written" : "cannot be written",
      fix: canWrite ? undefined : "mkdir -p results && chmod u+w results",
    },
    {
      what: "Python 3",
      found: python ? `python3 is ${python.version.join(".")}` : "no python3 on the PATH",
      fix: python ? undefined : "apt-get install python3 python3-venv, or your system's packages",
    },
    {
      what: "Jupyter",
      found: jupyter
        ? `${jupyter.program}: ${Object.entries(jupyter.parts).map((part) => part.join(" ")).join(", ")}`
        : "neither in .venv nor on the PATH",
      fix: jupyter ? undefined : `npx --yes deno@${DENO} task setup`,
    },
    {
      what: "model",
      found: `${hasAddress ? "OPENAI_BASE_URL is set" : "the simulated reader answers"}; ${
        hasKey ? "a key is set" : "no key is set"
      }`,
      fix: hasAddress ? undefined : "name a model: --model NAME --base-url URL",
      isOptional: true,
    },
  ];
}
