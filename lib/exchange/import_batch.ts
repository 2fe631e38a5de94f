import {
  type Fields,
  type FilePlace,
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  isFields,
  oneModel,
  readJsonLines,
  refuse,
} from "./_imported.ts";
import { type BenchmarkOptions, type OpenStudy, openStudy, studyOfSamples } from "@/lib/studies/mod.ts";
import { PLAIN_TEMPLATE, type Sample } from "@/lib/generators/mod.ts";
import { isSimulatedName, readBatchReply } from "@/lib/models/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Options for {@linkcode readBatchRun}. */
export interface BatchOptions extends ForeignOptions, BenchmarkOptions {
  /** The file or folder of the samples that were asked, which the output of a batch does not hold. */
  readonly samplesFile?: string | undefined;
}

/** A line of the output: how many there can be is up to whoever made the batch, so it is read when its turn comes. */
interface BatchLine {
  readonly place: FilePlace;
  readonly row: Fields;
}

/**
 * Reads the output of one of OpenAI's batches, or of vLLM's `run_batch`, whose lines `fathom generate --format openai` wrote: their `custom_id` says task, length
 * and number of the sample, and the rest of it is in the samples that are named.
 */
export async function readBatchRun(path: string, options: BatchOptions): Promise<ForeignRun> {
  const { samplesFile, benchmarks } = options;
  if (samplesFile === undefined) {
    throw new RangeError(
      `Cannot import "${path}" as --samples-file must name the samples that were asked, as a batch's output does not hold them: current value is none`,
    );
  }
  const lines = await Array.fromAsync(readJsonLines(path));
  const opened = await openStudy(await studyOfSamples(samplesFile, {}, { benchmarks }), { benchmarks });
  const read = lines.map((line) => readLine(line, opened));
  const replies = read.filter((reply) => reply !== undefined);
  const untried = read.length - replies.length;
  const models = lines.flatMap(({ row }) => {
    const { model } = bodyOf(row);
    return typeof model === "string" ? [model] : [];
  });
  return {
    from: lines.every(({ row }) => String(row["id"]).startsWith("vllm-")) ? "vLLM's run_batch" : "a batch of OpenAI's",
    model: oneModel(models, { path, ...options }),
    origin: isSimulatedName(models) ? "simulated" : models.length === 0 ? "unknown" : "measured",
    settings: {},
    files: [path],
    unknown: ["how the model was asked", "how long replies took"],
    notes: untried === 0 ? [] : [`${untried} ${plural(untried, "request")} were not tried before their batch ended`],
    replies: (async function* (): AsyncGenerator<readonly ForeignReply[]> {
      await Promise.resolve();
      yield replies;
    })(),
  };
}

function bodyOf({ response }: Fields): Fields {
  const { body }: Fields = isFields(response) ? response : {};
  return isFields(body) ? body : {};
}

function readLine({ place, row }: BatchLine, { tasks, materials, study }: OpenStudy): ForeignReply | undefined {
  const id = row["custom_id"];
  const [, name, length, index, repeat] = typeof id === "string"
    ? /^(.+?)\/(\d+)\/(\d+)(?:\/(\d+))?$/.exec(id) ?? []
    : [];
  const task = tasks.find((each) => each.name === name && study.lengths.includes(Number(length)));
  if (task === undefined) {
    throw refuse(place, '"custom_id" must be TASK/LENGTH/NUMBER of one of the samples', id);
  }
  const reply = readBatchReply(row);
  if (reply === undefined) return undefined;
  const request = { length: Number(length), index: Number(index), seed: study.seed };
  const sample: Sample = task.sample({ ...request, materials, template: PLAIN_TEMPLATE });
  const { prompt: { messages, answerPrefix }, references, distractors, paths, facts, depth } = sample;
  return {
    ...{ task: task.name, length: sample.length, index: sample.index, references, facts },
    ...(distractors === undefined ? {} : { distractors }),
    ...(paths === undefined ? {} : { paths }),
    ...(depth === undefined ? {} : { depth }),
    prompt: { messages, ...(answerPrefix === undefined ? {} : { answerPrefix }) },
    ...(repeat === undefined ? {} : { repeat: Number(repeat) }),
    reply,
    ...(typeof bodyOf(row)["created"] === "number"
      ? { time: new Date(1000 * (bodyOf(row)["created"] as number)).toISOString() }
      : {}),
  };
}
