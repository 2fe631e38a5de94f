import { basename } from "node:path";
import {
  type BenchmarkOptions,
  canScore,
  checkRunName,
  describeRun,
  FATHOM_VERSION,
  hashBytes,
  type OpenStudy,
  openStudy,
  OWN_SAMPLES,
  plainName,
  type RunManifest,
  RUNS_FOLDER,
  studyOfSamples,
  UNKNOWN_PROMPT,
  writeManifest,
} from "@/lib/studies/mod.ts";
import { filesBelow, type ForeignReply, type ForeignRun, isFields, readBytes, refuse, TASK_NAME } from "./_imported.ts";
import { openBundle } from "./bundle.ts";
import { type BatchOptions, readBatchRun } from "./import_batch.ts";
import { readInspectRun } from "./import_inspect.ts";
import { isHarnessFile, readHarnessRun } from "./import_lm_eval.ts";
import { isOpencompassFile, readOpencompassRun, readRulerRun, rulerFiles } from "./import_predictions.ts";
import {
  answeredSamples,
  heldBytes,
  markRecords,
  readLines,
  type RunFolderOptions,
  runOrigin,
  scoreRecords,
} from "@/lib/records/mod.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { PLAIN_TEMPLATE, userText } from "@/lib/generators/mod.ts";
import { isSimulatedName, replyOrigin, type RunRecord } from "@/lib/models/mod.ts";
import { plural, quoteText } from "@/lib/text/mod.ts";

/** Options for {@linkcode importRun}. */
export interface ImportRunOptions extends RunFolderOptions, BenchmarkOptions {
  /** What the run is to be called; the model's name by default, and that of a bundle its own. */
  readonly name?: string | undefined;
  /** The model's name, where the files do not say it. */
  readonly model?: string | undefined;
  /** The task that all replies are of, where the files do not say it. */
  readonly task?: string | undefined;
  /** The length that the samples were made for, in tokens, where the files do not say it. */
  readonly length?: number | undefined;
  /** The file or folder of the samples that a batch of OpenAI's asked. */
  readonly samplesFile?: string | undefined;
}

/** A run that was imported. */
export interface ImportedRun {
  /** Its name. */
  readonly name: string;
  /** Its folder. */
  readonly path: string;
  readonly manifest: RunManifest;
  /** How many records it has: replies and failed calls. */
  readonly records: number;
  /** How many of them are failed calls. */
  readonly failed: number;
  /** What the user should know: what was passed over, what is not known, and how the scores agree. */
  readonly notes: readonly string[];
}

/**
 * Makes a run of what another program recorded: the samples of lm-evaluation-harness, the logs of Inspect, the predictions of
 * RULER's code or of OpenCompass; or of a bundle that a colleague made. It is scored, reported, compared and shown as any other;
 * its prompts stand in files beside it.
 *
 * The manifest says where it comes from and what cannot be known. Where the files have a score for each reply, the notes say
 * whether Fathom's is the same.
 *
 * @param path A file, or the folder of one model's files.
 * @throws {RangeError} If there is nothing to import, nothing names the model or a length, or a run of that name exists.
 * @throws {SyntaxError} If a file is broken; the message names the line and what was wanted.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const line = { index: 0, pred: "It is 17.", input: "Some special magic numbers …", outputs: ["17"] };
 * await Deno.mkdir(`${folder}/my-model/synthetic/4096/pred`, { recursive: true });
 * await Deno.writeTextFile(`${folder}/my-model/synthetic/4096/pred/niah_single_1.jsonl`, JSON.stringify(line));
 * const { name, manifest } = await importRun(`${folder}/my-model`, { folder: `${folder}/runs` });
 * deepEqual([name, manifest.imported?.from, manifest.samples.count], ["my-model", "RULER", 1]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function importRun(path: string, options: ImportRunOptions = {}): Promise<ImportedRun> {
  const { folder = RUNS_FOLDER, benchmarks = BENCHMARKS, ...given } = options;
  const bundle = path.endsWith("/") || !await isFile(path) ? undefined : openBundle(await readBytes(path), path);
  if (bundle !== undefined) {
    const name = given.name ?? bundle.run;
    return await makeRun(name, folder, async (place) => {
      const { manifest, records, notes } = await bundle.unpack(place, name);
      return {
        name,
        path: `${folder}/${name}`,
        manifest,
        records: records.length,
        failed: countFailed(records),
        notes,
      };
    });
  }
  const foreign = await openForeign(path, { ...given, benchmarks, canScore: (task) => canScore(task, benchmarks) });
  const name = given.name ?? (plainName(foreign.model).replace(/^[^A-Za-z0-9]+/, "") || "imported");
  return await makeRun(name, folder, async (place) => {
    const { kept, twice } = await writeSamples(foreign, `${place}/${OWN_SAMPLES}`);
    if (kept.length === 0) {
      throw new RangeError(
        `Cannot import "${path}" as it must hold a reply that can be scored: current value is none${
          foreign.notes.map((note) => `; ${note}`).join("")
        }`,
      );
    }
    checkAnswered(path, kept);
    const lengths = [...new Set(kept.map(({ length }) => length))].sort((left, right) => left - right);
    const study = await studyOfSamples(`${place}/${OWN_SAMPLES}`, {
      title: `imported from ${foreign.from}`,
      seed: "not known",
      lengths,
    }, { benchmarks });
    const opened = await openStudy(study, { benchmarks });
    const { records, notes } = makeRecords(kept, { foreign, opened });
    await Deno.writeTextFile(`${place}/records.jsonl`, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    using file = await Deno.open(`${place}/records.jsonl`);
    const described = await describeImport(foreign, { name, opened, records });
    const manifest = { ...described, records: await markRecords(file) };
    await writeManifest(place, manifest);
    const repeats = Math.max(...records.map(({ repeat = 0 }) => repeat)) + 1;
    return {
      name,
      path: `${folder}/${name}`,
      manifest,
      records: records.length,
      failed: countFailed(records),
      notes: [
        ...foreign.notes,
        ...(twice === 0 ? [] : [
          `${twice} ${plural(twice, "reply")} ${
            twice === 1 ? "stands" : "stand"
          } in several files: the later one counts`,
        ]),
        ...(repeats > 1 ? [`each sample was asked up to ${repeats} times`] : []),
        ...notes,
      ],
    };
  });
}

function countFailed(records: readonly Pick<RunRecord, "reply">[]): number {
  return records.filter(({ reply }) => reply.kind === "failure").length;
}

/** Refuses files in which no call was answered, such as the log of an evaluation that ended in an error. */
function checkAnswered(path: string, kept: readonly KeptReply[]): void {
  if (countFailed(kept) < kept.length) return;
  const [{ reply }] = kept as readonly [KeptReply];
  const why = reply.kind === "failure" ? ` (${quoteText(reply.message, 200)})` : "";
  throw new RangeError(
    `Cannot import "${path}" as one of its calls must be answered: current value is ${kept.length} failed ${
      plural(kept.length, "call")
    }${why}`,
  );
}

/**
 * Makes the folder of a run, whole or not at all: `make` writes into a folder beside it, which gets its name when it is complete.
 *
 * @throws {RangeError} If the name cannot be one, or a run has it.
 */
export async function makeRun<Made>(
  name: string,
  folder: string,
  make: (place: string) => Promise<Made>,
): Promise<Made> {
  checkRunName(name);
  const final = `${folder}/${name}`;
  const isTaken = (): Promise<boolean> => Deno.lstat(final).then(() => true, () => false);
  const taken = new RangeError(
    `Cannot import the run as no run must have its name yet, or --name must give it another: current value is "${name}"`,
  );
  if (await isTaken()) throw taken;
  const place = `${folder}/.importing-${crypto.randomUUID()}`;
  await Deno.mkdir(place, { recursive: true });
  try {
    const made = await make(place);
    if (await isTaken()) throw taken;
    await Deno.rename(place, final);
    return made;
  } catch (error) {
    await Deno.remove(place, { recursive: true }).catch(() => {});
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then((there) => there.isFile, () => false);
}

/** Finds out whose files there are, by their names and their first line. */
async function openForeign(path: string, options: BatchOptions): Promise<ForeignRun> {
  const there = await Deno.stat(path).catch(() => undefined);
  if (!there?.isFile && !there?.isDirectory) {
    throw new RangeError(`Cannot import the run as there must be a file or folder of it: current value is "${path}"`);
  }
  if (there.isFile) return await openFile(path, options);
  const files = await filesBelow(path.replace(/\/+$/, ""));
  const samples = files.filter(isHarnessFile);
  if (samples.length > 0) return await readHarnessRun(samples, options);
  const predictions = files.filter((file) => isOpencompassFile(file) && !/\/(results|summary)\//.test(file));
  if (predictions.length > 0) return readOpencompassRun(predictions, options);
  const lines = rulerFiles(files);
  if (lines.length > 0) return readRulerRun(lines, options);
  const logs = files.filter((file) => /\.(eval|json)$/.test(file));
  if (logs.length > 0) return await readInspectRun(logs, options);
  throw new RangeError(
    `Cannot import the run as its folder must hold samples_*.jsonl of lm-evaluation-harness, logs of Inspect, or predictions of RULER's code or OpenCompass: current value is "${path}"`,
  );
}

async function openFile(path: string, options: BatchOptions): Promise<ForeignRun> {
  if (isHarnessFile(path)) return await readHarnessRun([path], options);
  if (isOpencompassFile(path)) return readOpencompassRun([path], options);
  if (!path.endsWith(".jsonl")) return await readInspectRun([path], options);
  const row = await firstRow(path);
  if (Object.hasOwn(row, "filtered_resps")) return await readHarnessRun([path], options);
  if (Object.hasOwn(row, "pred")) return readRulerRun([path], options);
  if (Object.hasOwn(row, "custom_id")) return await readBatchRun(path, options);
  throw refuse(
    { path, where: "line 1" },
    'there must be "filtered_resps", as in lm-evaluation-harness, "pred", as in RULER, or "custom_id", as in OpenAI\'s batches,',
    Object.keys(row).join(", "),
  );
}

async function firstRow(path: string): Promise<object> {
  for await (const { text } of readLines(heldBytes((await readBytes(path)).subarray(0, 1 << 24)))) {
    try {
      const row = JSON.parse(text.replace(/^\uFEFF/, ""));
      if (isFields(row)) return row;
    } catch {
      // Refused below.
    }
    throw refuse({ path, where: "line 1" }, "there must be a whole JSON object", text);
  }
  throw refuse({ path }, "it must hold a line", "");
}

/** A reply whose prompt stands in a file of samples. */
interface KeptReply extends Omit<ForeignReply, "prompt" | "index"> {
  readonly index: number;
}

/** Writes the prompts as files of samples, laid out as RULER's; line i is sample i. */
async function writeSamples(
  foreign: ForeignRun,
  folder: string,
): Promise<{ readonly kept: readonly KeptReply[]; readonly twice: number }> {
  const kept = new Map<string, KeptReply>();
  let count = 0;
  for await (const group of foreign.replies) {
    for (const [place, replies] of Map.groupBy(group, ({ task, length }) => `${length}/data/${checkTaskName(task)}`)) {
      const lines: string[] = [];
      for (const [at, { prompt, ...reply }] of replies.entries()) {
        const index = reply.index ?? at;
        while (lines.length < index) lines.push(sampleLine(null, { references: [] }));
        lines[index] = sampleLine(prompt, reply);
        kept.set(JSON.stringify([place, index, reply.repeat ?? 0]), { ...reply, index });
        count++;
      }
      await Deno.mkdir(`${folder}/${place}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/${place}/validation.jsonl`, `${lines.join("\n")}\n`);
    }
  }
  return { kept: [...kept.values()], twice: count - kept.size };
}

/** A task's name becomes that of a folder. */
function checkTaskName(task: string): string {
  if (new RegExp(`^${TASK_NAME}$`, "u").test(task)) return task;
  throw new RangeError(
    `Cannot import the run as a task's name must be letters, digits, ".", "_", "=", "-" and spaces: current value is ${
      JSON.stringify(task)
    }`,
  );
}

function sampleLine(
  prompt: ForeignReply["prompt"],
  { references, distractors, paths, facts, depth }: Partial<ForeignReply> & Pick<ForeignReply, "references">,
): string {
  return JSON.stringify({
    input: prompt === null ? null : userText(prompt),
    ...(prompt?.answerPrefix === undefined ? {} : { "answer_prefix": prompt.answerPrefix }),
    outputs: references,
    ...{ distractors, paths, facts, depth },
  });
}

/** Makes the records of a run, and holds their scores against those of the files. */
function makeRecords(
  kept: readonly KeptReply[],
  { foreign, opened }: { readonly foreign: ForeignRun; readonly opened: OpenStudy },
): { readonly records: readonly RunRecord[]; readonly notes: readonly string[] } {
  const { materials, benchmarks, study } = opened;
  const tasks = new Map(opened.tasks.map((task) => [task.name, task]));
  const now = new Date().toISOString();
  const records = kept.map((each): RunRecord => {
    const { task: name, length, index, repeat, reply, scoring, time = now } = each;
    const task = tasks.get(name)!;
    const { id, sha256, suite, promptTokens, references, distractors, paths, depth } = task.sample({
      ...{ length, index, seed: study.seed, materials, template: PLAIN_TEMPLATE },
    });
    return {
      sample: id,
      ...{ sha256, suite, task: name, length, index, seed: study.seed },
      ...(repeat === undefined || repeat === 0 ? {} : { repeat }),
      ...{ promptTokens, references },
      ...(distractors === undefined ? {} : { distractors }),
      ...(paths === undefined ? {} : { paths }),
      ...(depth === undefined ? {} : { depth }),
      scoring: scoring ?? task.scorer.name,
      model: foreign.model,
      origin: isSimulatedName([foreign.model])
        ? "simulated"
        : replyOrigin({ origin: each.origin ?? foreign.origin }, reply),
      settings: foreign.settings,
      reply,
      fathom: FATHOM_VERSION,
      time,
    };
  });
  const scores = scoreRecords(records, { benchmarks, scored: "whole" });
  const told = kept.flatMap(({ theirs, task, length, index }, at) =>
    theirs === undefined ? [] : [{ theirs, ours: scores[at]!.value, what: `${task} at ${length}, sample ${index}` }]
  );
  return { records, notes: agreementNotes(told, foreign.from) };
}

const SAME = 1e-9;

function agreementNotes(
  told: readonly { readonly theirs: number; readonly ours: number | null; readonly what: string }[],
  from: string,
): readonly string[] {
  if (told.length === 0) return ["the files have no score of each reply to compare with"];
  const others = told.filter(({ theirs, ours }) => ours === null || Math.abs(theirs - ours) > SAME);
  const [first] = others;
  if (first === undefined) {
    return [`${told.length === 1 ? "its score is that" : `all ${told.length} scores are those`} of ${from}`];
  }
  return [
    `${others.length} of ${told.length} ${
      plural(told.length, "score")
    } differ from those of ${from}, first ${first.what}: ${first.theirs} there, ${first.ours ?? "none"} here`,
  ];
}

async function describeImport(
  foreign: ForeignRun,
  { name, opened, records }: {
    readonly name: string;
    readonly opened: OpenStudy;
    readonly records: readonly RunRecord[];
  },
): Promise<RunManifest> {
  const { model, settings, from, unknown } = foreign;
  const origin = runOrigin("measured", records);
  const header = describeRun(opened, { name: model, origin, settings, template: PLAIN_TEMPLATE });
  const scorings = new Map(records.map(({ task, scoring }) => [task, scoring]));
  const tasks = Object.entries(header.tasks).map(([task, said]) => [task, { ...said, scoring: scorings.get(task)! }]);
  const isUnasked = records.some(({ sha256 }) => sha256 === UNKNOWN_PROMPT);
  const files = await Promise.all(foreign.files.map(async (path) => {
    const bytes = await readBytes(path);
    return { name: basename(path), bytes: bytes.length, sha256: hashBytes(bytes) };
  }));
  return {
    format: 1,
    name,
    fathom: FATHOM_VERSION,
    started: records.map(({ time }) => time).sort()[0]!,
    ...header,
    study: { ...header.study, samplesFile: OWN_SAMPLES },
    tasks: Object.fromEntries(tasks),
    imported: {
      from,
      time: new Date().toISOString(),
      files,
      unknown: [
        ...unknown,
        ...(origin === "unknown" ? ["whether a real model answered"] : []),
        ...(isUnasked ? ["some prompts"] : []),
      ],
    },
    samples: answeredSamples(records),
  };
}
