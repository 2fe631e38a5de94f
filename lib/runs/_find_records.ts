import { explainFileError } from "./_explain_file_error.ts";
import { readRecords, type TornEnd } from "./_records_file.ts";
import type { RunRecord } from "./record.ts";

/** What a run's records file held when it was opened, and what was added since. */
export interface FoundRecords {
  readonly file: Deno.FsFile;
  readonly torn: TornEnd | undefined;
  readonly outcomes: Outcomes;
}

/** What came back for each sample of a run. */
export interface Outcomes {
  /** By {@linkcode placeKey}. */
  readonly kinds: Map<string, "answer" | "failure">;
  /** The hash of each answered sample's text, by its id. */
  readonly hashes: Map<string, string>;
}

/** Names a sample within a run. */
export function placeKey(
  { suite, task, length, index }: Pick<RunRecord, "suite" | "task" | "length" | "index">,
): string {
  return `${suite}/${task}/${length}/${index}`;
}

/** Takes a record into account; an answer stands, whatever else was recorded for the sample. */
export function noteRecord({ kinds, hashes }: Outcomes, record: RunRecord): void {
  const key = placeKey(record);
  if (kinds.get(key) !== "answer") kinds.set(key, record.reply.kind);
  if (record.reply.kind === "answer") hashes.set(record.sample, record.sha256);
}

/**
 * Opens the records file of a run for appending and reads what is in it.
 *
 * @param path The file's path.
 * @param isNew Whether to make the file.
 * @returns What is in it, or `undefined` where there is no file.
 */
export async function findRecords(
  path: string,
  { isNew }: { readonly isNew: boolean },
): Promise<FoundRecords | undefined> {
  const file = await openLocked(path, isNew);
  if (file === undefined) return undefined;
  try {
    const outcomes: Outcomes = { kinds: new Map(), hashes: new Map() };
    let torn: TornEnd | undefined;
    for await (const record of readRecords(file, { path, onTorn: (end) => torn = end })) noteRecord(outcomes, record);
    return { file, torn, outcomes };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openLocked(path: string, isNew: boolean): Promise<Deno.FsFile | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true, append: true, create: isNew });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound && !isNew) return undefined;
    throw new RangeError(`Cannot open "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  if (await file.tryLock(true)) return file;
  file.close();
  throw new Error(`Cannot add to "${path}" as one process at a time must write it: another one is at it`);
}
