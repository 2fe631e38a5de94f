import type { Command } from "commander";
import { addModelFlags, openFlaggedModel } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { alignFacts } from "./describe_run.ts";
import { openAsked } from "./run_command.ts";
import { addBenchmarkFlag, addMaterialFlags, type Flags, lengths, names, openBenchmarks } from "./task_flags.ts";
import { canServe, findJupyter, probePython } from "@/lib/jupyter/mod.ts";
import { readAddress } from "@/lib/models/mod.ts";
import { checkWindow, preflight } from "@/lib/asking/mod.ts";
import { openStudy, planStudy } from "@/lib/studies/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";

/** Adds `fathom doctor`, which checks this machine, or with `--model` the server of a model. */
export function addDoctorCommand(program: Command, output: Output): void {
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
    if (flags.baseUrl !== undefined) readAddress(flags.baseUrl as string);
    throw new RangeError(
      `Cannot use ${stray.long} as --model must name the model to check: current value is none`,
    );
  });
}

async function checkMachine({ json }: Flags, output: Output): Promise<void> {
  const checks = await examine();
  if (json) await output.write(`${JSON.stringify({ checks })}\n`);
  else for (const check of checks) await output.write(`${describe(check)}\n`);
  const missing = checks.filter(({ state }) => state === "missing");
  if (missing.length > 0) {
    throw new Error(
      `${missing.length} of ${checks.length} things are missing: ${missing.map(({ what }) => what).join(", ")}`,
    );
  }
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

const MARKS: Readonly<Record<Check["state"], string>> = { ok: "ok      ", optional: "optional", missing: "MISSING " };

function describe({ state, what, found, fix }: Check): string {
  return `${MARKS[state]}  ${what.padEnd(22)} ${found}${fix === undefined ? "" : `\n${" ".repeat(33)}fix: ${fix}`}`;
}

interface Check extends Finding {
  readonly what: string;
  readonly state: "ok" | "optional" | "missing";
}

const DENO = "2.9.6";
const PROJECT = new URL("../../", import.meta.url);

/** Checks all that Fathom needs or can use on this machine. */
async function examine(): Promise<Check[]> {
  const checks:
    readonly (readonly [what: string, unless: "optional" | "missing", find: () => Finding | Promise<Finding>])[] = [
      ["Deno", "optional", findDeno],
      ["tokenizer", "missing", findEncoding],
      ["embedded essays", "missing", findEssays],
      ["results folder", "missing", findResults],
      ["Python 3", "missing", findPython],
      ["Jupyter", "missing", findOwnJupyter],
      ["Chromium", "optional", findChromium],
      ["model", "optional", findModel],
    ];
  return await Promise.all(checks.map(async ([what, unless, find]): Promise<Check> => {
    const finding = await find();
    return { what, state: finding.fix === undefined ? "ok" : unless, ...finding };
  }));
}

/** A finding, and the command that fixes it if something is wrong. */
interface Finding {
  readonly found: string;
  readonly fix?: string;
}

function findDeno(): Finding {
  const found = `Deno ${Deno.version.deno}`;
  const fix = `npx --yes deno@${DENO} task …, the version that was tested`;
  return Deno.version.deno === DENO ? { found } : { found, fix };
}

async function findEncoding(): Promise<Finding> {
  const tokenizer = await openEncoding("cl100k_base");
  const tokens = tokenizer.count("The grass is green.");
  return tokens === 5
    ? { found: "cl100k_base counts as it should" }
    : { found: `cl100k_base counts ${tokens} for 5 tokens`, fix: "deno install --frozen" };
}

async function findEssays(): Promise<Finding> {
  const path = "data/haystacks/essays_en";
  const files = await Array.fromAsync(Deno.readDir(new URL(path, PROJECT))).catch(() => []);
  return files.length > 0
    ? { found: `${files.length} files in ${path}` }
    : { found: `nothing in ${path}`, fix: "git checkout -- data" };
}

async function findResults(): Promise<Finding> {
  const probe = new URL("results/.doctor", PROJECT);
  try {
    await Deno.writeTextFile(probe, "");
    await Deno.remove(probe);
    return { found: "can be written" };
  } catch {
    return { found: "cannot be written", fix: "mkdir -p results && chmod u+w results" };
  }
}

async function findPython(): Promise<Finding> {
  const python = await probePython("python3");
  return python
    ? { found: `python3 is ${python.version.join(".")}` }
    : { found: "no python3 on the PATH", fix: "apt-get install python3 python3-venv, or your system's own" };
}

async function findOwnJupyter(): Promise<Finding> {
  const own = await probePython(new URL(".venv/bin/python", PROJECT).pathname);
  const python = own && canServe(own, "run")
    ? own
    : await findJupyter("run", Deno.env.get("PATH") ?? "").catch(() => undefined);
  if (!python) return { found: "neither in .venv nor on the PATH", fix: `npx --yes deno@${DENO} task setup` };
  return { found: `${python.program}: ${Object.entries(python.parts).map((part) => part.join(" ")).join(", ")}` };
}

async function findChromium(): Promise<Finding> {
  for (const program of ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]) {
    if ((await Deno.stat(program).catch(() => undefined))?.isFile) return { found: program };
  }
  return { found: "not found; only the browser tests need it", fix: "apt-get install chromium" };
}

function findModel(): Finding {
  const hasKey = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"].some((name) => Deno.env.get(name));
  const key = hasKey ? "a key is set" : "no key is set";
  return Deno.env.get("OPENAI_BASE_URL") === undefined
    ? { found: `the simulated reader answers; ${key}`, fix: "name a model: --model NAME --base-url URL" }
    : { found: `OPENAI_BASE_URL is set; ${key}` };
}
