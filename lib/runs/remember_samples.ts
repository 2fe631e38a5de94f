import { BASE_FRAME, type Sample, type SampleRequest, type Task } from "@/lib/generators/mod.ts";
import type { OpenStudy } from "./open_study.ts";

/** Options for {@linkcode rememberSamples}. */
export interface RememberOptions {
  /**
   * How many characters of prompts are kept. Range: 0 up.
   *
   * @default {100_000_000}
   */
  readonly mostCharacters?: number;
}

/**
 * Makes each sample of an opened study once, so that several models can be asked the same samples, or a reply be explained,
 * at the price of making them once. Samples that no longer fit are made again each time.
 *
 * @param opened The opened study.
 * @param options How much to keep.
 * @returns The same study; its tasks give the same samples, those that were made before at once.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, openStudy } from "@/lib/runs/mod.ts";
 *
 * const { tasks: [task], materials } = rememberSamples(await openStudy(checkStudy({ tasks: ["niah_single_1"] })));
 * const request = { length: 512, seed: "42", index: 0, materials };
 * equal(task?.sample(request), task?.sample(request));
 * ```
 */
export function rememberSamples(opened: OpenStudy, options: RememberOptions = {}): OpenStudy {
  const kept = new Map<string, Sample>();
  let room = options.mostCharacters ?? 100_000_000;
  const remember = (task: Task): Task => ({
    ...task,
    sample(request: SampleRequest): Sample {
      // With other materials it would be another sample.
      if (request.materials !== opened.materials) return task.sample(request);
      const { length, seed, index, frame = BASE_FRAME } = request;
      const key = JSON.stringify([task.name, length, seed, index, frame]);
      const sample = kept.get(key) ?? task.sample(request);
      if (!kept.has(key) && sample.prompt.user.length <= room) {
        kept.set(key, sample);
        room -= sample.prompt.user.length;
      }
      return sample;
    },
  });
  return { ...opened, tasks: opened.tasks.map(remember) };
}
