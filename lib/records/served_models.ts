import type { RunRecord } from "./record.ts";

/** The models that answered a run, by the names that its server gives. */
export interface ServedModels {
  /** Returns the served model of a record if it is another one than the one that is scored. */
  other(record: Pick<RunRecord, "reply">): string | undefined;
  /** States what a reader should know: another name than the asked one, or several models. */
  readonly notes: readonly string[];
}

/** Providers put their own name before a model's, and Ollama adds `:latest` to it. */
const plainName = (name: string): string => name.toLowerCase().replace(/^.*\//, "").replace(/:latest$/, "");

function servedBy({ reply }: Pick<RunRecord, "reply">): string | undefined {
  return reply.kind === "answer" ? reply.servedModel : undefined;
}

/**
 * Finds the models that answered the records of one run. Their answers are not averaged: scored is the model that was asked if it is
 * among them, otherwise the one with the most answers.
 */
export function servedModels(records: readonly Pick<RunRecord, "reply" | "settings" | "model">[]): ServedModels {
  const { settings = {}, model = "" } = records[0] ?? {};
  const asked = plainName(String(settings["model"] ?? model));
  const names = records.map(servedBy).filter((name) => name !== undefined);
  const byName = [...Map.groupBy(names, plainName)].map(([plain, all]) => ({ plain, name: all[0]!, n: all.length }))
    .sort((left, right) => Number(right.plain === asked) - Number(left.plain === asked) || right.n - left.n);
  const [main, ...others] = byName;
  const isSimulated = main?.name.startsWith("sim:") === true;
  const notes = main === undefined || isSimulated ? [] : [
    ...(main.plain === asked ? [] : [`the server answered as ${main.name}, and not as ${settings["model"] ?? model}`]),
    ...others.map(({ name, n }) =>
      `${n} of ${names.length} answers are of another model, ${name}: they are in no score, as those of ${main.name} are`
    ),
  ];
  return {
    other(record): string | undefined {
      const name = servedBy(record);
      return name === undefined || plainName(name) === main?.plain ? undefined : name;
    },
    notes,
  };
}
