import { readLengthText } from "@/lib/base/mod.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/materials.ts";
import { makeTasks } from "@/lib/studies/open_study.ts";
import { MissingText, TEXTS } from "./browser_node.ts";

/** The settings of a sample as the page's address has them: those of the shell's flags. Knobs are `set.NAME`. */
export type Settings = typeof DEFAULTS & Readonly<Record<string, string>>;

export const DEFAULTS = { task: "niah_single_2", length: "4096", seed: "42", index: "0", tokenizer: "cl100k_base" };

/** A sample with its task, which scores replies to it. */
export interface MadeSample {
  readonly task: Task;
  readonly sample: Sample;
}

/**
 * Makes a sample, equal to that of `fathom generate`.
 *
 * @param read Reads a text of the site when a sample first needs it.
 * @throws {RangeError} If there is no such task, or if it refuses a knob, the length or the index.
 */
export async function makeSample(settings: Settings, read: (text: string) => Promise<string>): Promise<MadeSample> {
  const { seed, tokenizer } = settings;
  const task = openTask(settings);
  const materials = await openMaterials({ tokenizer });
  const request = { length: readLengthText(settings.length), seed, index: Number(settings.index), materials };
  while (true) {
    try {
      return { task, sample: task.sample(request) };
    } catch (error) {
      if (!(error instanceof MissingText)) throw error;
      // A sample is a pure function, so it can be made again with the text.
      TEXTS.set(error.text, await read(error.text));
    }
  }
}

/** Makes the task of settings; an unknown task or knob is refused, and a value that the knob does not take. */
export function openTask(settings: Settings): Task {
  return makeTasks({
    tasks: [{ task: settings.task, knobs: Object.fromEntries(knobsOf(settings)) }],
    variant: "2026",
  })[0]!;
}

/** Lists the knobs that settings change; an empty value changes none. */
export function knobsOf(settings: Settings): readonly (readonly [name: string, value: string])[] {
  const knobs = Object.entries(settings).filter(([name, value]) => name.startsWith("set.") && value !== "");
  return knobs.map(([name, value]) => [name.slice("set.".length), value]);
}
