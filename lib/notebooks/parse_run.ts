import { parsedRows } from "@/lib/analysis/mod.ts";
import { parsedTable, type Table } from "@/lib/charts/mod.ts";
import { openModel } from "@/lib/models/mod.ts";
import { parsedFile, parseReplies, type StudyRun } from "@/lib/runs/mod.ts";

/** Options for {@linkcode parseRun}. */
export interface ParseRunOptions {
  /** The model that rewrites replies, or a profile of the simulated reader, which does it by rule. */
  readonly parser: string;
  /** The address of its server; that of the environment, or OpenAI's own, if empty. The simulated reader needs none. */
  readonly baseUrl?: string;
}

/**
 * Has a model rewrite the replies of a Needle Threading run from a notebook, as the paper does, and scores them again.
 *
 * What became of a real model's replies is kept beside its records, and running the cell again asks only what is missing.
 *
 * @param run The run, from `askModel`.
 * @param options The parser.
 * @returns Both scores task by task; their origin is that of the run.
 * @throws {RangeError} If the parser cannot be asked.
 */
export async function parseRun(run: StudyRun, options: ParseRunOptions): Promise<Table> {
  const { parser: model, baseUrl = "" } = options;
  const { name, origin } = run.manifest;
  // The address is that of the model under test, at whose server no profile is to be looked for.
  const choice = { model, ...(baseUrl === "" || model.startsWith("sim:") ? {} : { baseUrl }) };
  const parser = openModel(choice, (variable) => Deno.env.get(variable) || undefined);
  const values = run.replies.filter(({ record }) => record.scoring.startsWith("values "));
  const parsed = await parseReplies(values, {
    parser,
    ...(origin === "simulated" ? {} : { file: parsedFile(name, parser.name) }),
  });
  return parsedTable(parsedRows(values, parsed), {
    title: `Replies of ${run.manifest.model}, rewritten by ${parser.name} (${parser.origin})`,
    n: values.length,
    origin,
  });
}
