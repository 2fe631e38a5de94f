import { meanCells, type NeedleCell } from "./published.ts";

/**
 * Reads result files of Kamradt's Needle In A Haystack, one JSON object each, as its `results/` folder has them: `model`,
 * `context_length`, `depth_percent` and `score` from 1 to 10 are used. Repeats of a cell are averaged.
 *
 * @param files The texts, each with the path that errors name.
 * @throws {SyntaxError} If a file is no such object.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (score: number) => JSON.stringify({ model: "m", "context_length": 1000, "depth_percent": 50.0, version: 1, score });
 * const cells = readKamradtResults([{ path: "a.json", text: of(10) }, { path: "b.json", text: of(1) }]);
 * deepEqual(cells, [{ model: "m", length: 1000, depth: 50, score: 5.5, n: 2 }]);
 * ```
 */
export function readKamradtResults(
  files: readonly { readonly path: string; readonly text: string }[],
): readonly NeedleCell[] {
  return meanCells(files.map(({ path, text }) => readResult(text, path)));
}

function readResult(text: string, path: string): Omit<NeedleCell, "n"> {
  const refuse = (wanted: string, value: unknown): SyntaxError =>
    new SyntaxError(
      `Cannot read the result in "${path}" as ${wanted}: current value is ${JSON.stringify(value) ?? "none"}`,
    );
  let result: Readonly<Record<string, unknown>>;
  try {
    result = JSON.parse(text);
  } catch {
    throw refuse("it must be one JSON object", text.slice(0, 60));
  }
  const { model, "context_length": length, "depth_percent": depth, score } = result ?? {};
  if (typeof model !== "string") throw refuse('"model" must be a text', model);
  const numbers = [["context_length", length, Infinity], ["depth_percent", depth, 100], ["score", score, 10]] as const;
  for (const [name, value, most] of numbers) {
    const isRight = typeof value === "number" && value >= (name === "score" ? 1 : 0) && value <= most;
    if (!isRight) throw refuse(`"${name}" must be a number${most === Infinity ? "" : ` of at most ${most}`}`, value);
  }
  return { model, length: length as number, depth: depth as number, score: score as number };
}
