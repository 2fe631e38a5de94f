import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";
import { lengthText, plural, timeText, tokensText } from "@/lib/base/mod.ts";
import type { CommandEntry } from "@/lib/cli/commands.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { startLlamaServer } from "./llama_server.ts";
import { modelFileOptions } from "@/lib/cli/model_flags.ts";
import type { Output } from "@/lib/cli/output.ts";
import { onInterrupt } from "@/lib/cli/ask_study.ts";
import { wholeNumber } from "@/lib/cli/flag_values.ts";
import { askMeasurements, estimateMeasureTime, findMeasureWork, type MeasureWork, tokensOf } from "./measure.ts";
import { checkMeasured } from "./check_measured.ts";
import { type CertifiedServer, makeCertificate, packCertificate, readCertificatePlan } from "./certificates.ts";
import { MEASURE_FILE, type MeasurePlan, readMeasurePlan } from "./measure_plan.ts";
import { packRuns } from "./pack_runs.ts";
import { listMeasured, type MeasuredName, measuredRunName, runOf } from "@/lib/records/run_folders.ts";
import { listRuns, readRun, type RunRecord } from "@/lib/records/mod.ts";
import { destinationText, type MeasuredWith, type OpenedModel, openModel, shellProgress } from "@/lib/studies/mod.ts";

/** The command of `deno task measure`. */
export const MEASURE: CommandEntry = {
  usage: "measure",
  about: "make the measured data that comes with Fathom again, or check it",
  load: () => Promise.resolve({ addCommand: addMeasureCommand }),
};

/** Adds `fathom measure`: makes the measured data that comes with Fathom again, or checks it. */
function addMeasureCommand(program: Command, output: Output): void {
  program.command("measure")
    .description(
      "Asks real models what data/measured/measure.yaml says and packs their replies into data/measured/MODEL/BENCHMARK" +
        ".jsonl.gz, which reports and notebooks open as measured/MODEL/BENCHMARK. The same command again resumes: answers " +
        "are never asked twice. It takes hours on a few cores; tokens, speed and time left are shown. Ctrl-C stops after " +
        "the calls in flight.\n\n" +
        "Start llama.cpp's llama-server for each model yourself, as data/measured/README.md shows, or let --server and " +
        "--weights start one after the other. --check asks a small random part again and compares it with what is packed.",
    )
    .option("--only <names>", "only these: MODEL or MODEL/BENCHMARK, comma-separated", readOnly)
    .option("--dry-run", "print what is asked, what is left, and about how long it takes; then stop")
    .option("--more", "keep what is packed, and ask only what the plan has beyond it (on the machine that measured it)")
    .option("--pack", "ask nothing: pack what was asked so far")
    .option(
      "--certificates",
      "make the certificates of certificates.yaml instead, in results/certificates, and pack them; --only names them",
    )
    .option(
      "--check [n]",
      "ask n samples (default: 20) of each measured run again, and say whether texts and scores agree",
    )
    .option("--seed <text>", "which samples --check picks; the same seed picks the same ones", today())
    .option("--server <program>", "llama.cpp's llama-server: starts and stops a server for each model in turn")
    .option("--weights <folder>", "the folder with the .gguf files, for --server")
    .addOption(
      new Option("--base-url <model=url>", "where a model is asked, instead of what models.yaml says; repeatable")
        .argParser(collectPair),
    )
    .addOption(
      new Option("--run <name=run>", "pack this run of results/runs as MODEL/BENCHMARK; several become one; repeatable")
        .argParser(collectPair),
    )
    .option("--runs-folder <folder>", "the folder of runs (default: results/runs)")
    .option("--concurrency <n>", "calls in flight at a time (default: as models.yaml says)", wholeNumber(1, 256))
    .option("--accelerator <name>", 'the GPU that the servers compute on, for the manifests, such as "NVIDIA H100"')
    .addOption(modelFileOptions()[1]!)
    .option("--no-preflight", "do not look at a server before its first question")
    .addOption(
      new Option("--plan <file>", "what is measured; models.yaml stands beside it")
        .default(MEASURE_FILE, "data/measured/measure.yaml"),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  deno task measure --dry-run\n" +
        "  deno task measure --server llama-server --weights ~/models\n" +
        "  deno task measure --certificates --server llama-server --weights ~/models\n" +
        "  deno task measure --only gemma-3-270m/ruler --base-url gemma-3-270m=http://10.0.0.7:8080/v1\n" +
        "  deno task measure --check 10 --only smollm2-135m-instruct\n" +
        "  deno task measure --pack --run gemma-3-270m/ruler=first --run gemma-3-270m/ruler=second",
    )
    .action((flags: MeasureFlags) => measure(flags, output));
}

interface MeasureFlags {
  readonly only?: readonly string[];
  readonly dryRun?: boolean;
  readonly pack?: boolean;
  readonly more?: boolean;
  readonly certificates?: boolean;
  readonly check?: true | string;
  readonly seed: string;
  readonly server?: string;
  readonly weights?: string;
  readonly baseUrl?: Pairs;
  readonly allowEnvVar?: readonly string[];
  readonly run?: Pairs;
  readonly runsFolder?: string;
  readonly concurrency?: number;
  readonly accelerator?: string;
  readonly preflight: boolean;
  readonly plan: string;
}

/** Values by name, as a repeatable flag `name=value` gives them. */
type Pairs = Readonly<Record<string, readonly string[]>>;

function collectPair(text: string, before: Pairs = {}): Pairs {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("It must be a name, = and a value.");
  return { ...before, [name]: [...before[name] ?? [], value] };
}

function readOnly(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim().replace(/^measured\//, ""));
  if (names.every((name) => /^[^/]+(\/[^/]+)?$/.test(name))) return names;
  throw new InvalidArgumentError("It must be MODEL or MODEL/BENCHMARK.");
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function measure(flags: MeasureFlags, output: Output): Promise<void> {
  const plan = await readMeasurePlan(flags.plan);
  if (flags.certificates) return await certify(plan, flags, output);
  checkOnly(flags, plan);
  if (flags.check !== undefined) return await check(plan, flags, output);
  if (flags.pack) return await pack(plan, flags, output);
  const work = await findMeasureWork(plan, {
    ...placeOf(flags),
    ...{ ...measuredOf(flags), isMore: Boolean(flags.more) },
    openModel: modelOpener(plan, flags, output),
    isWanted: wanted(flags),
  });
  if (flags.dryRun) return await printWork(work, flags, output);
  const progress = shellProgress({
    write: output.redraw,
    isTerminal: Deno.stderr.isTerminal(),
    ...(Deno.stderr.isTerminal() ? { columns: Deno.consoleSize().columns } : {}),
  });
  using interrupt = onInterrupt(output);
  const isWhole = await askMeasurements(work, {
    ...placeOf(flags),
    ...serverOf(plan, flags, output),
    stop: interrupt.stop,
    signal: interrupt.end,
    onProgress: progress.update,
    ...(flags.preflight
      ? { onServer: ({ warnings }, changes): void => [...warnings, ...changes].forEach(output.note) }
      : {}),
  }).finally(progress.end);
  if (!isWhole) throw new Error("Stopped before the end of the measurements: the same command resumes them");
  await pack(plan, flags, output);
}

function placeOf({ runsFolder }: MeasureFlags): { readonly folder?: string } {
  return runsFolder === undefined ? {} : { folder: runsFolder };
}

function wanted({ only }: MeasureFlags): (name: MeasuredName) => boolean {
  return ({ model, benchmark }) => only === undefined || only.includes(model) || only.includes(`${model}/${benchmark}`);
}

function checkOnly({ only = [] }: MeasureFlags, plan: MeasurePlan): void {
  const known = namesIn(plan).flatMap(({ model, benchmark }) => [model, `${model}/${benchmark}`]);
  const strange = only.find((name) => !known.includes(name));
  if (strange === undefined) return;
  throw new RangeError(
    `Cannot measure that alone as --only must be of ${[...new Set(known)].join(", ")}: current value is "${strange}"`,
  );
}

function namesIn({ models, studies }: MeasurePlan): readonly MeasuredName[] {
  return Object.keys(models).flatMap((model) =>
    [...new Set(studies.filter(({ samples }) => model in samples).map(({ benchmark }) => benchmark))]
      .map((benchmark) => ({ model, benchmark }))
  );
}

function modelOpener(
  plan: MeasurePlan,
  flags: MeasureFlags,
  output?: Output,
): (model: string) => Promise<OpenedModel> {
  return async (model) => {
    const [url] = flags.baseUrl?.[model] ?? [];
    const choice = { model, models: plan.modelsFile, ...(url === undefined ? {} : { baseUrl: url }) };
    const opened = await openModel(choice, { allowedVariables: flags.allowEnvVar });
    if (opened.destination !== undefined) output?.note(destinationText(opened.destination));
    return flags.concurrency === undefined ? opened : { ...opened, concurrency: flags.concurrency };
  };
}

/** Starts servers where `--server` is given; otherwise they must be running. */
function serverOf(
  plan: MeasurePlan,
  flags: MeasureFlags,
  output: Output,
): { readonly serve?: (model: string) => Promise<AsyncDisposable> } {
  const { server: program, weights: folder } = flags;
  if (program === undefined && folder === undefined) return {};
  if (program === undefined || folder === undefined) {
    throw new RangeError("Cannot start servers as both --server and --weights must be given");
  }
  const serve = async (model: string): Promise<AsyncDisposable> => {
    const { weights: { file, sha256 }, server: { flags: serverFlags } } = plan.models[model]!;
    const { settings } = await modelOpener(plan, flags)(model);
    return await startLlamaServer({
      ...{ program, sha256, weights: join(folder, file), flags: serverFlags },
      model: String(settings["model"]),
      baseUrl: String(settings["baseUrl"]),
      note: output.note,
    });
  };
  return { serve };
}

/** Prints what is asked, by model, benchmark and length, and what is left of it. */
async function printWork(work: readonly MeasureWork[], flags: MeasureFlags, output: Output): Promise<void> {
  const cells = Map.groupBy(
    work.flatMap((step) => step.plan.cells.map(({ length }) => ({ step, length }))),
    ({ step, length }) => JSON.stringify([measuredRunName(step), length]),
  );
  await output.write(line("run", "length", "samples", "left", "tokens left"));
  const rows = [...cells.values()].map(([first, ...more]) => {
    const { step, length } = first!;
    const steps = [...new Set([first!, ...more].map((cell) => cell.step))];
    const left = steps.flatMap((each) => each.left).filter((sample) => sample.length === length);
    const asked = steps.flatMap((each) => each.records).filter((record) => record.length === length).length;
    return { name: measuredRunName(step), length, asked, left };
  });
  for (const { name, length, asked, left } of rows.toSorted((one, other) => compareNames(one, other))) {
    const tokens = tokensOf(left).toLocaleString("en");
    await output.write(line(name, lengthText(length), `${asked + left.length}`, `${left.length}`, tokens));
  }
  const left = work.flatMap((step) => step.left);
  const leftMs = estimateMeasureTime(work, await knownReplies(work, flags));
  output.note(
    `${left.length} ${plural(left.length, "question")} left to ask, at most ${tokensText(tokensOf(left))}: ${
      leftMs === null
        ? "no earlier reply tells how long that takes"
        : `about ${timeText(leftMs)} at the pace of earlier replies`
    }`,
  );
}

function compareNames(
  one: { readonly name: string; readonly length: number },
  other: { readonly name: string; readonly length: number },
): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : one.length - other.length;
}

/** The replies that tell how fast each model is: of the runs that are being made, or else of the packed ones. */
async function knownReplies(
  work: readonly MeasureWork[],
  flags: MeasureFlags,
): Promise<ReadonlyMap<string, readonly RunRecord[]>> {
  const known = new Map<string, readonly RunRecord[]>();
  for (const { model, records } of work) known.set(model, [...known.get(model) ?? [], ...records]);
  for (const name of (await listMeasured(measuredOf(flags))).filter(({ model }) => known.get(model)?.length === 0)) {
    known.set(name.model, (await readRun(measuredRunName(name), measuredOf(flags))).records);
  }
  return known;
}

/** The folder of measured runs: that of the plan. */
function measuredOf({ plan }: MeasureFlags): { readonly measured: string } {
  return { measured: dirname(plan) };
}

function line(name: string, ...cells: readonly string[]): string {
  return `${name.padEnd(44)}${cells.map((cell) => cell.padStart(12)).join("")}\n`;
}

/** Packs the runs that there are, by `--run` or by their names. */
async function pack(plan: MeasurePlan, flags: MeasureFlags, output: Output): Promise<void> {
  const recorded = new Set(await listRuns(placeOf(flags)));
  const kept = new Set(flags.more ? (await listMeasured(measuredOf(flags))).map(measuredRunName) : []);
  const names = namesIn(plan).filter(wanted(flags));
  const strange = Object.keys(flags.run ?? {}).find((name) => !names.some((known) => nameText(known) === name));
  if (strange !== undefined) {
    throw new RangeError(
      `Cannot pack a run as its measured name must be one of ${
        names.map(nameText).join(", ")
      }: current value is "${strange}"`,
    );
  }
  const machine = describeMachine(flags);
  let count = 0;
  for (const name of names) {
    const runs = flags.run === undefined
      ? [runOf(name)].filter((run) => recorded.has(run))
      : flags.run[nameText(name)] ?? [];
    if (runs.length === 0) continue;
    const before = [measuredRunName(name)].filter((packed) => kept.has(packed));
    const { claimedWindow } = await modelOpener(plan, flags)(name.model);
    const packed = await packRuns(name, [...before, ...runs], {
      ...{ ...placeOf(flags), ...measuredOf(flags), measuredWith: { ...plan.models[name.model]!, machine } },
      ...(claimedWindow === undefined ? {} : { claimedWindow }),
    });
    count++;
    await output.write(`${packed.name}: ${packed.records} records, ${Math.ceil(packed.bytes / 1024)} KB\n`);
  }
  if (count > 0) return;
  throw new RangeError(
    `Cannot pack measured runs as there must be one to pack: current value is none called ${
      names.map(runOf).join(", ")
    }`,
  );
}

function nameText({ model, benchmark }: MeasuredName): string {
  return `${model}/${benchmark}`;
}

/** This machine, which is taken to be the one that measured; its processor is told where `--allow-sys=cpus` lets it be read. */
function describeMachine({ accelerator }: MeasureFlags): MeasuredWith["machine"] {
  const about = {
    ...{ processor: "not known", cores: navigator.hardwareConcurrency },
    system: `${Deno.build.os} ${Deno.build.arch}`,
    ...(accelerator === undefined ? {} : { accelerator }),
  };
  try {
    const [first] = cpus();
    return { ...about, processor: first?.model ?? about.processor };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return about;
  }
}

const CHECKED_SAMPLES = 20;

/** Asks a random part of each measured run again. */
async function check(plan: MeasurePlan, flags: MeasureFlags, output: Output): Promise<void> {
  const samples = flags.check === true ? CHECKED_SAMPLES : wholeNumber(1)(String(flags.check));
  const names = (await listMeasured(measuredOf(flags))).filter(wanted(flags));
  const { serve } = serverOf(plan, flags, output);
  const folder = await makeFolder(flags);
  using interrupt = onInterrupt(output);
  const failed: string[] = [];
  try {
    for (const [model, ofModel] of Map.groupBy(names, (name) => name.model)) {
      await using _server = await serve?.(model) ?? { [Symbol.asyncDispose]: () => Promise.resolve() };
      for (const name of ofModel) {
        const progress = shellProgress({ write: output.redraw, isTerminal: Deno.stderr.isTerminal() });
        const checked = await checkMeasured(name, {
          ...{ ...measuredOf(flags), samples, seed: flags.seed, folder },
          model: await modelOpener(plan, flags, output)(model),
          stop: interrupt.stop,
          signal: interrupt.end,
          onProgress: progress.update,
        }).finally(progress.end);
        const { changed, n, same, then, now, difference, agrees } = checked;
        const points = (value: number | null): string => value === null ? "none" : value.toFixed(1);
        await output.write(
          `${checked.name}: ${agrees ? "agrees" : "DOES NOT AGREE"}\n` +
            `  texts    ${
              changed.length === 0 ? "all the same, by hash" : `${changed.length} differ: ${changed.join(", ")}`
            }\n` +
            `  replies  ${same} of ${n} the same, word for word\n` +
            `  scores   ${points(then)} then, ${points(now)} now; difference ${points(difference?.points ?? null)}` +
            ` [${points(difference?.low ?? null)}, ${
              points(difference?.high ?? null)
            }] points, 95% interval, n = ${n}\n`,
        );
        if (!agrees) failed.push(checked.name);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  if (failed.length === 0) return;
  throw new Error(`Measured again, ${failed.join(", ")} must agree with what is packed: texts or scores differ`);
}

/** Makes the certificates, each with a server before and after its change, and packs them. */
async function certify(plan: MeasurePlan, flags: MeasureFlags, output: Output): Promise<void> {
  const { server: program, weights: folder, only, runsFolder = CERTIFICATES_FOLDER } = flags;
  const path = join(dirname(flags.plan), "certificates.yaml");
  const planned = await readCertificatePlan(plan, path);
  const strange = only?.find((name) => !planned.some((each) => each.name === name));
  if (strange !== undefined) {
    throw new RangeError(
      `Cannot make that certificate as --only must be of ${
        planned.map(({ name }) => name).join(", ")
      }: current value is "${strange}"`,
    );
  }
  if (program === undefined || folder === undefined) {
    throw new RangeError("Cannot make certificates as both --server and --weights must be given");
  }
  const start = ({ weights, flags, model, baseUrl }: CertifiedServer): Promise<AsyncDisposable> =>
    startLlamaServer({
      ...{ program, flags, model, baseUrl, weights: join(folder, weights.file), sha256: weights.sha256 },
      note: output.note,
    });
  using interrupt = onInterrupt(output);
  for (const certificate of planned.filter(({ name }) => only === undefined || only.includes(name))) {
    const { name, group, base, change } = certificate;
    await using _base = await start(base);
    await using _change = await start(change);
    const siblings = planned.filter((each) => each.group === group && each.name !== name).map((each) => each.name);
    const made = await makeCertificate(certificate, {
      ...{ folder: runsFolder, siblings, stop: interrupt.stop, signal: interrupt.end, onNote: output.note },
    });
    if (made === null) throw new Error("Stopped before the end of the certificates: the same command resumes them");
    await packCertificate(certificate, {
      ...{ folder: runsFolder, to: join(dirname(flags.plan), "certificates"), machine: describeMachine(flags) },
    });
    await output.write(`${name}: ${made.headline}\n`);
  }
}

/** A folder for the replies of a check, beside the runs. */
async function makeFolder({ runsFolder = "results/runs" }: MeasureFlags): Promise<string> {
  await Deno.mkdir(runsFolder, { recursive: true });
  return await Deno.makeTempDir({ dir: runsFolder, prefix: ".check-" });
}
