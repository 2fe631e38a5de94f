import { basename, dirname } from "node:path";
import { type Fields, readLengthText } from "@/lib/base/mod.ts";
import { type FilePlace, numberOrNone, readIndex, readLength, readTexts, refuse, textOrNone } from "./_fields.ts";
import { firstRow, readJsonLines, readObject } from "./_files.ts";
import { type ForeignOptions, type ForeignReply, type ForeignRun, type Importer, plainTask } from "./_foreign.ts";
import { foreignPrompt, readReply } from "./_replies.ts";
import { namesakeFamily } from "@/lib/benchmarks/mod.ts";
import { groupPredictionFiles, type PredictionFiles, readRulerLine } from "@/lib/benchmarks/ruler/ruler_files.ts";
import { type Message, type Prompt, type Role, userPrompt } from "@/lib/generators/mod.ts";
import { fieldsOf, isReplyOrigin, listOf, readUsage, type Reply } from "@/lib/models/mod.ts";

/** Names of fields in files of predictions; the first that a row has counts. */
const FIELDS = {
  /** RULER, KVCache-Factory, LongBench; NeMo-Skills; OpenCompass, InfiniteBench. */
  reply: ["pred", "generation", "prediction", "predicted_answer", "response", "model_output"],
  /** RULER has `outputs` or `output`; KVCache-Factory, LongBench; NeMo-Skills; OpenCompass; InfiniteBench. */
  references: "outputs answers expected_answer gold ground_truth references answer targets target".split(" "),
  prompt: ["input", "problem", "prompt", "question"],
} as const;

function nameIn(row: Fields, names: readonly string[]): string | undefined {
  return names.find((name) => row[name] !== undefined);
}

function isPrediction(row: Fields): boolean {
  return "pred" in row || nameIn(row, FIELDS.reply) !== undefined && nameIn(row, FIELDS.references) !== undefined;
}

/**
 * Reads the predictions of RULER's code, `{model}/synthetic/{length}/pred/{task}.jsonl`, and lines of other programs with
 * {@linkcode FIELDS}, such as NeMo-Skills' `{task}/output-rs0.jsonl`.
 */
export const RULER_IMPORTER: Importer = {
  recognises(paths, fields): readonly string[] {
    if (fields !== undefined) return isPrediction(fields) ? paths : [];
    const lines = paths.filter((path) => path.endsWith(".jsonl") && !path.includes("/data/"));
    const predictions = lines.filter((path) => basename(dirname(path)) === "pred");
    return predictions.length > 0 ? predictions : lines;
  },
  async read(paths, options): Promise<ForeignRun> {
    const cells = groupPredictionFiles(paths);
    const isNemo = paths.every((path) => OUTPUT.test(basename(path, ".jsonl")));
    return {
      from: isNemo ? "NeMo-Skills" : "RULER",
      models: cells.flatMap(({ folder }) => /([^/]+)\/synthetic\/\d+\/pred$/.exec(folder)?.[1] ?? []),
      parts: await Promise.all(cells.map(async (cell) => {
        const task = options.task ?? plainTask(cell.task.replace(OUTPUT, basename(cell.folder).split(".").at(-1)!));
        const first = taskOf(await firstRow(cell.paths[0]!), options) ?? task;
        return { task: first, files: cell.paths, replies: () => readCell({ ...cell, task }, options) };
      })),
    };
  },
};

const OUTPUT = /^output(?:-rs(\d+))?$/;

/** Returns the task that a line names, as `fathom generate` writes it, if it can be scored. */
function taskOf({ task }: Fields, options: ForeignOptions): string | undefined {
  if (
    options.task === undefined && typeof task === "string" && namesakeFamily(task, options.benchmarks)
  ) return task;
}

async function* readCell(cell: PredictionFiles, options: ForeignOptions): AsyncGenerator<ForeignReply> {
  const { task, folder, paths } = cell;
  const inPath = Number(/\/(\d+)(?:\/pred)?$/.exec(folder)?.[1]);
  for (const path of paths) {
    const [, inName = "0"] = OUTPUT.exec(basename(path, ".jsonl")) ?? [];
    for await (const { place, row } of readJsonLines(path)) {
      const { id, repeat = Number(inName), origin } = fieldsOf(row["others"]);
      const input = nameIn(row, FIELDS.prompt);
      const prompt = input === undefined ? "" : readTexts(row[input], input, place).join("\n");
      const correct = row["is_correct"];
      yield {
        task: taskOf(row, options) ?? task,
        length: readLength([inPath, options.length], place),
        index: readIndex(row["index"], place) ?? readIndex(id, place),
        repeat: readIndex(repeat, place),
        prompt: prompt === "" ? null : userPrompt(prompt),
        reply: readPrediction(row, place),
        ...readReferences(row, place),
        origin: isReplyOrigin(origin) ? origin : undefined,
        theirs: typeof correct === "boolean" ? Number(correct) : numberOrNone(correct),
      };
    }
  }
}

function readPrediction(row: Fields, place: FilePlace): Reply {
  const field = nameIn(row, FIELDS.reply) ?? "pred";
  return readReply({
    text: row[field],
    field,
    reason: row["finish_reason"],
    error: row["error"],
    thinking: textOrNone(row["reasoning_content"]),
    counts: readUsage({ "input_tokens": row["num_input_tokens"], "output_tokens": row["num_generated_tokens"] }),
    seconds: row["generation_time"],
  }, place);
}

/** RULER's code names what it lacks; lists of others can be one text. */
function readReferences(row: Fields, place: FilePlace): Pick<ForeignReply, "references" | "distractors"> {
  const named = nameIn(row, FIELDS.references);
  if (named !== undefined && named !== "outputs") return { references: readTexts(row[named], named, place) };
  const { references, distractors } = readRulerLine(row, (expected, value) => refuse(place, expected, value));
  return { references, distractors };
}

/** Name of an OpenCompass file of the needle test, or of one of its parts: prefix, length, depth, suffix. */
const NEEDLES = /^(.*?)_?Length(\d+)Depth(\d+(?:\.\d+)?)(?:_(.*?))??(?:_\d+)?\.json$/;

/** Name of an OpenCompass file of RULER, or of one of its parts: task, length, its unit. */
const RULER = /^ruler_(.+?)_(\d+[km]?)(?:_\d+)?\.json$/i;

/** A file of one length; the task of the needle test depends on the number of needles. */
interface DatasetFile extends Pick<ForeignReply, "length" | "depth"> {
  readonly path: string;
  readonly task: (references: readonly string[]) => string;
}

/**
 * Reads OpenCompass's predictions, `predictions/{model}/CDME_Length{length}Depth{depth}.json` or `ruler_{task}_{length}k.json`. A gold of
 * the form `answer*keyword` belongs to a sample with several needles.
 */
export const OPENCOMPASS_IMPORTER: Importer = {
  recognises(paths, fields): readonly string[] {
    const names = Object.keys(fields ?? {});
    if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return paths;
    const isNamed = (path: string): boolean => [NEEDLES, RULER].some((name) => name.test(basename(path)));
    return paths.filter((path) => isNamed(path) && !/\/(results|summary)\//.test(path));
  },
  read(paths, options): ForeignRun {
    const files = paths.map((path) => describeDataset(path, options));
    const ofCell = Map.groupBy(files, ({ length, task }) => `${task([])} ${length}`);
    return {
      from: "OpenCompass",
      models: paths.map((each) => basename(dirname(each))),
      parts: Array.from(ofCell.values(), (cell) => ({
        files: cell.map(({ path }) => path),
        task: cell[0]!.task([]),
        replies: () => readDatasets(cell),
      })),
    };
  },
};

function describeDataset(path: string, { task, length: given }: ForeignOptions): DatasetFile {
  const name = basename(path);
  const [, before = "", tokens, depth, after = ""] = NEEDLES.exec(name) ?? [];
  if (depth !== undefined) {
    const language = /(^|_)en(_|$)/.test(`${before}_${after}`) ? "en" : "zh";
    return {
      path,
      length: Number(tokens),
      depth: Number(depth) / 100,
      task: ({ length }) => task ?? `${length > 1 ? "cdme_multi" : "cdme"}_${language}`,
    };
  }
  const [, own, count] = RULER.exec(name) ?? [];
  const named = task ?? (own && plainTask(own));
  if (named === undefined) throw refuse({ path }, "--task must name the task, as its name does not", name);
  return { path, length: readLength([given, count && readLengthText(count)], { path }), task: () => named };
}

async function* readDatasets(files: readonly DatasetFile[]): AsyncGenerator<ForeignReply> {
  for (const { path, length, depth, task } of files) {
    for (const [number, entry] of Object.entries(await readObject(path))) {
      const place = { path, where: `sample "${number}"` };
      const { prediction, gold, origin_prompt: prompt } = fieldsOf(entry);
      const golds = readTexts(gold, "gold", place);
      const references = depth === undefined ? golds : golds.flatMap((each) => each.split("*"));
      yield {
        length,
        references,
        task: task(references),
        depth,
        prompt: readPrompt(prompt),
        reply: readReply({ text: prediction, field: "prediction" }, place),
      };
    }
  }
}

const ROLES: Readonly<Record<string, Role>> = { SYSTEM: "system", HUMAN: "user", BOT: "assistant" };

/** Reads OpenCompass's prompt, which is a text or a list of messages; several of one role are parts of one. */
function readPrompt(prompt: unknown): Prompt | null {
  const parts = Array.isArray(prompt) ? listOf(prompt) : [{ prompt }];
  const messages = parts.flatMap(({ role, prompt: text }: Fields): Message[] =>
    typeof text === "string" ? [{ role: ROLES[String(role)] ?? "user", text }] : []
  );
  return foreignPrompt(messages, "\n");
}
