import { open, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { refuse } from "./_fields.ts";
import { filesBelow, readJsonLines } from "./_files.ts";
import type { ForeignOptions, ForeignPart, ForeignRun, Importer } from "./_foreign.ts";
import { HARNESS_IMPORTER, isHarnessFile } from "./import_harness.ts";
import { INSPECT_IMPORTER } from "./import_inspect.ts";
import { KVPRESS_IMPORTER } from "./import_kvpress.ts";
import { isPrediction, OPENCOMPASS_IMPORTER, RULER_IMPORTER } from "./import_predictions.ts";
import { type Fields, isFields, isSimulatedName, parseJson } from "@/lib/models/mod.ts";

/** The programs whose files can be imported; the first that recognises them reads them. */
const IMPORTERS: readonly Importer[] = [
  HARNESS_IMPORTER,
  OPENCOMPASS_IMPORTER,
  RULER_IMPORTER,
  KVPRESS_IMPORTER,
  INSPECT_IMPORTER,
];

/** A run of another program whose parts can be scored. */
export type OpenedRun = Required<Omit<ForeignRun, "models" | "variant">> & { readonly model: string };

/** Reads a run by the first importer that recognises its files; parts without a scorer are left out, with a note. */
export async function openForeign(path: string, options: ForeignOptions): Promise<OpenedRun> {
  const there = await stat(path).catch(() => undefined);
  if (!there?.isFile() && !there?.isDirectory()) {
    throw new RangeError(`Cannot import the run as its path must be a file or folder: current value is "${path}"`);
  }
  const paths = there.isDirectory() ? await filesBelow(path.replace(/\/+$/, "")) : [path];
  const look = there.isDirectory() ? undefined : { ".jsonl": firstRow, ".json": headFields }[extname(path)];
  const fields = await look?.(path);
  const importer = IMPORTERS.find(({ recognises }) => recognises(paths, fields).length > 0);
  if (importer === undefined) {
    throw new RangeError(
      `Cannot import the run as it must be or hold samples_*.jsonl of lm-evaluation-harness, logs of Inspect, or predictions of RULER's code, OpenCompass or kvpress: current value is "${path}"`,
    );
  }
  const run = await importer.read(importer.recognises(paths, fields), options);
  const { models, variant = "", parts, origin = "unknown", settings = {}, unknown = [], notes = [], scored } = run;
  const isKnown = ({ task }: ForeignPart): boolean => task === undefined || options.canScore(task);
  const skipped = parts.filter((part) => !isKnown(part)).map(({ files, task }) =>
    `${files.map((file) => basename(file)).join(", ")}: skipped, as no task with a scorer is called ${task}`
  );
  return {
    from: run.from,
    model: oneModel(models, path, options.model) + variant,
    origin: isSimulatedName(models) ? "simulated" : origin,
    settings,
    unknown,
    notes: [...skipped, ...notes],
    scored,
    parts: parts.filter(isKnown),
  };
}

/** Returns the user's name for the model, or the one model that the files name. */
function oneModel(found: readonly string[], path: string, model: string | undefined): string {
  const names = [...new Set(model === undefined ? found : [model])];
  if (names.length === 1) return names[0]!;
  const shown = names.join(", ") || "none";
  throw new RangeError(
    `Cannot import "${path}" as its files must be of one model, or --model must name it: current value is ${shown}`,
  );
}

async function firstRow(path: string): Promise<Fields> {
  for await (const { row, place } of readJsonLines(path)) {
    if (isHarnessFile(path) || isPrediction(row) || "filtered_resps" in row) return row;
    throw refuse(
      place,
      'there must be "filtered_resps", as in lm-evaluation-harness, "pred", as in RULER, or "generation", as in NeMo-Skills,',
      Object.keys(row).join(", "),
    );
  }
  throw refuse({ path }, "it must hold a line", "");
}

/** Characters at the beginning of a .json file that show its form. */
const HEAD = 1 << 16;

/** Returns what the beginning of a .json file shows: the numbers of OpenCompass's predictions, or the fields of its first line. */
async function headFields(path: string): Promise<Fields | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD), 0, HEAD, 0);
  const head = new TextDecoder().decode(buffer.subarray(0, bytesRead));
  const [, number] = /^\s*\{\s*"(\d+)"\s*:\s*\{/.exec(head) ?? [];
  if (number !== undefined) return { [number]: {} };
  const first = parseJson(head.split("\n", 1)[0]!);
  return isFields(first) && isPrediction(first) ? first : undefined;
}
