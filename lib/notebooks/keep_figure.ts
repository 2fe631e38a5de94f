import { type Figure, saveFigure } from "@/lib/charts/mod.ts";

/** Options for {@linkcode keepFigure}. */
export interface KeepFigureOptions {
  /**
   * The folder, from where the notebook runs. A run with other parameters is given one of its own, beside its report, by
   * the variable `FATHOM_FIGURES`, so that it leaves the committed figures as they are.
   *
   * @default {FATHOM_FIGURES, or `../results/figures`}
   */
  readonly folder?: string;
}

/**
 * Keeps a notebook's figure as a file.
 *
 * @param figure The figure.
 * @param name The name of its file, such as `03-needles.svg`; its ending says in which form.
 * @param options Where to.
 * @throws {RangeError} If the name has no known ending; nothing is written then.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { lineChart } from "@/lib/charts/mod.ts";
 *
 * const figure = lineChart([{ length: 4096, score: 90 }, { length: 8192, score: 80 }], {
 *   title: "Shorter is better",
 *   caption: "One task.",
 *   origin: "measured",
 *   n: 10,
 *   x: "length",
 *   y: "score",
 *   xTitle: "Context length (tokens)",
 *   yTitle: "Score (%)",
 * });
 * const folder = await Deno.makeTempDir();
 * await keepFigure(figure, "scores.svg", { folder });
 * match(await Deno.readTextFile(`${folder}/scores.svg`), /Shorter is better/);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function keepFigure(figure: Figure, name: string, options: KeepFigureOptions = {}): Promise<void> {
  const { folder = Deno.env.get("FATHOM_FIGURES") ?? "../results/figures" } = options;
  await saveFigure(figure, `${folder}/${name}`);
}
