import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { filesBelow, type MadeRun, parseObject, readBytes, TASK_NAME } from "./_foreign.ts";
import { isZip, openZip, packZip, type ZipArchive } from "./zip_file.ts";
import { splitTexts } from "@/lib/generators/mod.ts";
import { type Fields, fieldsOf, isFields } from "@/lib/models/mod.ts";
import {
  answeredSamples,
  compareMark,
  findChanges,
  heldBytes,
  readRecords,
  readRun,
  type ReadRunOptions,
  runFolder,
} from "@/lib/records/mod.ts";
import {
  FATHOM_VERSION,
  FROM_BUNDLE,
  hashBytes,
  hasOwnSamples,
  type ImportedFrom,
  isTokenizerName,
  manifestText,
  MAX_MANIFEST_BYTES,
  OWN_SAMPLES,
  readManifest,
  type RunManifest,
  type Study,
  yamlText,
} from "@/lib/studies/mod.ts";
import { defined } from "@/lib/text/mod.ts";

/** A file in a bundle. */
export interface BundledFile {
  /** Its path in the archive, such as `run/records.jsonl`. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  readonly sha256: string;
}

const LIST = "fathom-bundle.json";

/** The only paths that are read from a bundle and written to disk. */
const PATHS = new RegExp(
  String
    .raw`^(study\.yaml|models\.yaml|run/(manifest\.json|records\.jsonl|${OWN_SAMPLES}/\d{1,9}/data/${TASK_NAME}/validation\.jsonl))$`,
  "u",
);

/**
 * Packs a run into one file that `fathom import` opens: manifest, records (one per sample), the prompts of an imported run, its
 * study as a file to repeat the run with, and the SHA-256 of each. The same run always gives the same bytes.
 *
 * A bundle contains no secrets: records and manifests have no keys, and headers are removed.
 *
 * @throws {RangeError} If there is no such run.
 */
export async function bundleRun(name: string, options: ReadRunOptions = {}): Promise<{
  readonly content: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the file, for its recipient. */
  readonly sha256: string;
  readonly files: readonly BundledFile[];
  /** Files that the recipient needs besides. */
  readonly notes: readonly string[];
}> {
  const { manifest, records } = await readRun(name, options);
  const { samplesFile } = manifest.study;
  const own = hasOwnSamples(manifest) ? await filesBelow(samplesFile!) : [];
  const lines = bytesOf(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const { scored: _, ...read } = manifest;
  const bundled: RunManifest = {
    ...read,
    study: hasOwnSamples(manifest) ? { ...manifest.study, samplesFile: OWN_SAMPLES } : manifest.study,
    samples: answeredSamples(records),
    records: { bytes: lines.length, sha256: hashBytes(lines) },
  };
  const contents: Record<string, Uint8Array> = {
    "run/manifest.json": bytesOf(manifestText(runFolder(name, options), bundled)),
    "run/records.jsonl": lines,
    "study.yaml": bytesOf(await yamlText(studyFields(bundled.study))),
  };
  for (const path of own) {
    contents[`run/${OWN_SAMPLES}/${path.slice(samplesFile!.length + 1)}`] = await readBytes(path);
  }
  const files = Object.entries(contents).map(([path, content]): BundledFile => (
    { path, bytes: content.length, sha256: hashBytes(content) }
  ));
  const list = { bundle: 1, fathom: FATHOM_VERSION, run: manifest.name.replaceAll("/", "-"), files };
  const content = packZip({ [LIST]: bytesOf(jsonText(list)), ...contents });
  return { content, sha256: hashBytes(content), files, notes: missingNotes(manifest) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Lists the user's files that a run's prompts need and a bundle does not contain. */
function missingNotes(manifest: RunManifest): readonly string[] {
  const { study, benchmarks = {} } = manifest;
  const { tokenizer, samplesFile } = study;
  const files = [
    tokenizer !== undefined && isTokenizerName(tokenizer) ? undefined : tokenizer,
    ...ownTexts(study),
    hasOwnSamples(manifest) ? undefined : samplesFile,
    ...Object.values(benchmarks),
  ].filter((file) => file !== undefined);
  return files.length === 0
    ? []
    : [`not in the bundle, but needed to rebuild prompts (not scores): ${files.join(", ")}`];
}

/** Lists the user's own texts that samples of a study are made of. */
export function ownTexts({ essays, squad, hotpotqa, mmlu }: Study): readonly string[] {
  const own = /^essays_(en|zh)$/.test(essays) ? [] : splitTexts(essays);
  return [...own, squad, hotpotqa, mmlu].filter((path) => path !== undefined);
}

/** Returns the fields of a file for `fathom run --study`, with some changed. */
export function studyFields({ tasks, ...rest }: Study, changes: Partial<Study> = {}): Fields {
  const listed = tasks.map(({ task, name, knobs }) =>
    name === undefined && knobs === undefined ? task : { task, ...defined({ name }), ...knobs }
  );
  return { ...rest, tasks: listed, ...changes };
}

/** A bundle whose files match its list. */
export interface OpenedBundle {
  readonly run: string;
  /** Writes the run to a folder, under another name if one is given. */
  unpack(folder: string, name: string): Promise<MadeRun>;
}

/**
 * Opens a bundle and checks the path and size of every file; `undefined` if the bytes are not a bundle. Unpacking checks the hashes.
 *
 * @throws {SyntaxError} If it is broken, or its files are not those of its list.
 */
export function openBundle(bytes: Uint8Array, path: string): OpenedBundle | undefined {
  if (!isZip(bytes)) return undefined;
  const archive = openZip(bytes, path);
  if (!archive.entries.some((entry) => entry.path === LIST)) return undefined;
  const list = parseObject(new TextDecoder().decode(archive.read(LIST)), { path, where: LIST });
  const refuse = (expected: string, value: unknown): SyntaxError =>
    new SyntaxError(
      `Cannot import the bundle "${path}" as ${expected}: current value is ${JSON.stringify(value) ?? "none"}`,
    );
  const files = readList(archive, list, refuse);
  const imported: ImportedFrom = {
    from: FROM_BUNDLE,
    time: new Date().toISOString(),
    files: [{ name: basename(path), bytes: bytes.length, sha256: hashBytes(bytes) }],
    unknown: [],
  };
  return {
    run: typeof list["run"] === "string" ? list["run"] : "",
    async unpack(folder, name): Promise<MadeRun> {
      for (const { path: own, sha256 } of files) {
        const content = archive.read(own);
        const found = hashBytes(content);
        if (found !== sha256) throw refuse(`${own} must have the listed SHA-256, ${sha256}`, found);
        const place = `${folder}/${own.replace(/^run\//, "")}`;
        await mkdir(dirname(place), { recursive: true });
        await writeFile(place, content);
      }
      return await readUnpacked(folder, { name, imported, refuse });
    },
  };
}

type Refuse = (expected: string, value: unknown) => SyntaxError;

/** Reads the list of a bundle, and refuses one with more or fewer files than it lists, or without a run. */
function readList({ entries }: ZipArchive, { bundle, files }: Fields, refuse: Refuse): readonly BundledFile[] {
  if (bundle !== 1) throw refuse('"bundle" of its list must be 1, the version that this Fathom reads', bundle);
  if (!Array.isArray(files)) throw refuse('"files" of its list must be a list', files);
  const held = new Map(entries.map(({ path, bytes }) => [path, bytes]));
  const listed = files.map((file): BundledFile => {
    const { path, bytes, sha256 } = fieldsOf(file);
    if (typeof path !== "string" || !PATHS.test(path)) {
      throw refuse("each of its files must have a path of a bundle, such as run/manifest.json", path);
    }
    if (typeof bytes !== "number" || typeof sha256 !== "string") {
      throw refuse(`"${path}" must have "bytes" and "sha256"`, file);
    }
    if (!held.has(path)) throw refuse(`it must hold ${path}`, "none");
    if (held.get(path) !== bytes) throw refuse(`${path} must have the ${bytes} bytes listed`, held.get(path));
    return { path, bytes, sha256 };
  });
  const sizes = new Map(listed.map(({ path, bytes }) => [path, bytes]));
  const unlisted = entries.find(({ path }) => path !== LIST && !sizes.has(path));
  if (unlisted !== undefined) throw refuse("each of its files must be listed in it", unlisted.path);
  const missing = ["run/manifest.json", "run/records.jsonl"].find((path) => !sizes.has(path));
  if (missing !== undefined) throw refuse(`it must hold ${missing}`, "none");
  if (sizes.get("run/manifest.json")! <= MAX_MANIFEST_BYTES) return listed;
  throw refuse(`its manifest must have at most ${MAX_MANIFEST_BYTES} bytes`, sizes.get("run/manifest.json"));
}

/** Reads the unpacked run and checks its records against its manifest, which gets the run's new name. */
async function readUnpacked(
  folder: string,
  { name, imported, refuse }: {
    readonly name: string;
    readonly imported: ImportedFrom;
    readonly refuse: Refuse;
  },
): Promise<MadeRun> {
  const file = `${folder}/manifest.json`;
  const given = parseObject(await readFile(file, "utf8"), { path: file });
  const lines = await readFile(`${folder}/records.jsonl`);
  const isImported = isFields(given["imported"]) && given["imported"]["from"] !== FROM_BUNDLE;
  await writeFile(file, jsonText({ ...given, name, ...(isImported ? {} : { imported }) }));
  const manifest = (await readManifest(folder))!;
  if (manifest.records === undefined) throw refuse('its manifest must have the hash of its "records"', "none");
  const records = await Array.fromAsync(readRecords(heldBytes(lines), { path: "run/records.jsonl" }));
  const state = await compareMark(heldBytes(lines), manifest.records);
  const changes = findChanges(manifest, { records, states: [{ state }] });
  if (changes.length > 0) throw refuse("it must be the run that was recorded", changes.join("; "));
  if (state !== "same") throw refuse("its records must match the hash in its manifest", state);
  return { manifest, records, notes: missingNotes(manifest) };
}
