import type { Model } from "@/lib/models/mod.ts";
import { ModelNotAskable } from "@/lib/asking/mod.ts";

/** Options for {@linkcode askUnlessUnreachable}. */
export interface Asking {
  readonly model: Pick<Model, "name" | "settings">;
  /** Identifies the cell: the cell that found the model unreachable may try again. */
  readonly name: string;
  /**
   * The clock, in milliseconds.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}

/** A failed attempt to reach a model. */
interface Refusal {
  readonly error: ModelNotAskable;
  /** The cell that made the attempt. */
  readonly name: string;
  readonly atMs: number;
}

/** How long other cells do not try an unreachable model again. */
const REMEMBERED_MS = 60_000;

/**
 * Unreachable models, by address and name. When a cell fails, the Deno kernel still runs the queued cells, so that "Run All" in
 * JupyterLab would wait for the same dead server in each of them.
 */
const refusals = new Map<string, Refusal>();

/**
 * Asks a model, unless another cell found it unreachable within the last minute: then it fails at once with the same error. The cell
 * that found it tries again whenever it is run.
 *
 * @throws {ModelNotAskable} If the model is unreachable, or was within the last minute.
 */
export async function askUnlessUnreachable<Value>(
  ask: () => Promise<Value>,
  { model, name, now = Date.now }: Asking,
): Promise<Value> {
  const key = JSON.stringify([model.settings["baseUrl"] ?? null, model.name]);
  const earlier = refusals.get(key);
  if (earlier !== undefined && earlier.name !== name && now() - earlier.atMs < REMEMBERED_MS) {
    throw new ModelNotAskable(
      `${earlier.error.message}. The cell that asks ${earlier.name} found this: run that cell again once the model is reachable`,
    );
  }
  try {
    const value = await ask();
    refusals.delete(key);
    return value;
  } catch (error) {
    if (error instanceof ModelNotAskable) refusals.set(key, { error, name, atMs: now() });
    throw error;
  }
}
