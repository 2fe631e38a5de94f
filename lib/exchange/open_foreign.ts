import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { refuseRun } from "./_fields.ts";
import { filesBelow, firstRow } from "./_files.ts";
import type { ForeignOptions, ForeignPart, ForeignRun, Importer } from "./_foreign.ts";
import { HARNESS_IMPORTER } from "./import_harness.ts";
import { INSPECT_IMPORTER } from "./import_inspect.ts";
import { KVPRESS_IMPORTER } from "./import_kvpress.ts";
import { OPENCOMPASS_IMPORTER, RULER_IMPORTER } from "./import_predictions.ts";
import { type Fields, openRegular, shownJson } from "@/lib/base/mod.ts";
import { fieldsOf, isSimulatedName, parseJson } from "@/lib/models/mod.ts";
import { namesakeFamily } from "@/lib/benchmarks/mod.ts";

/** The programs whose files can be imported; the first that recognises them reads them. */
const IMPORTERS: readonly Importer[] = [
  HARNESS_IMPORTER,
  OPENCOMPASS_IMPORTER,
  RULER_IMPORTER,
  KVPRESS_IMPORTER,
  INSPECT_IMPORTER,
];

export type OpenedRun = Required<Omit<ForeignRun, "models" | "variant">> & { readonly model: string };

/** Reads a run by the first importer that recognises its files; parts without a scorer are left out, with a note. */
export async function openForeign(path: string, options: ForeignOptions): Promise<OpenedRun> {
  const there = await stat(path).catch(() => undefined);
  if (!there?.isFile() && !there?.isDirectory()) {
    throw refuseRun("the run", "its path must be a file or folder", `"${path}"`);
  }
  const paths = there.isDirectory() ? await filesBelow(path) : [path];
  const fields = there.isDirectory() ? undefined : await firstFields(path);
  const importer = IMPORTERS.find(({ recognises }) => recognises(paths, fields).length > 0);
  if (importer === undefined) {
    const shown = fields === undefined ? "" : ` with ${shownJson(Object.keys(fields).join(", "))}`;
    throw refuseRun(
      "the run",
      "it must be or hold samples_*.jsonl of lm-evaluation-harness, logs of Inspect, or predictions of RULER's code, OpenCompass, NeMo-Skills or kvpress",
      `"${path}"${shown}`,
    );
  }
  const run = await importer.read(importer.recognises(paths, fields), options);
  const { models, variant = "", parts, origin = "unknown", settings = {}, unknown = [], notes = [], scored } = run;
  const isKnown = ({ task }: ForeignPart): boolean =>
    task === undefined || namesakeFamily(task, options.benchmarks) !== undefined;
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

function oneModel(found: readonly string[], path: string, model: string | undefined): string {
  const names = [...new Set(model === undefined ? found : [model])];
  if (names.length === 1) return names[0]!;
  const shown = names.join(", ") || "none";
  throw refuseRun(`"${path}"`, "its files must be of one model, or --model must name it", shown);
}

/** Characters at the beginning of a .json file that show its form. */
const HEAD = 1 << 16;

/** Returns the fields of a file's first line, or the first number of OpenCompass's predictions. */
async function firstFields(path: string): Promise<Fields | undefined> {
  if (path.endsWith(".jsonl")) return await firstRow(path);
  if (!path.endsWith(".json")) return undefined;
  await using file = await openRegular(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD), 0, HEAD, 0);
  const head = new TextDecoder().decode(buffer.subarray(0, bytesRead));
  const [, number] = /^\s*\{\s*"(\d+)"\s*:\s*\{/.exec(head) ?? [];
  return number === undefined ? fieldsOf(parseJson(head.split("\n", 1)[0]!)) : { [number]: {} };
}
