import {
  type Fields,
  fieldsOf,
  type FilePlace,
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  oneModel,
  readJsonLines,
  refuse,
} from "./_foreign.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { isSimulatedName, readBatchReply } from "@/lib/models/mod.ts";
import { type BenchmarkOptions, type OpenStudy, openStudy, studyOfSamples } from "@/lib/studies/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Options of the importers. */
export interface ImportOptions extends ForeignOptions, BenchmarkOptions {
  /** File or folder of the samples in a batch, whose output does not contain them. */
  readonly samplesFile?: string | undefined;
}

/**
 * Reads the output of an OpenAI batch, or of vLLM's `run_batch`, for lines of `fathom generate --format openai`. Their `custom_id` is
 * task, length and number of the sample; prompts and references come from the samples.
 */
export async function readBatchRun(path: string, options: ImportOptions): Promise<ForeignRun> {
  const { samplesFile, benchmarks } = options;
  if (samplesFile === undefined) {
    throw new RangeError(
      `Cannot import "${path}" as --samples-file must name the samples of the batch, which its output does not contain: current value is none`,
    );
  }
  const lines = await Array.fromAsync(readJsonLines(path));
  const opened = await openStudy(await studyOfSamples(samplesFile, {}, { benchmarks }), { benchmarks });
  const read = lines.map(({ row, place }) => readLine(row, place, opened));
  const replies = read.filter((reply) => reply !== undefined);
  const expired = read.length - replies.length;
  const models = lines.map(({ row }) => bodyOf(row)["model"]).filter((model) => typeof model === "string");
  return {
    from: lines.every(({ row }) => String(row["id"]).startsWith("vllm-")) ? "vLLM's run_batch" : "a batch of OpenAI's",
    model: oneModel(models, path, options.model),
    origin: isSimulatedName(models) ? "simulated" : models.length === 0 ? "unknown" : "measured",
    settings: {},
    files: [path],
    unknown: ["how the model was asked", "how long replies took"],
    notes: expired === 0 ? [] : [`${expired} ${plural(expired, "request")} expired with the batch before being sent`],
    replies: (async function* (): AsyncGenerator<readonly ForeignReply[]> {
      yield await Promise.resolve(replies);
    })(),
  };
}

function bodyOf({ response }: Fields): Fields {
  return fieldsOf(fieldsOf(response)["body"]);
}

function readLine(
  row: Fields,
  place: FilePlace,
  { tasks, materials, study }: OpenStudy,
): ForeignReply | undefined {
  const id = row["custom_id"];
  const [, name, length, index, repeat] = /^(.+?)\/(\d+)\/(\d+)(?:\/(\d+))?$/.exec(typeof id === "string" ? id : "") ??
    [];
  const task = tasks.find((each) => each.name === name && study.lengths.includes(Number(length)));
  if (task === undefined) throw refuse(place, '"custom_id" must be TASK/LENGTH/NUMBER of one of the samples', id);
  const reply = readBatchReply(row);
  if (reply === undefined) return undefined;
  const request = { length: Number(length), index: Number(index), seed: study.seed };
  const { prompt: { messages, answerPrefix }, references, distractors, paths, facts, depth } = task.sample({
    ...{ ...request, materials, template: PLAIN_TEMPLATE },
  });
  const { created } = bodyOf(row);
  return {
    ...{ task: task.name, length: request.length, index: request.index, references, facts, distractors, paths, depth },
    prompt: { messages, ...(answerPrefix === undefined ? {} : { answerPrefix }) },
    repeat: repeat === undefined ? undefined : Number(repeat),
    reply,
    time: typeof created === "number" ? new Date(1000 * created).toISOString() : undefined,
  };
}
