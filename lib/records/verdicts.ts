import { dirname, resolve } from "node:path";
import { checkRunFolder, checkRunName, FATHOM_VERSION, RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { readMeasuredName, runOf } from "./run_files.ts";
import { openLocked, readLines } from "./records_file.ts";
import type { Regrader } from "@/lib/benchmarks/mod.ts";
import { isFields, type Model } from "@/lib/models/mod.ts";

/** The verdict of a second model on a reply. */
export interface Verdict {
  /** Its last answer; empty if its call failed. */
  readonly text: string;
  /** Attempts, up to 2; 0 if the model had stopped answering before. */
  readonly asked: number;
  /** Why the answer is unusable; `null` if it is usable. */
  readonly unread: string | null;
  /** Whether its last answer is real or simulated. */
  readonly origin: Model["origin"];
}

/** A line of a file of verdicts. */
interface VerdictLine extends Verdict {
  readonly by: string;
  readonly model: string;
  /** The model's settings with its address: another server or temperature is another judge. */
  readonly settings: Model["settings"];
  /** SHA-256 of the request, which contains the rubric and its version. */
  readonly about: string;
  /** The version of Fathom that asked. */
  readonly fathom: string;
}

/** The verdicts of one model. */
export interface Verdicts {
  /** Returns the last verdict on a request; `undefined` if there is none. */
  find(about: string): Verdict | undefined;
  /** Keeps a verdict. */
  keep(about: string, verdict: Verdict): Promise<void>;
  /** Closes and unlocks the file. */
  close(): Promise<void>;
}

/** An empty store that keeps nothing. */
export const NO_VERDICTS: Verdicts = {
  find: () => undefined,
  keep: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Opens a file of verdicts, so that one process at a time asks for those that are missing: two would pay twice. A line that is no
 * verdict is skipped, and so are those of other models, addresses and settings.
 *
 * @throws {Error} If another process has it.
 */
export async function openVerdicts(
  path: string,
  { by, model }: { readonly by: Regrader["name"]; readonly model: Pick<Model, "name" | "settings"> },
): Promise<Verdicts> {
  await checkRunFolder(dirname(path));
  await Deno.mkdir(dirname(path), { recursive: true });
  const file = (await openLocked(path, true))!;
  const known = new Map<string, Verdict>();
  const settings = settingsText(model.settings);
  let isTorn = false;
  for await (const { text, isEnded } of readLines(file)) {
    const line = parseLine(text);
    isTorn = !isEnded;
    if (line === undefined || line.by !== by || line.model !== model.name) continue;
    if (settingsText(line.settings) === settings) known.set(line.about, line);
  }
  let last: Promise<void> = Promise.resolve();
  const write = async (text: string): Promise<void> => {
    let bytes = new TextEncoder().encode(text);
    while (bytes.length > 0) bytes = bytes.subarray(await file.write(bytes));
  };
  return {
    find: (about) => known.get(about),
    keep(about, verdict): Promise<void> {
      const line = { by, model: model.name, settings: model.settings, about, ...verdict, fathom: FATHOM_VERSION };
      // A new line must not continue one that a crash cut short.
      const begin = isTorn ? "\n" : "";
      isTorn = false;
      return last = last.then(() => write(`${begin}${JSON.stringify(line)}\n`));
    },
    async close(): Promise<void> {
      await last.catch(() => {});
      const isEmpty = (await file.stat()).size === 0;
      file.close();
      if (isEmpty) await Deno.remove(path).catch(() => {});
    },
  };
}

function settingsText(settings: Model["settings"]): string {
  return JSON.stringify(Object.entries(settings).sort(([left], [right]) => left < right ? -1 : 1));
}

function parseLine(text: string): VerdictLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    if (!isFields(line) || !isFields(line["settings"])) return undefined;
    const isVerdict = ["by", "model", "about", "text"].every((name) => typeof line[name] === "string");
    return isVerdict ? { asked: 1, unread: null, origin: "measured", ...line } as unknown as VerdictLine : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The path of the file beside a run's records that keeps what a second model said of its replies; for a measured run, which is
 * only read, beside the records of the run that it is packed from.
 */
export function verdictFile(
  run: string,
  options: { readonly by: Regrader["name"]; readonly model: string; readonly folder?: string },
): string {
  const { by, model, folder = RUNS_FOLDER } = options;
  return `${placeOf(run, folder)}/${by}-${model.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}.jsonl`;
}

function placeOf(run: string, folder: string): string {
  const measured = readMeasuredName(run);
  if (measured !== undefined) return `${folder}/${runOf(measured)}`;
  return run.includes("/") ? resolve(run) : `${folder}/${checkRunName(run)}`;
}
