import { basename, dirname, join } from "node:path";
import { type FilePlace, numberOrNone, pickSettings, refuse, refuseRun, textOrNone } from "./_fields.ts";
import { decodeText, readBytes } from "./_files.ts";
import type { ForeignOptions, ForeignReply, ForeignRun, Importer } from "./_foreign.ts";
import { readReply } from "./_replies.ts";
import { openSampleIds } from "./sample_ids.ts";
import { type Fields, isFile } from "@/lib/base/mod.ts";
import { fieldsOf } from "@/lib/models/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";
import { readYaml } from "@/lib/studies/mod.ts";

/** Reads a run of NVIDIA's kvpress. Its predictions have no contexts: the samples are made again from their ids, and checked. */
export const KVPRESS_IMPORTER: Importer = {
  recognises: (paths) =>
    paths.filter((path) => basename(path) === "predictions.csv" || (paths.length === 1 && path.endsWith(".csv"))),
  read: readKvpressRun,
};

interface Prediction {
  readonly row: Readonly<Record<string, string | undefined>>;
  readonly place: FilePlace;
}

async function readKvpressRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const path = paths[0]!;
  if (paths.length > 1) {
    const shown = `${paths.length} files, such as "${path}"`;
    throw refuseRun("the predictions", "their folder must be of one run of kvpress", shown);
  }
  const configFile = join(dirname(path), "config.yaml");
  const hasConfig = await isFile(configFile);
  const about = { what: "the settings of kvpress", wanted: "they must be a YAML file" };
  const config = fieldsOf(hasConfig ? await readYaml(configFile, about) : {});
  const named = textOrNone(config["model"]);
  const sampleOf = await openSampleIds(options);
  const predictions = readPredictions(decodeText(await readBytes(path), { path }), path);
  const byTask = Map.groupBy(predictions, ({ row }) => row["task"]!);
  const files = hasConfig ? [path, configFile] : [path];
  return {
    from: "kvpress",
    models: named === undefined ? [] : [named],
    variant: pressText(config),
    origin: named === undefined ? "unknown" : "measured",
    settings: pickSettings(config, SETTINGS),
    unknown: hasConfig ? [] : ["the press and its settings, as config.yaml is not beside the predictions"],
    parts: Array.from(byTask, ([task, own]) => ({ files, task, replies: () => readTask(own, sampleOf) })),
  };
}

/** The settings of kvpress that affect replies, and their names in records. */
const SETTINGS = [
  "press_name press",
  "press_init_command pressCommand",
  "max_new_tokens maxTokens",
  ..."compression_ratio head_compression_ratio key_channel_compression_ratio threshold query_aware".split(" "),
  ..."compression_interval target_size hidden_states_buffer_size fp8 max_context_length".split(" "),
];

/** Returns the press and its ratio for the model's name, such as ` + knorm 0.5`; none for the full cache. */
function pressText(config: Fields): string {
  const press = textOrNone(config["press_name"]);
  if (press === undefined || press === "no_press") return "";
  const ratios = ["threshold", "head_compression_ratio", "compression_ratio"].map((name) => numberOrNone(config[name]));
  return [" +", press, ...ratios.filter((ratio) => ratio !== undefined).slice(0, 1)].join(" ");
}

function readPredictions(text: string, path: string): Prediction[] {
  const [header, ...records] = readCsv(text, `"${path}"`);
  return records.map(({ line, fields }) => ({
    row: Object.fromEntries(header!.fields.map((name, at) => [name, fields[at]!])),
    place: { path, where: `line ${line}` },
  }));
}

/** Makes the samples of predictions again from their ids, and checks them by their hashes. */
async function* readTask(
  predictions: readonly Prediction[],
  sampleOf: Awaited<ReturnType<typeof openSampleIds>>,
): AsyncGenerator<ForeignReply> {
  for (const { row, place } of predictions) {
    const { sample: id, sha256, predicted_answer: text } = row;
    if (id === undefined || sha256 === undefined) {
      const wanted = '"sample" and "sha256" must be those of a row of fathom generate --format kvpress';
      throw refuse(place, wanted, Object.keys(row).join(", "));
    }
    const { sample } = await sampleOf(id).catch(({ message }: Error) => {
      throw refuse(place, `"sample" must be an id of Fathom (${message}),`, id);
    });
    if (sample.sha256 !== sha256) {
      const wanted = `"sha256" must be that of the sample made again, ${sample.sha256}`;
      throw refuse(place, `${wanted}, by the same texts, tokenizer and version of Fathom`, sha256);
    }
    yield { ...sample, task: row["task"]!, reply: readReply({ text, field: "predicted_answer" }, place) };
  }
}
