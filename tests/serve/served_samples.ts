import { hashOf } from "@/lib/base/mod.ts";
import { PLAIN_TEMPLATE, type Sample } from "@/lib/generators/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { answerAs } from "@/lib/simulated/reader.ts";
import type { Profile } from "@/lib/simulated/profiles.ts";
import { type BenchmarkOptions, openStudy, samplesOf, type Study } from "@/lib/studies/mod.ts";

/** The samples of a server, by their prompts. */
export interface ServedSamples {
  /** Answers a prompt as a profile does; `undefined` for a long prompt of no sample. */
  answer(prompt: string, profile: Profile): string | undefined;
}

/** The longest prompt of no sample that is answered, in characters: short questions come from clients that probe a server. */
const SHORT = 2000;

/** Collects samples by the hashes of their prompts, with and without the start of the answer. */
export function serveSamples(
  samples: Iterable<Sample>,
  otherwise: (prompt: string) => string | undefined = (prompt) => prompt.length <= SHORT ? "I do not know." : undefined,
): ServedSamples {
  const byHash = new Map<string, Sample>();
  for (const sample of samples) {
    const { answerPrefix = "", messages } = sample.prompt;
    const text = messages.map((message) => message.text).join("");
    for (const prompt of [text, text + answerPrefix, joinPrompt(sample.prompt)]) byHash.set(keyOf(prompt), sample);
  }
  return {
    answer(prompt, profile): string | undefined {
      if (profile.manner === "stays silent") return "";
      const sample = byHash.get(keyOf(prompt));
      return sample === undefined ? otherwise(prompt) : answerAs(profile, sample).text;
    },
  };
}

/** Clients part messages by different white space. */
function keyOf(prompt: string): string {
  return hashOf([prompt.replaceAll(/\s+/g, "")]);
}

/** Makes all samples of a study, as they are asked with and without the start of the answer. */
export async function makeSamples(study: Study, options: BenchmarkOptions = {}): Promise<readonly Sample[]> {
  const { tasks, materials } = await openStudy(study, options);
  const places = study.lengths.flatMap((length) =>
    Array.from({ length: samplesOf(study, length) }, (_, index) => ({ length, index }))
  );
  return tasks.flatMap((task) =>
    [PLAIN_TEMPLATE, { ...PLAIN_TEMPLATE, answerPrefix: false }].flatMap((template) =>
      places.filter(({ length }) => length >= task.leastLength(materials)).map((place) =>
        task.sample({ ...place, seed: study.seed, materials, template })
      )
    )
  );
}
