import type { Model } from "@/lib/models/mod.ts";
import { ModelNotAskable } from "@/lib/asking/mod.ts";

/** Who asks a model. */
export interface Asking {
  readonly model: Pick<Model, "name" | "settings">;
  /** What is asked; asked once more under this name, the model is tried again. */
  readonly name: string;
  /**
   * The time, in milliseconds.
   *
   * @default {Date.now}
   */
  readonly now?: () => number;
}

/** A model that could not be asked. */
interface Refusal {
  readonly error: ModelNotAskable;
  /** What was to be asked. */
  readonly name: string;
  readonly atMs: number;
}

/** How long a model that could not be asked is left alone. */
const LEFT_ALONE_MS = 60_000;

/**
 * The models that could not be asked, by address and name. Deno's kernel goes on with the cells that are waiting when one fails,
 * so that in JupyterLab "run all" would ask the same dead server in each of them.
 */
const refusals = new Map<string, Refusal>();

/**
 * Asks a model, unless another cell found out within the last minute that it cannot be asked: then this one fails at once, with
 * the same line. The cell that found out tries again whenever it is run.
 *
 * @throws {ModelNotAskable} If the model cannot be asked, or could not be a moment ago.
 */
export async function askUnlessLeftAlone<Value>(
  ask: () => Promise<Value>,
  { model, name, now = Date.now }: Asking,
): Promise<Value> {
  const key = JSON.stringify([model.settings["baseUrl"] ?? null, model.name]);
  const earlier = refusals.get(key);
  if (earlier !== undefined && earlier.name !== name && now() - earlier.atMs < LEFT_ALONE_MS) {
    throw new ModelNotAskable(
      `${earlier.error.message}. The cell that asks ${earlier.name} found that: once the model can be asked, run that cell again`,
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
