import type { RunHeader } from "./manifest.ts";

/** Finds the first setting in which two headers of one run may not differ; tasks, lengths and samples may be others. */
export function findDifference(
  before: RunHeader,
  now: RunHeader,
): { readonly name: string; readonly before: string; readonly now: string } | undefined {
  // A task that only one of them asks is no difference.
  const shared = Object.keys(before.tasks).filter((task) => Object.hasOwn(now.tasks, task));
  const left = listSettings(before, shared);
  const right = listSettings(now, shared);
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [was, is] = [left.get(name) ?? "none", right.get(name) ?? "none"];
    if (was !== is) return { name, before: was, now: is };
  }
  return undefined;
}

function listSettings(header: RunHeader, taskNames: readonly string[]): Map<string, string> {
  const { study, tasks, materials, model, settings, frame } = header;
  const named = (prefix: string, values: Readonly<Record<string, unknown>>): [string, string][] =>
    Object.entries(values).map(([key, value]) => [`${prefix} ${key}`, JSON.stringify(value)]);
  return new Map([
    ["model", JSON.stringify(model)],
    ["seed", JSON.stringify(study.seed)],
    ...named("material", { ...materials }),
    ...named("setting", settings),
    ...named("frame", { ...frame }),
    ...taskNames.flatMap((name) => {
      const { suite, scoring, options } = tasks[name]!;
      return named(`task ${name}'s`, { suite, scoring, ...options });
    }),
  ]);
}

/** Widens a header by another of the same run: every task, length and sample that either asks. */
export function widenHeader(before: RunHeader, now: RunHeader): RunHeader {
  const [old, asked] = [before.study, now.study];
  const names = new Set(old.tasks.map((choice) => JSON.stringify(choice)));
  const first = Math.min(old.first, asked.first);
  const end = Math.max(old.first + old.samples, asked.first + asked.samples);
  return {
    ...before,
    tasks: { ...before.tasks, ...now.tasks },
    study: {
      ...old,
      tasks: [...old.tasks, ...asked.tasks.filter((choice) => !names.has(JSON.stringify(choice)))],
      lengths: [...new Set([...old.lengths, ...asked.lengths])].sort((left, right) => left - right),
      first,
      samples: end - first,
    },
  };
}
