import { readFile } from "node:fs/promises";
import type { TopLevelSpec } from "vega-lite";
import { textWidths } from "./text_fit.ts";
import type { Spec } from "./theme.ts";

/**
 * Compiles a figure's Vega-Lite specification to Vega, so that a page needs no compiler.
 *
 * @returns JSON that is safe in a `<script>` of a page: no text in it can end the element.
 * @throws {TypeError} If Vega-Lite cannot compile it.
 */
export async function chartProgram(spec: Spec): Promise<string> {
  const { compile } = await import("vega-lite");
  try {
    return JSON.stringify(compile(spec as unknown as TopLevelSpec).spec).replaceAll("<", "\\u003c");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TypeError(`Cannot compile the chart as it must be Vega-Lite: current value gives "${why}"`);
  }
}

/**
 * Returns the script that renders the result of {@linkcode chartProgram}: Vega as the global `vega`, with its expression
 * interpreter instead of `eval`, and `chartTextWidths`, so that texts have the same room as in the figure's SVG.
 */
export async function chartLibrary(): Promise<string> {
  // Imported so that both packages are installed before their files are read.
  await Promise.all([import("vega"), import("vega-interpreter")]);
  const [vega, licence] = [await readBuild("vega", "vega.min.js"), await readBuild("vega", "../LICENSE")];
  const interpreter = await readBuild("vega-interpreter", "vega-interpreter.js");
  const wrapped = replaceOnce(
    replaceOnce(interpreter, /^import (\{[^}]*\}) from 'vega-util';$/m, "const $1 = vega;"),
    /^export \{ expression as expressionInterpreter \};$/m,
    "return expression;",
  );
  return [
    `/* Vega and its interpreter:\n${licence.trim()} */`,
    withoutMap(vega),
    `vega.expressionInterpreter = (() => {\n${withoutMap(wrapped)}\n})();`,
    `const chartTextWidths = ${JSON.stringify(textWidths())};`,
  ].join("\n");
}

async function readBuild(name: string, file: string): Promise<string> {
  return await readFile(new URL(file, import.meta.resolve(name)), "utf8");
}

function replaceOnce(text: string, pattern: RegExp, by: string): string {
  const changed = text.replace(pattern, by);
  if (changed !== text) return changed;
  throw new Error(`Cannot put Vega into a page as its build must contain ${pattern}: it has no match`);
}

function withoutMap(text: string): string {
  return text.replace(/^\/\/# sourceMappingURL=.*$/m, "");
}
