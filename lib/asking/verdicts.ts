import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { defined } from "@/lib/base/mod.ts";
import { openLineFile, readMeasuredName, runFolder, runOf } from "@/lib/records/mod.ts";
import { checkRunFolder, FATHOM_VERSION, findMisfit, v } from "@/lib/studies/mod.ts";
import type { Regrader } from "@/lib/benchmarks/mod.ts";
import { fieldsOf, type Model, parseJson } from "@/lib/models/mod.ts";

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

interface VerdictLine extends Verdict {
  readonly by: string;
  readonly model: string;
  /** The model's settings with its address: another server or temperature is another judge. */
  readonly settings: Model["settings"];
  /** SHA-256 of the request, which contains the rubric and its version. */
  readonly about: string;
  readonly fathom: string;
}

const TEXT = v.string();
const LINE = v.object({ by: TEXT, model: TEXT, settings: v.record(TEXT, v.unknown()), about: TEXT, text: TEXT });

/** The verdicts of one model. */
export interface Verdicts {
  /** Returns the last verdict on a request. */
  find(about: string): Verdict | undefined;
  keep(about: string, verdict: Verdict): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file of verdicts, so that one process at a time asks for those that are missing: two would pay twice. Lines that are no
 * verdicts are skipped, and so are those of other models, addresses and settings.
 *
 * @throws {Error} If another process has it.
 */
export async function openVerdicts(
  path: string,
  { by, model }: { readonly by: Regrader["name"]; readonly model: Pick<Model, "name" | "settings"> },
): Promise<Verdicts> {
  await checkRunFolder(dirname(path));
  await mkdir(dirname(path), { recursive: true });
  const settings = settingsText(model.settings);
  const { items, append, close } = await openLineFile(path, parseVerdict);
  const own = items.filter((line) =>
    line.by === by && line.model === model.name && settingsText(line.settings) === settings
  );
  const known = new Map<string, Verdict>(own.map((line) => [line.about, line]));
  return {
    find: (about) => known.get(about),
    keep(about, verdict): Promise<void> {
      const line = { by, model: model.name, settings: model.settings, about, ...verdict, fathom: FATHOM_VERSION };
      return append(JSON.stringify(line));
    },
    close,
  };
}

function settingsText(settings: Model["settings"]): string {
  return JSON.stringify(Object.entries(settings).sort(([left], [right]) => left < right ? -1 : 1));
}

function parseVerdict(text: string): VerdictLine | undefined {
  const line = { asked: 1, unread: null, origin: "measured", ...fieldsOf(parseJson(text)) };
  return findMisfit(LINE, line) === undefined ? line as VerdictLine : undefined;
}

/**
 * Returns the path of the file of a second model's verdicts beside a run's records; for a measured run, which is only read, beside
 * the records of the run that it is packed from.
 */
export function verdictFile(
  run: string,
  { by, model, folder }: { readonly by: Regrader["name"]; readonly model: string; readonly folder?: string },
): string {
  const measured = readMeasuredName(run);
  const place = runFolder(measured === undefined ? run : runOf(measured), defined({ folder }));
  return `${place}/${by}-${model.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}.jsonl`;
}
