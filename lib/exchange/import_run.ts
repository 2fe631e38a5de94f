import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { defined, hashBytes, plainName, plural, quoteText } from "@/lib/base/mod.ts";
import { refuseRun } from "./_fields.ts";
import { readBytes } from "./_files.ts";
import type { ForeignPart, ForeignReply, ImportRunOptions } from "./_foreign.ts";
import { type OpenedRun, openForeign } from "./open_foreign.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { messageFields, PLAIN_TEMPLATE, userText } from "@/lib/generators/mod.ts";
import { isSimulatedName, type ReplyOrigin, replyOrigin, withoutPrompt } from "@/lib/models/mod.ts";
import {
  answeredSamples,
  answerNotes,
  markRecords,
  nominalLengthNotes,
  runOrigin,
  type RunRecord,
  scoreRecords,
} from "@/lib/records/mod.ts";
import {
  checkRunName,
  describeRun,
  FATHOM_VERSION,
  type OpenStudy,
  openStudy,
  OWN_SAMPLES,
  type RunManifest,
  RUNS_FOLDER,
  studyOfSamples,
  UNKNOWN_PROMPT,
  writeManifest,
} from "@/lib/studies/mod.ts";

/** An imported run. */
export interface ImportedRun {
  readonly name: string;
  readonly path: string;
  readonly manifest: RunManifest;
  readonly records: number;
  readonly failed: number;
  readonly notes: readonly string[];
}

/**
 * Imports the files of another program, of which docs/data.md has a list, as a run, which is scored, reported, compared and shown like
 * any other. Its prompts are files in its folder. The manifest records the source and what is unknown.
 *
 * @param path A file, or the folder of one model's files.
 * @throws {RangeError} If there is nothing to import, the model or a length is unknown, or a run of that name exists.
 * @throws {SyntaxError} If a file is malformed; the message names the line and the expected value.
 */
export async function importRun(path: string, options: ImportRunOptions = {}): Promise<ImportedRun> {
  const { folder = RUNS_FOLDER, benchmarks = BENCHMARKS, ...given } = options;
  const foreign = await openForeign(path, { ...given, benchmarks });
  const name = given.name ?? (plainName(foreign.model).replace(/^[^A-Za-z0-9]+/, "") || "imported");
  checkRunName(name);
  const target = `${folder}/${name}`;
  if (await lstat(target).catch(() => undefined) !== undefined) {
    throw refuseRun("the run", "its name must be free; --name gives it another", `"${name}"`);
  }
  // The folder is renamed when it is complete.
  const place = `${folder}/.importing-${crypto.randomUUID()}`;
  try {
    const { kept, replaced } = await writeSamples(foreign.parts, `${place}/${OWN_SAMPLES}`);
    checkAnswered(path, kept, foreign.notes);
    const study = await studyOfSamples(`${place}/${OWN_SAMPLES}`, {
      title: `imported from ${foreign.from}`,
      seed: "not known",
      lengths: [...new Set(kept.map(({ length }) => length))].sort((left, right) => left - right),
    }, { benchmarks });
    const opened = await openStudy(study, { benchmarks });
    const records = makeRecords(kept, foreign, opened);
    const lines = new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    await writeFile(`${place}/records.jsonl`, lines);
    const described = await describeImport(foreign, name, { opened, records });
    const manifest = { ...described, records: await markRecords([lines]) };
    await writeManifest(place, manifest);
    const replies = scoreRecords(records, { benchmarks, scored: foreign.scored ?? "whole" });
    const notes = [
      ...foreign.notes,
      ...recordNotes(records, replaced),
      ...answerNotes(replies),
      ...nominalLengthNotes(records, opened.materials.names.tokenizer),
      agreementNote(foreign.from, kept, replies.map(({ value }) => value)),
    ];
    await rename(place, target);
    const failed = records.filter(({ reply }) => reply.kind === "failure").length;
    return { name, path: target, manifest, records: records.length, failed, notes };
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    // The folder is gone, so an error about a sample must name what was imported.
    if (error instanceof Error) {
      error.message = error.message.replace(OWN_FILE, (_, length, task) => `"${path}", ${task} at ${length} tokens,`);
    }
    throw error;
  }
}

/** A file of samples in the temporary folder. */
const OWN_FILE = /"[^"]*\/\.importing-[^/"]+\/samples\/(\d+)\/data\/([^/"]+)\/[^"]*"/;

/** Refuses files without an answered call, such as the log of an evaluation that ended in an error. */
function checkAnswered(path: string, kept: readonly KeptReply[], notes: readonly string[]): void {
  if (kept.some(({ reply }) => reply.kind === "answer")) return;
  const reply = kept[0]?.reply;
  if (reply?.kind !== "failure") {
    throw refuseRun(`"${path}"`, "it must hold a reply that can be scored", ["none", ...notes].join("; "));
  }
  const failed = `${kept.length} failed ${plural(kept.length, "call")} (${quoteText(reply.message, 200)})`;
  throw refuseRun(`"${path}"`, "one of its calls must be answered", failed);
}

function recordNotes(records: readonly RunRecord[], replaced: number): readonly string[] {
  const thought = records.filter(({ reply }) => reply.kind === "answer" && reply.thinking !== undefined).length;
  const repeats = records.reduce((most, { repeat = 0 }) => Math.max(most, repeat + 1), 1);
  return [
    ...(replaced > 0 ? [`${replaced} ${plural(replaced, "reply")} replaced by a later one of the same sample`] : []),
    ...(thought > 0 ? [`the thinking in ${thought} ${plural(thought, "reply")} is taken out, and not scored`] : []),
    ...(repeats > 1 ? [`each sample was asked up to ${repeats} times`] : []),
  ];
}

type KeptReply = Omit<ForeignReply, "prompt"> & { readonly index: number };

/** Writes the prompts as files of samples in RULER's layout; line i is sample i. */
async function writeSamples(
  parts: readonly ForeignPart[],
  folder: string,
): Promise<{ readonly kept: readonly KeptReply[]; readonly replaced: number }> {
  const kept = new Map<string, KeptReply>();
  let count = 0;
  for (const part of parts) {
    // A part at a time, as the prompts of all may not fit into memory.
    const replies = await Array.fromAsync(part.replies());
    for (const [place, own] of Map.groupBy(replies, ({ task, length }) => `${length}/data/${checkTaskName(task)}`)) {
      const lines: string[] = [];
      const numbers = new Map<string, number>();
      for (const [at, { prompt, ...given }] of own.entries()) {
        const reply = { ...given, reply: prompt === null ? given.reply : withoutPrompt(given.reply, prompt) };
        const { name } = given;
        const index = reply.index ?? (name === undefined ? at : numbers.getOrInsert(name, numbers.size));
        const line = sampleLine(prompt, reply);
        if ((lines[index] ?? line) !== line) {
          // One of them would be lost.
          const found = `${index} for two different samples of ${place.replace("/data/", " tokens, ")}`;
          throw refuseRun("the run", "samples of one task and length must have numbers of their own", found);
        }
        lines[index] = line;
        kept.set(JSON.stringify([place, index, reply.repeat ?? 0]), { ...reply, index });
        count++;
      }
      await mkdir(`${folder}/${place}`, { recursive: true });
      await writeFile(
        `${folder}/${place}/validation.jsonl`,
        Array.from(lines, (line = UNUSED) => `${line}\n`).join(""),
      );
    }
  }
  return { kept: [...kept.values()], replaced: count - kept.size };
}

const UNUSED = sampleLine(null, { references: [] });

function checkTaskName(task: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._ =-]{0,199}$/u.test(task)) return task;
  throw refuseRun("the run", "a task's name must be letters, digits, spaces and ._=-", JSON.stringify(task));
}

function sampleLine(
  prompt: ForeignReply["prompt"],
  { references, distractors, paths, facts, depth, cluster }: Partial<ForeignReply> & Pick<ForeignReply, "references">,
): string {
  return JSON.stringify({
    // A prompt that one text cannot express is written as messages.
    ...(prompt !== null && prompt.messages.length > 1
      ? { messages: messageFields(prompt.messages) }
      : { input: prompt === null ? null : userText(prompt) }),
    "answer_prefix": prompt?.answerPrefix,
    outputs: references,
    distractors,
    paths,
    facts,
    depth,
    cluster,
  });
}

function makeRecords(
  kept: readonly KeptReply[],
  foreign: OpenedRun,
  { materials, study: { seed }, tasks }: OpenStudy,
): readonly RunRecord[] {
  const named = new Map(tasks.map((task) => [task.name, task]));
  const now = new Date().toISOString();
  const { model, settings } = foreign;
  return kept.map((kept): RunRecord => {
    const { task: name, length, index, repeat, reply, scoring, time = now, origin, made, targetDepth } = kept;
    const task = named.get(name)!;
    const sample = task.sample({ length, index, seed, materials, template: PLAIN_TEMPLATE });
    const { id, sha256, suite, promptTokens, question, references, distractors, paths, depth, cluster } = sample;
    return {
      sample: made?.sha256 === sha256 ? made.id : id,
      sha256,
      suite,
      task: name,
      length,
      index,
      seed,
      ...defined({ repeat: repeat || undefined }),
      promptTokens,
      question,
      references,
      ...defined({ distractors, paths, depth, targetDepth, cluster }),
      scoring: scoring ?? task.scorer.name,
      model,
      origin: isSimulatedName([model]) ? "simulated" : replyOrigin({ origin: origin ?? foreign.origin }, reply),
      settings,
      reply,
      fathom: FATHOM_VERSION,
      time,
    };
  });
}

/** Notes whether the scores agree with those that the other program has of each reply. */
function agreementNote(from: string, kept: readonly KeptReply[], scores: readonly (number | null)[]): string {
  const given = kept.map((reply, at) => ({ ...reply, ours: scores[at]! })).filter(({ theirs }) => theirs !== undefined);
  if (given.length === 0) return "the files have no score of each reply to compare with";
  const differing = given.filter(({ theirs, ours }) => ours === null || Math.abs(theirs! - ours) > 1e-9);
  if (differing.length > 0) {
    const { task, length, index, theirs, ours } = differing[0]!;
    const count = `${differing.length} of ${given.length} ${plural(given.length, "score")} differ from ${from}`;
    return `${count}, first ${task} at ${length}, sample ${index}: ${theirs} there, ${ours ?? "none"} here`;
  }
  return given.length === 1 ? `its score agrees with ${from}` : `all ${given.length} scores agree with ${from}`;
}

async function describeImport(
  { model, settings, from, parts, unknown }: OpenedRun,
  name: string,
  { opened, records }: { readonly opened: OpenStudy; readonly records: readonly RunRecord[] },
): Promise<RunManifest> {
  const origin = runOrigin("measured", records);
  const header = describeRun(opened, { name: model, origin, settings, template: PLAIN_TEMPLATE });
  const tasks = records.map(({ task, scoring }) => [task, { ...header.tasks[task]!, scoring }] as const);
  const files = await Promise.all([...new Set(parts.flatMap(({ files }) => files))].map(async (path) => {
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
    tasks: { ...header.tasks, ...Object.fromEntries(tasks) },
    imported: { from, time: new Date().toISOString(), files, unknown: [...unknown, ...missingFacts(records, origin)] },
    samples: answeredSamples(records),
  };
}

function missingFacts(records: readonly RunRecord[], origin: ReplyOrigin): readonly string[] {
  const answers = records.flatMap(({ reply }) => reply.kind === "answer" ? [reply] : []);
  const isMissing = {
    "how the model was asked": Object.keys(records[0]?.settings ?? {}).length === 0,
    "how long replies took": records.every(({ reply }) => reply.latencyMs === 0),
    "why the model stopped": answers.every(({ finishReason }) => finishReason === "unknown"),
    "the model's own count of tokens": answers.every(({ promptTokens }) => promptTokens === undefined),
    "whether a real model answered": origin === "unknown",
    "some prompts": records.some(({ sha256 }) => sha256 === UNKNOWN_PROMPT),
  };
  return Object.keys(isMissing).filter((fact) => isMissing[fact as keyof typeof isMissing]);
}
