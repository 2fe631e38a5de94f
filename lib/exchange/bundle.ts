import { createHash } from "node:crypto";
import { basename } from "node:path";
import {
  FATHOM_VERSION,
  FROM_BUNDLE,
  hashBytes,
  hasOwnSamples,
  type ImportedFrom,
  isTokenizerName,
  MOST_MANIFEST_BYTES,
  OWN_SAMPLES,
  readManifest,
  type RunManifest,
  yamlText,
} from "@/lib/studies/mod.ts";
import { type Fields, filesBelow, isFields, parseObject, readBytes, TASK_NAME } from "./_imported.ts";
import {
  answeredSamples,
  compareMark,
  markRecords,
  readRecords,
  readRun,
  type ReadRunOptions,
  recordedOptions,
  recordProblems,
} from "@/lib/records/mod.ts";
import { isZip, openZip, packZip, type ZipArchive } from "./zip_file.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** A run as one file. */
export interface Bundle {
  /** The file: a ZIP archive. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** Its own SHA-256, to be told to whoever gets it. */
  readonly sha256: string;
  /** What it holds. */
  readonly files: readonly BundledFile[];
  /** What whoever opens it must have besides. */
  readonly notes: readonly string[];
}

/** A file in a bundle. */
export interface BundledFile {
  /** Its path there, such as `run/records.jsonl`. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** Its own hash. */
  readonly sha256: string;
}

/** The list of a bundle's files, which is one of them. */
const LIST = "fathom-bundle.json";

/** The paths that a bundle may have, and nothing else: no other is ever written. */
const PATHS = new RegExp(
  String
    .raw`^(study\.yaml|models\.yaml|run/(manifest\.json|records\.jsonl|${OWN_SAMPLES}/\d{1,9}/data/${TASK_NAME}/validation\.jsonl))$`,
  "u",
);

/**
 * Packs a run into one file that a colleague opens with `fathom import`: manifest, records (one a sample), the prompts of an
 * imported run, its study and its model as files to run again with, and the SHA-256 of each. The same run gives the same bytes.
 *
 * Nothing secret is in it: records and manifests have no keys, and headers are left out.
 *
 * @throws {RangeError} If there is no such run.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { files } = await bundleRun("measured/gemma-3-270m/cdme");
 * equal(files.some(({ path }) => path === "run/records.jsonl"), true);
 * ```
 */
export async function bundleRun(name: string, options: ReadRunOptions = {}): Promise<Bundle> {
  const { manifest, records } = await readRun(name, options);
  const { samplesFile } = manifest.study;
  const own = hasOwnSamples(manifest) ? await filesBelow(samplesFile!) : [];
  const prompts = await Promise.all(own.map(async (path) => ({
    path: `run/${OWN_SAMPLES}/${path.slice(samplesFile!.length + 1)}`,
    content: await readBytes(path),
  })));
  const models = modelEntries(manifest);
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const written = [
    ["run/manifest.json", `${JSON.stringify(asBundled(manifest, records, lines), null, 2)}\n`],
    ["run/records.jsonl", lines],
    ["study.yaml", await yamlText(studyFields(manifest))],
    ...(models === undefined ? [] : [["models.yaml", await yamlText(models)]]),
  ].map(([path, text]) => ({ path: path!, content: new TextEncoder().encode(text) }));
  const contents = [...written, ...prompts];
  const files = contents.map(({ path, content }): BundledFile => (
    { path, bytes: content.length, sha256: hashBytes(content) }
  ));
  const list = { bundle: 1, fathom: FATHOM_VERSION, run: manifest.name.replaceAll("/", "-"), files };
  const content = packZip([
    { path: LIST, content: new TextEncoder().encode(`${JSON.stringify(list, null, 2)}\n`) },
    ...contents,
  ]);
  return { content, sha256: hashBytes(content), files, notes: missingNotes(manifest) };
}

/** The manifest as it stands in a bundle: its samples counted anew, its prompts beside it, with the hash of the records there. */
function asBundled(
  { scored: _, ...manifest }: RunManifest,
  records: readonly RunRecord[],
  lines: string,
): RunManifest {
  const bytes = new TextEncoder().encode(lines);
  const study = hasOwnSamples(manifest) ? { ...manifest.study, samplesFile: OWN_SAMPLES } : manifest.study;
  const mark = { bytes: bytes.length, sha256: hashBytes(bytes) };
  return { ...manifest, study, samples: answeredSamples(records), records: mark };
}

/** What a run's prompts are made of that stays with whoever made it. */
function missingNotes(manifest: RunManifest): readonly string[] {
  const { study, benchmarks = {} } = manifest;
  const { tokenizer, essays, squad, hotpotqa, samplesFile } = study;
  const files = [
    ...(tokenizer === undefined || isTokenizerName(tokenizer) ? [] : [tokenizer]),
    ...(/^essays_(en|zh)$/.test(essays) ? [] : [essays]),
    ...(squad === undefined ? [] : [squad]),
    ...(hotpotqa === undefined ? [] : [hotpotqa]),
    ...(samplesFile === undefined || hasOwnSamples(manifest) ? [] : [samplesFile]),
    ...Object.values(benchmarks),
  ];
  return files.length === 0
    ? []
    : [`not in the bundle, and needed to see prompts again: ${files.join(", ")}; scores need none of them`];
}

/** The study as a file for `fathom run --study`. */
function studyFields(manifest: RunManifest): Fields {
  const { tasks, ...rest } = manifest.study;
  const listed = tasks.map(({ task, name, knobs }) =>
    name === undefined && knobs === undefined ? task : {
      task,
      ...(name === undefined ? {} : { name }),
      ...knobs,
    }
  );
  return { ...rest, tasks: listed, ...(hasOwnSamples(manifest) ? { samplesFile: OWN_SAMPLES } : {}) };
}

/** The model as an entry of a file of models, without anything that could hold a key; `undefined` where no server was asked. */
function modelEntries(manifest: RunManifest): Fields | undefined {
  const { model, origin, settings, claimedWindow, abbr } = manifest;
  const { baseUrl } = settings;
  if (typeof baseUrl !== "string" || origin === "simulated" || hasOwnSamples(manifest)) return undefined;
  const options = Object.entries(recordedOptions(settings)).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return {
    [model]: {
      "base_url": baseUrl,
      ...(settings["model"] === model ? {} : { model: settings["model"] }),
      ...(abbr === undefined ? {} : { abbr }),
      ...(claimedWindow === undefined ? {} : { "claimed_window": claimedWindow }),
      ...Object.fromEntries(options),
    },
  };
}

/** A bundle that was opened and is what its list says. */
export interface OpenedBundle {
  /** What the run was called. */
  readonly run: string;
  /** Writes the run into a folder, under another name if one is given; gives its records and its manifest. */
  unpack(place: string, name: string): Promise<UnpackedRun>;
}

/** A run out of a bundle. */
export interface UnpackedRun {
  readonly manifest: RunManifest;
  readonly records: readonly RunRecord[];
  readonly notes: readonly string[];
}

/**
 * Opens a bundle and holds every file of it against its size and SHA-256; `undefined` where the file is none.
 *
 * @throws {SyntaxError} If it is broken, lists what it has not, or has what it does not list or may not hold.
 */
export function openBundle(bytes: Uint8Array, path: string): OpenedBundle | undefined {
  if (!isZip(bytes)) return undefined;
  const archive = openZip(bytes, path);
  if (!archive.entries.some((entry) => entry.path === LIST)) return undefined;
  const list = parseObject(new TextDecoder().decode(archive.read(LIST)), { path, where: LIST });
  const files = readList(list, path);
  checkListed(archive, { files, path });
  const run = list["run"];
  const imported: ImportedFrom = {
    ...{ from: FROM_BUNDLE, time: new Date().toISOString() },
    ...{ files: [{ name: basename(path), bytes: bytes.length, sha256: hashBytes(bytes) }], unknown: [] },
  };
  return {
    run: typeof run === "string" ? run : "",
    async unpack(place, name): Promise<UnpackedRun> {
      for (const file of files) {
        const to = `${place}/${file.path.replace(/^run\//, "")}`;
        await Deno.mkdir(to.slice(0, to.lastIndexOf("/")), { recursive: true });
        await Deno.writeFile(to, ReadableStream.from(checkedContent(archive, { file, path })));
      }
      return await readUnpacked(place, { name, path, imported });
    },
  };
}

function readList({ bundle, files }: Fields, path: string): readonly BundledFile[] {
  if (bundle !== 1) throw refuseBundle(path, `"bundle" of its list must be 1, as this version reads`, bundle);
  if (!Array.isArray(files)) throw refuseBundle(path, '"files" of its list must be a list', files);
  return files.map((file) => {
    const { path: named, bytes, sha256 } = isFields(file) ? file : {};
    if (typeof named !== "string" || !PATHS.test(named)) {
      throw refuseBundle(
        path,
        "each of its files must have a path that a bundle has, such as run/manifest.json",
        named,
      );
    }
    if (typeof bytes !== "number" || typeof sha256 !== "string") {
      throw refuseBundle(path, `"${named}" must have "bytes" and "sha256"`, file);
    }
    return { path: named, bytes, sha256 };
  });
}

/** Refuses a bundle with more or fewer files than it lists, or one without a run. */
function checkListed(
  archive: ZipArchive,
  { files, path }: { readonly files: readonly BundledFile[]; readonly path: string },
): void {
  const listed = new Set(files.map((file) => file.path));
  const strange = archive.entries.find((entry) => entry.path !== LIST && !listed.has(entry.path));
  if (strange !== undefined) throw refuseBundle(path, "each of its files must be listed in it", strange.path);
  const held = new Map(archive.entries.map((entry) => [entry.path, entry.bytes]));
  const missing = ["run/manifest.json", "run/records.jsonl", ...listed].find((each) => !held.has(each));
  if (missing !== undefined) throw refuseBundle(path, `it must hold ${missing}`, "none");
  for (const { path: own, bytes } of files) {
    if (held.get(own) !== bytes) throw refuseBundle(path, `${own} must have the ${bytes} bytes listed`, held.get(own));
    if (own === "run/manifest.json" && bytes > MOST_MANIFEST_BYTES) {
      throw refuseBundle(path, `${own} must have at most ${MOST_MANIFEST_BYTES} bytes`, bytes);
    }
  }
}

/** The content of a file, piece by piece; refused at its end where its hash is another than the one listed. */
async function* checkedContent(
  archive: ZipArchive,
  { file, path }: { readonly file: BundledFile; readonly path: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of archive.stream(file.path)) {
    hash.update(piece);
    yield piece;
  }
  const sha256 = hash.digest("hex");
  if (sha256 !== file.sha256) {
    throw refuseBundle(path, `${file.path} must have the SHA-256 that is listed, ${file.sha256}`, sha256);
  }
}

function refuseBundle(path: string, wanted: string, value: unknown): SyntaxError {
  return new SyntaxError(
    `Cannot import the bundle "${path}" as ${wanted}: current value is ${JSON.stringify(value) ?? "none"}`,
  );
}

async function readUnpacked(
  place: string,
  { name, path, imported }: { readonly name: string; readonly path: string; readonly imported: ImportedFrom },
): Promise<UnpackedRun> {
  const file = `${place}/manifest.json`;
  const said = parseObject(await Deno.readTextFile(file), { path, where: "run/manifest.json" });
  const isOlder = said["records"] === undefined;
  using lines = await Deno.open(`${place}/records.jsonl`);
  const from = isFields(said["imported"]) && said["imported"]["from"] !== FROM_BUNDLE ? {} : { imported };
  const named = { ...said, name, ...from, ...(isOlder ? { records: await markRecords(lines) } : {}) };
  await Deno.writeTextFile(file, `${JSON.stringify(named, null, 2)}\n`);
  const manifest = (await readManifest(place))!;
  await lines.seek(0, Deno.SeekMode.Start);
  const state = await compareMark(lines, manifest.records!);
  const records: RunRecord[] = [];
  using held = await Deno.open(`${place}/records.jsonl`);
  for await (const record of readRecords(held, { path: "run/records.jsonl" })) records.push(record);
  const [problem] = recordProblems(manifest, records);
  if (problem !== undefined) throw refuseBundle(path, problem.wanted, problem.found);
  if (state !== "same") {
    throw refuseBundle(path, "its records must be those whose hash is in its manifest", state);
  }
  return { manifest, records, notes: [...(isOlder ? [OLDER] : []), ...missingNotes(manifest)] };
}

/** What is said of a bundle from before manifests had the hash of their records. */
const OLDER =
  "the bundle is of an older version of Fathom, whose manifests have no hash of the records: they are what the bundle's list says, and their hash is kept from now on";
