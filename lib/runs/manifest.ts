import type { Frame, Scoring } from "@/lib/generators/mod.ts";
import type { ModelSettings } from "@/lib/models/mod.ts";
import type { MaterialNames } from "./open_materials.ts";
import type { Study } from "./study.ts";

/** What decides the samples and answers of a run: all of it but tasks, lengths and samples is the same for the whole run. */
export interface RunHeader {
  /** What was asked, at its widest. */
  readonly study: Study;
  /** Each task by name, with its suite, scoring and every knob. */
  readonly tasks: Readonly<Record<string, TaskHeader>>;
  /** What the samples were made of, by name and hash. */
  readonly materials: MaterialNames;
  /** The model's name. */
  readonly model: string;
  /** Whether the replies are real or made by the simulated reader; one such reply is enough to make the run simulated. */
  readonly origin: "measured" | "simulated";
  /** Everything that shaped the replies. */
  readonly settings: ModelSettings;
  /** What the model put round each prompt. */
  readonly frame: Frame;
}

/** A task as a manifest describes it. */
export interface TaskHeader {
  /** The suite and its version. */
  readonly suite: string;
  /** How replies are compared with the references. */
  readonly scoring: Scoring;
  /** Every knob with its value. */
  readonly options: Readonly<Record<string, string | number>>;
}

/** The `manifest.json` of a run. */
export interface RunManifest extends RunHeader {
  /** The form of the manifest and the records, from 1. */
  readonly format: 1;
  /** The run's name. */
  readonly name: string;
  /** The version of Fathom that began the run. */
  readonly fathom: string;
  /** When it was begun, in ISO 8601. */
  readonly started: string;
  /** The answered samples: how many, and one hash of all their ids and texts, the same whoever asks them in any order. */
  readonly samples: { readonly count: number; readonly sha256: string };
}
