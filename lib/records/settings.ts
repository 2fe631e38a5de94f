import { relative } from "node:path";
import { defaultSettings, type ModelSettings } from "@/lib/models/mod.ts";
import { hasOwnSamples, type RunHeader, samplesOf, type Study } from "@/lib/studies/mod.ts";

/** The name of the address among the settings of a run. */
export const ADDRESS = "setting baseUrl";

/**
 * Finds the first setting in which two headers of one run differ and may not; tasks, lengths and samples may, and with
 * `anyAddress` where the model is served.
 */
export function findDifference(
  before: RunHeader,
  now: RunHeader,
  { anyAddress = false, isShard = false }: { readonly anyAddress?: boolean | undefined; readonly isShard?: boolean } =
    {},
): DifferingSetting | undefined {
  return differingSettings({ ...before, settings: fillSettings(before, now) }, now, { isShard })
    .find(({ name, before, now }) => name !== ADDRESS || !anyAddress || before === "none" || now === "none");
}

/** A setting in which two runs differ. */
export interface DifferingSetting {
  /** Such as `setting maxTokens`, `template name` or `material tokenizer`. */
  readonly name: string;
  /** Its value in the first, as JSON; `none` if it has none. */
  readonly before: string;
  readonly now: string;
}

/** Lists the settings in which two runs differ; which tasks, lengths and samples they were asked is none of them. */
export function differingSettings(
  before: RunHeader,
  now: RunHeader,
  { isShard = false }: { readonly isShard?: boolean } = {},
): readonly DifferingSetting[] {
  // A task that only one of them asks is no difference.
  const shared = Object.keys(before.tasks).filter((task) => Object.hasOwn(now.tasks, task));
  const left = listSettings(before, shared, isShard);
  const right = listSettings(now, shared, isShard);
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((name) => ({ name, before: left.get(name) ?? "none", now: right.get(name) ?? "none" }))
    .filter(({ name, before, now }) => before !== now && !(before === "none" && ADDED_FIELDS.has(name)));
}

/** Template fields that runs before prompts of several turns lack. */
const ADDED_FIELDS: ReadonlySet<string> = new Set(["template turns", "template messageTokens", "template withSystem"]);

/** Returns the settings of a run, with the defaults of options that did not exist then. */
function fillSettings(before: RunHeader, now: RunHeader): ModelSettings {
  const defaults = Object.entries(defaultSettings()).filter(([name]) => Object.hasOwn(now.settings, name));
  return { ...Object.fromEntries(defaults), ...before.settings };
}

function listSettings(header: RunHeader, taskNames: readonly string[], isShard: boolean): ReadonlyMap<string, string> {
  const { study, tasks, materials, model, settings, template } = header;
  const { lengths, first, samples, repeats = 1 } = study;
  const named = (prefix: string, values: Readonly<Record<string, unknown>>): [string, string][] =>
    // Null means not set, as in runs from before an option existed.
    Object.entries(values).filter(([, value]) => value !== null)
      .map(([key, value]) => [`${prefix} ${key}`, JSON.stringify(value)]);
  return new Map([
    ["model", JSON.stringify(model)],
    ["seed", JSON.stringify(study.seed)],
    // The samples of an imported run are its own, wherever it is.
    ...named("study", {
      samplesFile: hasOwnSamples(header) || study.samplesFile === undefined ? null : relative("", study.samplesFile),
    }),
    // Which samples are a shard's depends on everything that the run asks.
    ...(isShard ? named("study", { tasks: study.tasks, lengths, first, samples, repeats }) : []),
    ...named("material", { ...materials }),
    ...named("setting", settings),
    ...named("template", { ...template }),
    ...taskNames.flatMap((name) => {
      const { suite, scoring, options } = tasks[name]!;
      return named(`task ${name}'s`, { suite, scoring, ...options });
    }),
  ]);
}

/** Widens a header by another of the same run: to every task, length and sample that either asks. */
export function widenHeader<Header extends RunHeader>(before: Header, now: RunHeader): Header {
  const [old, asked] = [before.study, now.study];
  const names = new Set(old.tasks.map((choice) => JSON.stringify(choice)));
  const first = Math.min(old.first, asked.first);
  const end = Math.max(old.first + old.samples, asked.first + asked.samples);
  const lengths = [...new Set([...old.lengths, ...asked.lengths])].sort((left, right) => left - right);
  const repeats = Math.max(old.repeats ?? 1, asked.repeats ?? 1);
  const { samplesAt: _fewer, ...kept } = old;
  return {
    ...before,
    tasks: { ...before.tasks, ...now.tasks },
    ...(now.benchmarks === undefined ? {} : { benchmarks: { ...before.benchmarks, ...now.benchmarks } }),
    study: {
      ...kept,
      tasks: [...old.tasks, ...asked.tasks.filter((choice) => !names.has(JSON.stringify(choice)))],
      lengths,
      first,
      samples: end - first,
      ...fewerSamples([old, asked], { lengths, samples: end - first }),
      ...(repeats === 1 ? {} : { repeats }),
    },
  };
}

function fewerSamples(
  studies: readonly Study[],
  { lengths, samples }: Pick<Study, "lengths" | "samples">,
): Pick<Study, "samplesAt"> {
  if (studies.every(({ samplesAt }) => samplesAt === undefined)) return {};
  const counts = lengths.map((length): [number, number] => {
    const asking = studies.filter((study) => study.lengths.includes(length));
    return [length, Math.max(...asking.map((study) => samplesOf(study, length)))];
  });
  const fewer = counts.filter(([, count]) => count < samples);
  return fewer.length === 0 ? {} : { samplesAt: Object.fromEntries(fewer) };
}
